"""Doses: by weight, by bands and the same for all; no figure where none is certain."""

from __future__ import annotations

import pytest

from medweave.guideline.logic.doses import dose_of
from medweave.guideline.logic.evaluation import evaluate
from medweave.guideline.logic.graph import compile_guideline
from medweave.guideline.logic.status import assess
from medweave.guideline.yaml.reading import read_guideline
from medweave.model.assessment import Quantity
from medweave.model.findings import Findings
from medweave.model.guideline import AgeBand, Band, BandDose, FixedDose, Formulation

BANDS = BandDose(
    "mg",
    (Band(125, (2, 4)), Band(250, (4, 10), source="page 7"), Band(500, (10, 25), AgeBand(365))),
)
TABLET = Formulation("t", "250 mg tablet", "tablet", BANDS, strength=250, breakable=2)


@pytest.mark.parametrize(
    ("weight", "dose", "amount"),
    [(2.0, 125, 0.5), (3.99, 125, 0.5), (4.0, 250, 1), (9.9, 250, 1), (10, 500, 2), (24.9, 500, 2)],
)
def test_a_band_holds_from_its_first_weight_to_below_its_last(weight, dose, amount):
    found = dose_of(TABLET, weight, 400)
    assert (found.dose, found.amount) == (Quantity(dose, "mg"), Quantity(amount, "tablet"))


@pytest.mark.parametrize(
    ("weight", "age", "told"),
    [(1.9, 400, "no dose for this weight"), (25, 400, "no dose for this weight"),
     (12, 100, "no dose for this weight"), (None, 400, "weigh the child"),
     (12, None, "find out the age")],
)  # fmt: skip
def test_without_a_band_there_is_no_figure_and_a_reason(weight, age, told):
    found = dose_of(TABLET, weight, age)
    assert found.dose is None
    assert told in found.note


def test_a_fixed_dose_needs_no_weight():
    drops = Formulation("d", "Drops", "drops", FixedDose("drops", 3))
    assert dose_of(drops, None, None).dose == Quantity(3, "drops")


GUIDELINE = """
guideline: doses
version: "1"
title: Doses
ages: 0 d to 60 mo
observations:
  cough: {label: Cough}
  fever: {label: Fever}
  days: {label: Days of cough, kind: number, unit: d, asked_if: cough}
  temperature: {label: Temperature, kind: number, unit: Cel, range: [25, 45]}
conditions:
  coughs:
    label: Cough
    classifications:
      pneumonia:
        label: Pneumonia
        severity: moderate
        when: cough
        treatments:
          amoxicillin:
            label: Amoxicillin
            kind: drug
            drug: amoxicillin
            days: 5
            excludes: [ampicillin]
            substitutes: [cotrimoxazole]
            formulations:
              syrup: {label: 250 mg in 5 mL, form: syrup, strength: 250, volume: 5, times_per_day: 2, dose: {unit: mg, per_kg_day: [80, 90], cap_day: 3000}}
              tablet: {label: 250 mg, form: tablet, strength: 250, breakable: 2, times_per_day: 2, dose: {unit: mg, per_kg_day: [80, 90], cap_day: 3000}}
          ampicillin: {label: Ampicillin, kind: drug, drug: ampicillin}
          cotrimoxazole: {label: Co-trimoxazole, kind: drug, drug: co-trimoxazole}
          paracetamol: {label: Paracetamol, kind: drug, drug: paracetamol, when: fever}
"""  # noqa: E501


def assessed(**findings):
    graph = compile_guideline(read_guideline(GUIDELINE).guideline)
    values = {"cough": True, **findings.pop("values", {})}
    return assess(evaluate(graph, Findings(values=values, **findings)))


def given(assessment):
    return [(row.step, row.formulation_id) for row in assessment.treatments]


def test_a_row_for_each_formulation_and_what_a_step_waits_for():
    found = assessed(age_days=300, weight_kg=8.0)
    assert given(found) == [
        ("amoxicillin", "syrup"),
        ("amoxicillin", "tablet"),
        ("ampicillin", ""),
        ("paracetamol", ""),
    ]
    syrup, tablet, _, paracetamol = found.treatments
    assert (syrup.dose, syrup.amount) == (Quantity(340, "mg"), Quantity(6.8, "mL"))
    assert tablet.amount.unit == "tablet"
    assert paracetamol.missing == ("fever",)
    assert given(assessed(age_days=300, values={"fever": False}))[-1] == ("ampicillin", "")


def test_a_weight_that_does_not_fit_the_age_is_questioned_and_gives_no_dose():
    for weight in (82.0, 0.82):
        found = assessed(age_days=300, weight_kg=weight)
        assert any("does not fit an age of 300 days" in each for each in found.warnings)
        assert all(row.dose is None for row in found.treatments)
        assert "weigh again" in found.treatments[0].note


def test_a_drug_that_was_given_takes_away_what_it_excludes():
    assert ("ampicillin", "") not in given(assessed(given=("Amoxicillin",)))


def test_out_of_stock_means_the_substitute_or_referral():
    found = assessed(resources={"amoxicillin": False})
    assert given(found)[0] == ("cotrimoxazole", "")
    assert "in place of: Amoxicillin" in found.treatments[0].note
    found = assessed(resources={"amoxicillin": False, "co-trimoxazole": False})
    assert found.treatments[0].step == "amoxicillin"
    assert "Amoxicillin is not at hand" in found.refer


def test_what_does_not_fit_together_is_told():
    found = assessed(values={"cough": False, "days": 5, "fever": False, "temperature": 39.5})
    assert len(found.contradictions) == 2
    assert "Days of cough was answered, though it does not apply" in found.contradictions[0]
    assert "Fever was denied" in found.contradictions[1]
    assert assessed(age_days=4000).warnings
