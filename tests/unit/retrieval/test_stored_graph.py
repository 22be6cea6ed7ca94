"""Files beside a base say what the base says, whatever happened to it since they were made."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from medweave.graph.links import join
from medweave.graph.tree_vectors import make_tree_vectors
from medweave.knowledge_base import KnowledgeBase
from medweave.model.link_weight import LinkWeight
from medweave.model.similar import Message, ScoreNorm, SimilarHow
from medweave.retrieval.dialogues.current_graph import CurrentGraph
from medweave.retrieval.dialogues.dialogue_graph import DialogueGraph, Scored
from medweave.retrieval.dialogues.similar import PastDialogues
from medweave.retrieval.dialogues.stored_graph import StoredGraph
from tests.unit.retrieval.test_current_graph import EMBEDDER, SAID, STEPS, asked, calls, take

pytest.importorskip("numpy")

HOW = [SimilarHow("equation9", norm) for norm in get_args(ScoreNorm)]
WRITE = some.just(("write", 0))


def stored(base: KnowledgeBase, folder: Path) -> StoredGraph:
    return StoredGraph(folder / "kb.db.graph", base._opened.store, base._opened.naming.vocabulary)


def plain(one: Scored, graph: DialogueGraph) -> object:
    terms = [(*term[:-1], graph.trees[term.linked]) for term in one.terms]
    return one.tree, one.score, terms


def by_base(base: KnowledgeBase, k: int, how: SimilarHow) -> list[object]:
    graph = CurrentGraph(base._opened.store, base._opened.naming.vocabulary).now(base.vectors, how)
    return [plain(one, graph) for one in graph.equation9(asked(), k, how.score_norm)]


@pytest.mark.thorough
@settings(max_examples=settings().max_examples // 8)
@given(some.lists(STEPS | WRITE, min_size=2, max_size=9))
def test_whatever_happened_files_that_serve_say_what_the_base_says(
    steps: list[tuple[Any, ...]],
) -> None:
    with (
        TemporaryDirectory() as folder,
        KnowledgeBase.open(str(Path(folder) / "kb.db")) as base,
    ):
        files = stored(base, Path(folder))
        for step in [("build and make", 0, [("a", SAID[0], "Rest.", None)]), ("write", 0), *steps]:
            if step[0] == "write":
                files.write(base.vectors, least=1)
            else:
                take(step, base, Path(folder))
            for how in HOW:
                for k in (1, 2, 99):
                    found = files.equation9(base.vectors, asked(), k, how)
                    if found is not None:
                        assert [plain(*one) for one in found] == by_base(base, k, how)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a base of eight dialogues with vectors, links and files."""
    with KnowledgeBase.open(str(tmp_path / "kb.db")) as base:
        base.build([calls(tmp_path, "first", "abcdefgh", SAID[0])])
        make_tree_vectors(base._opened.store, base.vectors, EMBEDDER)
        join(base.vectors, least=0.3)
        assert stored(base, tmp_path).write(base.vectors, least=8)
    return tmp_path


def serves(base: KnowledgeBase, folder: Path, how: SimilarHow = HOW[0]) -> bool:
    return stored(base, folder).equation9(base.vectors, asked(), 3, how) is not None


def test_files_serve_the_next_program_and_what_came_since(folder: Path) -> None:
    with KnowledgeBase.open(str(folder / "kb.db")) as base:
        assert serves(base, folder)
        base.build([calls(folder, "more", "i", SAID[1])])
        make_tree_vectors(base._opened.store, base.vectors, EMBEDDER)
        base.link_dialogues(least=0.3)
        assert serves(base, folder)
        found = stored(base, folder).equation9(base.vectors, asked(), 99, HOW[0])
        assert found is not None
        assert [plain(*one) for one in found] == by_base(base, 99, HOW[0])
        assert len(found) == 9


@pytest.mark.parametrize("what", ["remove", "forget", "change"])
def test_files_go_with_what_was_taken_out(folder: Path, what: str) -> None:
    with KnowledgeBase.open(str(folder / "kb.db")) as base:
        if what == "remove":
            base.remove("a")
        elif what == "forget":
            base.forget_vectors()
        else:
            base.build([calls(folder, "first", "abcdefgh", SAID[1])])
        assert not serves(base, folder)
        assert not (folder / "kb.db.graph").exists()


def test_files_that_are_broken_or_of_another_base_or_weighing_do_not_serve(folder: Path) -> None:
    with KnowledgeBase.open(str(folder / "kb.db")) as base:
        convex = SimilarHow("equation9", weight=LinkWeight("convex", 0.5))
        assert not serves(base, folder, convex)
        assert not serves(base, folder, SimilarHow("equation9", direction="out"))
        assert not stored(base, folder).write(base.vectors, least=1), "they serve"
        for broken in ("0-vectors-*", "1-weights-*", "about.json"):
            [file] = (folder / "kb.db.graph").glob(broken)
            file.write_bytes(file.read_bytes()[:100])
            assert not serves(base, folder)
            assert stored(base, folder).write(base.vectors, least=1)
            assert serves(base, folder)
    with KnowledgeBase.open(str(folder / "other.db")) as base:
        base.build([folder / "first.jsonl"])
        make_tree_vectors(base._opened.store, base.vectors, EMBEDDER)
        assert not serves(base, folder)


def test_a_message_is_answered_alike_with_and_without_files(folder: Path) -> None:
    with KnowledgeBase.open(str(folder / "kb.db")) as base:
        message = Message(SAID[0], {"description": SAID[0], "advice": "You should rest."})

        def like(files: Path | None, ranking: Any) -> object:
            vocabulary = base._opened.naming.vocabulary
            past = PastDialogues(base._opened.store, vocabulary, lambda: (EMBEDDER, ""), files)
            return past.like(message, 3, SimilarHow(ranking))

        for ranking in ("equation9", "hybrid"):
            assert like(folder / "kb.db.graph", ranking) == like(None, ranking)


def test_of_few_dialogues_or_while_vectors_are_missing_no_files_are_made(tmp_path: Path) -> None:
    with KnowledgeBase.open(str(tmp_path / "kb.db")) as base:
        base.build([calls(tmp_path, "first", "ab", SAID[0])])
        files = stored(base, tmp_path)
        assert not files.write(base.vectors, least=1)
        make_tree_vectors(base._opened.store, base.vectors, EMBEDDER)
        assert not files.write(base.vectors, least=3)
        assert files.write(base.vectors, least=2)
