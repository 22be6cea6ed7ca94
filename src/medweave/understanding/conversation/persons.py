"""Of whom each turn of a conversation is: one patient until another is named.

Somebody who was spoken of before is found again, with what was told of them then. In doubt a turn
is about the one whom the talk is of.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from medweave.language.passage import Passage, passage_of
from medweave.language.people import people_of
from medweave.language.person import Person
from medweave.model.question import FINDINGS, SUBSTANCES, Patient, Question
from medweave.understanding.conversation.wording import (
    asks_in_words,
    pattern,
    says,
    words,
    written,
)

_ONESELF = frozenset({"writer"})
_ANYBODY = frozenset({"adult"})
_NEAR = 40
"""Characters between somebody and what they have."""


@dataclass
class Persons:
    """Everybody of whom a conversation has told, by number, and of whom it tells now."""

    known: list[_Known] = field(default_factory=list)
    current: int = -1
    told_wrongly_of: int | None = None
    """Of whom was told what is another's: whoever corrects that goes on to speak of them."""
    of_letter: set[int] = field(default_factory=set)
    """Those of whom parts of a letter have told: each part is of another."""

    def of_turn(self, turn: Question, *, corrects: bool, of_letter: bool = False) -> int:
        """The number of whom a turn tells or asks; it is remembered as told of them."""
        number = self._number(turn, corrects=corrects)
        if of_letter:
            number = len(self.known) if number in self.of_letter else number
            self.of_letter.add(number)
        self.current = number
        if self.current == len(self.known):
            self.known.append(_Known())
        self.known[self.current].take(_names(turn), turn.patient)
        return self.current

    def _number(self, turn: Question, *, corrects: bool) -> int:
        another = len(self.known)
        if not self.known or says("another_person", turn):
            return another
        if says("back_to_them", turn) and not self.known[self.current].names <= _ONESELF:
            return self.current
        names = _names(turn)
        if names == _ONESELF and self.told_wrongly_of is not None:
            return self.told_wrongly_of
        if names and names <= _ANYBODY and says("them_again", turn):
            names = frozenset()  # "the old fella": of whom the talk was
        told = replace(turn.patient, sex=None) if _only_owners(turn) else turn.patient
        fits = [corrects or each.fits(told) for each in self.known]
        now = self.known[self.current]
        if not names or (names == _ONESELF and not now.names & _ONESELF and not _of_oneself(turn)):
            fitting = [n for n in self._latest() if fits[n]]
            others = [n for n in fitting if self.known[n].names != _ONESELF]
            spoken_of = others if _is_of_third_person(turn) else []  # "he" is not who writes
            return next(iter([*spoken_of, *fitting]), another)
        found = next((n for n in self._latest() if names & self.known[n].names and fits[n]), None)
        if found is not None:
            return found
        itself = names == _ONESELF and not says("asks_the_same", turn)  # "I want it, too"
        turns = says("turns_to_another", turn) and not itself
        unnamed = not now.names and fits[self.current] and not turns
        return self.current if unnamed else another

    def _latest(self) -> list[int]:
        """Everybody, whom the talk is of first."""
        others = (n for n in reversed(range(len(self.known))) if n != self.current)
        return [self.current, *others]


def named_as_own(turn: Question) -> str:
    """A turn about a relative of whom the talk was of ("and her brother, he's 8"), as it would be
    told of a relative of whoever writes; "" where it is about nobody like that."""
    people = people_of(_passage(turn))
    named = [p for p in people.all if p.role not in ("pronoun", "writer")]
    if not named or named[0].of != "other" or len({p.kind for p in named}) > 1:
        return ""
    if _only_stand_by(turn, named):
        return ""
    text, start = turn.text, named[0].start
    owner = pattern("whose_relative", turn.language).search(text.lower()[:start])
    own = words(turn.language)["own_relative"]
    return text[: owner.start()] + own + text[start:] if owner else ""


def told_of_another(turn: Question, names: set[str]) -> frozenset[str]:
    """What a turn tells in a clause that names a relative, and not the one who is called by these
    `names`: "it's my uncle who takes azathioprine"."""
    passage = passage_of(turn.text, turn.language)
    people = people_of(passage).all
    found = set()
    for mention in turn.mentions:
        start, end = passage.clause_at(mention.start)
        here = {p.kind for p in people if start <= p.start < end and p.role != "pronoun"}
        if here and here.isdisjoint({*names, *_ONESELF}):
            found.add(mention.entity)
    return frozenset(found)


def names_nobody(turn: Question) -> bool:
    """Whether a turn names no person at all: "omeprazole?"."""
    return not people_of(_passage(turn)).all


def names_writer(turn: Question) -> bool:
    """Whether whoever writes speaks of themselves, and not only of somebody else."""
    return any(person.role == "writer" for person in people_of(_passage(turn)).all)


