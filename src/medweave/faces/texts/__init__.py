"""The words of pages: texts of the interface, and names of things in one answer's language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from medweave.answering.wording import age_in_words, phrases
from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.passage import passage_of
from medweave.model.dialogue_tree import HAS_SECTION
from medweave.model.entity import Entity
from medweave.model.question import Question
from medweave.model.statement import Literal, Statement
from medweave.vocabulary.vocabulary import shipped_vocabulary

_PURPOSES = ("purpose", "except_purpose")


def page_texts(language: str) -> dict[str, Any]:
    """The texts of the interface in a language; English where there are none for it."""
    name = language_with_rules(language)
    return shipped_yaml("faces", "texts", f"{name}.yaml")


def section_name(name: str, language: str) -> str:
    """What a section of a dialogue is called in a language.

    >>> section_name("root_cause", "en"), section_name("advice", "zh")
    ('root cause', '建议')
    """
    return str(page_texts(language)["similar"]["sections"].get(name, name.replace("_", " ")))


_MOST_IN_FULL = 90
_BLANKS_BEFORE_END = re.compile(r" +(?=[?.!]*$)")


def _end_of(question: Question) -> str:
    """Of a question that takes up an earlier one, what asks in it: the rest was told before, and
    may not hold any more."""
    text = question.text
    passage = passage_of(text, question.language)
    start = passage.sentences[-1][0] if len(text) > _MOST_IN_FULL else 0
    asked = [m.start for m in question.mentions if m.role == "asked" and m.start >= start]
    if asked:
        start = passage.clause_at(asked[-1])[0]
    end = _BLANKS_BEFORE_END.sub("", " ".join(text[start:].split()))
    return f"… {end}" if text[:start].strip() else end


@dataclass(frozen=True, slots=True)
class Words:
    """Says things in the language of a question."""

    question: Question
    entities: Mapping[str, Entity] = field(default_factory=dict)
    """What the answer to it speaks of."""

    @property
    def language(self) -> str:
        """The language of the question."""
        return self.question.language

    @property
    def texts(self) -> dict[str, Any]:
        """The texts of the interface."""
        return page_texts(self.language)

    def name(self, identifier: str) -> str:
        """What a thing is called: by the base, else by the question, else by its identifier."""
        if identifier in self.entities:
            return self.entities[identifier].name(self.language)
        named = (m.name for m in self.question.mentions if m.entity == identifier)
        return next(named, identifier.rpartition(":")[2].replace("_", " "))

    def names(self, identifiers: Iterable[str]) -> str:
        """Several things as a list in words."""
        return self.join(self.name(identifier) for identifier in identifiers)

    def join(self, words: Iterable[str]) -> str:
        """A list in words."""
        return str(self.texts["separator"]).join(words)

    def plain(self, group: str, key: str) -> str:
        """The plain word for a code ('intents', 'side_effect'); the code where there is none."""
        return str(self.texts[group].get(key, key.replace("_", " ")))

    def predicate(self, name: str) -> str:
        """The plain name of a predicate; a base may have some that did not ship."""
        return shipped_vocabulary().predicate(name).words(self.language)

    def concept(self, name: str) -> str:
        """The plain name of a concept."""
        found = shipped_vocabulary().concepts.get(name)
        return found.labels.get(self.language, found.name) if found else name.replace("_", " ")

    def object(self, statement: Statement) -> str:
        """The object of a statement in words."""
        if not isinstance(statement.object, Literal):
            return self.name(statement.object)
        if statement.predicate == HAS_SECTION:  # its text is what the evidence quotes
            return self.section(str(statement.qualifier("section")))
        value = f"{statement.object.value} {statement.object.unit}"
        return value.strip()

    def section(self, name: str) -> str:
        """What a section of a dialogue is called."""
        return section_name(name, self.language)

    def note(self, statement: Statement) -> str:
        """All qualifiers of a statement in words, '' where it has none."""
        shown = dict(statement.qualifiers)
        shown.pop("mentions", None)  # its words name them
        if statement.predicate == HAS_SECTION:
            shown.pop("section", None)  # it stands in the place of the object
        if {"pregnancy_weeks_min", "pregnancy_weeks_max"} & shown.keys():
            shown.pop("pregnancy", None)  # the weeks say so
        if {"action", "action_zh"} <= shown.keys():  # it stands in both languages
            del shown["action" if self.language == "zh" else "action_zh"]
        return self.join(self._qualifier(*pair) for pair in shown.items())

    def read_as(self) -> list[str]:
        """What was taken for misspelt, or took up what was said before, and read as what."""
        read = {m.text: m.link.read_as for m in self.question.mentions if m.link.read_as}
        told = [str(self.texts["read_as"]).format(text=text, meant=read[text]) for text in read]
        if self.question.as_written and not self.question.repeated:
            told.insert(0, str(self.texts["in_full"]).format(text=_end_of(self.question)))
        return told

    def said(self, statement: Statement) -> str:
        """A whole statement on one line."""
        note = self.note(statement)
        more = f" ({note})" if note else ""
        subject, predicate = self.name(statement.subject), self.predicate(statement.predicate)
        return f"{subject} — {predicate} → {self.object(statement)}{more}"

    def age(self, days: int) -> str:
        """An age in the unit people would use."""
        return age_in_words(days, self.language)

    def _qualifier(self, name: str, value: str | int | float | bool) -> str:
        form = str(self.texts["qualifiers"].get(name, f"{name}: {{value}}"))
        if value is False:
            return str(self.texts["no"]).format(said=form)
        age = self.age(int(value)) if name in ("age_min_days", "age_max_days") else ""
        shown = self.name(str(value)) if name in _PURPOSES else self._code(str(value))
        return form.format(value=shown, age=age, sex=self.plain("sex", str(value)))

    def _code(self, value: str) -> str:
        return str(phrases(self.language)["codes"].get(value, value.replace("_", " ")))
