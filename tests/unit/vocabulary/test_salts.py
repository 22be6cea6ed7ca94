"""Salts, esters and forms of a medicine are that medicine, in the title of a document too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.vocabulary.lexicon import shipped_lexicon

SAME = {
    "metformin hydrochloride tablets": "metformin", "losartan potassium": "losartan",
    "amoxicillin trihydrate": "amoxicillin", "clopidogrel bisulfate": "clopidogrel",
    "ciprofloxacin hydrochloride": "ciprofloxacin", "doxycycline hyclate": "doxycycline",
    "prednisolone acetate": "prednisolone", "tramadol hydrochloride capsules": "tramadol",
    "fluoxetine hydrochloride": "fluoxetine", "atorvastatin calcium": "atorvastatin",
    "metoprolol succinate": "metoprolol", "valproate sodium": "valproate",
}  # fmt: skip
APART = [
    ("benzathine benzylpenicillin", "benzylpenicillin"),
    ("potassium chloride", "potassium supplements"),
    ("calcium carbonate", "calcium supplements"),
]


@pytest.mark.parametrize(("written", "drug"), SAME.items())
def test_a_salt_is_the_medicine(written: str, drug: str) -> None:
    lexicon = shipped_lexicon()
    assert lexicon.find(written, ["substance"]) == lexicon.find(drug, ["substance"])


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_only_sounds_like_a_salt_stays_apart(one: str, other: str) -> None:
    lexicon = shipped_lexicon()
    assert lexicon.find(one, ["substance"]) != lexicon.find(other, ["substance"])


def test_a_document_of_a_salt_is_about_the_medicine(tmp_path: Path) -> None:
    source = tmp_path / "one.json"
    title = "Metformin hydrochloride tablets"
    source.write_text(
        json.dumps([{"name": title, "concept": "drug", "contraindications": ["heart failure"]}])
    )
    with KnowledgeBase.open(str(tmp_path / "one.db")) as base:
        base.build([source])
        stops = base.ask("I have heart failure. Can I take metformin?").stops
    assert [stop.status for stop in stops] == ["applies"]
