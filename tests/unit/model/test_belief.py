"""Belief: noisy-or over documents, by class."""

from __future__ import annotations

from dataclasses import replace

import pytest

from medweave.model.belief import RELIABILITY, belief
from medweave.model.statement import UNSOURCED, Evidence, EvidenceClass, Place


def evidence(
    document: str, polarity: int = 1, kind: EvidenceClass = "monograph", confidence: float = 1.0
) -> Evidence:
    return Evidence("st:1", document, Place("f", 0, 1), "x", kind, polarity, 1.0, confidence)


def test_one_document_is_believed_as_far_as_its_class() -> None:
    for kind, reliability in RELIABILITY.items():
        assert belief([evidence("a", kind=kind)]) == pytest.approx(reliability)


def test_two_documents_are_believed_more_than_one_and_a_repetition_is_not() -> None:
    one = belief([evidence("a")])
    assert belief([evidence("a"), evidence("b")]) == pytest.approx(1 - (1 - one) ** 2)
    assert belief([evidence("a"), evidence("a", confidence=0.5)]) == pytest.approx(one)


def test_a_denial_takes_away_and_a_denial_alone_leaves_nothing() -> None:
    assert belief([evidence("a"), evidence("b", -1)]) < belief([evidence("a")])
    assert belief([evidence("a", -1)]) == 0


def test_no_evidence_is_no_belief() -> None:
    assert belief([]) == 0


def test_a_fact_without_a_source_is_believed_less_than_a_cited_one_even_told_twice() -> None:
    bare = [replace(evidence(name), cites=(UNSOURCED,)) for name in ("en", "zh")]
    cited = replace(evidence("en"), cites=("PMID:1",))
    assert 0 < belief(bare[:1]) < belief(bare) < belief([cited])
