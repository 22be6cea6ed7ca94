"""The words of a text for people: nouns, pronouns, and names told with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from medweave.language.given_names import given_names
from medweave.language.people_rules import WRITER, PeopleRules
from medweave.language.person import Person, Role, Sex

_OF_AGE = 18
_BEFORE = 80
"""Characters before a person that say whose relative it is, or that it is no subject."""
_BEHIND = 60
_SEX_OF_PRONOUN: Mapping[str, Sex] = {"male_pronoun": "male", "female_pronoun": "female"}


@dataclass(frozen=True)
class Naming:
    """Finds the words for people in a text in lower case, without what only looks like one."""

    text: str
    rules: PeopleRules

    def people(self) -> Iterator[Person]:
        """Every word for somebody; what somebody is called by name is a word for them, too."""
        last: Person | None = None
        names = self._only_named()
        for noun in self._nouns_and_pronouns():
            yield from self._called(names, last.end if last else 0, noun.start)
            person = self._as_predicate(noun, last)
            if person.role in ("relative", "child"):
                name = self.rules.called.match(self.text, person.end)
                if name and name["name"] in given_names():
                    names[name["name"]] = person
            yield person
            last = person
        yield from self._called(names, last.end if last else 0, len(self.text))

    def _only_named(self) -> dict[str, Person]:
        """Who is told of by a given name alone, by name; as old as an age beside it says."""
        found: dict[str, Person] = {}
        for match in self.rules.named_alone.finditer(self.text):
            name = match["name"] or match["asked"] or match["beside"]
            if name in given_names():
                found[name] = Person(*match.span(), name, "adult")
        for match in self.rules.named_with_age.finditer(self.text):
            if match["name"] in given_names():
                young = not (match["unit"] or "y").startswith("y") or float(match["n"]) < _OF_AGE
                role: Role = "child" if young else "adult"
                found[match["name"]] = Person(*match.span("name"), match["name"], role)
        return found

    def _called(self, names: Mapping[str, Person], start: int, end: int) -> Iterator[Person]:
        """Where somebody is called by a name that was told with the word for them."""
        if names:
            word = re.compile(rf"\b(?:{'|'.join(names)})\b")
            for match in word.finditer(self.text, start, end):
                yield replace(names[match.group()], start=match.start(), end=match.end())

    def _as_predicate(self, noun: Person, last: Person | None) -> Person:
        """Who a noun says something of: in "my mother is an old woman" she is the mother."""
        said = last is not None and noun.role == "adult" and last.role in ("relative", "pronoun")
        if last is None or not said:
            return noun
        if not self.rules.predicate.fullmatch(self.text[last.end : noun.start]):
            return noun
        return replace(noun, kind=last.kind, role=last.role, of=last.of, subject=False)

    def _nouns_and_pronouns(self) -> Iterator[Person]:
        rules, text = self.rules, self.text
        matches = list(rules.anybody.finditer(text))
        writes = any(match.lastgroup == WRITER for match in matches)
        for match in matches:
            kind = match.lastgroup or ""
            if self._is_called_next(match):
                continue
            before = text[max(0, match.start() - _BEFORE) : match.start()]
            behind = text[match.end() : match.end() + _BEHIND]
            tells = rules.reporter.match(behind) is not None
            if kind in rules.kinds:
                held = rules.kinds[kind]
                if writes and rules.is_writer(kind, before):
                    yield Person(*match.span(), kind, WRITER, held.sex, held.days)
                    continue
                of = rules.whose(kind, before)
                yield Person(*match.span(), kind, held.role, held.sex, held.days, of, True, tells)
                continue
            subject = not (
                match.group() in rules.object_pronouns and rules.object_before.search(before)
            )
            if rules.owned.match(behind):  # "my" of "my mother": the mother is the person
                if kind == WRITER:
                    continue
                subject = False
            role: Role = WRITER if kind == WRITER else "pronoun"
            sex = _SEX_OF_PRONOUN.get(kind)
            yield Person(*match.span(), kind, role, sex, None, "", subject, tells)

    def _is_called_next(self, match: re.Match[str]) -> bool:
        """Whether a noun stands right before what its person is called by: 邻居王姨."""
        called = self.rules.anybody.match(self.text, match.end())
        return called is not None and (called.lastgroup or "").startswith("labelled_")
