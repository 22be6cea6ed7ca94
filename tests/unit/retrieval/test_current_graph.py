"""A graph that keeps up with its base is like one made anew, whatever happened to the base."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from medweave.graph.links import join
from medweave.graph.tree_vectors import make_tree_vectors
from medweave.knowledge_base import KnowledgeBase
from medweave.model.dialogue_tree import TreeKey
from medweave.model.link_weight import LinkWeight
from medweave.model.similar import ScoreNorm, SimilarHow
from medweave.retrieval.dialogues.current_graph import CurrentGraph
from medweave.retrieval.dialogues.dialogue_graph import DialogueGraph, Scored
from medweave.retrieval.dialogues.graph_around import count_without_vectors, graph_around
from medweave.testing.bag_of_words import BagOfWords
from medweave.vocabulary.dialogue_trees import dialogue_roots, trees_of

np = pytest.importorskip("numpy")

EMBEDDER = BagOfWords(16)
IDS = "abcdef"
SAID = (
    "I have a headache and a fever since Monday. I had pneumonia as a child.",
    "My knee hurts. I take ibuprofen.",
    "I have a cough and a sore throat.",
    "I have a cough.",
)
TOLD = ("You should rest.", "It may be caused by sinusitis. You should drink enough.", "Come back.")
REFERENCES = ("related_to", "caused_by", "same_issue")
HOW = [
    SimilarHow("equation9"),
    SimilarHow("equation9", direction="out", weight=LinkWeight("convex", 0.5)),
]
FILES = some.integers(0, 2)
DIALOGUES = some.lists(
    some.tuples(
        some.sampled_from(IDS), some.sampled_from(SAID), some.sampled_from(TOLD),
        some.none() | some.tuples(some.sampled_from(REFERENCES), some.sampled_from(IDS)),
    ),
    min_size=1, max_size=3, unique_by=lambda dialogue: dialogue[0],
)  # fmt: skip
STEPS = some.one_of(
    some.tuples(some.just("build"), FILES, DIALOGUES),
    some.tuples(some.just("build and make"), FILES, DIALOGUES),
    some.tuples(some.sampled_from(["remove", "make", "link", "link", "sections", "forget"]), FILES),
)


def take(step: tuple[Any, ...], base: KnowledgeBase, folder: Path) -> None:
    what, number, *rest = step
    path = folder / f"{number}.jsonl"
    index = base.vectors
    if what.startswith("build"):
        path.write_text("".join(json.dumps(record(*one)) + "\n" for one in rest[0]), "utf-8")
        base.build([path])
    if what.endswith("make"):
        make_tree_vectors(base._opened.store, index, EMBEDDER)
    elif what == "remove" and str(path) in base._opened.store.sources():
        base.remove(str(path))
    elif what in ("link", "sections"):
        join(index, least=0.3, level="dialogue" if what == "link" else "section")
    elif what == "forget":
        index.forget()


def record(name: str, said: str, told: str, reference: tuple[str, str] | None) -> dict[str, Any]:
    turns = [{"speaker": "patient", "text": said}, {"speaker": "doctor", "text": told}]
    named = [{"type": reference[0], "id": reference[1]}] if reference else []
    return {"id": name, "turns": turns, "references": named}


def seen(graph: DialogueGraph, asked: dict[str, Any]) -> list[object]:
    """All that can be asked of it, without the numbers of trees."""

    def plain(one: Scored | None) -> object:
        if one is None:
            return None
        terms = [(*term[:-1], graph.trees[term.linked]) for term in one.terms]
        return one.tree, one.score, terms

    found = [graph.equation9(asked, 99, norm) for norm in get_args(ScoreNorm)]
    every = [plain(graph.terms(one.tree.document, asked)) for one in found[0]]
    return [every, *([plain(one) for one in scored] for scored in found)]


def asked() -> dict[str, Any]:
    text = "headache and cough, knee hurts, should rest"
    vectors = EMBEDDER.embed([text])
    names = ("description", "symptom", "advice", "cause", "history", "medication")
    return {name: np.frombuffer(vectors[0], "f4") for name in names}


@pytest.mark.thorough
@settings(max_examples=12, deadline=None)
@given(some.lists(STEPS, min_size=2, max_size=9))
def test_whatever_happened_it_is_like_one_made_anew(steps: list[tuple[Any, ...]]) -> None:
    with (
        TemporaryDirectory() as folder,
        KnowledgeBase.open(str(Path(folder) / "kb.db")) as base,
    ):
        store, vocabulary, index = base._opened.store, base._opened.naming.vocabulary, base.vectors
        kept = [CurrentGraph(store, vocabulary) for _ in HOW]
        for step in steps:
            take(step, base, Path(folder))
            for current, how in zip(kept, HOW, strict=True):
                graph = current.now(index, how)
                anew = CurrentGraph(store, vocabulary).now(index, how)
                assert seen(graph, asked()) == seen(anew, asked())


@pytest.mark.thorough
@settings(max_examples=12, deadline=None)
@given(some.lists(STEPS, min_size=2, max_size=9))
def test_the_part_around_a_dialogue_says_of_it_what_the_whole_says(
    steps: list[tuple[Any, ...]],
) -> None:
    with (
        TemporaryDirectory() as folder,
        KnowledgeBase.open(str(Path(folder) / "kb.db")) as base,
    ):
        store, vocabulary, index = base._opened.store, base._opened.naming.vocabulary, base.vectors
        for step in steps:
            take(step, base, Path(folder))
            documents = [document.id for document in store.documents()]
            for how in HOW:
                whole = CurrentGraph(store, vocabulary).now(index, how)
                for some_of_them in (documents, *([one] for one in documents)):
                    part = graph_around(some_of_them, store, index, vocabulary, how)
                    for one in some_of_them:
                        assert terms(part, one) == terms(whole, one)


def terms(graph: DialogueGraph, document: str) -> object:
    found = graph.terms(document, asked())
    if found is None:
        return None
    return found.tree, found.score, [(*t[:-1], graph.trees[t.linked]) for t in found.terms]


@settings(max_examples=12, deadline=None)
@given(some.lists(STEPS, min_size=2, max_size=9))
def test_dialogues_without_vectors_are_counted(steps: list[tuple[Any, ...]]) -> None:
    with (
        TemporaryDirectory() as folder,
        KnowledgeBase.open(str(Path(folder) / "kb.db")) as base,
    ):
        store, index = base._opened.store, base.vectors
        for step in steps:
            take(step, base, Path(folder))
            keys = [key for table in index.tables("publication") for key in table.keys]
            having = {TreeKey.of(key).root for key in keys}
            trees = [tree.key for some in trees_of(store, dialogue_roots(store)) for tree in some]
            assert count_without_vectors(store, index) == sum(
                key.root not in having for key in trees
            )


def calls(folder: Path, name: str, ids: str, said: str) -> Path:
    path = folder / f"{name}.jsonl"
    records = [record(one, f"{said} {one}{one}{one}", TOLD[0], None) for one in ids]
    path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    return path


def test_what_is_new_is_taken_in_and_the_rest_is_kept(tmp_path: Path) -> None:
    with KnowledgeBase.open(str(tmp_path / "kb.db")) as base:
        current = CurrentGraph(base._opened.store, base._opened.naming.vocabulary)

        def step(path: Path) -> tuple[DialogueGraph, int]:
            base.build([path])
            make_tree_vectors(base._opened.store, base.vectors, EMBEDDER)
            join(base.vectors, least=0.3)
            assert count_without_vectors(base._opened.store, base.vectors) == 0
            graph = current.now(base.vectors, HOW[0])
            return graph, len(graph.equation9(asked(), 99))

        first, count = step(calls(tmp_path, "first", "abcdefgh", SAID[0]))
        assert count == 8
        assert step(calls(tmp_path, "more", "i", SAID[1])) == (first, 9)
        assert step(calls(tmp_path, "more", "i", SAID[2])) == (first, 9)
        base.remove("i")
        assert current.now(base.vectors, HOW[0]) is first
        assert len(first.equation9(asked(), 99)) == 8
