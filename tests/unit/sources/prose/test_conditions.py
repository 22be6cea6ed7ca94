"""No condition of a source is lost: it is computed, or kept in its words and reported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from medweave.model.document import Extraction
from medweave.sources.extraction import extract
from medweave.sources.mapping.layouts import find_mapping
from medweave.sources.names import Naming
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import shipped_vocabulary
from tests.reading_rows import one_record

NAMING = Naming(shipped_vocabulary(), shipped_lexicon())
PHRASES = yaml.safe_load(Path(__file__).with_name("conditions.yaml").read_text("utf-8"))


def told(kind: str) -> list[tuple[str, str]]:
    return [(language, phrase) for language in PHRASES for phrase in PHRASES[language][kind]]


def read(language: str, phrase: str, field: str = "contraindications") -> Extraction:
    record = {"name": "zzz", "concept": "drug", "language": language, field: [phrase]}
    return extract(one_record([record], find_mapping("monographs")), NAMING)


@pytest.mark.parametrize(("language", "phrase"), told("computed"))
def test_an_everyday_phrase_becomes_a_known_thing_under_qualifiers(
    language: str, phrase: str
) -> None:
    made = read(language, phrase)
    assert made.statements
    assert not made.skipped
    for statement in made.statements:
        assert statement.object in NAMING.lexicon.terms
    assert {item.quote for item in made.evidence} == {phrase}


@pytest.mark.parametrize(("language", "phrase"), told("words"))
def test_what_cannot_be_computed_is_kept_in_words_and_reported(language: str, phrase: str) -> None:
    made = read(language, phrase)
    (statement,) = made.statements
    assert phrase in {
        mention.name for mention in made.mentions if mention.concept == "circumstance"
    }
    assert [phrase in item.reason for item in made.skipped] == [True]
    assert statement.predicate == "contraindicated_in"


CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("within 14 days of MAO inhibitors", "mw.substance:mao_inhibitors",
     {"severity": "contraindicated", "within_days": 14}),
    ("creatinine clearance below 30", "mw.condition:kidney_disease",
     {"gfr_max": 30, "severity": "severe"}),
    ("eGFR less than 45", "mw.condition:kidney_disease", {"gfr_max": 45}),
    ("elderly over 75", "mw.population:adults", {"age_min_days": 27394}),
    ("children under 12 kg", "mw.population:children", {"weight_max_kg": 12}),
    ("during the last three months of pregnancy", "mw.population:pregnancy",
     {"pregnancy": True, "pregnancy_weeks_min": 28}),
    ("severe renal impairment (eGFR < 30)", "mw.condition:kidney_disease", {"severity": "severe"}),
    ("patients with a history of peptic ulcer", "mw.condition:peptic_ulcer", {"history": True}),
    ("history of asthma with aspirin", "mw.circumstance:history_of_asthma_with_aspirin",
     {"mentions": "mw.condition:asthma mw.substance:aspirin"}),
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "thing", "qualifiers"), CASES)
def test_numbers_and_words_of_a_phrase_are_its_qualifiers(
    phrase: str, thing: str, qualifiers: dict[str, Any]
) -> None:
    (statement,) = read("en", phrase).statements
    assert (statement.object, dict(statement.qualifiers)) == (thing, qualifiers)


def test_two_conditions_told_as_one_are_two_statements() -> None:
    found = {str(s.object) for s in read("en", "pregnant or breastfeeding women").statements}
    assert found == {"mw.population:pregnancy", "mw.population:breastfeeding"}


@pytest.mark.parametrize("name", ["Brugada syndrome", "porphyria", "carcinoma of the cervix"])
def test_a_disease_that_the_lexicon_lacks_stays_a_disease(name: str) -> None:
    made = read("en", name)
    (statement,) = made.statements
    assert str(statement.object).startswith("mw.condition:")
    assert not made.skipped


def test_a_caution_with_another_drug_is_to_be_monitored() -> None:
    (statement,) = read("en", "concomitant use of warfarin", "cautions").statements
    assert statement.predicate == "interacts_with"
    assert statement.qualifier("severity") == "monitor"


def test_what_a_drug_is_used_for_is_no_condition_against_it() -> None:
    (statement,) = read("en", "treatment with methotrexate", "indications").statements
    assert statement.predicate == "used_for"
