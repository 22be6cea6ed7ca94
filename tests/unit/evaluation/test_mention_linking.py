"""The task `linking` with places: links held against mentions, counted by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medweave import KnowledgeBase
from medweave.errors import SourceError
from medweave.evaluation.data.gold_mentions import gold_mentions, place_of
from medweave.evaluation.outcomes import Checkpoint, outcome_of
from medweave.evaluation.report.folder import report_page
from medweave.evaluation.result import Evaluation
from medweave.evaluation.runner import evaluate
from medweave.evaluation.task import Request
from medweave.evaluation.tasks.linking import plan

Record = dict[str, Any]


def mention(text: str, *names: str, concept: str = "finding", **more: Any) -> Record:
    return {"text": text, "concept": concept, "names": list(names), **more}


RECORDS: list[Record] = [
    {
        "id": "lay",
        "text": "I threw up, and I have a fever.",
        "mentions": [mention("threw up", "vomiting"), mention("fever", "fever", "pyrexia")],
    },
    {
        "id": "wider",
        "text": "A zorny cough.",
        "mentions": [mention("zorny cough", "zorny cough", wider=["cough"])],
    },
    {
        "id": "another drug",
        "text": "I take zornol retard.",
        "mentions": [mention("zornol retard", "zornol retard", concept="drug")],
    },
    {
        "id": "not held",
        "text": "He has zorn blight.",
        "mentions": [mention("zorn blight", "zorn blight", concept="disease")],
    },
    {"id": "nothing to find", "text": "Is fever a word a child knows?", "mentions": []},
    {"id": "silent", "text": "My nose drips.", "mentions": [mention("nose drips", "snivelling")]},
]


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    rows = [
        {
            "name": "flu",
            "concept": "disease",
            "symptoms": ["vomiting", "cough", "fever", "snivelling"],
        },
        {"name": "zornol", "concept": "drug", "used_for": ["flu"]},
    ]
    (tmp_path / "base.json").write_text(json.dumps(rows), "utf-8")
    base = KnowledgeBase.open("memory:")
    base.build([tmp_path / "base.json"])
    return base


@pytest.fixture
def run(tmp_path: Path, base: KnowledgeBase) -> Callable[[list[Record]], Evaluation]:
    def run(records: list[Record]) -> Evaluation:
        path = tmp_path / "items.jsonl"
        path.write_text("\n".join(map(json.dumps, records)), "utf-8")
        planned = plan(Request(path, base))
        return evaluate(planned, Checkpoint(tmp_path / "kept.jsonl", {}))

    return run


def measured(result: Evaluation) -> dict[str, dict[str, float]]:
    return {
        system.name: {name: figure.value for name, figure in system.measures.items()}
        for system in result.systems
    }


def test_links_and_mentions_are_counted(run: Callable[[list[Record]], Evaluation]) -> None:
    result = measured(run(RECORDS))
    # links of ours: vomiting, fever, cough (right); zornol, and fever and child where none is meant
    # mentions: 6; the base has vomiting, fever and snivelling, and cough, wider than one more
    ours = result["medweave"]
    assert ours["precision"] == pytest.approx(3 / 6, abs=1e-4)
    assert ours["clinical_precision"] == pytest.approx(3 / 5, abs=1e-4)
    assert ours["recall"] == pytest.approx(3 / 4, abs=1e-4)
    assert ours["recall_strict"] == pytest.approx(2 / 3, abs=1e-4)
    assert ours["recall_of_all"] == pytest.approx(3 / 6, abs=1e-4)
    assert ours["recall_of_all_strict"] == pytest.approx(2 / 6, abs=1e-4)
    assert ours["f1"] == pytest.approx(2 * 0.5 * 0.75 / 1.25, abs=1e-4)
    assert ours["f1_of_all"] == pytest.approx(0.5, abs=1e-4)
    # of the two items with a mention that the base has by name, in one nothing is linked
    assert ours["nothing_linked"] == pytest.approx(1 / 2, abs=1e-4)
    exact = result["exact dictionary"]
    assert exact["recall_strict"] == pytest.approx(1 / 3, abs=1e-4)
    assert exact["precision"] == pytest.approx(2 / 5, abs=1e-4)


def test_tables_say_what_was_missed_and_what_is_wrong(
    run: Callable[[list[Record]], Evaluation],
) -> None:
    result = run(RECORDS)
    tables = result.to_json()["tables"]
    ours = [row for row in tables["links_by_kind"] if row["system"] == "medweave"]
    assert {row["kind"]: (row["links"], row["right"], row["another_drug"]) for row in ours} == {
        "exact": (4, 2, 1),
        "synonym": (1, 0, 0),
        "lay": (1, 1, 0),
    }
    concepts = [row for row in tables["mentions_by_concept"] if row["system"] == "medweave"]
    assert {row["concept"]: (row["mentions"], row["base_has"]) for row in concepts} == {
        "disease": (1, 0),
        "drug": (1, 0),
        "finding": (4, 3),
    }
    assert [(row["written"], row["linked"]) for row in tables["another_drug"]] == [
        ("zornol", "zornol")
    ]
    assert [row["id"] for row in tables["missed"]] == ["silent"]
    assert [(row["id"], row["written"]) for row in tables["wrong_links"]] == [
        ("nothing to find", "fever"),
        ("nothing to find", "child"),
    ]
    page = report_page(result)
    assert "## Missed" in page
    assert "| silent | nose drips | snivelling |" in page
    assert "## Classes" not in page


def test_a_run_that_was_stopped_goes_on_with_what_was_found(
    run: Callable[[list[Record]], Evaluation], tmp_path: Path, base: KnowledgeBase
) -> None:
    whole = run(RECORDS)
    planned = plan(Request(tmp_path / "items.jsonl", base))
    stopped = Checkpoint(tmp_path / "stopped.jsonl", {})
    for name, trainer in planned.systems.items():
        for at, item in enumerate(planned.data.items):
            stopped.add(name, at, outcome_of(item, trainer(()).rank(item), 0.0))
    stopped.close()
    again = evaluate(planned, Checkpoint(tmp_path / "stopped.jsonl", {}))
    assert again.tables == whole.tables
    assert measured(again) == measured(whole)


@pytest.mark.parametrize(
    ("mentions", "why"),
    [
        ("fever", "no list of mentions"),
        ([mention("cough", "cough")], "a mention has no place in its text"),
        ([mention("fever", "fever", nth=3)], "a mention has no place in its text"),
        ([{"start": 4, "end": 99, "names": ["x"]}], "a mention has no place in its text"),
        ([mention("fever")], "a mention without names"),
    ],
)
def test_mentions_that_cannot_be_placed_are_told(
    mentions: object, why: str, run: Callable[[list[Record]], Evaluation]
) -> None:
    record = {"text": "fever, and fever", "mentions": mentions}
    assert run([*RECORDS, record]).data.left_out == {why: 1}
    with pytest.raises(SourceError, match=why):
        run([record])


def test_a_place_is_found_by_words_and_count() -> None:
    assert place_of("painful pain, no pain", "pain") == (0, 4)
    assert place_of("painful pain, no pain", "pain", 3) == (17, 21)
    assert place_of("pain", "pain", 2) is None
    assert place_of("pain", "pain", 0) is None
    assert place_of("我头痛", "头痛") == (1, 3)
    assert place_of("pain", "") is None
    text = "no pain"
    by_words = gold_mentions({"mentions": [mention("pain", "pain")]}, text)
    by_place = gold_mentions(
        {"mentions": [{"start": 3, "end": 7, "concept": "finding", "names": ["pain"]}]}, text
    )
    assert by_words == by_place
