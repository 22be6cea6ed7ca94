"""Of whom each clause of a text tells, and for whom it asks something.

Who is spoken of is taken from clause to clause: a clause that names somebody is theirs, one that
names nobody goes on. What there is at home, or was offered to all, is told of all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from medweave.language.passage import Span, passage_of
from medweave.language.people import People, people_of
from medweave.language.person import Person
from medweave.understanding.conversation.letter_questions import letter_rule
from medweave.understanding.conversation.wording import pattern

_OPENS = ("(", "（")
_COMMAS = " ,;,；"
_NOBODY = "-"
_UNNAMED = ("pronoun", "adult")
_FRIEND = "friend"
_WRITER = "writer"
_SEVERAL = 2
_SEVERAL_OTHERS = "other_pronoun"
_BESIDE = 12
"""Characters between the words that ask for somebody and the word for them."""


class Sections:
    """The clauses of a letter, each with whose it is, and the persons in their order."""

    def __init__(self, text: str, language: str) -> None:
        self.text, self.language = text, language
        self._passage = passage_of(text, language)
        self._people: People = people_of(self._passage)
        self.all: list[str] = []
        self.asking: list[str] = []
        """For whom something is asked, in the order in which it is."""
        self.clauses: list[tuple[str, Span]] = []
        self.for_all: set[Span] = set()
        self._plainly: set[str] = set()
        """Those of them who are named where it is asked if they may have something."""
        self._doubtful: set[str] = set()
        """Those of them who are only meant by a pronoun that may stand for another."""
        self._us = False
        """Whether those whom a clause was told of last include whoever writes."""
        self._headed: set[str] = set()
        """Who have a heading of their own: "Husband: 44, asthma. Aspirin?"."""
        who = self._first()
        for start, end in self._spans():
            whose = self._whose(start, end, who)
            self.clauses.append((whose, (start, end)))
            named = any(start <= p.start < end for p in self._people.all)
            named = named or self._says("labelled", self._passage.plain[start:end])
            self._take(whose, (start, end), named=named)
            aside = text[:start].rstrip().endswith(_OPENS)  # "Carol (69, I'm her carer) has gout"
            aside = aside or self._says("gives_reason", self._passage.plain[start:end])
            who = who if aside or whose == _NOBODY else whose
        if self._are_asked_for_each:
            self.for_all |= {span for _, span in self.clauses if self._is_at_hand(span)}
        self.asking = [who for who in self.asking if self._has_part(who)]
        meant = [who for who in self.asking if who in self._plainly or not self._is_friend(who)]
        self.asking = [who for who in meant or self.asking if who != _NOBODY]

    def _spans(self) -> Iterator[Span]:
        """The clauses of the text, cut before each label of somebody, too: "…,12床要不要换"."""
        labels = [m.start() for m in self._pattern("labelled").finditer(self._passage.plain)]
        for start, end in self._passage.clauses:
            own = (at for at in labels if start < at < end)
            cuts = [at for at in own if self._passage.plain[at - 1] in _COMMAS.strip()]
            yield from pairwise([start, *cuts, end])

    @property
    def _are_asked_for_each(self) -> bool:
        """Whether a question is for several at once."""
        return any(self._asks(span) for span in self.for_all)

    def _is_at_hand(self, span: Span) -> bool:
        """Whether a clause tells what there is for all: "there is aspirin in the house"."""
        return self._says("there_is", self._passage.plain[slice(*span)])

    @property
    def asked_alone(self) -> str | None:
        """For whom alone it is asked, where more than one is told of and that is plain."""
        told = {whose for whose, _ in self.clauses} - {_NOBODY}
        if len(self.asking) > 1:
            return None
        patients = self._people.patients
        if len(told) < _SEVERAL:
            alone = self.asking[0] if self.asking and told == {self.asking[0]} else ""
            lost = alone and not self._individuals(alone) & patients
            return alone if lost and self._is_grown_kin(alone) else None
        if not self.asking:
            likely = [who for who in self.all if self._individuals(who) & patients]
            adult = any(p.role == "adult" for p in self._people.all)
            return likely[0] if len(likely) == 1 and not adult else None
        who = self.asking[0]
        if not who and any(p.role == "adult" for p in self._people.all):
            return None
        meant = bool(self._individuals(who) & patients) if who else patients == {_WRITER}
        labelled = self._pattern("labelled").fullmatch(who) is not None
        plain = who in self._plainly or labelled or (meant and who not in self._doubtful)
        return who if plain else None

    def of_one(self, who: str) -> tuple[Span, ...]:
        """The clauses that are told of somebody, or of all; what is told of nobody for whom it is
        asked stands with whoever was asked for before."""
        found, last = [], self.asking[0]
        for whose, span in self.clauses:
            last = whose if whose in self.asking else last
            if span in self.for_all or last == who:
                found.append(span)
        return tuple(found)

    def is_unnamed(self, who: str) -> bool:
        """Whether a pronoun is all that somebody is called by."""
        named = [p for p in self._people.all if self._name(p) == who]
        return bool(who and named) and all(p.role == "pronoun" for p in named)

    def is_told_of_all(self, span: Span) -> bool:
        """Whether a clause tells something of all."""
        return span in self.for_all and not self._asks(span)

    def wants_the_same(self, who: str) -> bool:
        """Whether somebody is asked for as another is: "can she have mine, too?"."""
        plain = self._passage.plain
        own = [plain[slice(*span)] for span in self.of_one(who)]
        return any(self._says("the_same", clause) for clause in own)

    def of_others(self, who: str) -> tuple[Span, ...]:
        """The clauses that are told of others than somebody, and not of all; what stands before the
        others are named may be of anybody."""
        return tuple(
            span
            for whose, span in self.clauses
            if whose not in (who, _NOBODY) and span not in self.for_all and not self._asks(span)
            if (self._is_named_before(whose, span[1]) if whose else not self._is_of_several(span))
        )

    def _is_of_several(self, span: Span) -> bool:
        """Whether a clause of the writer may tell of others, too: "we're expecting our first"."""
        here = (p for p in self._people.all if span[0] <= p.start < span[1])
        return any(map(self._people.means_several, here))

    def _is_named_before(self, who: str, place: int) -> bool:
        return self._passage.plain.find(who, 0, place) >= 0

    def _individuals(self, who: str) -> frozenset[str]:
        people = self._people
        return frozenset(people.individual(p) for p in people.all if self._name(p) == who)

    def _has_part(self, who: str) -> bool:
        """Whether a letter tells something of somebody, or asks whether they may have something: of
        "how long do I wait?" and "can the baby have it if he catches it?" nobody has a part."""
        own = [span for whose, span in self.clauses if whose == who]
        weighs = letter_rule("weighs", self.language)
        plain = self._passage.plain
        tells = any(not self._asks(span) or weighs.search(plain[slice(*span)]) for span in own)
        return tells or who in self._headed or not self.for_all.isdisjoint(own)

    def _first(self) -> str:
        """Who is named first: a greeting is nobody's."""
        found = (self._whose(start, end, _NOBODY) for start, end in self._spans())
        return next((who for who in found if who != _NOBODY), "")

    def _take(self, who: str, span: Span, *, named: bool) -> None:
        """A clause of somebody; who asks for themselves says so ("can I")."""
        clause = self._passage.plain[slice(*span)]
        if who not in (*self.all, _NOBODY):
            self.all.append(who)
        if named and clause.rstrip().endswith((":", "：")):
            self._headed.add(who)
        asks = self._asks(span)
        wants = self._says("they_want", clause)
        meant = self._wanted_for(span) if asks else None
        meant = None if meant is not None and self._is_reached(meant) else meant
        doubtful = meant is not None and meant.role == "pronoun" and self._may_be_several(meant)
        if wants or (named and meant is not None and not doubtful):
            self._plainly.add(who)
        elif asks and any(map(self._may_be_several, self._pronouns(span))):
            self._doubtful.add(who)
        spoken_of = named or who in self._headed or self._names_in_sentence(who, span)
        if (wants or (asks and spoken_of)) and who not in self.asking:
            self.asking.append(who)
        of_us = self._says("each_of_us", clause) or self._is_of_us(span)
        goes_on = asks and not named and self._for_all_before(span)
        of_us = of_us or (goes_on and self._us)
        if of_us or goes_on or self._is_of_them(span):
            self.for_all.add(span)
            self._us = of_us
            others = (each for each in self.all if of_us or (each and self._is_party(each)))
            self.asking += [each for each in others if asks and each not in self.asking]
        elif asks and self._says("for_whom", clause):
            self.for_all.add(span)
            self.asking = [each for each in self.all if self._is_party(each)]

    def _is_of_them(self, span: Span) -> bool:
        """Whether a clause tells of several others, or asks for them: "both of them", "for them"
        where two have been told of."""
        if self._says("each_of_them", self._passage.plain[slice(*span)]):
            return True
        wanted = self._wanted_for(span)
        several = wanted is not None and wanted.kind == _SEVERAL_OTHERS
        return several and sum(each != "" and self._is_party(each) for each in self.all) > 1

    def _is_party(self, who: str) -> bool:
        """Whether a text tells of somebody who may be meant by "which of them"."""
        if not who:
            own = [span for whose, span in self.clauses if not whose and not self._asks(span)]
            writer = [p for p in self._people.all if p.role == "writer"]
            told = [s for s in own if any(s[0] <= p.start < s[1] for p in writer)]
            return not all(map(self._is_at_hand, told))
        named = [p for p in self._people.all if self._name(p) == who]
        return not any(p.kind == _FRIEND or self._people.is_plural(p) for p in named)

    def _is_of_us(self, span: Span) -> bool:
        """Whether a clause tells of, or asks for, the writer together with another: "me and my
        daughter have thrush. Can we take it?"."""
        joined = self._joins_us
        if joined is None or not self._names_another(joined.span()):
            return False
        clause = self._passage.plain[slice(*span)]
        return span[0] <= joined.start() < span[1] or (
            joined.end() <= span[0] and self._asks(span) and self._says("us_both", clause)
        )

    @cached_property
    def _joins_us(self) -> re.Match[str] | None:
        """Where the writer is first named together with another."""
        return self._pattern("joins_us").search(self._passage.plain)

    def _names_another(self, span: Span) -> bool:
        """Whether a stretch names somebody beside the writer, or means several by a word for us."""
        here = [p for p in self._people.all if span[0] <= p.start < span[1]]
        return any(p.role != "writer" or self._people.means_several(p) for p in here)

    def _names_in_sentence(self, who: str, span: Span) -> bool:
        """Whether the sentence of a clause speaks of somebody."""
        start, end = self._passage.sentence_at(span[0])
        return any(start <= p.start < end and self._name(p) == who for p in self._people.all)

    def _for_all_before(self, span: Span) -> bool:
        """Whether a clause before one, in its sentence, tells of everybody, or what stands right
        before it does: "charted for both of them. Objections?"."""
        first, _ = self._passage.sentence_at(span[0])
        before = self.clauses[-_SEVERAL][1] if len(self.clauses) >= _SEVERAL else None
        if before in self.for_all:
            return True
        return any(first <= start and end <= span[0] for start, end in self.for_all)

    def _asks(self, span: Span) -> bool:
        """Whether a clause asks, and the sentence that it is of, too: no "who is 24, is well"."""
        clause = self._passage.plain[slice(*span)]
        asking = self._pattern("asking").search(clause)
        if asking is None or self._says("politely", clause) or self._says("doubts", clause):
            return False
        sentence = self._passage.plain[slice(*self._passage.sentence_at(span[0]))]
        verb = self._pattern("verb_of_a_question")
        return "?" in sentence or not verb.fullmatch(asking.group().strip(_COMMAS))

    def _whose(self, start: int, end: int, last: str) -> str:
        """Whose a clause is: of whom it names, unless they only hand something on."""
        clause = self._passage.plain[start:end]
        if label := self._label_in(clause):
            return label
        span = (start, end)
        people = [p for p in self._people.all if start <= p.start < end and not p.tells]
        named = list(self._named(people, span))
        if any(map(self._is_reached, named)) and self._asks(span):
            return ""
        named = [p for p in named if not self._is_reached(p)]
        owners = [p for p in named if self._only_owns(p)]
        if owners and owners == named and self._says("of_nobody_named", clause):
            return ""
        named = [p for p in named if p not in owners or self._begins(p, span)]
        owners = [p for p in owners if p in named]
        if wanted := self._wanted_for(span):
            return self._spoken_of(wanted, last) if wanted.role == "pronoun" else self._name(wanted)
        named = [p for p in named if p not in owners] or named
        return self._who_is_named(clause, people, named, last)

    def _named(self, people: Sequence[Person], span: Span) -> Iterator[Person]:
        """Those of some people whom a clause may tell of by a word of their own."""
        oneself = self._pattern("oneself")
        for person in people:
            if person.role in _UNNAMED or not person.subject:
                continue
            if person.of == "somebody" and not self._tells_of_friend(person, span):
                continue
            if person.role == "writer" or not oneself.fullmatch(self._people.word(person)):
                yield person

    def _who_is_named(
        self, clause: str, people: Sequence[Person], named: list[Person], last: str
    ) -> str:
        """Of those who are named in a clause, who bears it; else whom a pronoun stands for, or of
        whom the talk was."""
        if self._says("writes_about", clause):
            named.sort(key=lambda p: p.role == "writer")
        cares = self._says("hands_on", clause) or self._says("as_carer", clause)
        if named and self._says("each_of_them", clause) and not named[0].sex:
            return last  # "both children": those who were named
        if named and not cares:
            return self._name(named[0])
        pronoun = next((p for p in people if p.role == "pronoun"), None)
        if pronoun and (cares or not named):
            return self._spoken_of(pronoun, last)
        gives = self._says("hands_on", clause) and not (named or people)
        return _NOBODY if gives else last

    def _tells_of_friend(self, person: Person, span: Span) -> bool:
        """Whether a clause tells something of a friend of nobody's, and does not only name them as
        who gives or praises a thing."""
        clause = self._passage.plain[slice(*span)]
        gives = self._says("hands_on", clause) or self._says("there_is", clause)
        begins = self._begins(person, span)
        return person.kind == _FRIEND and begins and not gives and not self._asks(span)

    def _begins(self, person: Person, span: Span) -> bool:
        """Whether a clause begins with somebody: "Mum's pressure is high", not "from mum's box"."""
        before = self._passage.plain[span[0] : person.start]
        return self._pattern("leads_to_subject").fullmatch(before) is not None

    def _only_owns(self, person: Person) -> bool:
        """Whether somebody is only named for whose something is: "took my son's tablets"."""
        behind = self._passage.plain[person.end :]
        return person.role != "writer" and self._pattern("owns").match(behind) is not None

    def _label_in(self, clause: str) -> str:
        """The label by which a clause names somebody, and not only what is theirs."""
        owns = self._pattern("owns")
        labels = self._pattern("labelled").finditer(clause)
        return next((m.group().strip() for m in labels if not owns.match(clause, m.end())), "")

    def _wanted_for(self, span: Span) -> Person | None:
        """Whom a clause that asks names right where it asks if they may have something: "can she
        use up mine?", "is it safe for my dad?"."""
        if not self._asks(span):
            return None
        asked = self._pattern("may_they").search(self._passage.plain, *span)
        if asked is None:
            return None
        people = (p for p in self._people.all if asked.end() <= p.end <= span[1])
        meant = next((p for p in people if not p.tells), None)
        return meant if meant and meant.start - asked.end() <= _BESIDE else None

    def _is_reached(self, person: Person) -> bool:
        """Whether a baby is asked about because of what its mother takes."""
        if person.role == "child" and self._people.is_spared(person):
            return True
        if person.role != "child" or person.days is None:
            return False
        before = self._passage.plain[: person.start]
        return self._pattern("reached").search(before) is not None

    def _spoken_of(self, pronoun: Person, last: str) -> str:
        """Whom a pronoun stands for: of whom the talk is, or the last of that sex."""
        about = self._people.announced
        if about is not None and self._people.antecedent(pronoun) is about:
            return self._name(about)
        if last not in (_NOBODY, "") and self._fits(last, pronoun) and not self._is_friend(last):
            return last
        spoken_of = [who for who, _ in reversed(self.clauses) if who not in (_NOBODY, "")]
        fitting = [who for who in spoken_of if self._fits(who, pronoun)]
        own = [who for who in fitting if not self._is_friend(who)]
        if own or fitting:
            return (own or fitting)[0]
        person = self._people.antecedent(pronoun)
        if person is None or (person.role == "pronoun" and pronoun.sex):
            return self._names[self._people.individual(pronoun)]
        if person.role in _UNNAMED or _stands_by(person):
            return last
        return self._name(person)

    def _pronouns(self, span: Span) -> Iterator[Person]:
        """The words of a clause for him or her."""
        people = (p for p in self._people.all if span[0] <= p.start < span[1])
        return (p for p in people if p.role == "pronoun" and p.sex)

    def _may_be_several(self, pronoun: Person) -> bool:
        """Whether several were told of, for any of whom a pronoun may stand: in doubt it is asked
        for all of them."""
        about = self._people.announced
        if about is not None and self._people.antecedent(pronoun) is about:
            return False
        told = {who for who, _ in self.clauses} - {_NOBODY, ""}
        fitting = [who for who in told if self._fits(who, pronoun) and not self._is_friend(who)]
        return len(fitting) > 1

    def _fits(self, who: str, pronoun: Person) -> bool:
        """Whether a pronoun can stand for somebody."""
        return pronoun.sex is None or self._sex(who) in (None, pronoun.sex)

    def _is_friend(self, who: str) -> bool:
        """Whether somebody is a friend, who mostly only has or praises what is in question: "his
        neighbour got doxycycline, could he have that?"."""
        return any(p.kind == _FRIEND and self._name(p) == who for p in self._people.all)

    def _is_grown_kin(self, who: str) -> bool:
        """Whether somebody is a grown-up relative of the writer's, and no friend."""
        named = [p for p in self._people.all if self._name(p) == who]
        return bool(named) and all(p.role == "relative" and p.kind != _FRIEND for p in named)

    def _name(self, person: Person) -> str:
        """How somebody is called where they are named first; '' for whoever writes."""
        return "" if person.role == "writer" else self._names[self._people.individual(person)]

    @cached_property
    def _names(self) -> dict[str, str]:
        people = self._people
        return {people.individual(person): people.word(person) for person in reversed(people.all)}

    def _sex(self, who: str) -> str | None:
        found = (p.sex for p in self._people.all if self._name(p) == who and p.role != "writer")
        return next(found, None)

    def _says(self, rule: str, clause: str) -> bool:
        return self._pattern(rule).search(clause) is not None

    def _pattern(self, rule: str) -> re.Pattern[str]:
        return pattern(rule, self.language)


@lru_cache(maxsize=4)  # a text is asked for each of its persons, and for one alone
def sections_of(text: str, language: str) -> Sections:
    """Of whom each clause of a text tells."""
    return Sections(text, language)


def _stands_by(person: Person) -> bool:
    """Whether somebody is nobody's relative: "a neighbour swears by her propranolol"."""
    return person.role == "relative" and person.of == "somebody"
