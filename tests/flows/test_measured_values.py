"""Numbers in a message: what they add to what is understood, and what they contradict."""

from __future__ import annotations

from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.language.data import shipped_yaml
from medweave.language.quantities import quantities
from medweave.model.question import Mention, Question
from medweave.vocabulary.lexicon import shipped_lexicon


def measured(question: Question) -> list[tuple[str, str, str]]:
    """(text, name, status) of the mentions that values stand for."""
    return [(m.text, m.name, m.status) for m in question.mentions if m.link.how == "value"]


def named(question: Question, name: str) -> Mention:
    [mention] = [m for m in question.mentions if m.name == name]
    return mention


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("I have a cough and a temperature of 39 °C", ("39 °C", "fever", "present")),
        ("Temperature 101.3 F and a cough", ("101.3 F", "fever", "present")),
        ("I am not sure, but I think my temperature is 38.0", ("38.0", "fever", "present")),
        ("My blood pressure is 160/85", ("160", "hypertension", "present")),
        ("My blood pressure is 130/95", ("95", "hypertension", "present")),
        ("I'm 40 years old, my pulse is 128", ("128", "tachycardia", "present")),
        ("My random blood sugar was 250 mg/dL", ("250 mg/dL", "hyperglycemia", "present")),
        ("My fasting sugar is 7.4", ("7.4", "hyperglycemia", "present")),
        ("my baby of 3 months has an axillary temperature of 37.6", ("37.6", "fever", "present")),
        ("咳嗽，体温38.5度", ("38.5度", "发热", "present")),
        ("我血压150/80", ("150", "高血压", "present")),
    ],
)
def test_a_value_over_a_threshold_is_a_finding(
    base: KnowledgeBase, text: str, finding: tuple[str, str, str]
) -> None:
    question = base.understand(text)
    (written, name, status) = finding
    names = {"tachycardia": "rapid heartbeat", "hyperglycemia": "high blood sugar"}
    assert measured(question) == [(written, names.get(name, name), status)]
    assert question.contradictions == ()


@pytest.mark.parametrize(
    "text",
    [
        "I have a temperature of 37.4 °C",
        "My temperature is below 38 °C",
        "I don't have a temperature of 39 °C",
        "What should I do if the temperature goes above 39 °C?",
        "A normal temperature is at most 38 °C",
        "I have a history of a temperature of 39 °C",
        "I had a temperature of 39 °C years ago",
        "an axillary temperature of 37.6",
        "My blood pressure is 130/85",
        "My blood pressure was 150/80 while running",
        "my pulse is 128",
        "my 2 year old has a pulse of 128",
        "My fasting sugar is 6.5",
        "my blood sugar is 35",
        "Wash it at 40 °C",
        "I took 500 mg of paracetamol",
        "体温不到38度",
        "如果体温超过39度怎么办",
        "我体温37度",
    ],
)
def test_what_is_not_over_or_not_said_of_the_person_is_no_finding(
    base: KnowledgeBase, text: str
) -> None:
    question = base.understand(text)
    assert measured(question) == []
    assert {value.threshold for value in question.values} <= {None}


@pytest.mark.parametrize(
    "text", ["I have a fever of 39 °C", "fever, 39 °C", "39 °C, so a fever", "我发烧39度"]
)
def test_a_finding_that_is_named_is_not_doubled(base: KnowledgeBase, text: str) -> None:
    question = base.understand(text)
    [mention] = question.mentions
    assert (mention.name, mention.status) in {("fever", "present"), ("发热", "present")}
    assert mention.link.how != "value"
    assert question.values[0].threshold is not None


@pytest.mark.parametrize(
    ("text", "name", "note"),
    [
        ("no fever, 40 °C", "fever", "fever: absent, but 40 °C (from 38)"),
        ("40 °C but no fever", "fever", "fever: absent, but 40 °C (from 38)"),
        ("I have a cough, no fever, 104 F", "fever", "fever: absent, but 104 F (from 100.4)"),
        ("我没有发烧，体温39度", "发热", "发热: absent, but 39度 (from 38)"),
    ],
)
def test_a_denial_and_a_value_against_it_are_both_told(
    base: KnowledgeBase, text: str, name: str, note: str
) -> None:
    question = base.understand(text)
    assert question.contradictions == (note,)
    assert named(question, name).status == "unknown", "neither side is believed"
    assert measured(question) == []


