"""Semantic templates (document K): what sentences of monographs say, found by data files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.data import LANGUAGES, language_with_rules, shipped_yaml
from medweave.model.identifiers import digest, normalise_name
from medweave.sources.prose.patterns import compile_pattern, slot

_MAX_WORDS = 7
_MAX_SENTENCE = 1000
"""No template fits a longer sentence, and looking would take long."""
_CLAUSE = re.compile(
    r"\b(that|which|who|when|because|is|are|was|were|has|have|may|can|should|if|while)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Template:
    """One family of sentences and what they say."""

    predicate: str
    concept: str
    patterns: tuple[str, ...]
    polarity: int = 1
    strength: float | None = None
    reading: str = "names"
    known_only: bool = False
    """Take only names that the lexicon knows."""


@dataclass(frozen=True)
class TemplateSet:
    """All templates of one language."""

    language: str
    version: str
    templates: tuple[Template, ...]
    pronouns: frozenset[str]
    list_marks: re.Pattern[str]
    leading: re.Pattern[str]
    denied: tuple[str, ...]
    denied_within: tuple[str, ...]
    """Denials that part a list even where no list mark stands before them."""
    undenied: tuple[str, ...]
    """Names that begin like a denial and are none ("无力", weakness)."""
    phrases: tuple[dict[str, Any], ...]
    endings: tuple[dict[str, Any], ...]
    before: tuple[str, ...]
    behind: tuple[str, ...]
    """What a phrase may carry before and behind a name."""
    both: re.Pattern[str]
    """Between two conditions that are told as one."""
    of_phrases: re.Pattern[str]
    """What no name of a disease holds."""
    codes: dict[str, str]
    """Words for qualifiers, and the code stored for each."""


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that one sentence says of the document's subject."""

    template: Template
    name: str
    polarity: int


@cache
def template_set(language: str) -> TemplateSet:
    """The templates that ship for a language; English where there are none for it."""
    name = language_with_rules(language)
    content = shipped_yaml("sources", "prose", "rules", f"{name}.yaml")
    templates = tuple(
        Template(**{**entry, "patterns": tuple(entry["patterns"])})
        for entry in content["templates"]
    )
    return TemplateSet(
        name,
        digest(content, 6),
        templates,
        frozenset(content["pronouns"]),
        _alternatives(content["list_marks"]),
        re.compile(rf"(?:{_words(content['leading'])})(?:\s+|(?<=[^\x00-\x7f]))", re.I),
        tuple(content["denied"]),
        tuple(content["denied_within"]),
        tuple(content["undenied"]),
        tuple(content["phrases"]),
        tuple(content["endings"]),
        tuple(sorted(content["around"]["before"], key=len, reverse=True)),
        tuple(sorted(content["around"]["behind"], key=len, reverse=True)),
        _alternatives(content["both"]),
        _marks(content["of_phrases"]),
        content["codes"],
    )


def templates_version() -> str:
    """Changes whenever a template file does."""
    return digest([template_set(language).version for language in LANGUAGES], 6)


def _words(texts: list[str]) -> str:
    return "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True))


def _marks(texts: list[str]) -> re.Pattern[str]:
    """Any of these words, or a number that is no part of a name ("CYP2D6", "COVID-19"); "…前" is a
    word that ends the text."""
    words = "|".join(_mark(text) for text in texts)
    return re.compile(rf"{words}|(?<![a-z0-9*:-])\d", re.IGNORECASE)


def _mark(text: str) -> str:
    if text.startswith("…"):
        return re.escape(text[1:]) + "$"
    return rf"\b{re.escape(text)}\b" if text[0].isascii() and text[0].isalpha() else re.escape(text)


def _alternatives(texts: list[str]) -> re.Pattern[str]:
    return re.compile(_words(texts), re.IGNORECASE)


def read_sentence(sentence: str, subjects: frozenset[str], rules: TemplateSet) -> Iterator[Found]:
    """What a sentence says of the subject, by the first template that fits it.

    `subjects` are the normalised names of what the document is about. A sentence about anything
    else yields nothing.
    """
    if len(sentence) > _MAX_SENTENCE:
        return
    clause = sentence.strip().rstrip(".。!！")
    for template in rules.templates:
        for pattern in template.patterns:
            match = compile_pattern(pattern).fullmatch(clause)
            if match and _is_subject(slot(match, "subject"), subjects, rules):
                for name, denied in split_list(slot(match, "list"), rules):
                    yield Found(template, name, -template.polarity if denied else template.polarity)
                return


def _is_subject(text: str, subjects: frozenset[str], rules: TemplateSet) -> bool:
    if not text:
        return True
    name = normalise_name(text)
    bare = re.sub(r"^(the|a|an)\s+", "", name)
    return name in subjects or bare in subjects or name in rules.pronouns


def split_list(text: str, rules: TemplateSet) -> Iterator[tuple[str, bool]]:
    """(name, denied) for each entry of a list in prose; what is no name is left out.

    >>> list(split_list("fever, a dry cough but not rash", template_set("en")))
    [('fever', False), ('dry cough', False), ('rash', True)]
    """
    prepared = text
    for mark in rules.denied_within:
        prepared = prepared.replace(mark, f",{mark}")
    for piece in rules.list_marks.split(prepared):
        name, denied = _stripped(piece.strip(), rules)
        if name and len(name.split()) <= _MAX_WORDS and not _CLAUSE.search(name):
            yield name, denied


def _stripped(piece: str, rules: TemplateSet) -> tuple[str, bool]:
    denied = False
    for mark in rules.denied:
        if piece.lower().startswith(mark) and not piece.startswith(rules.undenied):
            piece, denied = piece[len(mark) :].strip(), True
            break
    while match := rules.leading.match(piece):
        if match.end() == len(piece):
            break
        piece = piece[match.end() :]
    return piece.strip(" ,.;，。"), denied
