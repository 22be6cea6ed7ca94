"""Vectors of what papers say: three classes with references; stopping and going on end alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from medweave.embedding.cache import CachedEmbedder
from medweave.graph.context_vectors import AT_ONCE, make_context_vectors, relation_in_words
from medweave.graph.tree_vectors import make_tree_vectors
from medweave.knowledge_base import KnowledgeBase
from medweave.model.vectors import Space, Vectors
from medweave.ports import Progress, no_progress
from medweave.retrieval.literature.semantic_context import semantic_context
from medweave.testing.bag_of_words import BagOfWords

ROWS = """entity1_name,entity1_type,relation_type,entity2_name,entity2_type,pub_id
bicycle commuting,risk_factor,prevent,glarosis,disease,NCT00000001
bicycle commuting,risk_factor,prevent,glarosis,disease,NCT00000002
zincolan,treatment,treat,glarosis,disease,NCT00000001
zincolan,treatment,improve,contrast of letters,symptom,NCT00000003
"""


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    pytest.importorskip("numpy")
    (tmp_path / "rows.csv").write_text(ROWS, "utf-8")
    (tmp_path / "flu.jsonl").write_text(
        '{"name": "flu", "concept": "disease", "symptoms": ["fever"]}\n', "utf-8"
    )
    made = KnowledgeBase.open("memory:")
    made.build([tmp_path / "rows.csv", tmp_path / "flu.jsonl"])
    return made


def make(base: KnowledgeBase, embedder: BagOfWords) -> dict[Space, int]:
    cached = CachedEmbedder(embedder, base.vectors)
    make_context_vectors(base.knowledge, base.vectors, cached)
    make_tree_vectors(base._opened.store, base.vectors, cached)
    return dict(base.vectors.counts())


def keys(base: KnowledgeBase, space: Space) -> set[str]:
    return {key for table in base.vectors.tables(space) for key in table.keys}


def test_relations_things_and_papers_have_vectors_and_monographs_none(base: KnowledgeBase) -> None:
    embedder = BagOfWords()
    assert make(base, embedder) == {"entity": 4, "relation": 3, "paper": 3}
    store = base.knowledge.store
    assert {each.name for each in store.documents(keys(base, "paper"))} == {
        f"NCT0000000{n}" for n in (1, 2, 3)
    }
    held = store.statements(keys(base, "relation"))
    ends = {end for each in held for end in each.statement.entities}
    assert keys(base, "entity") == ends
    assert "zincolan improves contrast of letters" in embedder.seen


def test_a_second_run_embeds_and_changes_nothing(base: KnowledgeBase) -> None:
    make(base, BagOfWords())
    before, again = base.version, BagOfWords()
    make(base, again)
    assert (again.seen, base.version) == ([], before)


def test_it_goes_on_from_where_it_was_stopped(
    base: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("medweave.graph.context_vectors.AT_ONCE", 1)
    assert AT_ONCE > 1

    class Stopping(BagOfWords):
        def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> Vectors:
            if len(self.seen) > 5:
                raise KeyboardInterrupt
            return super().embed(texts, progress=progress)

    with pytest.raises(KeyboardInterrupt):
        make(base, Stopping())
    begun = set(keys(base, "relation"))
    assert 0 < len(begun) < 3
    again = BagOfWords()
    assert make(base, again)["relation"] == 3
    assert "flu" not in " ".join(again.seen)


def test_what_comes_later_is_seen_to_and_what_goes_takes_its_own(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    make(base, BagOfWords())
    (tmp_path / "more.csv").write_text(
        ROWS.splitlines()[0] + "\nlutein,treatment,prevent,glarosis,disease,NCT00000009\n", "utf-8"
    )
    base.build([tmp_path / "more.csv"])
    again = BagOfWords()
    assert make(base, again)["relation"] == 4
    assert not any("zincolan" in text for text in again.seen)
    for name in ("NCT00000001", "NCT00000002", "NCT00000003"):
        base.remove(name)
        make(base, BagOfWords())
        stated = {each.statement.id for each in base.knowledge.store.match()}
        papers = keys(base, "relation")
        assert papers <= stated
        said = {relation_in_words(each, base.knowledge)
                for each in base.knowledge.store.statements(papers)}  # fmt: skip
        assert any("bicycle" in words for words in said) == (name == "NCT00000001")


def test_what_is_near_has_its_references(base: KnowledgeBase) -> None:
    embedder = BagOfWords(512)
    make(base, embedder)
    store = base.knowledge.store
    asked = embedder.embed(["bicycle commuting"])
    found = semantic_context(asked, base.vectors, store, k=2)
    first = found.relations[0]
    assert relation_in_words(first.supported, base.knowledge).startswith("bicycle commuting")
    assert found.entities[0].key in first.by
    assert len(first.publications) == 2
    for item in first.supported.evidence:
        [document] = store.documents([item.document])
        assert document.text(item.place.field)[item.place.start : item.place.end] == item.quote
        assert document.url
    assert len(found.relations) == len(found.papers) == 2


def test_a_near_thing_brings_its_relations_on_either_side(base: KnowledgeBase) -> None:
    embedder = BagOfWords(512)
    make(base, embedder)
    named = {each.name: each.entity for each, _ in base.knowledge.store.names()}
    zincolan, letters = named["zincolan"], named["contrast of letters"]
    for words, thing in (("zincolan", zincolan), ("letters contrast", letters)):
        found = semantic_context(embedder.embed([words]), base.vectors, base.knowledge.store, k=5)
        assert any(thing in each.by for each in found.relations)
