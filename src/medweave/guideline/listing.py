"""A whole guideline as JSON: what `medweave guideline export --json` prints."""

from __future__ import annotations

from typing import Any

from medweave.guideline.logic.graph import yields_to
from medweave.guideline.logic.values import answers_of
from medweave.model.guideline import (
    AgeBand,
    AnswerOption,
    BandDose,
    FixedDose,
    Formulation,
    Guideline,
    Observation,
    TreatmentStep,
    WeightDose,
)


def listing(guideline: Guideline) -> dict[str, Any]:
    """Everything by its ids, labels and aliases; ages are [from, to) in days.

    >>> held = listing(Guideline("g", "1", "G", (Observation("cough", "Cough"),), (), ()))
    >>> {name: held["observations"][0]["answers"][0][name] for name in ("id", "means", "implies")}
    {'id': 'yes', 'means': 'true', 'implies': []}
    """
    goes_before = yields_to(guideline)
    return {
        "guideline": {"id": guideline.id, "version": guideline.version},
        "title": guideline.title,
        "language": guideline.language,
        "country": guideline.country,
        "citation": guideline.citation,
        "developer": guideline.developer,
        "released": guideline.released,
        "limits": guideline.limits,
        "sample": guideline.sample,
        "ages": _ages(guideline.ages),
        "observations": [_observation(each) for each in guideline.observations],
        "conditions": [
            {"id": each.id, "label": each.label, "aliases": list(each.aliases)}
            for each in guideline.conditions
        ],
        "classifications": [
            {
                "id": each.id,
                "label": each.label,
                "aliases": list(each.aliases),
                "condition": each.condition,
                "severity": each.severity,
                "colour": each.colour,
                "ages": _ages(each.ages),
                "yields_to": list(goes_before[each.id]),
                "refer": each.refer,
                "follow_up_days": each.follow_up_days,
                "source": each.source,
            }
            for each in guideline.classifications
        ],
        "treatments": [
            {"classification": each.id, **_step(step)}
            for each in guideline.classifications
            for step in each.treatments
        ],
    }


def _observation(each: Observation) -> dict[str, Any]:
    return {
        "id": each.id,
        "label": each.label,
        "aliases": list(each.aliases),
        "question": each.question or each.label,
        "kind": each.kind,
        "unit": each.unit,
        "range": list(each.range),
        "answers": [_answer(answer) for answer in answers_of(each)],
        "ages": _ages(each.ages),
        "danger_sign": each.danger_sign,
        "main_symptom": each.main_symptom,
        "routine": each.routine,
        "derived": each.derived is not None,
        "resources": list(each.resources),
        "source": each.source,
    }


def _answer(answer: AnswerOption) -> dict[str, Any]:
    return {
        "id": answer.id,
        "label": answer.label,
        "aliases": list(answer.aliases),
        "means": answer.means or None,
        "from": answer.low,
        "below": answer.high,
        "implies": list(answer.implies),
    }


def _step(step: TreatmentStep) -> dict[str, Any]:
    return {
        "id": step.id,
        "label": step.label,
        "aliases": list(step.aliases),
        "kind": step.kind,
        "drug": step.drug or None,
        "text": step.text,
        "days": step.days,
        "duration": step.duration or None,
        "formulations": [_formulation(each) for each in step.formulations],
        "substitutes": list(step.substitutes),
        "resources": list(step.resources),
        "source": step.source,
    }


def _formulation(each: Formulation) -> dict[str, Any]:
    return {
        "id": each.id,
        "label": each.label,
        "form": each.form,
        "route": each.route or None,
        "times_per_day": each.times_per_day,
        "strength": each.strength,
        "volume": each.volume,
        "breakable": each.breakable,
        "dose": _dose(each.dose),
        "source": each.source,
    }


def _dose(dose: BandDose | WeightDose | FixedDose) -> dict[str, Any]:
    match dose:
        case BandDose(unit, bands):
            rows = [
                {
                    "weight": list(band.weight),
                    "ages": _ages(band.ages),
                    "value": band.value,
                    "source": band.source,
                }
                for band in bands
            ]
            return {"unit": unit, "bands": rows}
        case WeightDose(unit, least, most, cap):
            return {"unit": unit, "per_kg_day": [least, most], "cap_day": cap}
        case FixedDose(unit, value):
            return {"unit": unit, "fixed": value}


def _ages(band: AgeBand) -> list[int | None]:
    return [band.from_days, band.to_days]
