"""A mapping guessed for a file nobody has seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.errors import MappingError
from medweave.pipeline import preview
from medweave.sources.mapping.layouts import find_mapping

CHINESE = """疾病名称,症状,并发症,治疗,科室
感冒,发热;咳嗽,肺炎,多喝水。注意休息。,内科
胃炎,恶心;呕吐,出血,清淡饮食。,消化科
"""
ENGLISH = (
    "Illness\tSigns\tWhat it is\tCode\nscurvy\tbleeding gums; fatigue\tLack of vitamin C.\t7\n"
)


def write(tmp_path: Path, name: str, content: str) -> Path:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    return path


@pytest.mark.parametrize(("name", "content"), [("zh.csv", CHINESE), ("en.tsv", ENGLISH)])
def test_the_mapping_shown_builds_the_statements_shown(
    tmp_path: Path, name: str, content: str
) -> None:
    source = write(tmp_path, name, content)
    shown = preview(source)
    mapping = find_mapping(str(write(tmp_path, "guessed.yaml", shown.mapping)))
    with KnowledgeBase.open("memory:") as base:
        report = base.build([source], mapping=mapping)
        assert report.statements == sum(len(made.statements) for made in shown.extractions) > 0


def test_chinese_columns_are_understood_and_the_rest_is_told(tmp_path: Path) -> None:
    shown = preview(write(tmp_path, "zh.csv", CHINESE)).to_json()
    first = shown["records"][0]["statements"]
    assert {"has_symptom", "has_complication", "treatment_advice"} == {
        s["predicate"] for s in first
    }
    assert [column["column"] for column in shown["left_out"]] == ["科室"]
    assert shown["recognised"] is False


def test_a_known_layout_is_recognised(tmp_path: Path) -> None:
    shown = preview(write(tmp_path, "m.csv", "name,concept,symptoms,mood\nflu,disease,fever,bad\n"))
    assert shown.recognised
    assert [column for column, _ in shown.left_out] == ["mood"]


def test_a_file_without_names_cannot_be_guessed(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match="name of anything"):
        preview(write(tmp_path, "n.csv", "a,b\n1,1\n1,1\n"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("kind: poems\n", "'kind: poems' is not known"),
        ("kind: monographs\ncolour: red\n", "unknown entries colour"),
        ("kind: monographs\nfields: {a: {reading: names}}\n", "needs a predicate"),
        ("kind: monographs\nfields: {a: {predicate: x, reading: aloud}}\n", "is not known"),
        ("[1, 2]", "a mapping was expected"),
        ("a: [", "cannot be read"),
    ],
)
def test_a_wrong_mapping_file_says_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(MappingError) as caught:
        find_mapping(str(write(tmp_path, "m.yaml", text)))
    assert says in str(caught.value)


def test_an_unknown_mapping_name_lists_those_there_are() -> None:
    with pytest.raises(MappingError, match="disease_db"):
        find_mapping("no-such-mapping")
