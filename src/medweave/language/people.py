"""Who a text speaks of: the people in it, their ages and sexes, and which of them it is for.

Everything that is told is told of somebody: of the one who is to be treated, or of another. Who is
treated is the one something is asked for ("can I give my son …"), else a child that is spoken of,
else whoever writes of themselves, else the only person there is. In doubt it counts as theirs.
Words and patterns are data: rules/people.*.yaml.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from medweave.language.ages import ages_in
from medweave.language.folding import blotted
from medweave.language.passage import Passage, Span, read_once_of_a_text
from medweave.language.people_asked import (
    BEHIND,
    BY_ORDER,
    CHILD_BY_SEX,
    QUESTION_MARKS,
    Named,
)
from medweave.language.people_rules import DAYS_IN_YEAR, INFANCY, WRITER
from medweave.language.person import Age, Person, Sex
from medweave.language.told_of_whom import Telling

GROWN_UP_DAYS = 6574
"""18 years."""
_BEFORE = 80
"""Characters before a weight that say of when it is."""
_BESIDE = 3
"""Characters that may part a person from their age: "son, 3"."""
_CHILDREN = ("son", "daughter")
_ANOTHER = Person(0, 0, "another", "relative", of="other")
"""Of whom a clause tells that is known to be of nobody who is asked for."""
_SEVERAL = "other_pronoun"
"""They: more than one person is spoken of."""


@read_once_of_a_text
def people_of(passage: Passage) -> People:
    """The people of a passage; the same for all who read its text, whichever names they know."""
    return People(passage)


@dataclass(frozen=True, eq=False)
class People(Named):
    """The people of one text.

    >>> from medweave.language.passage import passage_of
    >>> text = "My daughter is two and a half, fever, her brother has measles"
    >>> people = people_of(passage_of(text))
    >>> people.age_days, people.sex
    ((913, 913), 'female')
    >>> [people.is_patients(text.index(word)) for word in ("fever", "measles")]
    [True, False]
    """

    # -- whose something is -------------------------------------------------------------------

    def bearer(self, start: int, end: int | None = None) -> Person | None:
        """Of whom what stands at a place is told; None where nobody is named for it."""
        if self._is_of_us_all(start):
            return None
        found = self._bearer(start, end)
        told = found is not None and self.individual(found) in self._told_of
        if told or not self._is_elsewhere(start):
            return found
        return _ANOTHER if found is None or self.is_patient(found) else found

    def _bearer(self, start: int, end: int | None) -> Person | None:
        clause = self.passage.clause_at(start)
        found = self._before_bracket(start)
        found = found or self._named_in(clause, start, start if end is None else end)
        if found is None and not self._is_known:
            found = self.telling.bearer(start)
        if found and found.role == "writer" and self._gives(found, start):
            found = self.asked_for
        return self.antecedent(found) if found and found.role == "pronoun" else found

    @cached_property
    def _is_known(self) -> bool:
        """Whether it is known of whom each clause is told: none goes on from another."""
        about = self.passage.about
        return about is not None and about.knows(self.passage.text)

    def _is_elsewhere(self, place: int) -> bool:
        """Whether what stands at a place is known to be told of another."""
        return any(start <= place < end for start, end in self._elsewhere)

    def _is_of_us_all(self, place: int) -> bool:
        """Whether what stands at a place is known to be told of all."""
        about = self.passage.about
        spans = about.of_all_in(self.passage.text) if about else ()
        return any(start <= place < end for start, end in spans)

    @cached_property
    def _elsewhere(self) -> tuple[Span, ...]:
        about = self.passage.about
        return about.elsewhere_in(self.passage.text) if about else ()

    @cached_property
    def telling(self) -> Telling:
        """Of whom each clause tells."""
        return Telling(self)

    def last_before(self, place: int) -> Person | None:
        """Who was named last before a place in its sentence, and not as whose something is.

        >>> from medweave.language.passage import passage_of
        >>> text = "My sister told me she wants to die"
        >>> people = people_of(passage_of(text))
        >>> people.word(people.last_before(text.index("die")))
        'she'
        """
        first, _ = self.passage.sentence_at(place)
        named = [p for p in self._subjects if first <= p.start < place]
        return next(
            (p for p in reversed(named) if self.word(p) not in self._rules.possessives), None
        )

    def is_patients(self, start: int, end: int | None = None) -> bool:
        """Whether what stands at a place is told of the one who is to be treated."""
        return self.is_patient(self.bearer(start, end))

    @property
    def only_hand_on(self) -> bool:
        """Whether a text tells that somebody gave, found or praised something."""
        return self._rules.hands_on.search(self.passage.plain) is not None

    def only_had(self, person: Person | None) -> bool:
        """Whether what is told of somebody is what a relative who is not treated once had."""
        if person is None or person.role != "relative" or self.is_patient(person):
            return False
        return self._rules.only_had.match(self._text[person.end : person.end + BEHIND]) is not None

    def joined_to(self, person: Person | None) -> Person | None:
        """Who is named right before somebody as doing the same: my brother, in "my brother and his
        wife want a baby"."""
        if person is None or person is _ANOTHER:
            return None
        before = [p for p in self.all if p.end <= person.start and p.role != "pronoun"]
        if not before or not self._rules.joins.fullmatch(self._text, before[-1].end, person.start):
            return None
        return before[-1]

    def is_patient(self, person: Person | None) -> bool:
        """Whether this is the one who is to be treated, as far as can be told."""
        if person is None or person is _ANOTHER:
            return person is None
        if person.role == "pronoun":
            return self._may_be_told_of(person)
        return self.individual(person) in self.patients or self._is_of_all(person)

    @cached_property
    def _told_of(self) -> frozenset[str]:
        """The one of whom a text is known to tell; nobody where that is not known, or who it is is
        called otherwise in it."""
        about = self.passage.about
        if about is None:
            return frozenset()
        if not about.who:
            return frozenset({WRITER})
        meant = [p for p in self.all if self.word(p) == about.who]
        named = [p for p in meant if p.role != "pronoun"]
        # "the kid", "the patient": either of them
        alone = (p for p in named if not self._is_another(p))
        unnamed = {p.role for p in alone if p.role in ("child", "adult")}
        return frozenset({*map(self.individual, meant), *unnamed})

    def antecedent(self, pronoun: Person) -> Person | None:
        """Whom a pronoun stands for; where it is known of whom a text tells, that one, unless
        another is named in its sentence."""
        found, meant = super().antecedent(pronoun), self._known_to_be_meant
        if meant is None or found is None or meant.start > pronoun.start:
            return found
        first, _ = self.passage.sentence_at(pronoun.start)
        fits = pronoun.sex is None or meant.sex in (None, pronoun.sex)
        return meant if fits and found.start < first else found

    def _may_be_told_of(self, pronoun: Person) -> bool:
        """Whether a pronoun that stands for nobody may be the one of whom a text is known to
        tell."""
        if not self._told_of:
            return True
        sexes = {p.sex for p in self.all if p.sex and self.individual(p) in self._told_of}
        return self._told_of != {WRITER} and (not sexes or pronoun.sex in (None, *sexes))

    def _is_of_all(self, person: Person) -> bool:
        """Whether a word means whoever writes and the one of whom a text is known to tell: "we both
        have a cold"."""
        return bool(self._told_of) and self.means_several(person)

    def means_several(self, person: Person) -> bool:
        """Whether a word of the writer means more than themselves."""
        return person.role == WRITER and bool(self._rules.of_us.fullmatch(self.word(person)))

    @property
    def _known_to_be_meant(self) -> Person | None:
        """The first word for the one of whom a text is known to tell, if that is not its writer."""
        named = (p for p in self.all if p.role not in ("pronoun", WRITER))
        return next((p for p in named if self.individual(p) in self._told_of), None)

    @cached_property
    def _starts(self) -> list[int]:
        """Where words for subjects begin that are more than whose something is."""
        return [p.start for p in self._subjects if self.word(p) not in self._rules.possessives]

    def _named_in(self, clause: Span, start: int, end: int) -> Person | None:
        """Who is named for a place within its clause: right behind it, or the last before it."""
        named = [p for p in self._subjects if clause[0] <= p.start < clause[1]]
        for person in named:
            between = self._text[end : person.start] if end <= person.start else None
            if between is None or person.role == "writer":
                continue
            if self._rules.behind.match(between):
                return person
        before = [p for p in named if p.start < start + _is_pronoun(p) and not p.tells]
        return before[-1] if before else None

    def _before_bracket(self, place: int) -> Person | None:
        """Who stands right before the bracket in which a place lies: "Mum (76, warfarin)"."""
        opens = max(self._text.rfind(mark, 0, place) for mark in "(（")
        if opens < 0 or any(mark in self._text[opens:place] for mark in ")）"):
            return None
        named = [p for p in self.all if p.start < opens]
        between = self._text[named[-1].end : opens] if named else ""
        return named[-1] if named and not between.strip(" ,，0123456789") else None

    def _gives(self, person: Person, start: int) -> bool:
        """Whether somebody only gives what stands at a place: "can I give him ibuprofen"."""
        return self._rules.gives.search(self._text[person.end : start]) is not None

    def own_clause(self, start: int) -> int:
        """Where the clause of a place begins, if somebody is its subject; else 0.

        Such a clause begins anew: what was denied before it is not denied in it.
        """
        first, _ = self.passage.clause_at(start)
        at = bisect_left(self._starts, first)
        return first if at < len(self._starts) and self._starts[at] < start else 0

    def reporter(self, place: int) -> Person | None:
        """Who tells what stands at a place without being who it is told of, in its sentence."""
        first, _ = self.passage.sentence_at(place)
        return next((p for p in reversed(self.all) if p.tells and first <= p.start < place), None)

    # -- who is to be treated -----------------------------------------------------------------

    @property
    def treats_a_child(self) -> bool:
        """Whether children alone may be the one to be treated."""
        children = (self.individual(p) for p in self.all if p.role == "child")
        return self.patients <= {"child", *CHILD_BY_SEX.values(), *BY_ORDER, *children}

    @property
    def writes_of_self(self) -> bool:
        """Whether whoever writes tells of themselves."""
        return self._rules.own.search(self._text) is not None

    @property
    def _has_something(self) -> bool:
        """Whether the writer tells of more than what they have, do or feel for another."""
        for_another = (m.span() for m in self._rules.for_another.finditer(self._text))
        return self._rules.own.search(blotted(self._text, for_another, "~")) is not None

    def _only_nurses(self, child: Person) -> bool:
        """Whether a child is named only as whom the writer breastfeeds, who has something: of the
        child no more than an age is told.

        >>> from medweave.language.passage import passage_of
        >>> text = "哺乳期，宝宝3个月，我得了湿疹"
        >>> people_of(passage_of(text, "zh")).age_days
        (None, None)
        """
        nursing = self._nursing
        if not nursing or not self._has_beside(child, nursing):
            return False
        return self._only_aged(child, nursing)

    @property
    def _nursing(self) -> list[Span]:
        """Where it is said that somebody breastfeeds."""
        return [match.span() for match in self._rules.nursing.finditer(self.passage.plain)]

    def _has_beside(self, child: Person, nursing: list[Span]) -> bool:
        """Whether the writer has something beside a child who is breastfed: they say so, or it is
        what no baby can tell, or what follows goes on from "I am breastfeeding"."""
        rest = blotted(self._text, nursing, "~")
        rules = self._rules
        told = (rules.own, rules.felt, rules.given_to_writer, rules.ordered_for_writer)
        if any(rule.search(rest) for rule in told):
            return True
        first, last = nursing[-1]
        sentence, _ = self.passage.sentence_at(last - 1)
        if any(p.role == "relative" and p.subject and sentence <= p.start < last for p in self.all):
            return True  # "my wife is breastfeeding"
        said = any(p.role == "writer" and first <= p.start < last for p in self.all)
        return said and first > child.end and last < self.passage.sentence_at(first)[1] - 1

    def _only_aged(self, child: Person, nursing: Sequence[Span] = ()) -> bool:
        """Whether no more than an age is told of a child where it is named."""
        ages = [(age.start, age.end) for age in self.ages]
        first, last = self.passage.clause_at(child.start)
        rest = blotted(self._text, [(child.start, child.end), *ages, *nursing], " ")[first:last]
        left = self._rules.only_aged.sub("", rest)
        return len(left.replace("~", "").strip(" ,，。.")) < _BESIDE

    def is_spared(self, child: Person) -> bool:
        """Whether a child is named only as whom it may reach what its mother takes or has.

        >>> from medweave.language.passage import passage_of
        >>> text = "I am 29 and pregnant, on Losec. Can a bladder infection hurt the baby?"
        >>> sorted(people_of(passage_of(text)).patients)
        ['writer']
        """
        nursing = self._nursing
        aged = any(age.days < GROWN_UP_DAYS for age in self.ages)
        expects = not aged and self._rules.expects.search(self._text) is not None
        if not (expects or (nursing and self._has_beside(child, nursing))):
            return False
        children = [p for p in self.all if p.role == "child" and p.of != "other"]
        reached = [p for p in self.all if self.reaches(p)]
        rest = [p for p in children if p not in reached]
        return bool(reached) and all(self._only_aged(p, nursing) for p in rest)

    def reaches(self, person: Person) -> bool:
        """Whether it is asked if something harms a child, or is safe for it: "the baby", "him"."""
        if person.role == "pronoun":
            meant = self.antecedent(person)
            if meant is None or meant.role not in ("child", "pronoun"):
                return False
        elif person.role != "child" or person.of == "other":
            return False
        before = self._text[max(0, person.start - BEHIND) : person.start]
        behind = self._text[person.end : person.end + BEHIND]
        told = any(rule.search(before) for rule in (self._rules.harms, self._rules.safe_for))
        return told or self._rules.comes_to_harm.match(behind) is not None

    def _is_nursed_beside(self, person: Person) -> bool:
        """Whether somebody is a child who only stands by what its mother takes."""
        return person.role == "child" and self._stands_by(person)

    def _stands_by(self, child: Person) -> bool:
        """Whether a child is named, and is not the one who is to be treated."""
        named_only = self._only_has_the_same or self._only_in_passing
        return named_only or self._only_nurses(child) or self.is_spared(child)

    @property
    def _only_in_passing(self) -> bool:
        """Whether a writer who tells of themselves names children only in a circumstance, or as who
        did something for them: "it's my daughter's wedding", "my son drove me here"."""
        if not self.writes_of_self or self.asked_for is not None:
            return False
        children = [p for p in self.all if p.role == "child"]
        again = (self.antecedent(p) for p in self.all if p.role == "pronoun" and p.subject)
        if any(p is not None and p.role == "child" for p in again):
            return False
        return all(self._is_in_passing(p) for p in children)

    def _is_in_passing(self, child: Person) -> bool:
        behind = self._text[child.end : child.end + BEHIND]
        before = self._text[max(0, child.start - BEHIND) : child.start]
        rules = self._rules
        if rules.does_in_passing.match(behind):
            return True
        taken_along = rules.taken_along.search(before) is not None
        return taken_along and rules.to_a_place.match(behind) is not None

    @property
    def _only_has_the_same(self) -> bool:
        """Whether a writer who tells of themselves names children only as who have or take the
        same: "I want Microgynon. My daughter is on it"."""
        children = [p for p in self.all if p.role == "child"]
        return self.writes_of_self and all(
            self._rules.has_the_same.match(self._text[p.end : p.end + BEHIND]) for p in children
        )

    @property
    def child(self) -> Person | None:
        """The child a text tells of, if it does; not a child of whom only another's is told."""
        adult = next((p for p in self.all if p.role == "adult"), None)
        return next((p for p in self.all if p.role == "child" and not _is_of(adult, p)), None)

    @cached_property
    def patients(self) -> frozenset[str]:
        """Who may be the one to be treated; mostly one."""
        return self._told_of or self._likely_patients()

    def _likely_patients(self) -> frozenset[str]:
        """Who may be the one to be treated, by all that a text says."""
        asked, others_meant = self._asked
        asked = asked or self._told_last
        spared = asked is not None and asked.role == "child" and self.is_spared(asked)
        if asked is not None and asked.role != "pronoun" and not spared:
            # "the kid", "the patient": either of them
            either = asked.role in ("child", "adult") and not self._is_another(asked)
            unnamed = {asked.role} if either else set[str]()
            return frozenset({self.individual(asked), *unnamed, *others_meant})
        itself = {"writer"} if self.writes_of_self else set()
        if self.announced is not None and self.announced.role not in ("pronoun", "writer"):
            return frozenset({self.individual(self.announced), *itself})
        opening = self._opening
        to = self._offered
        offered = {self.individual(to)} if to and not self._is_nursed_beside(to) else set()
        if self.child is not None and not self._stands_by(self.child):
            own = {p.kind for p in self._own_relatives if p.of == "writer"}
            beside = self.child.of == "other" or self._is_nursed(self.child)
            others = self._main_relatives & own if beside else ()
            children = {self.individual(p) for p in self.all if p.role == "child"}
            return frozenset({"child", *children, *itself, *others, *offered})
        adults = [p for p in self.all if p.role == "adult"]
        if any(not (self._own_relatives and self.is_plural(p)) for p in adults):
            return frozenset({"adult", *map(self.individual, adults), *itself, *offered, *opening})
        if self._has_something:
            again = {*self._referred_to_again(), *self._main_relatives} - self._left_behind
            if self._rules.compares_themselves.search(self._text):
                again |= opening
            return frozenset({"writer", *again, *offered})
        return frozenset({"writer", *self._relatives(), *offered, *opening})

    @cached_property
    def _told_last(self) -> Person | None:
        """The grown-up relative of whom a question tells last, by name, with an age and more than
        once, where it is asked for nobody: "My daughter is pregnant, she drove grandma (76) here.
        Grandma's ankle is twisted: ibuprofen?"."""
        asks = max(self._text.rfind(mark) for mark in QUESTION_MARKS)
        named = [p for p in self.all if p.role in ("relative", "child") and p.start < asks]
        if not named or named[-1].role != "relative" or named[-1].tells:
            return None
        last, first = named[-1], self.passage.sentence_at(asks)[0]
        again = [p for p in named if p.kind == last.kind]
        aged = any(
            age.days >= GROWN_UP_DAYS and 0 <= age.start - p.end <= _BESIDE
            for age in self.ages
            for p in again
        )
        return last if last.start >= first and len(again) > 1 and aged else None

    @cached_property
    def _opening(self) -> frozenset[str]:
        """The grown-up relative with whom a text begins, unless the writer turns to themselves:
        "Mum is bipolar, on lithium. The nurse gave indapamide. My own ankles swell, too"."""
        first = next((p for p in self.all if p.role != "pronoun"), None)
        if first is None or first.role != "relative" or first.of not in ("", "writer"):
            return frozenset()
        behind = self._text[first.end : first.end + BEHIND]
        if first.tells or self._rules.only_had.match(behind) or self.is_plural(first):
            return frozenset()
        if not self._goes_on_about(first):
            return frozenset()
        return frozenset({first.kind}) - self._left_behind

    def _goes_on_about(self, first: Person) -> bool:
        """Whether a text tells more than one sentence, or asks: a note of one sentence only names
        whom somebody was with, "brother positive for tuberculosis, cough for 3 weeks"."""
        asks = any(mark in self._text for mark in QUESTION_MARKS)
        return asks or self.passage.sentence_at(first.start)[1] < len(self._text.rstrip())

    @cached_property
    def _left_behind(self) -> frozenset[str]:
        """Relatives who are only told of before the writer says that it is about themselves: "my
        husband takes warfarin. He is 70. I'm 45 and fit, and sprained my wrist: naproxen?"."""
        turns = max((m.start() for m in self._rules.of_myself.finditer(self._text)), default=-1)
        last: dict[str, int] = {}
        for person in self.all:
            whole = self.antecedent(person) if person.role == "pronoun" else person
            if whole is not None and whole.role == "relative":
                last[whole.kind] = person.start
        return frozenset(kind for kind, place in last.items() if place < turns)

    def _referred_to_again(self) -> set[str]:
        """Relatives of whom more is told by a pronoun: it may be asked for them."""
        own = {p.kind for p in self._own_relatives}
        clause_at = self.passage.clause_at
        return {
            one.kind
            for p in self.all
            if p.role == "pronoun" and not p.tells
            for one in self._may_stand_for(p)
            if one.kind in own and clause_at(one.start) != clause_at(p.start)
            if not (p.kind == _SEVERAL and one.sex)  # "them": the tablets, and not a husband
        }

    def _relatives(self) -> Iterator[str]:
        """Relatives who may be meant: the writer's, of whom more is told than what they had.

        Where much is told of one of them, nobody is meant who is named in passing.
        """
        several = any(p.kind == _SEVERAL for p in self.all)
        if self._main_relatives and not several:
            yield from self._main_relatives
            return
        for person in self.all:
            if person.role == "relative" and person.of != "other":
                behind = self._text[person.end : person.end + BEHIND]
                named = person.of or self._rules.goes_on.match(behind)  # "Grandma is on …"
                if named and not self._rules.only_had.match(behind):
                    yield person.kind
        yield from self._referred_to_again()

    # -- how old, and of which sex ------------------------------------------------------------

    @cached_property
    def ages(self) -> tuple[Age, ...]:
        """All ages that are stated, whosever they are."""
        nouns = [p.end for p in self.all if p.kind in self._rules.kinds or self.is_label(p)]
        return ages_in(self._text, self.passage.language, nouns, self._rules)

    def owner(self, age: Age) -> Person | None:
        """Whose age it is: of the person beside it, else of whom its clause tells."""
        beside = [
            p for p in self.all if age.end - 1 <= p.start <= age.end + 2 and p.role != "writer"
        ]
        if beside:
            return beside[0] if beside[0].role != "pronoun" else self.antecedent(beside[0])
        within = [p for p in self.all if p.end <= age.start and age.start - p.end <= _BESIDE]
        if within and within[-1].role != "pronoun":
            return within[-1]
        return self.bearer(age.start)

    @cached_property
    def own_ages(self) -> tuple[Age, ...]:
        """The ages of the one who is to be treated; different ones contradict each other.

        Weeks or months of a grown-up are of a pregnancy or an illness: "woman, 20 weeks".
        """
        owned = ((age, self.owner(age)) for age in self.ages)
        return tuple(
            age
            for age, owner in owned
            if self.is_patient(owner) and not (owner and _is_too_young(age, owner))
            if not self._is_of_an_animal(age, owner)
        )

    def _is_of_an_animal(self, age: Age, owner: Person | None) -> bool:
        """Whether an age is told of an animal that is named last before it: "our dog, he is 12"."""
        start = self.passage.sentence_at(age.start)[0]
        named = self._rules.animals.finditer(self._text[start : age.start])
        ends = [start + match.end() for match in named]
        if not ends:
            return False
        between = [p for p in self.all if ends[-1] <= p.start < age.start]
        if not between:
            return age.start - ends[-1] <= _BESIDE or owner is None
        unknown = owner is None or owner.role == "pronoun"
        return unknown and all(p.role == "pronoun" for p in between)

    @cached_property
    def age_days(self) -> tuple[int | None, int | None]:
        """The age of the one who is to be treated in days: the lowest and highest that fit."""
        if self.own_ages:
            first = self.own_ages[0]
            return first.days, first.days if first.last is None else first.last
        ranges = [p.days for p in self._own_words() if p.days]
        if not ranges:
            return None, None
        low, high = ranges[0]
        for other_low, other_high in ranges[1:]:  # "my son is in first grade"
            if other_low <= high and low <= other_high:
                low, high = max(low, other_low), min(high, other_high)
        return low, high

    def _own_words(self) -> Iterator[Person]:
        """The words for the one who is to be treated; whoever is asked for first."""
        asked = self.asked_for
        own = [p for p in self.all if p.role != "pronoun" and self.is_patient(p)]
        yield from (p for p in own if asked and self.individual(p) == self.individual(asked))
        yield from own

    @cached_property
    def sex(self) -> Sex | None:
        """The sex of the one who is to be treated, where only one is told."""
        own = {p.sex for p in self._own_words() if p.sex}
        own |= {
            p.sex for p in self.all if p.role == "pronoun" and p.sex and self._may_be_patient(p)
        }
        if not own:
            text = self._text
            if self._rules.female_signs.search(text):
                own.add("female")
            if self._rules.male_signs.search(text):
                own.add("male")
        return own.pop() if len(own) == 1 else None

    def _may_be_patient(self, pronoun: Person) -> bool:
        """Whether a pronoun may be who is treated; one that stands for nobody is not whoever writes
        of themselves: "he only has what comes from me, and my back hurts"."""
        meant = self.antecedent(pronoun)
        if meant is pronoun and self._told_of not in ({WRITER}, frozenset()):
            return True  # "my son … her brother": it may be a daughter
        of_nobody = meant is pronoun and self.patients == {"writer"} and self.writes_of_self
        return self.is_patient(meant) and not of_nobody

    @property
    def several(self) -> bool:
        """Whether the text tells of more than one child."""
        return self._rules.several.search(self.passage.plain) is not None

    def is_other_weight(self, start: int) -> bool:
        """Whether a weight at a place is one of another time, or another person's."""
        return self._rules.other_weight.search(
            self.passage.plain[max(0, start - _BEFORE) : start]
        ) is not None or not self.is_patients(start)


def _is_pronoun(person: Person) -> bool:
    return person.role == "pronoun"


def _is_of(adult: Person | None, child: Person) -> bool:
    """Whether a child is told of as an adult's: "her son", or "daughter" behind "Mrs Brown"."""
    if adult is None:
        return False
    unowned = child.of == "" and child.kind in _CHILDREN and adult.start < child.start
    return child.of == "other" or unowned


def _is_too_young(age: Age, owner: Person) -> bool:
    """Whether an age in weeks or months is told behind a word for a grown-up."""
    return (
        age.days < DAYS_IN_YEAR
        and owner.days is not None
        and owner.days[0] > INFANCY * DAYS_IN_YEAR
    )
