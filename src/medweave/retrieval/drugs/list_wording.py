"""Words that ask for a list, or stand beside what one is wanted for: data, read here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from medweave.language.data import language_with_rules, shipped_yaml
from medweave.model.question import Mention, Question

_SPACES = re.compile(" {2,}")
"""Words that were replaced by fewer left room: every place in a text stays what it is."""

_LIST = re.compile(r"\{([a-z_]+)\}")
_NEAR = 400
"""So many characters beside a name are looked at."""
_MORE = " x "
"""Stands for what is not looked at: there a text neither begins nor ends."""


def says(question: Question, kind: str) -> bool:
    """Whether a question has words of a kind anywhere."""
    text = question.text.lower()
    return any(pattern.search(text) for pattern in _patterns(question.language, kind))


def is_a_lack(name: str) -> bool:
    """Whether a name is that of a lack of something.

    >>> is_a_lack("iron deficiency anemia"), is_a_lack("asthma")
    (True, False)
    """
    return any(p.search(name.lower()) for of in ("en", "zh") for p in _patterns(of, "lacking"))


def stands(question: Question, mention: Mention, kind: str) -> bool:
    """Whether words of a kind stand right before or behind a name."""
    before = _SPACES.sub(" ", _before(question.text, mention.start))
    patterns = _patterns(question.language, f"{kind}_before")
    return any(p.search(before) for p in patterns) or _stands_behind(question, mention, kind)


def _stands_behind(question: Question, mention: Mention, kind: str) -> bool:
    after = question.text[mention.end : mention.end + _NEAR].lower()
    if mention.end + _NEAR < len(question.text):
        after += _MORE
    return any(p.search(after) for p in _patterns(question.language, f"{kind}_after"))


def _before(text: str, end: int) -> str:
    """What stands near before a place. A text is long, and may hold a name on every line of it."""
    near = text[max(0, end - _NEAR) : end].lower()
    return near if end <= _NEAR else _MORE + near


@cache
def _patterns(language: str, kind: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in list_words(language)[kind])


@cache
def list_words(language: str) -> dict[str, list[str]]:
    """The words of a language by their kind, as regular expressions on lower-case text."""
    rules: dict[str, dict[str, Any]] = shipped_yaml("retrieval", "drugs", "requested_lists.yaml")
    kinds = dict(rules[language_with_rules(language)])
    lists: dict[str, str] = {}
    for name, words in kinds.pop("lists").items():
        lists[name] = _written_out(words, lists)
    return {kind: [_written_out(words, lists) for words in some] for kind, some in kinds.items()}


def _written_out(pattern: str, lists: Mapping[str, str]) -> str:
    """A pattern with the lists that it names: "{medicines}"."""
    return _LIST.sub(lambda found: lists[found[1]], pattern)
