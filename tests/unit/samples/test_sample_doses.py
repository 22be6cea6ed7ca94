"""Doses of the sample guideline over every weight: safe per kg, and such as can be measured."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from medweave.guideline.loading import graph_in
from medweave.guideline.logic.doses import dose_of
from medweave.guideline.logic.evaluation import evaluate
from medweave.guideline.logic.graph import Graph
from medweave.guideline.logic.status import assess
from medweave.model.assessment import Assessment
from medweave.model.findings import Findings, FindingValue
from medweave.model.guideline import Formulation

WEIGHTS = [each / 10 for each in range(20, 251)]
PER_DOSE = {
    # mg/kg of one dose, as WHO has it, with 5 % for rounding to what can be measured
    "diazepam": (0.3, 0.525),
    "artesunate": (2.28, 3.15),
    "ampicillin": (47, 52.5),
    "paracetamol": (10, 15),
    "quinine": (13.5, 21),
    "phenobarbital": (18, 21),
    "ceftriaxone": (47, 105),
    "ciprofloxacin": (9.5, 21),
    "gentamicin": (6.6, 7.35),
    "rectal_artesunate": (7.5, 17),
}
PER_DAY = {"paracetamol": (40, 60), "amoxicillin": (71, 105)}
PER_DAY_OF_STREPTOCOCCI = (33, 52.5)
MARKS = ((1.0, 0.05), (5.0, 0.1), (50.0, 0.5), (1e9, 10.0))


@cache
def graph() -> Graph:
    return graph_in("sample")


def formulations() -> Iterator[tuple[str, str, Formulation]]:
    for each in graph().guideline.classifications:
        for step in each.treatments:
            for formulation in step.formulations:
                yield f"{each.id}/{step.id}/{formulation.id}", step.drug, formulation


EVERY = sorted({(name, drug) for name, drug, _ in formulations()})


def of(name: str) -> Formulation:
    return next(each for found, _, each in formulations() if found == name)


def weights(name: str) -> list[float]:
    """A young infant's drug is for young infants, and 5 kg is the least for tablets of malaria."""
    return [each for each in WEIGHTS if each <= 8 or "infant" not in name]


@pytest.mark.parametrize(("name", "drug"), EVERY, ids=[name for name, _ in EVERY])
def test_a_dose_is_safe_and_can_be_measured_at_every_weight(name: str, drug: str) -> None:
    formulation = of(name)
    for weight in weights(name):
        age = 20 if "infant" in name else 400
        found = dose_of(formulation, weight, age, measurable=True)
        if found.dose is None or found.dose.unit != "mg":
            continue
        per_kg = found.dose.value / weight
        for held, value in ((PER_DOSE, per_kg), (PER_DAY, per_kg * formulation.times_per_day)):
            if name.startswith("infant") and drug == "gentamicin":
                continue  # it goes by days of life, too: below
            if drug in held and "by_mouth" not in name:
                least, most = held[drug]
                if name.startswith("streptococcal_sore_throat/amoxicillin"):
                    least, most = PER_DAY_OF_STREPTOCOCCI
                capped = getattr(formulation.dose, "cap", 1e9) <= found.dose.value * 1.001
                assert value <= most + 1e-6, (weight, found)
                assert value >= least - 1e-6 or capped or weight < 3 or weight > 19.9, (
                    weight,
                    found,
                )
        if found.amount and found.amount.unit == "mL":
            each = found.amount.value / found.sites
            mark = next(step for below, step in MARKS if each < below + 1e-9)
            assert abs(each / mark - round(each / mark)) < 1e-6, (weight, found)
            assert not formulation.per_site or each <= formulation.per_site + 1e-9


@pytest.mark.parametrize("days", [90, 300, 430, 1250])
@pytest.mark.parametrize("weight", [3.0, 5.0, 6.0, 9.5, 14.0, 19.0])
def test_a_wasted_child_gets_diazepam_by_its_weight(days: int, weight: float) -> None:
    found = dose_of(of("very_severe_disease/diazepam/rectal_solution"), weight, days)
    assert found.dose
    assert found.dose.value <= 0.5 * weight


def test_a_child_that_nobody_weighed_gets_diazepam_by_its_age() -> None:
    found = dose_of(of("very_severe_disease/diazepam/rectal_solution"), None, 300)
    assert found.dose
    assert found.dose.value == 5


NO_DANGER: dict[str, FindingValue] = {
    "convulsing_now": False,
    "convulsions": False,
    "lethargic_or_unconscious": False,
    "not_able_to_drink": False,
    "vomits_everything": False,
}
VERY_ILL: dict[str, FindingValue] = {
    **NO_DANGER,
    "convulsions": True,
    "cough": True,
    "chest_indrawing": True,
    "fever": True,
    "temperature": 39.0,
    "stiff_neck": True,
    "malaria_risk": "high",
    "malaria_test": "positive",
    "ear_problem": True,
    "swelling_behind_ear": True,
    "muac": 100,
    "oedema_of_both_feet": True,
    "mouth_ulcers": "deep",
    "generalised_rash": True,
}


def of_child(values: dict[str, FindingValue], *, days: int = 430, weight: float = 8) -> Assessment:
    return assess(evaluate(graph(), Findings(age_days=days, weight_kg=weight, values=values)))


