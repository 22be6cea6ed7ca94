"""Dialogues like a message: by equation 9, by words, by both, and what happens without vectors."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from medweave.errors import ConfigurationError, EmbeddingError, QuestionError
from medweave.graph.tree_vectors import make_tree_vectors
from medweave.knowledge_base import KnowledgeBase
from medweave.model.similar import (
    MatchedSection,
    MatchedWhole,
    MatchedWords,
    Message,
    Similar,
    SimilarDialogue,
    SimilarHow,
)
from medweave.model.vectors import Vectors
from medweave.ports import Embedder, Progress, no_progress
from medweave.retrieval.dialogues.similar import PastDialogues, fused
from medweave.testing.bag_of_words import BagOfWords

CALLS = {
    "knee": ("My knee hurts when I climb stairs.", "You should rest the knee, as in ticket 7."),
    "head": ("I have a headache and a fever since Monday.", "You should drink enough."),
    "7": ("My knee is swollen and hurts at night.", "Ice on the knee may help."),
    "cough": ("My son coughs at night and has a fever.", "He should see a doctor."),
}
TEXT = "My swollen knee hurts at night."
EQUATION9 = SimilarHow("equation9")


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    pytest.importorskip("numpy")
    with KnowledgeBase.open("memory:") as base:
        add(base, tmp_path, CALLS)
        make_tree_vectors(base._opened.store, base.vectors, BagOfWords(256))
        yield base


def add(base: KnowledgeBase, folder: Path, calls: dict[str, tuple[str, str]]) -> None:
    file = folder / f"{'-'.join(calls)}.jsonl"
    speakers = ("patient", "doctor")
    records = (
        {"id": name, "turns": [{"speaker": speaker, "text": text}
                               for speaker, text in zip(speakers, said, strict=True)]}
        for name, said in calls.items()
    )  # fmt: skip
    file.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    base.build([file])


def like(
    base: KnowledgeBase,
    how: SimilarHow,
    k: int = 3,
    embedder: Embedder | None = None,
    message: Message | None = None,
) -> Similar:
    with_words = embedder or BagOfWords(256)
    past = PastDialogues(
        base._opened.store, base._opened.naming.vocabulary, lambda: (with_words, "")
    )
    return past.like(message or Message(TEXT, {"description": TEXT}), k, how)


def ids(found: Similar) -> list[str]:
    return [one.id for one in found.dialogues]


def sections(one: SimilarDialogue) -> list[MatchedSection]:
    return [why for why in one.why if isinstance(why, MatchedSection)]


def test_equation9_is_explained_by_its_terms(base: KnowledgeBase) -> None:
    message = Message(TEXT, {"description": TEXT, "symptom": TEXT, "advice": "rest the knee"})
    found = like(base, EQUATION9, message=message)
    assert (found.ranking, found.missing) == ("equation9", ())
    for one in found.dialogues:
        terms = sections(one)
        assert len(terms) == len(one.why)
        assert one.score == sum(why.similarity * why.weight for why in terms)
        said = "\n".join(CALLS[one.id])
        assert all(part in said for why in terms for part in why.text.split("\n"))
        assert all(why.query == message.sections[why.section] for why in terms)


def test_the_nearest_comes_first_and_so_many_as_wanted(base: KnowledgeBase) -> None:
    for how in (EQUATION9, SimilarHow("text"), SimilarHow("hybrid"), SimilarHow()):
        assert ids(like(base, how, 1)) == ["7"]
        assert len(ids(like(base, how, 2))) == 2


def test_a_link_by_reference_is_named_with_the_dialogue_at_its_other_end(
    base: KnowledgeBase,
) -> None:
    out = SimilarHow("equation9", direction="out")
    shown = like(base, out, 4).dialogues
    by_id = {one.id: sections(one)[0] for one in shown}
    assert by_id["knee"].link == "dialogue_related_to"
    assert (by_id["knee"].linked, by_id["7"].linked) == ("7", "knee")
    assert (by_id["head"].link, by_id["head"].weight) == ("", 1.0)


def test_words_that_are_shared_are_shown(base: KnowledgeBase) -> None:
    first = like(base, SimilarHow("text"), 1).dialogues[0]
    [why] = first.why
    assert isinstance(why, MatchedWords)
    assert why.place == 1
    assert {"hurts", "knee", "night"} <= {*why.words}
    assert "fever" not in why.words


def test_without_vectors_words_remain_and_it_is_said(tmp_path: Path) -> None:
    with KnowledgeBase.open("memory:") as base:
        add(base, tmp_path, CALLS)
        found = like(base, SimilarHow(), 2)
        assert (found.ranking, ids(found)[0]) == ("text", "7")
        assert "medweave vectors make" in found.missing[0]


def test_equation_9_without_vectors_is_an_error(tmp_path: Path) -> None:
    with KnowledgeBase.open("memory:") as base:
        add(base, tmp_path, CALLS)
        with pytest.raises(EmbeddingError, match="medweave vectors make"):
            like(base, EQUATION9, 2)


def test_without_numpy_words_remain(base: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    for how in (SimilarHow(), EQUATION9, SimilarHow("hybrid")):
        found = like(base, how, 1)
        assert (found.ranking, ids(found)) == ("text", ["7"])
        assert "equation 9 needs numpy" in found.missing[0]


def test_a_base_without_dialogues_says_so() -> None:
    with KnowledgeBase.open("memory:") as base:
        found = base.similar(TEXT)
    assert found.dialogues == ()
    assert "this base holds no dialogues" in found.missing[0]


def test_an_embedder_that_fails_is_another_than_the_base_has_or_is_not_there(
    base: KnowledgeBase,
) -> None:
    class Away(BagOfWords):
        def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> Vectors:
            raise EmbeddingError("the endpoint is away", remedy="start it")

    away = like(base, EQUATION9, 1, Away(256))
    assert (away.ranking, ids(away)) == ("text", ["7"])
    assert "the endpoint is away: start it" in away.missing[0]
    with pytest.raises(EmbeddingError, match="vectors forget"):
        like(base, EQUATION9, 1, BagOfWords(128))
    other = like(base, SimilarHow(), 1, BagOfWords(128))
    assert (other.ranking, "vectors forget" in other.missing[0]) == ("text", True)
    past = PastDialogues(
        base._opened.store, base._opened.naming.vocabulary, lambda: (None, "set to none")
    )
    none = past.like(Message(TEXT, {"description": TEXT}), 1)
    assert (none.ranking, "set to none" in none.missing[0]) == ("text", True)


def test_dialogues_that_came_later_are_found_by_words_and_counted(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    past = PastDialogues(
        base._opened.store, base._opened.naming.vocabulary, lambda: (BagOfWords(256), "")
    )
    message = Message("My elbow itches.", {"description": "My elbow itches."})
    assert past.like(message, 3).missing == ()
    add(base, tmp_path, {"elbow": ("My elbow itches.", "Do not scratch.")})
    found = past.like(message, 1)
    assert "1 dialogues have no vectors" in found.missing[0]
    assert "elbow" in ids(past.like(message, 9))
    make_tree_vectors(base._opened.store, base.vectors, BagOfWords(256))
    assert ids(past.like(message, 1, EQUATION9)) == ["elbow"]
    base.remove("elbow")
    assert "elbow" not in ids(past.like(message, 9, EQUATION9))


def test_monographs_are_no_dialogues(base: KnowledgeBase, tmp_path: Path) -> None:
    file = tmp_path / "flu.jsonl"
    file.write_text(json.dumps({"name": "knee fever", "concept": "disease",
                                "description": TEXT}), "utf-8")  # fmt: skip
    base.build([file])
    assert set(ids(like(base, SimilarHow("text"), 9))) <= {*CALLS}


def test_a_message_has_sections_and_intents(base: KnowledgeBase) -> None:
    found = base.similar("I have had a fever for two days. What can I take for it?", 1)
    assert found.sections["symptom"].startswith("I have had a fever")
    assert "description" in found.sections
    with pytest.raises(QuestionError):
        base.similar("  ")


def test_the_best_ranking_is_explained_by_the_whole_by_words_and_by_sections(
    base: KnowledgeBase,
) -> None:
    message = Message(TEXT, {"description": TEXT, "advice": "ice"})
    found = like(base, SimilarHow(), 2, message=message)
    assert found.ranking == "best"
    first = found.dialogues[0]
    whole, words, *terms = first.why
    assert isinstance(whole, MatchedWhole)
    assert isinstance(words, MatchedWords)
    assert first.score == pytest.approx(1 / (60 + whole.place) + 1 / (60 + words.place))
    by_equation9 = like(base, EQUATION9, 9, message=message).dialogues
    assert terms == [why for one in by_equation9 if one.id == first.id for why in one.why]
    assert terms
    assert json.loads(json.dumps(found.to_json()))["dialogues"][0]["why"][0]["whole"] is True


def test_ranks_are_fused_by_their_reciprocals(base: KnowledgeBase) -> None:
    by_words = like(base, SimilarHow("text"), 4).dialogues
    first, second, *_ = fused(by_words, by_words[::-1][:1])
    assert first.document == by_words[-1].document
    assert first.score == pytest.approx(1 / 61 + 1 / (60 + len(by_words)))
    assert second.score == pytest.approx(1 / 61)


@pytest.mark.parametrize("wrong", ["ranking", "score_norm", "direction"])
def test_what_there_is_not_is_refused(wrong: str) -> None:
    with pytest.raises(ConfigurationError, match="'x'"):
        given: dict[str, Any] = {wrong: "x"}
        SimilarHow(**given)