@dataclass
class _Known:
    """Somebody of whom was told: by which words, of which sex and age."""

    names: set[str] = field(default_factory=set)
    patient: Patient = field(default_factory=Patient)

    def take(self, names: frozenset[str], patient: Patient) -> None:
        self.names |= names
        if patient.age_days is not None:
            self.patient = replace(
                self.patient, age_days=patient.age_days, age_max_days=patient.age_max_days
            )
        several = len(self.names - _ONESELF - _ANYBODY) > 1  # "both my parents": of either sex
        sex = None if several else patient.sex or self.patient.sex
        self.patient = replace(self.patient, sex=sex)

    def fits(self, other: Patient) -> bool:
        """Whether what is told now can be of the same person."""
        one = self.patient
        if one.sex and other.sex and one.sex != other.sex:
            return False
        if one.age_days is None or other.age_days is None:
            return True
        return other.age_days <= (one.age_max_days or 0) and one.age_days <= (
            other.age_max_days or 0
        )


def _of_oneself(turn: Question) -> bool:
    """Whether somebody asks for themselves, or tells of themselves, where others were spoken of."""
    if says("gives", turn):
        return False
    people = people_of(_passage(turn))
    if says("turns_to_oneself", turn) or people.writes_of_self:
        return True
    now = (m for m in turn.of_concept(*FINDINGS) if m.temporality == "recent")
    bearers = (people.bearer(m.start, m.end) for m in now)
    return any(person and person.role == "writer" for person in bearers)


def _names(turn: Question) -> frozenset[str]:
    """Who is to be treated, where the text names somebody; a pronoun names nobody."""
    people = people_of(_passage(turn))
    if label := next(people.labels, None):
        return frozenset({people.word(label)})
    named = [person for person in people.all if person.role != "pronoun"]
    if _only_have_it(turn, named) or _only_stand_by(turn, named):
        return frozenset()
    if named and _only_speaks(named) and says("turns_to_oneself", turn) and not says("gives", turn):
        return _ONESELF
    if not named or (_only_speaks(named) and len(named) < len(people.all)):
        return frozenset()  # "can I give her ibuprofen?" is about whom the talk was of
    if any(person.role == "writer" for person in named):
        return frozenset() if says("gives", turn) and _only_speaks(named) else people.patients
    own = people.patients - _ONESELF
    return own or frozenset(person.kind for person in named if person.role == "relative")


def _is_of_third_person(turn: Question) -> bool:
    """Whether a turn tells of somebody by a pronoun alone: "he has a cold"."""
    people = people_of(_passage(turn)).all
    return bool(people) and all(p.role == "pronoun" for p in people) and not _only_owners(turn)


def _only_stand_by(turn: Question, named: list[Person]) -> bool:
    """Whether those who are named are no more than friends or relatives of whom the talk is of who
    found, gave or praise something: "his mother found aspirin"."""
    theirs = bool(named) and all(person.of == "other" for person in named)
    return tells_of_friends(turn) or (theirs and people_of(_passage(turn)).only_hand_on)


def tells_of_friends(turn: Question) -> bool:
    """Whether those who are named are friends of whom the talk is of, for whom nothing is asked:
    "his mate got better on it"."""
    people = people_of(_passage(turn)).all
    named = [p for p in people if p.role not in ("pronoun", "writer")]
    friends = all(p.kind == "friend" and p.of in ("other", "somebody") for p in named)
    return bool(named) and friends and not asks_in_words(turn)


def _only_have_it(turn: Question, named: list[Person]) -> bool:
    """Whether those who are named only have the medicine that is in question for whom the talk is
    of: "my brother has some tramadol left over, would that be alright?"."""
    asked = people_of(_passage(turn)).asked_for
    if not named or (asked is not None and asked.role != "writer"):
        return False
    text, has_it = _passage(turn).plain, pattern("has_it", turn.language)
    drugs = [mention.start for mention in turn.of_concept(*SUBSTANCES)]
    having = (has_it.match(text[person.end :]) and person.end for person in named)
    return all(end and any(abs(at - end) < _NEAR for at in drugs) for end in having)


def _only_owners(turn: Question) -> bool:
    """Whether all words for somebody only say whose medicine it is: "and his valproate?"."""
    passage = _passage(turn)
    drugs = [mention.start for mention in turn.of_concept(*SUBSTANCES)]
    people, owned = people_of(passage).all, pattern("owned_medicine", turn.language)
    return bool(people) and all(
        any(owned.fullmatch(passage.plain, p.end, at) for at in drugs if at >= p.end)
        for p in people
        if p.role != "writer"
    )


def _only_speaks(named: list[Person]) -> bool:
    return all(person.role == "writer" for person in named)


def _passage(turn: Question) -> Passage:
    return passage_of(written(turn), turn.language)
