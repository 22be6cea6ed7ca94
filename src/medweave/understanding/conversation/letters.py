"""A letter that asks for several persons, as what it tells and asks of each.

Who is spoken of is taken from clause to clause: a clause that names somebody is theirs, one that
names nobody goes on. What is told of persons for whom nothing is asked stays where it stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from medweave.language.passage import Span, passage_of
from medweave.language.people import People, people_of
from medweave.language.person import Person
from medweave.understanding.conversation.letter_questions import letter_rule
from medweave.understanding.conversation.wording import pattern

_SHORTEST = {"en": 60, "zh": 20}
"""Shorter texts are no letters."""

_OPENS = ("(", "（")
_COMMAS = " ,;，；"
_STOPS = ".。"
_NOBODY = "-"
_UNNAMED = ("pronoun", "adult")
_FRIEND = "friend"
_SEVERAL = 2
_BESIDE = 12
"""Characters between the words that ask for somebody and the word for them."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a letter says of one person for whom something is asked."""

    who: str | None
    """How the person is called in it; '' for whoever writes, None where it is of one alone."""
    text: str


@lru_cache(maxsize=4)  # a text is asked about as a whole, and as what one person asks
def parts_of(text: str, language: str) -> tuple[Part, ...]:
    """What is told and asked of each person; empty where it is asked for one alone.

    >>> letter = "My father is on warfarin, can he take ibuprofen? I have asthma. Can I take it?"
    >>> for part in parts_of(letter, "en"):
    ...     print(part.who or "you", "-", part.text)
    father - My father is on warfarin, can he take ibuprofen?
    you - I have asthma. Can I take it?
    """
    if len(text) < _SHORTEST.get(language, 0):
        return ()
    sections = _Sections(text, language)
    if len(sections.asking) <= 1:
        return ()
    parts: dict[str, list[Span]] = {}
    last = sections.asking[0]
    for who, clause in sections.clauses:
        last = who if who in sections.asking else last
        whose = sections.asking if clause in sections.for_all else [last]
        for each in whose:
            parts.setdefault(each, []).append(clause)
    return tuple(
        Part(who, _joined(text, parts[who], language)) for who in sections.asking if who in parts
    )


@lru_cache(maxsize=4)
def asked_alone(text: str, language: str) -> str | None:
    """For whom alone something is asked in a text that tells of several: the word for them in it,
    "" for whoever writes; None where it tells of one, or that is not plain.

    >>> asked_alone("Mum has COPD, on theophylline. I had an ear infection: may I swim?", "en")
    ''
    """
    sections = _Sections(text, language)
    return sections.asking[0] if sections.one_of_several else None


def _joined(text: str, clauses: list[Span], language: str) -> str:
    """Clauses of a text as one text: what is left out between two of them ends a sentence."""
    joined, last = "", 0
    for start, end in clauses:
        if joined and text[last:start].strip():
            stop = "。" if language == "zh" else ". "
            joined = joined.rstrip(_COMMAS + _STOPS) + stop + text[start:end].lstrip()
        else:
            joined += text[last if joined else start : end]
        last = end
    return joined.strip()


