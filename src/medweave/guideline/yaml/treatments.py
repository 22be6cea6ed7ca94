"""The forms of treatment steps, formulations and doses."""

from __future__ import annotations

from typing import Any

from medweave.guideline.yaml.forms import Form, Way, chosen, each, named
from medweave.guideline.yaml.parts import Part
from medweave.guideline.yaml.rules import Rules
from medweave.guideline.yaml.spans import number, read_weights, written_weights
from medweave.model.guideline import (
    Band,
    BandDose,
    FixedDose,
    FollowUp,
    Formulation,
    TreatmentStep,
    WeightDose,
)

Dose = BandDose | WeightDose | FixedDose
_WEIGHTS = Way(lambda part, _: read_weights(part), lambda span, _: written_weights(span))
_BAND = Form(Band, "weight ages age=ages value source", ways={"weight": _WEIGHTS})
_FOLLOW_UP = Form(FollowUp, "days if=when")


def _read_bands(part: Part, rules: Rules) -> tuple[Band, ...]:
    if not part.items():
        part.refuse("this dose has no bands", "write at least one")
    return tuple(_BAND.read(row, rules) for row in part.items())


_BANDS = Way(_read_bands, lambda bands, rules: [_BAND.write(band, rules) for band in bands])
_DOSES: dict[str, Form[Any]] = {
    "bands": Form(BandDose, "unit bands", ways={"bands": _BANDS}),
    "per_kg_day": Form(WeightDose, "unit per_kg_day cap_day=cap", apart=("per_kg_day",)),
    "fixed": Form(FixedDose, "unit fixed=value"),
}


def _read_dose(part: Part, rules: Rules) -> Dose:
    way, held = chosen(part, _DOSES), part.entries()
    if way is None:
        part.refuse("a dose is given in one way", "write `bands`, `per_kg_day` or `fixed`")
    ends = _ends(held["per_kg_day"]) if way == "per_kg_day" else {}
    if ends and "cap_day" not in held:
        part.refuse("this dose has no maximum", "write `cap_day: …`, the most of a day")
    found: Dose = _DOSES[way].read(part, rules, **ends)
    return found


def _ends(part: Part) -> dict[str, float]:
    ends = [item.number() for item in part.items()] if part.is_list else [part.number()] * 2
    if len(ends) != 2 or ends[0] > ends[1]:  # noqa: PLR2004 - the least and the most
        part.refuse("the least and the most for a kg and day are expected", "write [80, 90]")
    return {"least": ends[0], "most": ends[1]}


def _write_dose(dose: Dose, rules: Rules) -> dict[str, Any]:
    form = next(form for form in _DOSES.values() if form.of is type(dose))
    ends = [number(dose.least), number(dose.most)] if isinstance(dose, WeightDose) else None
    return form.write(dose, rules, per_kg_day=ends)


def _read_follow_up(part: Part, rules: Rules) -> FollowUp:
    return _FOLLOW_UP.read(part, rules) if part.is_map else FollowUp(part.whole())


def _write_follow_up(follow_up: FollowUp, rules: Rules) -> Any:
    return _FOLLOW_UP.write(follow_up, rules) if follow_up.when else follow_up.days


_SEVERAL = each(Way(_read_follow_up, _write_follow_up))
_FOLLOW_UPS = Way(
    lambda part, rules: (
        _SEVERAL.read(part, rules) if part.is_list else (_read_follow_up(part, rules),)
    ),
    _SEVERAL.write,
)
_FORMULATION = Form(
    Formulation,
    "label form strength volume breakable route times_per_day dose instructions sites per_site "
    "source",
    ways={"dose": Way(_read_dose, _write_dose)},
    usual={"form": ""},
)
STEP = Form(
    TreatmentStep,
    "label kind aliases drug text when ages formulations days duration excludes "
    "follow_up=follow_ups substitutes resources source",
    ways={"formulations": named(_FORMULATION), "follow_ups": _FOLLOW_UPS},
    usual={"kind": "advice"},
)
