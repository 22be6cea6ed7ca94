"""The people whom a text names, and for which of them it asks something.

Two words are one person, or not; a pronoun stands for one of those named before it. Something is
asked for whoever a question names, of whom a text says that it is about them, or to whom what is in
question was offered. Words and patterns are data: rules/people.*.yaml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from medweave.language.folding import blotted
from medweave.language.passage import Passage, Span
from medweave.language.people_named import Naming
from medweave.language.people_rules import PeopleRules, people_rules
from medweave.language.person import Person, Sex
from medweave.language.prefilter import Alternatives

BEHIND = 60
"""Characters behind a person that say something of them."""
CHILD_BY_SEX: Mapping[Sex, str] = {"male": "son", "female": "daughter"}
BY_ORDER = ("elder", "younger")
"""How the kinds of children begin who are told apart by who is older."""
_LABELS = ("mister", "missus", "labelled")
"""Kinds of words that call somebody by a title and a name, or by a number or a place."""
_OF_A_CHILD = ("mother", "father", "parents", "brother", "sister", "sibling", "cousin", "friend")
"""Of whom a text about a child tells without saying so."""
QUESTION_MARKS = ("?", "？")


@dataclass(frozen=True, eq=False)
class Named:
    """The people named in one text, and for whom it asks.

    >>> from medweave.language.passage import passage_of
    >>> text = "I am writing about my aunt. My sister is allergic to sulfa. Is it ok for her?"
    >>> named = Named(passage_of(text))
    >>> named.word(named.asked_for)
    'aunt'
    """

    passage: Passage

    @cached_property
    def _rules(self) -> PeopleRules:
        return people_rules(self.passage.language)

    @cached_property
    def _text(self) -> str:
        """The text in which people are looked for: without what only looks like one."""
        plain = self.passage.plain
        return blotted(plain, (m.span() for m in self._rules.nobody.finditer(plain)), "~")

    @cached_property
    def all(self) -> tuple[Person, ...]:
        """Every word for somebody, in the order of the text.

        A relative whom a text begins with is the writer's if nobody else is named: "Grandpa, on
        digoxin". Parents and siblings, who are told of beside a sick child, only with an age or
        where something is asked.
        """
        found = tuple(Naming(self._text, self._rules).people())
        if len(found) != 1 or found[0].role != "relative" or found[0].of or found[0].tells:
            return found
        before, behind = self._text[: found[0].start], self._text[found[0].end :]
        asks = any(mark in behind for mark in QUESTION_MARKS)
        named = asks or found[0].kind not in _OF_A_CHILD or behind.lstrip(" ,(")[:1].isdigit()
        begins = not before.strip(" ,.;:-") and named
        return (replace(found[0], of="writer"),) if begins else found

    def word(self, person: Person) -> str:
        """How somebody is called in the text, in lower case."""
        return self.passage.plain[person.start : person.end]

    @cached_property
    def _subjects(self) -> tuple[Person, ...]:
        return tuple(person for person in self.all if person.subject)

    def antecedent(self, pronoun: Person) -> Person | None:
        """Whom a pronoun stands for: of whom the text says that it is about them, unless another is
        named in its sentence; else the patient where the sex fits, or the last who fits."""
        fitting = self._may_stand_for(pronoun)
        if fitting and all(p.of == "other" and self._is_kin_of(pronoun, p) for p in fitting):
            return pronoun
        about = self.announced
        if about is not None and about.role != "pronoun" and self._may_be(pronoun, about):
            first, _ = self.passage.sentence_at(pronoun.start)
            if not any(p.start >= first for p in fitting):
                return about
        return fitting[-1] if fitting else pronoun

    def _is_kin_of(self, pronoun: Person, person: Person) -> bool:
        """Whether somebody is named as a relative of one who is called by the same pronoun before:
        "Can she take her mum's tablets? She has angina"."""
        return any(
            p.role == "pronoun" and p.subject and p.sex == pronoun.sex and p.start < person.start
            for p in self.all
        )

    def _may_stand_for(self, pronoun: Person) -> Sequence[Person]:
        """Everybody a pronoun may stand for; who only tells something, is another's relative, or
        only stands by ("the neighbour"), if there is nobody else. "Him" is not whoever its clause
        tells something of."""
        clause = self.passage.clause_at(pronoun.start)
        fitting = [
            p
            for p in self.all
            if p.role not in ("pronoun", "writer")
            and not self.is_plural(p)
            and not self._owns_the_next(p)
            and not (p.role == "child" and self._is_nursed(p))
            and p.start < (pronoun.start if pronoun.subject else clause[0])
            and (p.sex in (None, pronoun.sex) or pronoun.sex is None)
        ]
        children = [p for p in fitting if p.role == "child" and p.of != "other"]
        adults = [p for p in fitting if p.role == "adult"]
        own = [p for p in children if not p.tells] or adults or children
        own = own or [p for p in fitting if not p.tells]
        related = [p for p in own if p.role == "relative" and p.of == "writer"]
        return related or [p for p in own if p.of != "other"] or own or fitting

    def _owns_the_next(self, person: Person) -> bool:
        """Whether somebody is only named for whose relative the next is: "neighbour's father"."""
        after = next((p for p in self.all if p.start >= person.end), None)
        return after is not None and self._text[person.end : after.start] in ("'s ", "s ", "的")

    def individual(self, person: Person) -> str:
        """What makes two words one person: children of a text are one, unless a son and a daughter
        are told apart, or who is older."""
        if self.is_label(person) and (len(self.labelled) > 1 or self._is_another(person)):
            return self.word(person)
        if person.role == "child":
            order = person.kind.partition("_")[0]
            if order in BY_ORDER and self._are_ordered:
                return order
            if person.sex and self._children_apart:
                return CHILD_BY_SEX[person.sex]
        if person.role in ("writer", "child", "adult"):
            return person.role
        return f"another's {person.kind}" if person.of == "other" else person.kind

    @cached_property
    def _children_apart(self) -> bool:
        """Whether a son and a daughter are spoken of: what one of them does not bear, the other
        may."""
        own = {p.sex for p in self.all if p.role == "child" and p.of != "other" and p.sex}
        return len(own) > 1

    @property
    def labels(self) -> Iterator[Person]:
        """The words that call somebody by a name or a title, or by a number or a place."""
        return filter(self.is_label, self.all)

    def is_label(self, person: Person) -> bool:
        """Whether a word tells somebody apart from all others: "Mr A", "bed 4", "Sam"."""
        named = person.role in ("child", "adult") and person.kind not in self._rules.kinds
        return named or person.kind.partition("_")[0] in _LABELS

    def _is_another(self, labelled: Person) -> bool:
        """Whether somebody is told apart from one who has no label: "my other patient"."""
        if self._rules.tells_apart.match(self.word(labelled)) is None:
            return False
        adults = (p for p in self.all if p.role == "adult" and not self.is_label(p))
        return any(
            p.start < labelled.start or self._rules.this_one.search(self._text[: p.start])
            for p in adults
            if not self.is_plural(p)
        )

    @cached_property
    def labelled(self) -> frozenset[str]:
        """Who is told apart so: "Mr A takes warfarin, Mrs B nothing"."""
        return frozenset(map(self.word, self.labels))

    @cached_property
    def _are_ordered(self) -> bool:
        """Whether an older and a younger child are spoken of."""
        return set(BY_ORDER) <= {p.kind.partition("_")[0] for p in self.all}

    def _is_nursed(self, child: Person) -> bool:
        """Whether a child is named as whom somebody breastfeeds."""
        first, _ = self.passage.clause_at(child.start)
        return self._rules.nursing.search(self._text[first : child.start]) is not None

    def _is_harmed(self, child: Person) -> bool:
        """Whether it is asked what something does to a child: "can an infection hurt the baby?"."""
        before = self._text[max(0, child.start - BEHIND) : child.start]
        return child.role == "child" and self._rules.harms.search(before) is not None

    @cached_property
    def asked_for(self) -> Person | None:
        """For whom something is asked, where the text says so."""
        return self._asked[0]

    @cached_property
    def _asked(self) -> tuple[Person | None, frozenset[str]]:
        """For whom something is asked, and who else may be meant by the words for them."""
        for rule in (
            self._rules.given_to,
            self._rules.taken_by,
            self._rules.given_to_writer,
        ):
            for match in reversed(list(rule.finditer(self._text))):
                person = next((p for p in self.all if p.end > match.end()), None)
                if person is None or person.start >= self._reach(match) or self._is_harmed(person):
                    continue
                named, others = self._referent(person)
                if named is not None:
                    itself = {"writer"} if self._may_be_itself(named, match) else set()
                    return named, frozenset(others | itself)
        return None, frozenset()

    def _referent(self, person: Person) -> tuple[Person | None, set[str]]:
        """Whom a word for somebody means who is asked for, and who else it may: a pronoun is of
        whom something was offered before whoever is named last, and in doubt of both."""
        if person.role != "pronoun":
            return person, set()
        if self._offered is not None and self._may_be(person, self._offered):
            return self._offered, set()
        last = self.antecedent(person)
        if last is None or last is person or last is self.announced:
            return last, set()
        fitting = {self.individual(p) for p in self._may_stand_for(person)}
        return last, fitting & self._main_relatives

    @staticmethod
    def _may_be(pronoun: Person, named: Person) -> bool:
        """Whether a pronoun can stand for somebody who was named before it."""
        return named.start < pronoun.start and (
            pronoun.sex is None or named.sex in (None, pronoun.sex)
        )

    def _may_be_itself(self, asked: Person, match: re.Match[str]) -> bool:
        """Whether the writer may be meant as well, who tells of themselves and of what a relative
        was given, and asks for nobody by a word for them."""
        first, last = self.passage.sentence_at(match.start())
        asks = any(mark in self._text[first : last + 1] for mark in QUESTION_MARKS)
        if asks or match.re is self._rules.taken_by.compiled or asked.role != "relative":
            return False
        offered = self._offered and self.individual(self._offered) in self._main_relatives
        own = max((m.start() for m in self._rules.own.finditer(self._text)), default=-1)
        return own > match.end() or (own >= 0 and not offered)

    @cached_property
    def announced(self) -> Person | None:
        """Of whom a text says that it is about them: "I am writing about my mother"."""
        return self._beside(self._rules.announced)

    @cached_property
    def _offered(self) -> Person | None:
        """Who was told to take what is in question, was offered or prescribed it."""
        person = self._beside(self._rules.offered_to)
        named = self.antecedent(person) if person and person.role == "pronoun" else person
        return None if named is None or named.role in ("pronoun", "writer") else named

    def _beside(self, rule: Alternatives) -> Person | None:
        """Who stands right behind what a rule finds first."""
        for match in rule.finditer(self._text):
            person = next((p for p in self.all if p.end > match.end()), None)
            if person is not None and person.start < self._reach(match):
                return person
        return None

    def _reach(self, match: re.Match[str]) -> int:
        """How far somebody may stand behind the words that ask for them."""
        end = match.end()
        inside = end - 1 if end > match.start() else end
        return min(end + BEHIND, self.passage.sentence_at(inside)[1])

    @property
    def _own_relatives(self) -> Sequence[Person]:
        return [p for p in self.all if p.role == "relative" and p.of in ("writer", "")]

    @cached_property
    def _main_relatives(self) -> frozenset[str]:
        """Relatives of the writer of whom two sentences tell or more."""
        sentences: dict[str, set[Span]] = {p.kind: set() for p in self._own_relatives}
        for person in self.all if sentences else ():
            whole = self.antecedent(person) if person.role == "pronoun" else person
            if whole is not None and self.individual(whole) in sentences:
                sentences[whole.kind].add(self.passage.sentence_at(person.start))
        return frozenset(kind for kind, told in sentences.items() if len(told) > 1)

    def is_plural(self, person: Person) -> bool:
        """Whether a word names several people at once."""
        return self._rules.plural.fullmatch(self.word(person)) is not None
