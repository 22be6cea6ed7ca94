"""Treatment steps of a guideline as FHIR ActivityDefinitions (R4 and R4B): drafts, never orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from medweave.guideline.fhir.questionnaire import UCUM
from medweave.guideline.rule_words import dose_in_words
from medweave.guideline.yaml.spans import plain
from medweave.model.guideline import (
    UNSOURCED,
    FixedDose,
    Formulation,
    StepKind,
    TreatmentStep,
    WeightDose,
)

Json = dict[str, Any]
_KINDS: Mapping[StepKind, str] = {
    "drug": "MedicationRequest",
    "advice": "CommunicationRequest",
    "referral": "ServiceRequest",
    "test": "ServiceRequest",
    "management": "ServiceRequest",
}
_UCUM: Mapping[str, str] = {
    "mg": "mg", "g": "g", "ug": "ug", "mcg": "ug", "mL": "mL", "ml": "mL", "IU": "[iU]",
    "drops": "[drp]", "drop": "[drp]",
}  # fmt: skip
"""UCUM codes of units of doses; all others (tablets, puffs) are words."""


def activity(step: TreatmentStep, formulation: Formulation | None = None) -> Json:
    """One step, or one of the formulations that a drug is given in.

    A dose by weight is a rate per kg and day, with its maximum; a fixed one is a quantity. A dose
    looked up by weight or age is told in words alone: a dosage has no conditions.
    """
    found: Json = {
        "resourceType": "ActivityDefinition",
        "title": step.label if formulation is None else f"{step.label}: {formulation.label}",
        "status": "draft",
        "kind": _KINDS[step.kind],
        "intent": "proposal",
    }
    if step.text:
        found["description"] = step.text
    if step.drug:
        found["productCodeableConcept"] = {"text": step.drug}
    sources = [step.source, *([formulation.source] if formulation else [])]
    cited = [each for each in dict.fromkeys(sources) if each not in ("", UNSOURCED)]
    if cited:
        found["relatedArtifact"] = [{"type": "citation", "citation": each} for each in cited]
    if step.kind == "drug" and formulation is not None:
        found["dosage"] = [_dosage(step, formulation)]
    return found


def _dosage(step: TreatmentStep, each: Formulation) -> Json:
    words = [dose_in_words(each.dose), f"{plain(each.times_per_day)} times a day"]
    words += [f"for {plain(step.days)} days"] if step.days else []
    words += [part for part in (step.duration, each.route) if part]
    found: Json = {"text": "; ".join(words)}
    if each.instructions:
        found["patientInstruction"] = each.instructions
    timing = _timing(step, each)
    if timing:
        found["timing"] = {"repeat": timing}
    if each.route:
        found["route"] = {"text": each.route}
    match each.dose:
        case FixedDose(unit, value):
            found["doseAndRate"] = [{"doseQuantity": _quantity(value, unit)}]
        case WeightDose(unit, least, most, cap):
            rate = f"{unit}/kg/d"
            ends = {"low": _quantity(least, rate), "high": _quantity(most, rate)}
            found["doseAndRate"] = [{"rateRange": ends}]
            found["maxDosePerPeriod"] = {
                "numerator": _quantity(cap, unit),
                "denominator": _quantity(1, "d"),
            }
        case _:
            pass
    return found


def _timing(step: TreatmentStep, each: Formulation) -> Json:
    """So often a day, or every so many days; nothing where neither is a whole number."""
    found: Json = {}
    often = each.times_per_day
    if often > 0 and float(often).is_integer():
        found = {"frequency": int(often), "period": 1, "periodUnit": "d"}
    elif often > 0 and (1 / often).is_integer():
        found = {"frequency": 1, "period": int(1 / often), "periodUnit": "d"}
    if step.days:
        found["boundsDuration"] = _quantity(step.days, "d")
    return found


def _quantity(value: float, unit: str) -> Json:
    number = int(value) if float(value).is_integer() else value
    head, _, tail = unit.partition("/")
    code = _UCUM.get(head, "d" if unit == "d" else "")
    if not code:
        return {"value": number, "unit": unit}
    return {
        "value": number,
        "unit": unit,
        "system": UCUM,
        "code": f"{code}/{tail}" if tail else code,
    }