class _Sections:
    """The clauses of a letter, each with whose it is, and the persons in their order."""

    def __init__(self, text: str, language: str) -> None:
        self.language, self._passage = language, passage_of(text, language)
        self._people: People = people_of(self._passage)
        self.all: list[str] = []
        self.asking: list[str] = []
        """For whom something is asked, in the order in which it is."""
        self.clauses: list[tuple[str, Span]] = []
        self.for_all: set[Span] = set()
        self._plainly: set[str] = set()
        """Those of them who are named where it is asked if they may have something."""
        self._headed: set[str] = set()
        """Who have a heading of their own: "Husband: 44, asthma. Aspirin?"."""
        who = self._first()
        for start, end in self._passage.clauses:
            whose = self._whose(start, end, who)
            self.clauses.append((whose, (start, end)))
            named = any(start <= p.start < end for p in self._people.all)
            self._take(whose, (start, end), named=named)
            aside = text[:start].rstrip().endswith(_OPENS)  # "Carol (69, I'm her carer) has gout"
            aside = aside or self._says("gives_reason", self._passage.plain[start:end])
            who = who if aside else whose
        if self._are_asked_for_each:
            self.for_all |= {span for _, span in self.clauses if self._is_at_hand(span)}
        self.asking = [who for who in self.asking if self._has_part(who)]

    @property
    def _are_asked_for_each(self) -> bool:
        """Whether a question is for several at once."""
        return any(self._asks(span) for span in self.for_all)

    def _is_at_hand(self, span: Span) -> bool:
        """Whether a clause tells what there is for all: "there is aspirin in the house"."""
        return self._says("there_is", self._passage.plain[slice(*span)])

    @property
    def one_of_several(self) -> bool:
        """Whether more than one is told of, and it is plain for which of them alone it is asked."""
        if len(self.asking) != 1 or len({whose for whose, _ in self.clauses}) < _SEVERAL:
            return False
        return self.asking[0] in self._plainly

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
        clauses = ((start, end) for start, end in self._passage.clauses)
        found = (self._whose(start, end, _NOBODY) for start, end in clauses)
        return next((who for who in found if who != _NOBODY), "")

    def _take(self, who: str, span: Span, *, named: bool) -> None:
        """A clause of somebody; who asks for themselves says so ("can I")."""
        clause = self._passage.plain[slice(*span)]
        if who not in self.all:
            self.all.append(who)
        if named and clause.rstrip().endswith((":", "：")):
            self._headed.add(who)
        asks = self._asks(span)
        if asks and named and self._wanted_for(span) is not None:
            self._plainly.add(who)
        spoken_of = named or who in self._headed or self._names_in_sentence(who, span)
        if asks and spoken_of and who not in self.asking:
            self.asking.append(who)
        of_us = self._says("each_of_us", clause) or self._is_of_us(span)
        goes_on = asks and not named and self._for_all_before(span)
        if of_us or goes_on or self._says("each_of_them", clause):
            self.for_all.add(span)
            others = (each for each in self.all if of_us or self._is_relative(each))
            self.asking += [each for each in others if asks and each not in self.asking]

    def _is_of_us(self, span: Span) -> bool:
        """Whether a clause tells of, or asks for, the writer together with another: "me and my
        daughter have thrush. Can we take it?"."""
        joined = pattern("joins_us", self.language).search(self._passage.plain)
        if joined is None or not self._names_another(joined.span()):
            return False
        clause = self._passage.plain[slice(*span)]
        return span[0] <= joined.start() < span[1] or (
            joined.end() <= span[0] and self._asks(span) and self._says("us_both", clause)
        )

    def _names_another(self, span: Span) -> bool:
        """Whether a stretch names somebody beside the writer, or means several by a word for us."""
        here = [p for p in self._people.all if span[0] <= p.start < span[1]]
        return any(p.role != "writer" or self._people.means_several(p) for p in here)

    def _names_in_sentence(self, who: str, span: Span) -> bool:
        """Whether the sentence of a clause speaks of somebody."""
        start, end = self._passage.sentence_at(span[0])
        return any(start <= p.start < end and self._name(p) == who for p in self._people.all)

    def _for_all_before(self, span: Span) -> bool:
        """Whether the clause before one, in its sentence, tells of everybody."""
        first, _ = self._passage.sentence_at(span[0])
        return any(first <= start and end <= span[0] for start, end in self.for_all)

    def _is_relative(self, who: str) -> bool:
        """Whether somebody is spoken of, and neither writes nor only stands by."""
        people = (p for p in self._people.all if p.role != "writer" and self._name(p) == who)
        return any(p.role == "child" or p.of == "writer" for p in people)

    def _asks(self, span: Span) -> bool:
        """Whether a clause asks, and the sentence that it is of, too: no "who is 24, is well"."""
        clause = self._passage.plain[slice(*span)]
        asking = pattern("asking", self.language).search(clause)
        if asking is None or self._says("politely", clause):
            return False
        sentence = self._passage.plain[slice(*self._passage.sentence_at(span[0]))]
        verb = pattern("verb_of_a_question", self.language)
        return "?" in sentence or not verb.fullmatch(asking.group().strip(_COMMAS))

    def _whose(self, start: int, end: int, last: str) -> str:
        """Whose a clause is: of whom it names, unless they only hand something on."""
        clause = self._passage.plain[start:end]
        if label := pattern("labelled", self.language).search(clause):
            return label.group().strip()
        people = [p for p in self._people.all if start <= p.start < end and not p.tells]
        named = [p for p in people if p.role not in _UNNAMED and p.of != "somebody" and p.subject]
        oneself = pattern("oneself", self.language)
        named = [
            p for p in named if p.role == "writer" or not oneself.fullmatch(self._people.word(p))
        ]
        named = [p for p in named if not self._is_reached(p)]
        if wanted := self._wanted_for((start, end)):
            return self._spoken_of(wanted, last) if wanted.role == "pronoun" else self._name(wanted)
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
        return last

    def _wanted_for(self, span: Span) -> Person | None:
        """Whom a clause that asks names right where it asks if they may have something: "can she
        use up mine?", "is it safe for my dad?"."""
        if not self._asks(span):
            return None
        asked = pattern("may_they", self.language).search(self._passage.plain, *span)
        if asked is None:
            return None
        people = (p for p in self._people.all if asked.end() <= p.end <= span[1])
        meant = next((p for p in people if not p.tells), None)
        return meant if meant and meant.start - asked.end() <= _BESIDE else None

    def _is_reached(self, person: Person) -> bool:
        """Whether a baby is asked about because of what its mother takes."""
        if person.role != "child" or person.days is None:
            return False
        before = self._passage.plain[: person.start]
        return pattern("reached", self.language).search(before) is not None

    def _spoken_of(self, pronoun: Person, last: str) -> str:
        """Whom a pronoun stands for: of whom the talk is, or the last of that sex."""
        if last not in (_NOBODY, "") and self._sex(last) in (None, pronoun.sex):
            return self._before_friend(pronoun, last) or last
        person = self._people.antecedent(pronoun)
        if person is None or person.role in _UNNAMED or _stands_by(person):
            return last
        return self._name(person)

    def _before_friend(self, pronoun: Person, friend: str) -> str:
        """Of whom the talk was before a friend was named who only has or praises something: "his
        neighbour got doxycycline, could he have that?"; "" where there is nobody."""
        people = [p for p in self._people.all if p.start < pronoun.start and p.role != "writer"]
        if not any(p.kind == _FRIEND and self._name(p) == friend for p in people):
            return ""
        fitting = (
            self._name(p)
            for p in people
            if p.role in ("child", "relative") and p.kind != _FRIEND
            and self._sex(self._name(p)) in (None, pronoun.sex)
        )
        return next(fitting, "")

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
        compiled: re.Pattern[str] = pattern(rule, self.language)
        return compiled.search(clause) is not None


def _stands_by(person: Person) -> bool:
    """Whether somebody is nobody's relative: "a neighbour swears by her propranolol"."""
    return person.role == "relative" and person.of == "somebody"
