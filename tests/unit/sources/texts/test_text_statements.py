"""Lists under headings of a drug are read where an entry names something known, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.model.statement import Statement

PAGE = """# Ibuprofen

## Contraindications

- active peptic ulcer
- children under 3 months
- asthma (some kinds of it)
- whatever a doctor thinks of

## Side effects

- nausea
- headaches that go on for days

## Uses

Fever, headache and cough.

## Storage

- diarrhoea
"""
LEAFLET = """布洛芬

【适应症】发热、头痛。

【禁忌】
- 孕妇
- 医生认为不宜者

【不良反应】恶心、呕吐。
"""


def read(folder: Path, name: str, text: str) -> tuple[KnowledgeBase, list[tuple[str, str]]]:
    (folder / name).write_text(text, "utf-8")
    base = KnowledgeBase.open("memory:")
    base.build([folder / name])
    found = [supported.statement for supported in base.knowledge.store.match()]
    return base, sorted((one.predicate, _called(base, one)) for one in found)


def _called(base: KnowledgeBase, statement: Statement) -> str:
    return base.show(statement.object_entity or "").entity.name()


def test_entries_that_name_something_known_are_read(tmp_path: Path) -> None:
    _, found = read(tmp_path, "guide.md", PAGE)
    assert found == [
        ("contraindicated_in", "children"),
        ("contraindicated_in", "peptic ulcer"),
        ("has_side_effect", "nausea"),
        ("used_for", "cough"),
        ("used_for", "fever"),
        ("used_for", "headache"),
    ]


def test_chinese_leaflets(tmp_path: Path) -> None:
    _, found = read(tmp_path, "说明书.txt", LEAFLET)
    assert [predicate for predicate, _ in found] == [
        "contraindicated_in", "has_side_effect", "has_side_effect", "used_for", "used_for"
    ]  # fmt: skip


def test_each_has_its_quote_at_its_place_and_the_class_of_its_text(tmp_path: Path) -> None:
    base, _ = read(tmp_path, "guide.md", PAGE)
    documents = {document.id: document for document in base.knowledge.store.documents()}
    for supported in base.knowledge.store.match():
        for item in supported.evidence:
            text = documents[item.document].text(item.place.field)
            assert text[item.place.start : item.place.end] == item.quote
            assert (item.evidence_class, item.confidence < 1) == ("publication", True)


@pytest.mark.parametrize(
    "text",
    [
        PAGE.replace("# Ibuprofen", "# Fever"),
        PAGE.replace("# Ibuprofen", "# About ibuprofen and others"),
        PAGE.replace("## ", "### ").replace("### Contra", "## In children\n\n### Contra"),
        PAGE.replace("# Ibuprofen", ""),
    ],
)
def test_nothing_is_read_where_no_drug_is_the_heading_above(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, "guide.md", text)[1] == []


def test_a_file_may_be_called_like_the_drug(tmp_path: Path) -> None:
    text = "Side effects\n\n- nausea\n\nStorage\n\n- dry\n"
    assert read(tmp_path, "ibuprofen.txt", text)[1] == [("has_side_effect", "nausea")]


@pytest.mark.parametrize(
    "line",
    ["Nausea is rare, vomiting is not.", "It has no side effects, and no nausea.", "Nausea."],
)
def test_sentences_are_quoted_and_not_read(tmp_path: Path, line: str) -> None:
    assert read(tmp_path, "guide.md", f"# Ibuprofen\n\n## Side effects\n\n{line}\n")[1] == []


def test_removing_a_text_takes_its_statements(tmp_path: Path) -> None:
    base, found = read(tmp_path, "guide.md", PAGE)
    empty = KnowledgeBase.open("memory:").version.hash
    assert found
    assert base.version.hash != empty
    base.remove("guide.md")
    assert (base.knowledge.store.match(), base.version.hash) == ([], empty)
