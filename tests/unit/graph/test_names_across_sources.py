"""Names across sources: what is taken together, what is kept apart, and what is reported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from medweave import KnowledgeBase


@pytest.fixture
def base() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open("memory:") as base:
        yield base


def source(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), "utf-8")
    return path


def disease(name: str, *symptoms: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "concept": "disease", "symptoms": list(symptoms), **more}


def drug(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "concept": "drug", **more}


def test_one_name_with_and_without_an_identifier_is_one_thing(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    base.build([
        source(tmp_path / "a.jsonl", disease("Zorn fever", "blue spots", id="DOID:1")),
        source(tmp_path / "b.jsonl", disease("zorn fever", "green spots")),
    ])  # fmt: skip
    said = " ".join(s.text for s in base.ask("What are the symptoms of zorn fever?").sentences)
    assert "blue spots" in said
    assert "green spots" in said
    assert base.duplicates().taken_together.count == 1


def test_two_identifiers_of_one_vocabulary_are_two_things(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    base.build([
        source(tmp_path / "a.jsonl", disease("Zorn fever", "blue spots", id="DOID:1")),
        source(tmp_path / "b.jsonl", disease("Zorn fever", "green spots", id="DOID:2")),
    ])  # fmt: skip
    assert base.knowledge.same("DOID:1") == ("DOID:1",)
    assert base.duplicates().kept_apart.count == 1


def test_a_cross_reference_joins_things_of_different_names(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    folder = tmp_path / "drugs"
    folder.mkdir()
    rows = ["drugbank_id\tname\ttype\tgroups\tatc_codes\tcategories\tinchikey\tinchi\tdescription"]
    rows.append("DB1\tZornol\tx\ty\tN02AA\tZornols\tInChIKey=AAA\t\tZornol is a drug.")
    (folder / "drugbank_slim.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    other = drug("brand of zornol", id="InChIKey:AAA", contraindications=["pregnancy"])
    base.build([folder, source(tmp_path / "b.jsonl", other)])
    assert set(base.knowledge.same("DRUGBANK:DB1")) == {"DRUGBANK:DB1", "InChIKey:AAA"}
    stops = base.ask("I am pregnant. Can I take zornol?").stops
    assert [stop.status for stop in stops] == ["applies"]


def test_a_code_of_a_classification_joins_nothing(base: KnowledgeBase, tmp_path: Path) -> None:
    folder = tmp_path / "ddxplus"
    folder.mkdir()
    conditions: dict[str, Any] = {
        name: {"condition_name": name, "icd10-id": "J18", "symptoms": {"E_1": {}}}
        for name in ("Zorn fever", "Blue fever")
    }
    evidences = {"E_1": {"question_en": "Spots?"}, "E_2": {"question_en": "Rash?"}}
    (folder / "release_conditions.json").write_text(json.dumps(conditions), "utf-8")
    (folder / "release_evidences.json").write_text(json.dumps(evidences), "utf-8")
    base.build([folder])
    assert base.knowledge.same("mw.condition:zorn_fever") == ("mw.condition:zorn_fever",)


def test_another_name_joins_drugs_but_not_diseases(base: KnowledgeBase, tmp_path: Path) -> None:
    base.build([
        source(
            tmp_path / "a.jsonl",
            disease("Zorn fever", "blue spots", synonyms=["blue fever"]),
            disease("Blue fever", "blue skin"),
            drug("Zornol", synonyms=["Bluol"], contraindications=["pregnancy"]),
            drug("Bluol", indications=["zorn fever"]),
        )
    ])  # fmt: skip
    same = base.knowledge.same
    assert same("mw.condition:zorn_fever") == ("mw.condition:zorn_fever",)
    assert set(same("mw.substance:bluol")) == {"mw.substance:bluol", "mw.substance:zornol"}


def test_a_stray_drug_of_a_findings_name_is_not_what_is_meant(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    many = (disease(f"disease {n}", "zornness") for n in range(30))
    base.build([source(tmp_path / "a.jsonl", *many, disease("odd", drugs=["zornness"]))])
    [mention] = base.understand("I have zornness.").mentions
    assert mention.concept == "symptom"
    assert base.duplicates().several_families.count == 1


def test_names_that_are_only_spelled_differently_are_reported(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    base.build([source(tmp_path / "a.jsonl", disease("zorn", "zornal oedema", "edema, zornal"))])
    [found] = base.duplicates().spelled_alike.examples
    assert set(found.names) == {"zornal oedema", "edema, zornal"}


def test_show_says_where_a_name_comes_from(base: KnowledgeBase, tmp_path: Path) -> None:
    base.build([
        source(tmp_path / "a.jsonl", disease("Zorn fever", "spots", synonyms=["Zorn's disease"])),
        source(tmp_path / "b.jsonl", disease("blue disease", "Zorn fever")),
    ])  # fmt: skip
    card = base.show("zorn fever")
    named = {(m.name, card.documents[document].name) for m, document in card.named_by}
    assert named == {
        ("Zorn fever", "a#zorn_fever"),
        ("Zorn's disease", "a#zorn_fever"),
        ("Zorn fever", "b#blue_disease"),
    }


def test_a_product_of_two_drugs_does_not_make_them_one(base: KnowledgeBase, tmp_path: Path) -> None:
    base.build([
        source(
            tmp_path / "a.jsonl",
            drug("fluminol", synonyms=["Duozin"], contraindications=["asthma"]),
            drug("calmazine", synonyms=["Duozin"], contraindications=["pregnancy"]),
        )
    ])  # fmt: skip
    assert base.knowledge.same("mw.substance:fluminol") == ("mw.substance:fluminol",)
    alone = base.ask("I am pregnant. Can I take fluminol?")
    assert not [stop for stop in alone.stops if stop.status == "applies"]
    product = base.ask("I am pregnant. Can I take Duozin?")
    assert [stop.reason for stop in product.stops if stop.status == "applies"]
    assert base.duplicates().kept_apart.count == 1
