"""The task `entities`: its files, its counts, and what is learned of labelled spans."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medweave import KnowledgeBase
from medweave.errors import SourceError
from medweave.evaluation.items import GoldMention, Item
from medweave.evaluation.outcomes import Checkpoint
from medweave.evaluation.runner import OURS, evaluate
from medweave.evaluation.systems.training_dictionary import TrainingDictionary
from medweave.evaluation.task import Request
from medweave.evaluation.tasks.entities import classes_of_concepts, entity_item, plan
from medweave.model.document import Skipped
from medweave.sources.abstracts.labelled.iob import iob_rows, is_iob
from medweave.sources.abstracts.labelled.pubtator import is_pubtator, pubtator_rows
from medweave.sources.files.rows import Row

PUBTATOR = """
7|t|Zornol eases fever.
7|a|It does not ease zorn plague in flu.
7\t0\t6\tZornol\tChemical\tD1
7\t13\t18\tfever\tDisease\tD2
7\t37\t48\tzorn plague\tDisease\tD3|D4\tzorn|plague
7\tCID\tD1\tD2

8|t|Nothing.
8|a|
"""
IOB = """zorn\tB-Disease
plague\tI-Disease
and\tO
fever\tB-Disease
flu\tB-Disease

cough\tI-Disease
.\tO
"""
Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        if name.endswith(".gz"):
            path.write_bytes(gzip.compress(text.encode()))
        else:
            path.write_text(text, "utf-8")
        return path

    return write


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    rows = [
        {"name": "flu", "concept": "disease", "symptoms": ["fever", "cough"]},
        {"name": "zornol", "concept": "drug", "used_for": ["flu"]},
    ]
    (tmp_path / "base.json").write_text(json.dumps(rows), "utf-8")
    base = KnowledgeBase.open("memory:")
    base.build([tmp_path / "base.json"])
    return base


def spans(rows: list[Any]) -> list[tuple[str, str]]:
    return [
        (row.values["text"][m["start"] : m["end"]], m["concept"])
        for row in rows
        if isinstance(row, Row)
        for m in row.values["mentions"]
    ]


def test_pubtator_files_are_read(write: Write) -> None:
    path = write("set.PubTator.txt.gz", PUBTATOR)
    assert is_pubtator(path)
    rows = list(pubtator_rows(path))
    assert spans(rows) == [
        ("Zornol", "Chemical"),
        ("fever", "Disease"),
        ("zorn plague", "Disease"),
    ]
    assert [row.values["id"] for row in rows if isinstance(row, Row)] == ["7", "8"]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("7\t0\t6\tZornol\tChemical", "a document without a title"),
        ("7|t|Zornol.\n7|a|\n7\t1\t7\tZornol\tChemical", "'Zornol' does not stand at 1 to 7"),
        ("7|t|Zornol.\n7|a|\n7\tx\t6\tZornol\tChemical", "places must be numbers: x, 6"),
    ],
)
def test_a_broken_document_is_skipped_and_the_next_is_read(
    lines: str, why: str, write: Write
) -> None:
    rows = list(pubtator_rows(write("set.txt", f"{lines}\n\n{PUBTATOR}")))
    assert isinstance(rows[0], Skipped)
    assert (rows[0].line, rows[0].reason) == (1, why)
    assert len(rows) == 3


def test_words_with_tags_are_read(write: Write) -> None:
    path = write("set.tsv", IOB)
    assert is_iob(path)
    rows = list(iob_rows(path))
    assert spans(rows) == [
        ("zorn plague", "Disease"),
        ("fever", "Disease"),
        ("flu", "Disease"),
        ("cough", "Disease"),
    ]
    assert [row.line for row in rows if isinstance(row, Row)] == [1, 7]


@pytest.mark.parametrize("line", ["fever", "fever\tX", "fever\tO\tO", "\tO"])
def test_a_line_that_is_no_word_and_tag_spoils_its_sentence(line: str, write: Write) -> None:
    rows = list(iob_rows(write("set.tsv", f"a\tO\n{line}\n\n{IOB}")))
    assert isinstance(rows[0], Skipped)
    assert (rows[0].line, rows[0].reason) == (1, "a line that is not a word and its tag")
    assert len(spans(rows)) == 4


ALL_RIGHT = {"f1": 1.0, "relaxed_f1": 1.0, "precision": 1.0, "recall": 1.0}


def measured(path: Path, base: KnowledgeBase, **options: Any) -> dict[str, dict[str, float]]:
    result = evaluate(
        plan(Request(path, base, **options)), Checkpoint(path.with_suffix(".kept"), {})
    )
    return {s.name: {name: f.value for name, f in s.measures.items()} for s in result.systems}


def test_the_base_alone_finds_what_it_holds(write: Write, base: KnowledgeBase) -> None:
    planned = plan(Request(write("set.txt", PUBTATOR), base))
    ours = planned.systems[OURS](()).rank(planned.data.items[0])
    assert [(planned.data.items[0].text[f.start : f.end], f.concept) for f in ours.found] == [
        ("Zornol", "chemical"),
        ("fever", "disease"),
        ("plague", "disease"),  # of the lexicon
        ("flu", "disease"),
    ]
    # strictly 2 of 4 are right, of 3; of those that overlap, 3 of 4 and 3 of 3
    result = measured(write("again.txt", PUBTATOR), base)["medweave"]
    assert result == pytest.approx(
        {
            "f1": 2 * 2 / 7,
            "relaxed_f1": 2 * 0.75 / 1.75,
            "precision": 2 / 4,
            "recall": 2 / 3,
            "chemical_f1": 1,
            "chemical_relaxed_f1": 1,
            "disease_f1": 2 * 1 / 5,
            "disease_relaxed_f1": 2 * (2 / 3) / (5 / 3),
            "untyped_f1": 2 * 2 / 7,
            "untyped_relaxed_f1": 2 * 0.75 / 1.75,
        },
        abs=1e-4,
    )


def test_labelled_json_lines_are_read(write: Write, base: KnowledgeBase) -> None:
    records: list[dict[str, Any]] = [
        {"text": "Zornol.", "mentions": [{"text": "Zornol", "concept": "Drug"}]},
        {"text": "Zornol.", "mentions": [{"text": "Zornol"}]},
        {"text": "Zornol."},
        {"mentions": []},
    ]
    path = write("set.jsonl", "\n".join(map(json.dumps, records)))
    planned = plan(Request(path, base))
    assert planned.data.left_out == {
        "a mention without a concept": 1,
        "no list of mentions": 1,
        "no text": 1,
    }
    assert measured(path, base)["medweave"] == ALL_RIGHT
    with pytest.raises(SourceError, match="no list of mentions"):
        plan(Request(write("none.jsonl", '{"text": "fever"}'), base))


def test_training_adds_forms_and_takes_away_what_goes_unlabelled(
    write: Write, base: KnowledgeBase
) -> None:
    train = write(
        "train.tsv",
        "Zorn\tB-Disease\nplague\tI-Disease\n\nno\tO\ncough\tO\n\nZP\tB-Disease\n\n"
        "fever\tB-Disease\n\nfever\tO\n\nzorn\tB-Disease\nflu\tI-Disease\n",
    )
    test = write(
        "test.tsv",
        "the\tO\nzorn\tB-Disease\nplagues\tI-Disease\n\ncough\tO\n\nzp\tO\n\nZP\tB-Disease\n\n"
        "fever\tB-Disease\n\nflu\tB-Disease\n",
    )
    result = measured(test, base, train=train)
    assert result["base and training"] == ALL_RIGHT
    # as written: of four labelled, `ZP` and `fever`, and nothing else
    assert result["dictionary of training"]["f1"] == pytest.approx(2 * 2 / 6, abs=1e-4)
    assert result["medweave untrained"]["f1"] < 0.9
    folded = measured(test, base, folds=2)
    assert set(folded) == set(result)


def test_a_form_ends_before_the_hyphen_behind_it(write: Write, base: KnowledgeBase) -> None:
    train = write("train.txt", "1|t|Blixol helps.\n1|a|\n1\t0\t6\tBlixol\tChemical\n")
    test = write("test.txt", "1|t|A blixol-induced ache.\n1|a|\n1\t2\t8\tblixol\tChemical\n")
    assert measured(test, base, train=train)["base and training"]["f1"] == 1.0


def test_ours_learns_what_labelled_texts_name_and_untyped_takes_any_class(
    write: Write, base: KnowledgeBase
) -> None:
    def document(number: int, drug: str, ache: str, kind: str = "Disease") -> str:
        text = f"{drug} eased {ache} in all."
        end = len(drug) + 7
        return (
            f"{number}|t|{text}\n{number}|a|\n{number}\t0\t{len(drug)}\t{drug}\tChemical\n"
            f"{number}\t{end}\t{end + len(ache)}\t{ache}\t{kind}\n\n"
        )

    drugs = ("Blixol", "Trapol", "Zunol", "Mervol", "Ostrol", "Kantol")
    aches = ("plogitis", "zemitis", "gortitis", "bulnitis", "wexitis", "farnitis")
    pairs = zip(drugs, aches, strict=True)
    lines = [document(at, drug, ache) for at, (drug, ache) in enumerate(pairs)]
    train = write("train.txt", "".join(lines * 2))
    test = write("test.txt", document(1, "Pernol", "holmitis") + document(2, "Tisol", "quenitis"))
    found = measured(test, base, train=train)
    assert found["medweave"]["f1"] == 1.0
    assert found["dictionary of training"]["f1"] == 0.0
    other = write("other.txt", document(1, "Pernol", "holmitis", "Chemical"))
    wrong = measured(other, base, train=train)["medweave"]
    assert (wrong["f1"], wrong["untyped_f1"]) == (0.5, 1.0)


def test_the_dictionary_of_training_takes_the_longest_form_and_the_usual_class() -> None:
    def case(text: str, *spans: tuple[int, int, str]) -> Item:
        return Item("1", (), text, mentions=tuple(GoldMention(*span) for span in spans))

    learned = TrainingDictionary(
        [
            case("lung cancer cancer", (0, 11, "disease"), (12, 18, "disease")),
            case("lead lead lead", (0, 4, "chemical"), (5, 9, "chemical"), (10, 14, "disease")),
        ]
    )
    found = learned.rank(case("lung cancer, cancers, cancer, lead")).found
    assert [(f.start, f.end, f.concept) for f in found] == [
        (0, 11, "disease"),
        (22, 28, "disease"),
        (30, 34, "chemical"),
    ]


def test_a_concept_is_of_the_class_that_is_nearest() -> None:
    assert classes_of_concepts(["finding", "disease"]) == {
        "symptom": "finding",
        "disease": "disease",
    }
    assert classes_of_concepts(["gene"]) == {"gene": "gene"}


def test_spans_with_types_are_read_as_mentions(write: Write, base: KnowledgeBase) -> None:
    spans = [{"start": 0, "end": 6, "type": "Drug"}]
    path = write("spans.jsonl", json.dumps({"text": "Zornol.", "spans": spans}))
    assert measured(path, base)["medweave"] == ALL_RIGHT


def test_spans_may_have_a_label_for_their_class() -> None:
    made = entity_item({"text": "flu", "spans": [{"start": 0, "end": 3, "label": "DISEASE"}]}, "1")
    assert isinstance(made, Item)
    assert made.mentions == (GoldMention(0, 3, "disease"),)
