"""Training the learned reader of crises on messages of people in one, and on what sounds like it.

Beside its own list (`training/crisis`) it is shown the messages of danger that ship, of which some
are crises, ordinary complaints, and questions in general. What those lists leave open is left out.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from medweave.language.segmentation import language_of
from medweave.understanding.danger.crisis import (
    CrisisModel,
    crisis_features,
    is_long,
    stretches,
)
from medweave.understanding.danger.table import literal
from medweave.understanding.danger.training import (
    QUESTION_WEIGHT,
    Shown,
    among_others,
    check_both_kinds,
    fit_weights,
    ordinary_messages,
    quiet_questions,
    records_of,
)

INVERSE_PENALTY = 10.0
"""C of the regression."""
_AMONG = 3
"""Every third message is shown once more, among what people say around it."""
_CRISES = ("suicid", "self", "自杀", "自伤")
"""How the signs of danger begin that are crises of oneself."""
_OPEN = (
    *("emergency", "poison", "overdo", "psycho", "mania", "abuse", "viol", "harm", "child_crisis"),
    *("drug_abuse", "癔", "暴", "家暴", "农药"),
)
"""How the signs begin beside which a message may tell of one, or not."""


@dataclass(frozen=True, slots=True)
class CrisisMessage:
    """A message, and whether somebody in it is in a crisis."""

    text: str
    in_crisis: bool
    theme: str = ""
    """What the messages of one kind have in common: themes are held apart to measure."""


def train_crisis(
    messages: Sequence[CrisisMessage], *, trained_on: dict[str, Any] | None = None
) -> CrisisModel:
    """Fit the weights on messages, and on the harmless ones that ship.

    Raises `ConfigurationError` without scikit-learn, and where all messages are of one kind.
    """
    check_both_kinds({message.in_crisis for message in messages}, "crisis", "in a crisis")
    told = (*messages, *messages_of_danger())
    chance = random.Random(0)  # noqa: S311 - chance here decides nothing secret
    among = [replace(each, text=among_others(each.text, chance)) for each in told[::_AMONG]]
    shown = [each for message in (*told, *among) for each in _shown(message)]
    for text in ordinary_messages(chance):
        shown += _shown(CrisisMessage(text, False))
    for text in quiet_questions():
        shown += _shown(CrisisMessage(text, False), QUESTION_WEIGHT)
    weights, bias = fit_weights(shown, inverse_penalty=INVERSE_PENALTY)
    return CrisisModel(weights, bias, trained_on or {})


def shipped_crises() -> list[CrisisMessage]:
    """The messages that ship.

    >>> sorted({message.in_crisis for message in shipped_crises()})
    [False, True]
    """
    return [CrisisMessage(r["text"], r["crisis"], r["theme"]) for r in records_of("crisis")]


def messages_of_danger() -> list[CrisisMessage]:
    """Of the messages of danger that ship, those of which it is known whether they are crises; not
    those by several authors, who tell a crisis sideways: with these who feels hopeless was met as
    if in one (decision 563)."""
    return [
        CrisisMessage(record["text"].strip(), _any(record["danger"], _CRISES))
        for record in records_of("danger")
        if not record.get("ask")
        and "author" not in record
        and (_any(record["danger"], _CRISES) or not _any(record["danger"], _OPEN))
    ]


def _any(signs: Iterable[str], beginnings: tuple[str, ...]) -> bool:
    return any(sign.startswith(beginnings) for sign in signs)


def _shown(message: CrisisMessage, weight: float = 1.0) -> list[Shown]:
    """A message as it is learned from; a harmless letter by its stretches too: none of them is one
    of a crisis."""
    passage = literal(message.text, language_of(message.text))
    spans = stretches(passage) if is_long(passage) and not message.in_crisis else []
    whole = (0, len(passage.hidden))
    return [
        Shown(crisis_features(passage, span), message.in_crisis, weight) for span in (whole, *spans)
    ]
