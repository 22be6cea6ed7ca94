"""Theta and lambda are chosen on messages that the printed figure is not of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.errors import ConfigurationError, NotFoundError, SourceError
from medweave.evaluation.data.message_file import JudgedMessage, read_messages
from medweave.evaluation.outcomes import Checkpoint
from medweave.evaluation.runner import evaluate
from medweave.evaluation.systems.dialogue_pool import UNWEIGHTED, DialoguePool, dialogue_pool
from medweave.evaluation.systems.embedding import Embedding
from medweave.evaluation.task import Request
from medweave.evaluation.tasks.retrieval import plan
from medweave.evaluation.tuning.dialogue_links import LAMBDAS, THETAS, Tuning, messages_of, tune
from medweave.evaluation.tuning.report import tuning_page, write_tuning
from medweave.model.link_weight import LinkWeight
from medweave.model.vectors import VectorModel
from medweave.testing.bag_of_words import BagOfWords
from scripts.question_sets import messages_folder

pytest.importorskip("numpy")
PARTS = ("knee", "head", "back", "ear", "foot", "chest")
PLACES = ("at night", "when I walk")


def record(part: str, place: str) -> dict[str, object]:
    said = f"My {part} hurts {place} and I have a fever."
    return {
        "id": f"{part} {place}",
        "tags": [part],
        "turns": [
            {"speaker": "patient", "text": said},
            {"speaker": "doctor", "text": f"You should rest the {part}."},
        ],
    }


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("calls")
    file = folder / "calls.jsonl"
    rows = [record(part, place) for part in PARTS for place in PLACES]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with KnowledgeBase.open(str(folder / "a.db")) as base:
        base.build([file])
        yield base


@pytest.fixture(scope="module")
def pool(base: KnowledgeBase) -> DialoguePool:
    return dialogue_pool(base, Embedding(BagOfWords(256)))


@pytest.fixture(scope="module")
def tuned(pool: DialoguePool) -> Tuning:
    return tune(pool, messages_of(pool), source="tags", own=True, folds=4)


class TestPool:
    def test_every_way_finds_what_says_the_same(self, pool: DialoguePool) -> None:
        asked = pool.prepare("My ear hurts when I walk and I have a fever.")
        graph = pool.graph()
        for ranked in (
            pool.by_words(asked),
            pool.by_whole(asked),
            pool.by_both(asked),
            pool.by_graph(graph, asked, 3),
        ):
            assert pool.names[ranked[0]] == "ear when I walk"

    def test_where_the_model_reads_english_alone_other_messages_go_by_words(
        self, base: KnowledgeBase
    ) -> None:
        embedder = BagOfWords(256)
        embedder.model = VectorModel("all-MiniLM-L6-v2:test", 256)
        pool = dialogue_pool(base, Embedding(embedder))
        for text, by_words in (("我耳朵疼 ear 发烧", True), ("My ear hurts when I walk.", False)):
            asked = pool.prepare(text)
            assert (pool.by_both(asked) == pool.by_words(asked)) is by_words

    def test_without_weights_every_link_weighs_one(self, pool: DialoguePool) -> None:
        asked = pool.prepare("My ear hurts.")
        scored = pool.graph(UNWEIGHTED).equation9(asked.sections, 5)
        assert {term.weight for one in scored for term in one.terms} == {1.0}

    def test_with_an_importance_of_one_kind_weights_differ(self, pool: DialoguePool) -> None:
        asked = pool.prepare("My ear hurts.")
        scored = pool.graph(LinkWeight("convex", 0.0)).equation9(asked.sections, 5)
        assert len({term.weight for one in scored for term in one.terms}) > 1

    def test_tags_are_not_seen_by_any_ranking(self, pool: DialoguePool) -> None:
        number = pool.names.index("ear at night")
        assert pool.tags(number) == {"ear"}
        assert pool.transcript(number).count("ear") == 2

    def test_links_are_those_that_are_near(self, pool: DialoguePool, base: KnowledgeBase) -> None:
        links = pool.links(0.8)
        assert links
        assert all(0.8 <= link.cosine <= 1 for link in links)
        assert len(pool.links(-1)) == len(pool) * (len(pool) - 1) / 2

    def test_a_base_without_dialogues_is_an_error(self) -> None:
        with (
            KnowledgeBase.open("memory:") as empty,
            pytest.raises(NotFoundError, match="no dialogues"),
        ):
            dialogue_pool(empty, Embedding(BagOfWords()))

    def test_without_an_embedder_there_is_no_graph(self, base: KnowledgeBase) -> None:
        pool = dialogue_pool(base, Embedding(None, "nothing is installed"))
        with pytest.raises(ConfigurationError, match="nothing is installed"):
            pool.graph()


class TestTuning:
    def test_messages_come_from_the_dialogues_themselves(self, pool: DialoguePool) -> None:
        messages = messages_of(pool)
        assert len(messages) == 12
        first = next(one for one in messages if one.id == "ear at night")
        assert first.grades == {"ear when I walk": 1}

    @pytest.mark.thorough
    def test_what_is_printed_was_not_what_was_chosen_on(self, tuned: Tuning) -> None:
        assert len(tuned.by_fold) == 4
        assert len(tuned.curve) == len(THETAS) * len(LAMBDAS)
        best = max(point.ndcg for point in tuned.curve)
        assert tuned.tuned.value <= round(best, 4)
        assert tuned.tuned.low <= tuned.tuned.value <= tuned.tuned.high

    def test_an_own_dialogue_is_not_what_is_looked_for(self, tuned: Tuning) -> None:
        assert tuned.others["bm25"].figure.value > 0.99  # the other one with this tag is first

    def test_it_says_what_is_better_and_where(self, tuned: Tuning) -> None:
        found = tuned.to_json()
        for name in found["better_than_tuned"]:
            other = found["others"][name]
            assert other["value"] > found["cross_validated"]["value"]
            assert other["better"] >= len(other["examples"]) > 0

    @pytest.mark.thorough
    def test_the_same_seed_gives_the_same_and_nothing_is_written_into_the_base(
        self, pool: DialoguePool, base: KnowledgeBase, tuned: Tuning
    ) -> None:
        before = base.version
        again = tune(pool, messages_of(pool), source="tags", own=True, folds=4)
        assert again == tuned
        assert (base.version, base.vectors.counts()) == (before, {})

    def test_too_few_messages_are_an_error(self, pool: DialoguePool) -> None:
        few = [JudgedMessage("1", "My ear hurts.", {"ear at night": 1})] * 3
        with pytest.raises(ConfigurationError, match="3 messages"):
            tune(pool, few, source="few")

    def test_a_report_has_tables_and_the_curve(self, tuned: Tuning, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib")
        assert write_tuning(tuned, tmp_path / "report") == ""
        assert (tmp_path / "report" / "curve.svg").read_text("utf-8").startswith("<?xml")
        assert (tmp_path / "report" / "curve.png").stat().st_size > 1000
        kept = json.loads((tmp_path / "report" / "tuning.json").read_text("utf-8"))
        assert kept == tuned.to_json()
        assert "cross-validated" in "\n".join(tuning_page(tuned))


class TestMessages:
    def write(self, tmp_path: Path, text: str) -> Path:
        path = tmp_path / "messages.jsonl"
        path.write_text(text, "utf-8")
        return path

    def test_ids_count_one_and_grades_as_they_are(self, tmp_path: Path) -> None:
        path = self.write(
            tmp_path,
            '{"text": " a ", "dialogues": ["x"]}\n\n'
            '{"id": "b", "text": "b", "dialogues": {"x": 2}}\n',
        )
        first, second = read_messages(path)
        assert (first.id, first.text, first.grades) == ("1", "a", {"x": 1})
        assert (second.id, second.grades) == ("b", {"x": 2})

    @pytest.mark.parametrize(
        "line",
        ["{", "[]", '{"text": "a"}', '{"text": "", "dialogues": ["x"]}',
         '{"text": "a", "dialogues": []}', '{"text": "a", "dialogues": "x"}', '{"text": 1}'],
    )  # fmt: skip
    def test_what_is_wrong_names_its_line(self, tmp_path: Path, line: str) -> None:
        path = self.write(tmp_path, '{"text": "a", "dialogues": ["x"]}\n' + line)
        with pytest.raises(SourceError, match="line 2"):
            read_messages(path)


class TestInEvaluateRetrieval:
    def folder(self, base: KnowledgeBase, tmp_path: Path) -> Path:
        rows = [
            {"text": f"My {part} hurts {place}.", "dialogues": [f"{part} {place}"]}
            for part in PARTS
            for place in PLACES
        ]
        path = tmp_path / "messages.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        messages_folder(path, base).write(tmp_path / "folder")
        return tmp_path / "folder"

    def test_dialogues_of_the_base_are_ranked_by_its_graph(
        self, base: KnowledgeBase, tmp_path: Path
    ) -> None:
        folder = self.folder(base, tmp_path)
        planned = plan(Request(folder, base, base_named=True, embedding=Embedding(BagOfWords(256))))
        found = evaluate(planned, Checkpoint(tmp_path / "unfinished.jsonl", {})).to_json()
        measures = {system["name"]: system["measures"] for system in found["systems"]}
        for name in ("medweave weighted", "medweave unweighted", "medweave similar"):
            assert measures[name]["recall@1"]["value"] > 0.5
            assert measures[name]["mrr"]["low"] <= measures[name]["mrr"]["high"]
        assert found["data"]["pool"] == found["data"]["dialogues_of_the_base"] == 12

    def test_other_bases_add_nothing(self, base: KnowledgeBase, tmp_path: Path) -> None:
        folder = self.folder(base, tmp_path)
        with KnowledgeBase.open("memory:") as empty:
            planned = plan(
                Request(folder, empty, base_named=True, embedding=Embedding(BagOfWords(256)))
            )
        assert not any("weighted" in name for name in planned.systems)

    def test_without_an_embedder_it_says_why_they_are_not_run(
        self, base: KnowledgeBase, tmp_path: Path
    ) -> None:
        folder = self.folder(base, tmp_path)
        nothing = Embedding(None, "nothing is installed")
        planned = plan(Request(folder, base, base_named=True, embedding=nothing))
        found = evaluate(planned, Checkpoint(tmp_path / "unfinished.jsonl", {})).to_json()
        assert "nothing is installed" in found["not_run"]["medweave weighted"]