def test_what_was_yesterday_does_not_contradict_today(base: KnowledgeBase) -> None:
    question = base.understand("My temperature was 39 yesterday, no fever today")
    assert question.contradictions == ()
    assert named(question, "fever").status == "absent"


@pytest.mark.parametrize(
    ("text", "weight", "questioned"),
    [
        ("My 5 year old weighs 18 kg", 18.0, ()),
        ("My 5 year old weighs 40 lbs", 18.1437, ()),
        ("My 5 year old weighs 180 kg", None, ("weight: 180 kg, at an age of 5 years",)),
        ("A child of 5 years weighing 1.8 kg", None, ("weight: 1.8 kg, at an age of 5 years",)),
        ("my 10 month old weighs 82 kg", None, ("weight: 82 kg, at an age of 10 months",)),
        ("I'm 30 years old and weigh 7 kg", None, ("weight: 7 kg, at an age of 30 years",)),
        ("I weigh 180 kg", 180.0, ()),
        ("5岁孩子体重180公斤", None, ("weight: 180公斤, at an age of 5 years",)),
        ("5岁孩子体重18公斤", 18.0, ()),
        ("I lost 5 kg", None, ()),
        ("10 mg/kg of paracetamol", None, ()),
    ],
)
def test_a_weight_that_does_not_fit_the_age_is_questioned(
    base: KnowledgeBase, text: str, weight: float | None, questioned: tuple[str, ...]
) -> None:
    question = base.understand(text)
    assert question.patient.weight_kg == weight
    assert question.contradictions == questioned


def test_a_value_leads_to_candidates_as_the_name_does(base: KnowledgeBase) -> None:
    by_name = base.ask("I have a cough and a fever. What could it be?")
    by_value = base.ask("I have a cough and 39 °C. What could it be?")
    assert by_name.candidates
    assert [c.entity.id for c in by_value.candidates] == [c.entity.id for c in by_name.candidates]


def test_a_pressure_is_held_against_a_drug(base: KnowledgeBase, tmp_path: Path) -> None:
    record = tmp_path / "drug.jsonl"
    record.write_text(
        '{"name": "fluminol", "concept": "drug", "contraindications": ["hypertension"]}', "utf-8"
    )
    with KnowledgeBase.open(str(tmp_path / "drug.db")) as own:
        own.build([record])
        stops = own.ask("Can I take fluminol? My blood pressure is 170/100.").stops
        assert [stop.status for stop in stops] == ["applies"]
        stops = own.ask("Can I take fluminol? My blood pressure is 120/80.").stops
        assert [stop.status for stop in stops] == ["ask"]


def test_a_base_without_a_statement_reads_values_as_findings(tmp_path: Path) -> None:
    with KnowledgeBase.open(str(tmp_path / "none.db")) as empty:
        assert measured(empty.understand("my temperature is 34")) == [
            ("34", "hypothermia", "present")
        ]


def test_the_json_shows_the_evidence(base: KnowledgeBase) -> None:
    [value] = base.understand("I have 101.3 °F").to_json()["values"]
    assert value["finding"] == "fever"
    assert value["as_written"] == {"value": 101.3, "unit": "°F"}
    assert value["threshold"]["from"] == 38.0
    assert value["threshold"]["source"]


def test_every_threshold_names_its_source_and_a_quantity_that_is_read() -> None:
    entries = shipped_yaml("vocabulary", "thresholds.yaml")["thresholds"]
    assert {entry["quantity"] for entry in entries} <= set(quantities())
    assert all(entry["source"] for entry in entries)
    assert all(shipped_lexicon().find(entry["finding"], ["condition"]) for entry in entries)


def test_a_result_whose_name_has_a_number_in_it_is_read_where_the_name_is_known(
    base: KnowledgeBase,
) -> None:
    for text in ("HbA1c 8.5%", "My A1c was 8.5", "糖化血红蛋白8.5%"):
        (value,) = base.understand(text).values
        assert (value.quantity, value.value, value.unit) == ("HbA1c", 8.5, "%")


def test_a_high_sugar_is_no_low_one(base: KnowledgeBase) -> None:
    names = [m.name for m in base.understand("my sugar is 12").mentions]
    assert names == ["high blood sugar"]


@pytest.mark.parametrize("text", ["血糖一直高", "血糖一般偏高", "血压一下子上来了", "血糖十分高"])
def test_a_word_that_begins_as_a_numeral_is_no_value(text: str) -> None:
    with KnowledgeBase.sample() as base:
        assert base.understand(text).values == ()
