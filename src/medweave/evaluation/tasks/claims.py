"""The task `claims`: is what a sentence says supported by a base?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from medweave.evaluation.items import Item, Trainer
from medweave.evaluation.measures.classification import Measure, right, share, share_of
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.systems.claim_gate import ClaimGate
from medweave.evaluation.systems.majority import Majority
from medweave.evaluation.systems.token_overlap import TokenOverlap
from medweave.evaluation.task import Request, register

SUPPORTED, UNSUPPORTED = "supported", "unsupported"


def plan(request: Request) -> Plan:
    """What is run. Token overlap has the threshold at which it does best on these very items."""
    data, _ = request.read(claim_item)
    base = request.base
    systems: dict[str, Trainer] = {
        OURS: lambda _: ClaimGate(base.verify),
        "token overlap": lambda _: TokenOverlap(base.knowledge, data.items),
        "majority": lambda _: Majority(data.items),
    }
    return request.plan("claims", data, systems, measures_of)


def claim_item(record: Mapping[str, Any], identifier: str) -> Item | str:
    """A sentence, whether a base supports it, and in which way it is wrong where it is.

    >>> claim_item({"text": "Gout is a fever.", "label": "unsupported"}, "1").expected
    ('unsupported',)
    """
    text, label = record.get("text"), record.get("label")
    if not isinstance(text, str) or not text.strip():
        return "no text"
    if label not in (SUPPORTED, UNSUPPORTED):
        return f"no label, or none of {SUPPORTED}, {UNSUPPORTED}"
    kind = record.get("kind")
    return Item(identifier, (str(label),), text, facts=(str(kind),) if kind else ())


def measures_of(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
    """How many are told right; of the wrong sentences those caught, in all and by kind, and of the
    right ones those let through."""
    hits = right(outcomes)
    wrong = [item.expected[0] == UNSUPPORTED for item in items]
    measures = {
        "accuracy": share(hits),
        "caught": share_of(hits, wrong),
        "kept": share_of(hits, [not each for each in wrong]),
    }
    kinds = sorted({kind for item in items for kind in item.facts})
    for kind in kinds:
        among = [kind in item.facts for item in items]
        measures[f"by_kind {kind}"] = share_of(hits, among)
    return measures


register("claims", plan)
