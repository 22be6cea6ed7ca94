"""The task `negation`: is what a sentence mentions there, absent or possible, and is it past?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from medweave.evaluation.items import Item, Trainer
from medweave.evaluation.measures.classification import Measure, f1_of
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.systems.cue_reading import CueReading
from medweave.evaluation.systems.majority import Majority
from medweave.evaluation.systems.medspacy_context import MedspacyContext
from medweave.evaluation.systems.negation_words import NegationWords
from medweave.evaluation.systems.negspacy_negex import NegspacyNegex
from medweave.evaluation.task import Request, register

NEGATED, HISTORICAL = "Negated", "Historical"
LABELS = ("Affirmed", NEGATED, "Possible")
_SHORTEST = 3
"""A concept and a sentence that share fewer characters in a run share nothing."""


def plan(request: Request) -> Plan:
    """What is run. Nothing learns here: the majority is that of the items themselves."""
    data, _ = request.read(negation_item)
    systems: dict[str, Trainer] = {
        OURS: lambda _: CueReading(),
        "majority": lambda _: Majority(data.items),
        "negation word before": lambda _: NegationWords(),
        "negspacy": lambda _: NegspacyNegex(),
        "medspacy": lambda _: MedspacyContext(),
    }
    return request.plan("negation", data, systems, measures_of)


def negation_item(record: Mapping[str, Any], identifier: str) -> Item | str:
    """A sentence, the place of a concept in it, and how that is meant.

    The concept may stand in capitals, which tells it from the same words elsewhere.

    >>> record = {"sentence": "No fever, FEVER denied.", "concept": "fever", "negation": "Negated"}
    >>> negation_item(record, "1").span
    (10, 15)
    """
    sentence, concept, label = (record.get(k) for k in ("sentence", "concept", "negation"))
    if not isinstance(sentence, str) or not isinstance(concept, str):
        return "no sentence, or no concept"
    if label not in LABELS:
        return f"no negation, or none of {', '.join(LABELS)}"
    span = _place(sentence, concept)
    if span is None:
        return "the sentence does not hold the concept"
    temporality = str(record.get("temporality") or "")
    return Item(identifier, (str(label),), sentence, span=span, temporality=temporality)


def _place(sentence: str, concept: str) -> tuple[int, int] | None:
    """Where a concept stands; as much of it as there is where the sentence was cut within it."""
    for within, phrase in ((sentence, concept.upper()), (sentence.lower(), concept.lower())):
        start = within.find(phrase) if phrase.strip() else -1
        if start >= 0:
            return start, start + len(concept)
    shared = SequenceMatcher(None, sentence.lower(), concept.lower(), autojunk=False)
    longest = shared.find_longest_match()
    whole = longest.size >= min(_SHORTEST, len(concept)) and longest.size > 0
    return (longest.a, longest.a + longest.size) if whole else None


def measures_of(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
    """F1 of Negated, and of Historical where items and the system tell times."""
    gold = [item.expected[0] == NEGATED for item in items]
    measures = {"negation_f1": f1_of(gold, [outcome.got == NEGATED for outcome in outcomes])}
    if any(item.temporality for item in items) and any(o.temporality for o in outcomes):
        past = [item.temporality == HISTORICAL for item in items]
        # an item without a time is in neither count
        predicted = [
            bool(item.temporality) and outcome.temporality == HISTORICAL
            for item, outcome in zip(items, outcomes, strict=True)
        ]
        measures["temporality_f1"] = f1_of(past, predicted)
    return measures


register("negation", plan, "perturb")
