"""The sample guideline: what is in it, where it was taken from, and what it says of children."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from medweave.guideline.logic.evaluation import evaluate
from medweave.guideline.logic.graph import Graph, compile_guideline, yields_to
from medweave.guideline.logic.status import assess, statuses
from medweave.guideline.logic.values import (
    classification_names,
    observation_names,
    read_value,
)
from medweave.guideline.yaml.reading import read_guideline_file
from medweave.language.data import shipped
from medweave.model.assessment import Assessment, TreatmentRow
from medweave.model.findings import Findings, FindingValue
from medweave.model.guideline import (
    UNSOURCED,
    Band,
    BandDose,
    FixedDose,
    Formulation,
    Guideline,
    Observation,
    TreatmentStep,
    WeightDose,
    answers_of,
    days_of_months,
)
from medweave.model.identifiers import normalise_name
from medweave.model.logic import Answered, Compared
from tests.unit.samples.guideline_records import formulation_row, has_record

DATA = Path(os.environ.get("MEDWEAVE_DATA", Path(__file__).parents[3].parent / "shared" / "data"))
RECORDS = DATA / "guidelines"
SETTLED = {"confirmed", "excluded", "not_applicable"}
ORDER = ("severe", "moderate", "mild", "none")
needs_records = pytest.mark.skipif(
    not (RECORDS / "epoct_timci_tz_v34.json.gz").is_file(),
    reason="name the folder of the data in MEDWEAVE_DATA",
)


@cache
def guideline() -> Guideline:
    return read_guideline_file(Path(str(shipped("samples", "guideline.yaml")))).guideline


@cache
def graph() -> Graph:
    return compile_guideline(guideline())


def steps() -> Iterator[tuple[str, TreatmentStep]]:
    for each in guideline().classifications:
        for step in each.treatments:
            yield each.id, step


def formulations() -> dict[str, Formulation]:
    return {
        f"{name}/{step.id}/{each.id}": each for name, step in steps() for each in step.formulations
    }


def sources() -> dict[str, str]:
    """By where it stands, each record that is named."""
    found: dict[str, str] = {o.id: o.source for o in guideline().observations}
    found |= {c.id: c.source for c in guideline().classifications}
    found |= {f"{name}/{step.id}": step.source for name, step in steps()}
    found |= {name: each.source for name, each in formulations().items()}
    found |= {name: band.source for name, band, _ in bands()}
    return {
        f"{name}: {source.strip()}": source.strip()
        for name, whole in found.items()
        for source in whole.split(";")
        if source.strip() != UNSOURCED
    }


def bands() -> Iterator[tuple[str, Band, Formulation]]:
    for name, each in formulations().items():
        if isinstance(each.dose, BandDose):
            for number, band in enumerate(each.dose.bands):
                yield f"{name}/{number}", band, each


def test_it_is_a_sample_of_the_size_it_is_said_to_be() -> None:
    assert guideline().sample
    assert len(guideline().classifications) >= 33
    assert len([o for o in guideline().observations if o.derived is None]) >= 90
    assert sum(1 for _, step in steps() if step.kind == "drug") >= 30


def test_no_two_observations_share_a_name() -> None:
    names: dict[str, str] = {}
    for each in guideline().observations:
        for name in {normalise_name(n) for n in (each.id, each.label, *each.aliases)}:
            assert names.setdefault(name, each.id) == each.id, name


def test_every_question_has_words_and_a_step_of_the_form() -> None:
    for each in guideline().observations:
        assert each.derived is not None or (each.question and each.group), each.id


def test_both_ages_have_severe_classifications_that_refer() -> None:
    severe = [c for c in guideline().classifications if c.severity == "severe" and c.refer]
    assert [c for c in severe if c.ages.has(20)]
    assert [c for c in severe if c.ages.has(400)]


def test_nothing_stands_confirmed_beside_something_severer_of_its_condition() -> None:
    yields = yields_to(guideline())
    for each in guideline().classifications:
        severer = {
            other.id
            for other in guideline().classifications
            if other.condition == each.condition
            and ORDER.index(other.severity) < ORDER.index(each.severity)
        }
        assert severer <= set(yields[each.id]), each.id


def test_substitutes_are_steps_of_the_same_classification() -> None:
    for each in guideline().classifications:
        own = {step.id for step in each.treatments}
        for step in each.treatments:
            assert set(step.substitutes) <= own, (each.id, step.id)


def test_every_dose_of_a_drug_has_a_maximum_and_a_record() -> None:
    for name, each in formulations().items():
        if isinstance(each.dose, WeightDose):
            assert 0 < each.dose.least <= each.dose.most < each.dose.cap, name
    for _, step in steps():
        assert (step.kind == "drug") == bool(step.formulations), step.id


def test_what_no_record_supports_is_known() -> None:
    unsourced = {c.id for c in guideline().classifications if c.source == UNSOURCED}
    assert unsourced == {"negative_after_breastfeeding", "no_malnutrition"}
    doses = [name for name, each in formulations().items() if each.source == UNSOURCED]
    assert [name for name in doses if not isinstance(formulations()[name].dose, BandDose)] == [
        "very_severe_febrile_disease/artesunate/vial_60"
    ]
    by_weight = {each.id for name, band, each in bands() if band.source == UNSOURCED}
    assert by_weight == {"rectal_solution", "ampoule_20", "suppository_50"}


@needs_records
def test_every_record_that_is_named_is_there() -> None:
    named = sources()
    assert len(set(named.values())) > 150
    assert [where for where, source in named.items() if not has_record(RECORDS, source)] == []
    assert not has_record(RECORDS, "EmCare.B23.DE999")
    assert not has_record(RECORDS, "EmCare CQL DL-G-CL9-01")
    assert not has_record(RECORDS, "ePOCT+ 5862.1")


@needs_records
@pytest.mark.parametrize(
    "name",
    sorted(
        name
        for name, each in formulations().items()
        if each.source.startswith("ePOCT+ ") and not isinstance(each.dose, BandDose)
    ),
)
def test_a_dose_agrees_with_its_row(name: str) -> None:
    ours = formulations()[name]
    assert not isinstance(ours.dose, BandDose)
    row = formulation_row(RECORDS, ours.source.removeprefix("ePOCT+ "))
    if isinstance(ours.dose, FixedDose):
        assert ours.dose.value == float(row["unique_dose"])
        return
    if (
        name.split("/")[1] == "paracetamol"
    ):  # less than the row's, as WHO: its words allow 40 to 100
        assert 40 <= ours.dose.least <= ours.dose.most == 60
        assert_same_strength(ours, row)
        return
    least, most, cap = (
        float(row[key]) for key in ("minimal_dose_per_kg", "maximal_dose_per_kg", "maximal_dose")
    )
    if ours.dose.unit == "mL":  # the row counts grams of salts
        grams = float(row["dose_form"]) / float(row["liquid_concentration"])
        least, most, cap = (round(figure * grams, 6) for figure in (least, most, cap))
    if name.startswith("streptococcal_sore_throat/amoxicillin/tablet"):
        assert least < ours.dose.least < ours.dose.most == most  # not the least of the row's
        return
    if (ours.dose.least, ours.dose.most) != (least, most):  # one dose of several a day
        times = row["doses_per_day"]
        assert ours.times_per_day == 1
        least, most, cap = least / times, most / times, cap / times
    assert (ours.dose.least, ours.dose.most) == (least, most)
    assert ours.dose.cap <= cap
    assert_same_strength(ours, row)


def assert_same_strength(ours: Formulation, row: dict[str, Any]) -> None:
    if isinstance(ours.dose, WeightDose) and ours.dose.unit == "mL":
        return
    if ours.volume is None:
        assert (ours.strength, ours.breakable) == (float(row["dose_form"]), row["breakable"] or 1)
    else:
        assert ours.strength is not None
        strength = row["liquid_concentration"] / float(row["dose_form"])
        assert ours.strength / ours.volume == pytest.approx(strength)


@needs_records
@pytest.mark.parametrize(
    ("name", "band", "ours"),
    [pytest.param(*each, id=each[0]) for each in bands() if each[1].source != UNSOURCED],
)
def test_a_band_agrees_with_its_row(name: str, band: Band, ours: Formulation) -> None:
    row = formulation_row(RECORDS, band.source.removeprefix("ePOCT+ "))
    if ours.volume and band.weight[0] is not None:  # told in words: "Weight 1.5-2.4 kg: 0.4ml"
        low, amount = f"{band.weight[0]:.1f}", band.value * ours.volume / (ours.strength or 1)
        assert re.search(rf"Weight {low}-[\d.]+ ?kg: {amount:.1f} ?ml", str(row)), name
        return
    if row.get("unique_dose") is not None:
        pieces = (ours.strength or 1) / (ours.volume or 1)
        assert band.value == float(row["unique_dose"]) * pieces, name
        return
    assert band.weight[0] is not None
    assert band.weight[1] is not None
    middle = sum(filter(None, band.weight)) / 2
    given = band.value * float(row["dose_form"]) * row["doses_per_day"] / middle
    assert float(row["minimal_dose_per_kg"]) <= given <= float(row["maximal_dose_per_kg"])


def outside_names() -> dict[str, Any]:
    path = RECORDS / "imci_names.json"
    if not path.is_file():
        pytest.skip(f"no names at {path}")
    read: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return read


def test_observations_and_answers_are_taken_under_the_names_of_imci() -> None:
    names, held = observation_names(guideline()), graph().observations
    for each in outside_names()["observations"]:
        ours = held[names.find(each["name"])]
        assert ours.kind == each["kind"], each["name"]
        for answer in each.get("answers", ()):
            known = read_value(ours, answer).known
            assert known is not None
            assert len(known.answers) == 1, answer
        if each["kind"] == "number":
            assert {"days": "d"}.get(each["unit"], each["unit"]) == ours.unit
        taken = {
            answer.id
            for said in each.get("answers", ())
            for answer in answers_of(ours)
            if answer.id in (read_value(ours, said).known or pytest.fail(said)).answers
        }
        assert len(taken) == len(each.get("answers", ()))


def test_classifications_are_called_as_in_imci() -> None:
    for each in outside_names()["classifications"]:
        pattern = re.compile(each["pattern"], re.IGNORECASE)
        found = [c.id for c in guideline().classifications if pattern.search(c.label)]
        assert len(found) == 1, (each["key"], found)
        for name in (each["name"], each["key"]):
            assert classification_names(guideline()).find(name) == found[0]


@cache
def cases() -> list[dict[str, Any]]:
    path = Path(__file__).with_name("guideline_cases.yaml")
    read: list[dict[str, Any]] = yaml.safe_load(path.read_text("utf-8"))["cases"]
    return read


def days(age: str | None) -> int | None:
    if age is None:
        return None
    number, unit = age.split()
    return int(number) if unit == "d" else days_of_months(int(number) * {"mo": 1, "y": 12}[unit])


def assessed(case: dict[str, Any]) -> Assessment:
    findings = Findings(
        age_days=days(case.get("age")), weight_kg=case.get("weight"), values=case["findings"]
    )
    return assess(evaluate(graph(), findings))


def test_there_are_many_worked_cases_and_each_has_its_name() -> None:
    assert len(cases()) >= 40
    assert len({case["name"] for case in cases()}) == len(cases())


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["name"])
def test_a_worked_case(case: dict[str, Any]) -> None:
    found, expected = assessed(case), case["expected"]
    status = {each.id: each.status for each in found.classifications}
    allowed = {
        "excluded": {"excluded", "not_applicable"},
        "stands": {"confirmed", "provisional"},
        "not_confirmed": {"provisional", "possible", "excluded", "not_applicable"},
    }
    assert set(expected) <= {
        *("confirmed", "provisional", "possible", "not_applicable"),
        *(*allowed, "missing", "doses", "refer"),
    }
    for kind in set(expected) - {"missing", "doses", "refer"}:
        for name in expected[kind]:
            assert status[name] in allowed.get(kind, {kind}), (name, status[name])
    missing = {each.id: set(each.missing) for each in found.classifications}
    for name, needed in expected.get("missing", {}).items():
        assert set(needed) <= missing[name], missing[name]
    if expected.get("refer"):
        assert found.refer
    for dose in expected.get("doses", ()):
        assert dose in [told(row, dose) for row in found.treatments]


def told(row: TreatmentRow, asked: Iterable[str]) -> dict[str, Any]:
    """What is asked of a row: drug, formulation, dose, times a day, days."""
    whole = {
        "drug": row.drug_id,
        "formulation": row.formulation_id,
        "value": row.dose.value if row.dose else None,
        "unit": row.dose.unit if row.dose else None,
        "times_per_day": row.times_per_day,
        "days": row.days,
    }
    return {key: whole[key] for key in asked}


def one_of(values: Sequence[str], chosen: random.Random) -> str:
    return values[chosen.randrange(len(values))]


def complete_findings(chosen: random.Random) -> dict[str, FindingValue]:
    """An answer to every question."""
    found: dict[str, FindingValue] = {}
    for each in guideline().observations:
        options = [a.id for a in answers_of(each) if not a.is_band and a.means != "unavailable"]
        if each.derived is not None:
            continue
        low, high = each.warn if each.kind == "number" else (None, None)
        if low is not None and high is not None:
            found[each.id] = round(chosen.uniform(low, high), 1)
        else:
            found[each.id] = one_of(options, chosen)
    return found


def test_complete_answers_settle_everything_and_fewer_change_nothing_that_is_settled() -> None:
    chosen = random.Random(8)
    for number in range(60):
        age = chosen.randrange(60) if number % 2 else chosen.randrange(60, 1826)
        whole = complete_findings(chosen)
        person = Findings(age_days=age, weight_kg=round(chosen.uniform(2.5, 18), 1), sex="female")
        full = statuses(evaluate(graph(), replace(person, values=whole)))
        assert {each.status for each in full.values()} <= SETTLED
        part = {name: said for name, said in whole.items() if chosen.random() < 0.6}
        left = (
            {name for name, each in observations().items() if each.default} | counted_where_seen()
        ) - set(part)
        left |= {"body_length"}  # of which a score is made
        part |= {name: whole[name] for name in left if name in whole}
        for name, each in statuses(evaluate(graph(), replace(person, values=part))).items():
            if each.status in SETTLED:
                assert each.status == full[name].status, name


@cache
def counted_where_seen() -> set[str]:
    """What rules read as absent where nobody looked."""
    return {
        leaf.observation
        for leaf in graph().data
        if isinstance(leaf, Answered | Compared) and leaf.unanswered is not None
    }


def observations() -> dict[str, Observation]:
    return {each.id: each for each in guideline().observations}


@pytest.mark.parametrize("gone", ["oximeter", "HIV PCR", "malaria test", "RUTF", "height board"])
def test_a_child_is_treated_for_what_stands_where_something_cannot_be_had(gone: str) -> None:
    """Nothing milder is confirmed while what cannot be had leaves something severer open."""
    chosen = random.Random(gone)
    yields = yields_to(guideline())
    for _ in range(60):
        values = complete_findings(chosen)
        values |= {n: "unavailable" for n, each in observations().items() if gone in each.resources}
        person = Findings(chosen.randrange(60, 1826), round(chosen.uniform(4, 18), 1), "male")
        state = evaluate(graph(), replace(person, values=values))
        found = statuses(state)
        for name, each in found.items():
            if each.status == "confirmed":
                assert not [other for other in yields[name] if found[other].status == "possible"]
        assessment = assess(state)
        open_ = [each for each in assessment.classifications if each.status == "provisional"]
        treated = {row.classification for row in assessment.treatments}
        with_steps = {c.id for c in guideline().classifications if c.treatments}
        assert not open_ or assessment.refer
        assert {each.id for each in open_} & with_steps <= treated


def test_amoxicillin_out_of_stock_has_its_substitute() -> None:
    case = next(c for c in cases() if c["name"] == "fast breathing at 10 months is pneumonia")
    findings = Findings(
        age_days=days(case["age"]),
        weight_kg=case["weight"],
        values=case["findings"],
        resources={"amoxicillin": False},
    )
    drugs = {row.drug_id for row in assess(evaluate(graph(), findings)).treatments}
    assert "azithromycin" in drugs
    assert "amoxicillin" not in drugs
