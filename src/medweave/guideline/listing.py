"""A whole guideline as JSON: what `medweave guideline export --json` prints."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from medweave.guideline.logic.graph import yields_to
from medweave.model import guideline as model
from medweave.model.guideline import Guideline, answers_of

_NAMES: dict[type, str] = {
    model.Guideline: "title language country citation developer released limits sample ages "
    "observations conditions classifications",
    model.Observation: "id label aliases question kind unit range answers ages danger_sign "
    "main_symptom routine derived resources source",
    model.AnswerOption: "id label aliases means from=low below=high implies",
    model.Condition: "id label aliases",
    model.Classification: "id label aliases condition severity colour ages yields_to refer "
    "follow_up_days source",
    model.TreatmentStep: "id label aliases kind drug text days duration formulations substitutes "
    "resources source",
    model.Formulation: "id label form route times_per_day strength volume breakable dose source",
    model.Band: "weight ages value source",
    model.BandDose: "unit bands",
    model.WeightDose: "unit per_kg_day=least cap_day=cap",
    model.FixedDose: "unit fixed=value",
}
"""What is listed of each kind of part, `name=attribute` where it is called otherwise."""
_NULL = ("means", "drug", "duration", "route")
"""Texts that are null where there is none."""


def listing(guideline: Guideline) -> dict[str, Any]:
    """Everything by its ids, labels and aliases; ages are [from, to) in days.

    >>> cough = model.Observation("cough", "Cough")
    >>> held = listing(Guideline("g", "1", "G", (cough,), (), ()))
    >>> {name: held["observations"][0]["answers"][0][name] for name in ("id", "means", "implies")}
    {'id': 'yes', 'means': 'true', 'implies': []}
    """
    goes_before = yields_to(guideline)
    whole = replace(
        guideline,
        observations=tuple(
            replace(each, question=each.question or each.label, answers=answers_of(each))
            for each in guideline.observations
        ),
        classifications=tuple(
            replace(each, yields_to=goes_before[each.id]) for each in guideline.classifications
        ),
    )
    return {
        "guideline": {"id": guideline.id, "version": guideline.version},
        **_listed(whole),
        "treatments": [
            {"classification": each.id, **_listed(step)}
            for each in guideline.classifications
            for step in each.treatments
        ],
    }


def _listed(part: Any) -> Any:
    if isinstance(part, tuple):
        return [_listed(each) for each in part]
    if isinstance(part, model.AgeBand):
        return [part.from_days, part.to_days]
    if type(part) not in _NAMES:
        return part
    found: dict[str, Any] = {}
    for each in _NAMES[type(part)].split():
        name, _, attribute = each.partition("=")
        value = getattr(part, attribute or name)
        found[name] = value or None if name in _NULL else _listed(value)
    if isinstance(part, model.Observation):
        found["derived"] = part.derived is not None
    if isinstance(part, model.WeightDose):
        found["per_kg_day"] = [part.least, part.most]
    return found
