"""The template of a dialogue's tree: its sections, what else they are called, how they are filled.

Reading uses it to know a field for a section, extraction to fill sections from turns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args
from typing import Literal as OneOf

from medweave.errors import VocabularyError
from medweave.language.data import language_with_rules, read_yaml, shipped
from medweave.model.dialogue import Speaker
from medweave.model.identifiers import digest

Fill = OneOf["first_turn", "findings", "past", "drugs", "cues", "extract"]
"""How a section is filled from turns; see the head of `dialogue_template.yaml`."""
_OF_MODELS = ("ask", "written")
"""Entries of a section that rules do not use."""
_BETWEEN = re.compile(r"[\s_-]+")


@dataclass(frozen=True, slots=True)
class SectionRule:
    """One section of the template."""

    name: str
    aliases: tuple[str, ...]
    intents: tuple[str, ...]
    """What a question may ask for that the section answers."""
    fill: Fill
    speakers: tuple[Speaker, ...] = ()
    """Whose turns are read."""
    questions: bool = False
    """Whether sentences that ask are read too."""
    cues: Mapping[str, re.Pattern[str]] | None = None
    """By language; on lower-case text."""
    never: Mapping[str, re.Pattern[str]] | None = None
    ask: str = ""
    """What a language model is asked."""
    written: bool = False
    """Whether a model may answer in words of its own."""

    def has_cue(self, sentence: str, language: str) -> bool:
        """Whether a sentence in lower case has a cue of the section, and nothing against it."""
        known = language_with_rules(language)
        cue = self.cues.get(known) if self.cues else None
        if cue is None or not cue.search(sentence):
            return False
        never = self.never.get(known) if self.never else None
        return never is None or never.search(sentence) is None


@dataclass(frozen=True, slots=True)
class Prompts:
    """What a language model is told before its questions."""

    most: int
    """Characters of a dialogue that it is given; a longer one is left to rules."""
    dialogue: str
    message: str
    version: str
    """Of all that models are told, the questions too."""


@dataclass(frozen=True)
class DialogueTemplate:
    """All sections of a tree, by name, in the order in which they are shown."""

    sections: Mapping[str, SectionRule]
    longest: int
    """Characters of a section that is read from turns."""
    version: str
    """Of all that rules use."""
    prompts: Prompts
    _by_alias: Mapping[str, str]

    def section_called(self, name: str) -> str:
        """The section that a name or alias stands for, '' where there is none.

        >>> shipped_template().section_called("Root Cause"), shipped_template().section_called("x")
        ('root_cause', '')
        """
        return self._by_alias.get(_key(name), "")


def load_template(text: str, *, where: str) -> DialogueTemplate:
    """A template from its YAML text. Raises `VocabularyError` where an entry is wrong."""
    content = read_yaml(text, where=where)
    by_alias: dict[str, str] = {}
    sections: dict[str, SectionRule] = {}
    for name, entry in (content.get("sections") or {}).items():
        sections[name] = _section(name, entry, where)
        for alias in (name, *sections[name].aliases):
            if by_alias.setdefault(_key(alias), name) != name:
                raise VocabularyError(
                    f"'{alias}' stands for both {by_alias[_key(alias)]} and {name}",
                    where=where,
                    remedy="keep it in one of them",
                )
    prompts = _prompts(content)
    rules = {
        name: {key: value for key, value in entry.items() if key not in _OF_MODELS}
        for name, entry in content["sections"].items()
    }
    version = digest({"longest": content["longest"], "sections": rules}, 6)
    return DialogueTemplate(sections, int(content["longest"]), version, prompts, by_alias)


def _prompts(content: dict[str, Any]) -> Prompts:
    prompts = content.get("prompt") or {}
    asked = [
        [name, entry.get("ask", ""), bool(entry.get("written"))]
        for name, entry in content["sections"].items()
    ]
    return Prompts(
        int(prompts.get("most", 0)),
        prompts.get("dialogue", ""),
        prompts.get("message", ""),
        digest([prompts, asked], 6),
    )


@cache
def shipped_template() -> DialogueTemplate:
    """The template that ships."""
    file = shipped("vocabulary", "dialogue_template.yaml")
    return load_template(file.read_text("utf-8"), where=file.name)


def _section(name: str, entry: dict[str, Any], where: str) -> SectionRule:
    if entry.get("fill") not in get_args(Fill):
        raise VocabularyError(
            f"the section '{name}': '{entry.get('fill')}' fills nothing",
            where=where,
            remedy=f"use one of {', '.join(get_args(Fill))}",
        )
    return SectionRule(
        name=name,
        aliases=tuple(entry.get("aliases", ())),
        intents=tuple(entry.get("intents", ())),
        fill=entry["fill"],
        speakers=tuple(entry.get("from", ())),
        questions=bool(entry.get("questions", False)),
        cues=_patterns(entry.get("cues")),
        never=_patterns(entry.get("not")),
        ask=str(entry.get("ask", "")),
        written=bool(entry.get("written", False)),
    )


def _patterns(by_language: dict[str, list[str]] | None) -> dict[str, re.Pattern[str]] | None:
    if not by_language:
        return None
    return {
        language: re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
        for language, patterns in by_language.items()
    }


def _key(name: str) -> str:
    return _BETWEEN.sub("_", name.strip().lower())
