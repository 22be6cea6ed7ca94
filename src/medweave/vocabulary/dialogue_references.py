"""How dialogues name each other: words for relations, and ids within texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from medweave.language.data import shipped_yaml
from medweave.language.segmentation import SENTENCE_END

RELATION = "dialogue_"
"""How the predicates of links between dialogues begin."""
_ID = r"(?P<id>[A-Za-z]{0,12}[-_/]?\d[A-Za-z0-9_/-]*)"
_BETWEEN = re.compile(r"[\s_-]+")
_PREFIX = re.compile(r"([A-Za-z][A-Za-z0-9]*[-_])\d+")
_DIGIT = re.compile(r"\d")
_BEFORE = 40
"""Characters before an id in which a relation is looked for."""
_AFTER = 12
_DENIED = re.compile(r"(?:\b(?:not|never|no|un)\b|n't)\s*(?:\w+\s+){0,2}$")
_FEWEST_DIGITS = 2
_CLAUSE = re.compile("[，,、；;]")
"""In Chinese a relation is told of the id in its own part of a sentence."""
_APART = "|"
_BARE = ("copied_from", "same_issue")
"""Relations of which a number alone is another dialogue's: "copied from 102"."""


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A dialogue that a text names: where, which one, and how it is related."""

    start: int
    end: int
    target: str
    relation: str


def relation_called(name: str) -> str:
    """T's relation type that a column, a type of link or a phrase stands for; '' for none.

    >>> relation_called("Duplicate of"), relation_called("caused_by"), relation_called("price")
    ('same_issue', 'caused_by', '')
    >>> relation_called("Outward issue link (Relates)")
    'related_to'
    """
    inner = re.search(r"\(([^()]+)\)\s*$", name)
    for text in (name, inner[1] if inner else ""):
        key = _BETWEEN.sub(" ", text.strip().lower())
        if key in _words():
            return _words()[key]
    return ""


def mentioned_in(text: str, own: str = "") -> Iterator[Mentioned]:
    """The dialogues that a text names by their ids; `own` is the id of its own dialogue.

    >>> [(m.target, m.relation) for m in mentioned_in("Copied from ticket 120, see #88.", "145")]
    [('120', 'copied_from'), ('88', 'related_to')]
    >>> list(mentioned_in("It was caused by COVID-19, case closed 2 days later.", "145"))
    []
    """
    if _DIGIT.search(text) is None:
        return
    for match in _pattern(_prefix(own)).finditer(text):
        target = match["id"].rstrip("-_/")
        found = _relation(text, match)
        if target == own or found is None or not _is_one(match, own, target, found):
            continue
        yield Mentioned(match.start(), match.start("id") + len(target), target,
                        found or "related_to")  # fmt: skip


def _is_one(match: re.Match[str], own: str, target: str, title: str) -> bool:
    """Whether a number stands for a dialogue: by its noun, its own dialogue's id, or a relation."""
    if match["noun"] or match["own"] is not None:
        return True
    if match["mark"]:
        return bool(title) or _by_number(own, target)
    if match["bare"] is not None:
        return title in _BARE and _by_number(own, target)
    return bool(title) and own.isdigit() and target.isdigit()


def _by_number(own: str, target: str) -> bool:
    """Whether a bare #88 may be a dialogue's number: those of its kind are long."""
    numbers = own.isdigit() and target.isdigit()
    return numbers and min(len(own), len(target)) >= _FEWEST_DIGITS


def _prefix(own: str) -> str:
    """How ids of a dialogue's kind begin: SUP- in SUP-40."""
    match = _PREFIX.fullmatch(own)
    return match[1] if match else ""


def _relation(text: str, match: re.Match[str]) -> str | None:
    """The relation that is told right before an id, or behind it in Chinese; None if denied."""
    before = SENTENCE_END.split(text[max(0, match.start() - _BEFORE) : match.start()])[-1].lower()
    found = list(_phrases().finditer(before))
    if found:
        if _DENIED.search(before[: found[-1].start()]):
            return None
        return _words()[found[-1]["said"]]
    after = SENTENCE_END.split(text[match.end() : match.end() + _AFTER])[0]
    near = _CLAUSE.split(before)[-1] + _APART + _CLAUSE.split(after)[0]
    for word, relation in _chinese().items():
        if word in near:
            return relation
    return ""


@cache
def _words() -> dict[str, str]:
    types = shipped_yaml("vocabulary", "dialogue_references.yaml")["types"]
    found = {word: name for name, entry in types.items() for word in entry["en"]}
    return found | {name.replace("_", " "): name for name in types}


def _chinese() -> dict[str, str]:
    types = shipped_yaml("vocabulary", "dialogue_references.yaml")["types"]
    return {word: name for name, entry in types.items() for word in entry["zh"]}


@cache
def _phrases() -> re.Pattern[str]:
    longest_first = sorted(_words(), key=lambda word: (-len(word), word))
    either = "|".join(map(re.escape, longest_first))
    return re.compile(rf"\b(?P<said>{either})\b(?=[^,]*$)")


@cache
def _pattern(prefix: str) -> re.Pattern[str]:
    content = shipped_yaml("vocabulary", "dialogue_references.yaml")
    nouns = {
        part: "|".join(map(re.escape, (*content[part]["en"], *content[part]["zh"])))
        for part in ("nouns", "weak_nouns")
    }
    number = r"(?:[ ]?(?:no\.?|number|id|nr\.?|编号|号))?[ ]?:?[ ]?"
    own = rf"|(?P<own>(?<![\w-])(?={re.escape(prefix)}\d))" if prefix else "|(?P<own>(?!))"
    return re.compile(
        rf"(?:(?<![A-Za-z])(?:(?P<noun>{nouns['nouns']})|(?P<weak>{nouns['weak_nouns']}))"
        rf"{number}#?|(?P<mark>(?<![\w#])#){own}"
        rf"|(?P<bare>(?:(?<=\bof )|(?<=\bfrom ))(?=\d+[ ]?(?:[.,;:!?)\n]|$)))){_ID}"
        r"(?![A-Za-z0-9_%])",
        re.IGNORECASE,
    )
