"""The task `danger`: is a danger sign present in a message, or to be asked for?

By message, whichever sign it is. A record is labelled as `docs/how-to/danger-signs.md` says; of
texts without labels it is counted how many are taken for danger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from medweave.evaluation.items import Item, Trainer
from medweave.evaluation.measures.classification import Measure, share, share_of
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.systems.baselines import TfidfRegression
from medweave.evaluation.systems.danger_systems import (
    ASK,
    NONE,
    PRESENT,
    BothDanger,
    KeywordDanger,
    LearnedDanger,
    NeverDanger,
    RuleDanger,
    UnderstoodDanger,
    trained_danger,
)
from medweave.evaluation.task import Request, register
from medweave.model.question import Question
from medweave.understanding.danger.model import shipped_danger_model
from medweave.understanding.intents.features import QuestionText, gram_features

_TEXTS = ("text", "question", "query", "message", "input")
"""Where a record without labels may have its text."""


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


def unlabelled_item(record: Mapping[str, Any], identifier: str) -> Item | str:
    """A text of which nobody has said whether it is of danger: counted where it is taken for that.

    >>> unlabelled_item({"question": "What is asthma?"}, "1").text
    'What is asthma?'
    """
    texts = (record.get(name) for name in _TEXTS)
    for text in texts:
        if isinstance(text, str) and text.strip():
            return Item(identifier, (NONE,), text.strip())
    return "no text"


def plan(request: Request) -> Plan:
    """What is run: both readers together, each alone, bare words, and nothing at all.

    With training cases, the learned reader and a regression learn from these and nothing else.
    """
    data, cases = request.read(unlabelled_item if request.unlabelled else danger_item)
    return request.plan(
        "danger",
        data,
        _trained() if request.learns else _as_shipped(request.base.understand),
        measures_of_unlabelled if request.unlabelled else measures_of,
        cases=cases,
        settings={"unlabelled": request.unlabelled},
    )


def _as_shipped(understand: Callable[[str], Question]) -> dict[str, Trainer]:
    return {
        OURS: lambda _: UnderstoodDanger(understand),
        **_of_rules(),
        "learned alone": lambda _: LearnedDanger(shipped_danger_model()),
    }


def _trained() -> dict[str, Trainer]:
    return {
        OURS: lambda cases: BothDanger(trained_danger(cases)),
        **_of_rules(),
        "learned alone": lambda cases: LearnedDanger(trained_danger(cases)),
        "tf-idf + logistic regression": lambda cases: TfidfRegression(cases, _grams),
    }


def _of_rules() -> dict[str, Trainer]:
    return {
        "table alone": lambda _: RuleDanger(),
        "majority (never)": lambda _: NeverDanger(),
        "keywords": lambda _: KeywordDanger(),
    }


def _grams(item: Item) -> Iterable[str]:
    return gram_features(QuestionText(item.text)).elements()


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


def measures_of_unlabelled(
    items: Sequence[Item],  # noqa: ARG001 - the form of every task
    outcomes: Sequence[Outcome],
) -> dict[str, Measure]:
    """The shares of texts that are taken for danger, and of which something is asked first."""
    got = [outcome.got for outcome in outcomes]
    return {
        "raised": share([g == PRESENT for g in got]),
        "asked": share([g == ASK for g in got]),
    }


register("danger", plan, "train", "folds", "unlabelled", "perturb")
