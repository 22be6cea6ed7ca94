"""The task `danger`: is a danger sign present in a message, or to be asked for?

By message, whichever sign it is. A record is labelled as `docs/how-to/danger-signs.md` says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from medweave.evaluation.items import Item
from medweave.evaluation.measures import Measure, share_of
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.reading import read_data
from medweave.evaluation.runner import OURS, Plan, refuse_training
from medweave.evaluation.systems.danger_systems import (
    ASK,
    NONE,
    PRESENT,
    KeywordDanger,
    NeverDanger,
    UnderstoodDanger,
)
from medweave.model.question import Question


def danger_item(record: Mapping[str, Any], identifier: str) -> Item | str:
    """A message with its signs, as what should be said of it: present, ask, or none.

    >>> danger_item({"text": "His lips are blue", "danger": ["blue lips"]}, "1").expected
    ('present',)
    >>> danger_item({"text": "I have chest pain", "danger": [], "ask": True}, "2").expected
    ('ask',)
    """
    text, signs = record.get("text"), record.get("danger")
    if not isinstance(text, str) or not text.strip():
        return "no text"
    if not isinstance(signs, list):
        return "no list of danger signs"
    quiet = ASK if record.get("ask") is True else NONE
    return Item(identifier, (PRESENT if signs else quiet,), text.strip())


def plan_danger(
    path: Path,
    understand: Callable[[str], Question],
    *,
    train: Path | None = None,
    folds: int = 0,
    seed: int = 0,
    sample: int = 0,
) -> Plan:
    """What is run: ours, the same words without their sentences, and nothing at all.

    Raises `ConfigurationError` where training is asked for: the table of signs is not learned.
    """
    refuse_training("danger", train, folds)
    return Plan(
        "danger",
        read_data(path, danger_item, sample=sample),
        {
            OURS: lambda _: UnderstoodDanger(understand),
            "majority (never)": lambda _: NeverDanger(),
            "keywords": lambda _: KeywordDanger(),
        },
        measures_of,
        seed=seed,
        settings={"sample": sample},
    )


def measures_of(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
    """Of messages in danger those seen; of all others those let be; of those to ask, those asked.

    `asked_needlessly` is of the messages that neither are in danger nor call for asking.
    """
    expected = [item.expected[0] for item in items]
    got = [outcome.got for outcome in outcomes]
    return {
        "sensitivity": share_of([g == PRESENT for g in got], [e == PRESENT for e in expected]),
        "specificity": share_of([g != PRESENT for g in got], [e != PRESENT for e in expected]),
        "ask_rate": share_of([g == ASK for g in got], [e == ASK for e in expected]),
        "asked_needlessly": share_of([g == ASK for g in got], [e == NONE for e in expected]),
    }