@pytest.mark.parametrize("weight", [4.0, 8.0, 12.0, 20.0])
def test_no_drug_is_told_twice_for_a_child(weight: float) -> None:
    found = of_child(VERY_ILL, weight=weight)
    drugs: dict[str | None, set[str]] = {}
    for row in found.treatments:
        if row.drug_id:
            drugs.setdefault(row.drug_id, set()).add(f"{row.classification}/{row.step}")
    assert {"ampicillin", "gentamicin", "paracetamol", "artesunate"} <= set(drugs)
    assert all(len(steps) == 1 for steps in drugs.values()), drugs
    told = [(row.formulation_id, row.label) for row in found.treatments]
    assert len(told) == len(set(told))
    paracetamol = [row for row in found.treatments if row.drug_id == "paracetamol"]
    assert {row.alternative for row in paracetamol} == {"paracetamol"}


def test_what_a_drug_is_given_for_is_all_named() -> None:
    gentamicin = [row for row in of_child(VERY_ILL).treatments if row.drug_id == "gentamicin"]
    assert len(gentamicin) == 1
    assert {"very_severe_disease", "mastoiditis"} <= set(gentamicin[0].classifications)


def test_a_malnourished_child_is_not_flooded() -> None:
    dry: dict[str, FindingValue] = {
        "diarrhoea": True, "sunken_eyes": True, "skin_pinch": "very_slowly", "drinking": "poorly",
        "iv_fluid_here": True, "muac": 104, "oedema_of_both_feet": False,
    }  # fmt: skip
    found = of_child(NO_DANGER | dry, weight=6)
    steps = {row.step for row in found.treatments}
    assert "rehydrate_in_malnutrition" in steps
    assert not steps & {"intravenous_fluid", "ors_in_clinic", "ors_by_tube"}
    nourished = of_child(NO_DANGER | dry | {"muac": 130, "weight_for_height_z": 0}, weight=10)
    steps = {row.step for row in nourished.treatments}
    assert "intravenous_fluid" in steps
    assert "rehydrate_in_malnutrition" not in steps


def test_a_newborn_that_convulses_gets_phenobarbital() -> None:
    found = of_child({"convulsing_now": True}, days=5, weight=2.2)
    rows = {row.drug_id: row for row in found.treatments if row.drug_id}
    assert rows["phenobarbital"].dose
    assert rows["phenobarbital"].dose.value <= 21 * 2.2
    assert rows["gentamicin"].dose
    assert rows["gentamicin"].dose.value == 7
    assert any(row.step == "blood_glucose" for row in found.treatments)


@pytest.mark.parametrize(
    ("days", "least", "most", "weights"),
    [
        (3, 2.7, 3.4, (1.5, 2.5)),
        (3, 3.9, 5.7, (2.5, 5.5)),
        (20, 3.1, 5.5, (1.5, 2.5)),
        (20, 3.9, 7.5, (2.5, 8)),
    ],
)
def test_a_newborn_gets_gentamicin_by_its_weight_and_days(
    days: int, least: float, most: float, weights: tuple[float, float]
) -> None:
    formulation = of("infant_very_severe_disease/gentamicin/ampoule_20")
    for tenth in range(round(weights[0] * 10), round(weights[1] * 10)):
        found = dose_of(formulation, tenth / 10, days, measurable=True)
        assert found.dose
        assert found.amount
        assert least <= found.dose.value / (tenth / 10) <= most, (tenth, found)
        assert abs(found.amount.value / 0.05 - round(found.amount.value / 0.05)) < 1e-6


def test_what_is_injected_into_a_muscle_is_divided_where_it_is_much() -> None:
    for name, _, formulation in formulations():
        if formulation.route == "into the muscle":
            assert formulation.per_site, name
            assert formulation.instructions, name


def test_blood_in_the_stool_with_high_fever_is_referred_with_a_first_dose() -> None:
    ill: dict[str, FindingValue] = {
        "diarrhoea": True, "blood_in_stool": True, "fever": True, "temperature": 38.9,
    }  # fmt: skip
    rows = [r for r in of_child(NO_DANGER | ill).treatments if r.drug_id == "ciprofloxacin"]
    assert {row.classification for row in rows} == {"possible_shigella"}
    assert {row.duration for row in rows} == {"one dose before referral"}


def test_a_child_with_persistent_diarrhoea_gets_vitamin_a_unless_it_had_it() -> None:
    ill: dict[str, FindingValue] = {
        "diarrhoea": True, "diarrhoea_duration": 20, "sunken_eyes": False, "drinking": "normally",
        "skin_pinch": "normally", "restless_or_irritable": False,
    }  # fmt: skip
    for had, given in ((False, True), (True, False)):
        rows = of_child(NO_DANGER | ill | {"vitamin_a_last_month": had}).treatments
        assert ("vitamin_a" in {row.drug_id for row in rows}) is given


def test_an_infant_too_light_for_the_tablets_of_malaria_is_referred() -> None:
    ill: dict[str, FindingValue] = {
        "fever": True, "malaria_risk": "high", "malaria_test": "positive", "stiff_neck": False,
    }  # fmt: skip
    for weight, refers in ((4.2, True), (5.6, False)):
        rows = of_child(NO_DANGER | ill, days=80, weight=weight).treatments
        assert ("refer_small_infant" in {row.step for row in rows}) is refers
