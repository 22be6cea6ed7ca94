"""Belief: how far the evidence of a statement, taken together, makes it believable.

Noisy-or over documents (as INDRA's belief engine, Gyori et al. 2017): each independent document
that affirms is right with a probability that depends on its class and on how surely it was read;
documents that deny count against in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from medweave.model.statement import UNSOURCED, Evidence, EvidenceClass

RELIABILITY: dict[EvidenceClass, float] = {
    "guideline": 0.95,
    "publication": 0.85,
    "monograph": 0.80,
    "database": 0.70,
    "dialogue": 0.40,
    "model": 0.30,
}
"""Conventions, not measurements: they only fix the order of the classes."""
_WITHOUT_SOURCE = 0.6
"""What is left of the reliability of a fact whose author names no record for it. Two such documents
of one author (a monograph in two languages) stay below one that cites."""


def belief(evidence: Iterable[Evidence]) -> float:
    """Between 0 and 1. One document counts once, by its best evidence; one publication too, in
    however many files it stands.

    P = (1 - prod(1 - r c)) * prod'(1 - r c), with confidence c and reliability r (less where no
    source is named); the first product
    runs over documents that affirm, the second over those that deny.
    """
    affirming: dict[str, float] = {}
    denying: dict[str, float] = {}
    for item in evidence:
        side = affirming if item.polarity > 0 else denying
        trust = RELIABILITY[item.evidence_class] * item.confidence
        trust *= _WITHOUT_SOURCE if UNSOURCED in item.cites else 1.0
        side[item.vote] = max(side.get(item.vote, 0.0), trust)
    doubt = prod(1 - trust for _, trust in sorted(affirming.items()))
    return (1 - doubt) * prod(1 - trust for _, trust in sorted(denying.items()))
