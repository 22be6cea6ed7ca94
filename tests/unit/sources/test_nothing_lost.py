"""What a source says and cannot be read is counted: nothing vanishes, least of all a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from medweave import BuildReport, KnowledgeBase
from medweave.sources.mapping.layouts import find_mapping


def built(tmp_path: Path, name: str, text: str) -> tuple[KnowledgeBase, BuildReport]:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    base = KnowledgeBase.open("memory:")
    return base, base.build([path])


def reasons(report: BuildReport) -> list[str]:
    return [f"{item.line}: {item.reason}" for item in report.skipped]


def test_entries_that_are_no_text_are_counted(tmp_path: Path) -> None:
    _, report = built(
        tmp_path,
        "a.jsonl",
        '{"name": "fluminol", "concept": "drug", "contraindications": [{"name": "pregnancy"}, '
        '{"text": "asthma"}, ["liver failure"], "", null, true], "cautions": {"age": "children"}, '
        '"interactions": "[{\'drug\': \'warfarin\'}]", "indications": {"text": "flu"}}\n',
    )
    assert reasons(report) == [
        "1: 3 entries that are no text in 'contraindications'",
        "1: 1 entries that are no text in 'cautions'",
        "1: 1 entries that are no text in 'interactions'",
    ]
    assert report.statements == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '{"name": "x", "concept": "drug", "cautions": ["a"], "cautions": ["b"]}\n'),
        ("a.json", '[{"name": "x", "concept": "drug", "cautions": ["a"], "cautions": ["b"]}]'),
        ("a.yaml", "name: x\nconcept: drug\ncautions: [a]\ncautions: [b]\n"),
    ],
)
def test_a_field_that_stands_twice_is_refused(tmp_path: Path, name: str, text: str) -> None:
    other = '{"name": "y", "concept": "drug"}'
    text = text[:-1] + f", {other}]" if name == "a.json" else text
    text += other + "\n" if name == "a.jsonl" else "---\n" + other if name == "a.yaml" else ""
    _, report = built(tmp_path, name, text)
    assert reasons(report) == ["1: the field 'cautions' stands twice"]
    assert report.documents == 1


def test_a_column_that_stands_twice_is_told(tmp_path: Path) -> None:
    text = "name,concept,symptoms,symptoms\nflu,disease,fever,cough\n"
    _, report = built(tmp_path, "a.csv", text)
    assert reasons(report) == ["1: the column 'symptoms' stands twice; the last one is read"]


def test_what_follows_a_list_is_told(tmp_path: Path) -> None:
    records = ['[{"name": "a", "concept": "drug"}]', '[{"name": "b", "concept": "drug"}]']
    _, report = built(tmp_path, "a.json", "\n".join(records))
    assert reasons(report) == ["2: something follows the list of records"]
    assert report.documents == 1


def test_one_record_with_one_list_is_a_record(tmp_path: Path) -> None:
    text = '{"disease": "flu", "symptoms": ["fever"]}'
    mapping = (
        "kind: monographs\nname_field: disease\nconcept: disease\n"
        "fields:\n  symptoms: {predicate: has_symptom}"
    )
    (tmp_path / "m.yaml").write_text(mapping, "utf-8")
    (tmp_path / "a.json").write_text(text, "utf-8")
    with KnowledgeBase.open("memory:") as base:
        report = base.build([tmp_path / "a.json"], mapping=find_mapping(str(tmp_path / "m.yaml")))
    assert (report.documents, report.skipped) == (1, ())


def test_a_condition_is_read_in_words_from_either_side(tmp_path: Path) -> None:
    rows = ["fluminol,contraindicated_in,children under 8 years"]
    turned = ["children under 8 years,contraindicates,fluminol"]
    question = "Can my 5 year old take fluminol?"
    told = []
    for row in (rows, turned):
        base, _ = built(tmp_path, "a.csv", "\n".join(["subject,predicate,object", *row]) + "\n")
        answer = base.ask(question)
        told.append([(stop.status, stop.reason) for stop in answer.stops])
    assert told[0] == told[1]
    assert told[0][0][0] == "applies"


def test_headings_of_a_file_without_a_header_are_no_record(tmp_path: Path) -> None:
    folder = tmp_path / "kaggle41"
    folder.mkdir()
    path = folder / "symptom_Description.csv"
    path.write_text("Disease,Description\nflu,A fever.\n", "utf-8")
    with KnowledgeBase.open("memory:") as base:
        report = base.build([path])
    assert reasons(report) == ["1: 'Disease' is the heading of a column"]
    assert report.documents == 1


def test_what_is_only_mentioned_beside_a_drug_is_no_use(tmp_path: Path) -> None:
    folder = tmp_path / "sider4"
    folder.mkdir()
    columns = "drugbank_id drugbank_name stitch_id_flat method meddra_type umls_cui_from_meddra"
    rows = [
        [*columns.split(), "meddra_name"],
        ["DB1", "fluminol", "CID1", "NLP_indication", "PT", "C1", "port fever"],
        ["DB1", "fluminol", "CID1", "NLP_precondition", "PT", "C2", "kidney failure"],
        ["DB1", "fluminol", "CID1", "text_mention", "PT", "C3", "stroke"],
        ["DB2", "calmazine", "CID1", "text_mention", "PT", "C3", "stroke"],
    ]
    effects = [["CID1", "CID2", "C4", "PT", "C4", "rash"], ["CID1", "CID2", "C5", "LLT", "C5", "x"]]
    for name, table in (("indications", rows), ("meddra_all_se", effects)):
        (folder / f"{name}.tsv").write_text("".join("\t".join(row) + "\n" for row in table))
    with KnowledgeBase.open("memory:") as base:
        report = base.build([folder])
        uses = base.ask("What is fluminol used for?").text
        assert "port fever" in uses
        assert "kidney failure" not in uses
        assert "stroke" not in uses
        for drug in ("fluminol", "calmazine"):  # one number for both
            assert "rash" in base.ask(f"What are the side effects of {drug}?").text
    assert reasons(report) == [
        "5: 3 rows with another 'method' than the mapping keeps",
        "2: 1 rows with another '3' than the mapping keeps",
    ]
