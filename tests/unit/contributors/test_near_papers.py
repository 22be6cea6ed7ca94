"""Where nothing else answers, what papers say that is near is told, as what it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from medweave.contributors import near_papers
from medweave.embedding.cache import CachedEmbedder
from medweave.embedding.choosing import Chosen
from medweave.graph.context_vectors import make_context_vectors
from medweave.knowledge_base import KnowledgeBase
from medweave.testing.bag_of_words import BagOfWords

ROWS = """entity1_name,entity1_type,relation_type,entity2_name,entity2_type,pub_id
bicycle commuting to work,risk_factor,prevent,glarosis,disease,NCT00000001
zincolan,treatment,treat,glarosis,disease,NCT00000002
"""
NEAR = "Is it good to commute to work by bicycle?"


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KnowledgeBase]:
    pytest.importorskip("numpy")
    for name in ("LEAST", "LEAST_BESIDE_NAMES"):  # words that are shared are all that is near here
        monkeypatch.setattr(near_papers, name, 0.3)
    (tmp_path / "rows.csv").write_text(ROWS, "utf-8")
    with KnowledgeBase.open("memory:") as made:
        made.build([tmp_path / "rows.csv"])
        yield made


def _with_vectors(base: KnowledgeBase) -> None:
    embedder = BagOfWords(2048)
    cached = CachedEmbedder(embedder, base.vectors)
    make_context_vectors(base.knowledge, base.vectors, cached)
    base._opened.chosen = Chosen(embedder)


def test_it_is_told_with_its_paper_and_how_it_was_found(base: KnowledgeBase) -> None:
    assert base.ask(NEAR).status == "abstained"
    _with_vectors(base)
    answer = base.ask(NEAR)
    assert answer.status == "partial"
    [sentence] = answer.sentences
    assert sentence.text == "Papers record: bicycle commuting to work protects from glarosis."
    [evidence] = answer.statements[sentence.statements[0]].evidence
    assert answer.documents[evidence.document].url.endswith("/NCT00000001")
    assert any("near it is to the question" in text for text in answer.missing)


@pytest.mark.parametrize(
    "text",
    [
        "How do I get a new library card?",
        "I am pregnant. Is it good to commute to work by bicycle?",
        "I want to die. Is it good to commute to work by bicycle?",
        "What is the dose of bicycle commuting to work?",
        "What treats glarosis?",
    ],
)
def test_of_persons_use_and_other_things_nothing_near_is_told(
    text: str, base: KnowledgeBase
) -> None:
    _with_vectors(base)
    assert not any("Papers record" in each.text for each in base.ask(text).sentences)


def test_without_an_embedder_all_is_as_before(base: KnowledgeBase) -> None:
    before = base.ask(NEAR)
    _with_vectors(base)
    base._opened.chosen = Chosen(None, "there is none")
    after = base.ask(NEAR)
    assert (after.status, after.missing) == (before.status, before.missing)
    assert not base.semantic_context(NEAR).relations
