"""What stands at a place of the list that was shown last: "the first one, is it safe?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.folding import lower
from medweave.model.question import Question


@dataclass(frozen=True, slots=True)
class Ordinal:
    """A place in a list, and where a text speaks of it."""

    start: int
    end: int
    at: int
    """Counted from 0; -1 is the last."""


def ordinal_in(question: Question) -> Ordinal | None:
    """The place in a list that a question speaks of."""
    found = _pattern(question.language).search(lower(question.text))
    if found is None:
        return None
    places: dict[str, int] = _rules(question.language)["places"]
    n = next((said for said in found.groups() if said), "")
    return Ordinal(found.start(), found.end(), places[n])


def with_item(
    question: Question,
    earlier: Sequence[Question],
    shown: Callable[[Question], Sequence[str]],
    understand: Callable[[str], Question],
) -> Question:
    """The question with the name that stands at the place it speaks of, in the list that was shown
    last; as it is, where it speaks of none. `shown` gives what an answer lists, in its order.
    """
    ordinal = ordinal_in(question) if earlier else None
    if ordinal is None:
        return question
    names = next((names for turn in reversed(earlier) if (names := shown(turn))), ())
    if not -len(names) <= ordinal.at < len(names):
        return question
    text, name = question.text, names[ordinal.at]
    read = understand(text[: ordinal.start] + name + text[ordinal.end :])
    return replace(read, as_written=text)


def _rules(language: str) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, dict[str, int]]] = shipped_yaml(
        "understanding", "rules", "ordinals.yaml"
    )
    return found[language_with_rules(language)]


@cache
def _pattern(language: str) -> re.Pattern[str]:
    return re.compile(str(_rules(language)["said"]))
