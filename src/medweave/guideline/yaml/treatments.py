"""Treatment steps and doses of the YAML form."""

from __future__ import annotations

from typing import get_args

from medweave.guideline.yaml.parts import Fields, Part
from medweave.guideline.yaml.rules import RuleReader
from medweave.guideline.yaml.spans import read_ages, read_weights
from medweave.model.guideline import (
    ANY_AGE,
    UNSOURCED,
    Band,
    BandDose,
    FixedDose,
    FollowUp,
    Formulation,
    StepKind,
    TreatmentStep,
    WeightDose,
)

_STEP = (
    "label", "kind", "aliases", "drug", "text", "when", "ages", "formulations", "days", "duration",
    "excludes", "follow_up", "substitutes", "resources", "source",
)  # fmt: skip
_FORMULATION = (
    "label", "form", "dose", "route", "times_per_day", "strength", "volume", "breakable",
    "instructions", "sites", "per_site", "source",
)  # fmt: skip
_DOSE = ("unit", "bands", "per_kg_day", "cap_day", "fixed")
_BAND = ("value", "weight", "age", "ages", "source")
_PAIR = 2


def read_step(identifier: str, part: Part, rules: RuleReader) -> TreatmentStep:
    """One thing to do."""
    fields = part.fields(_STEP)
    ages, when = fields.get("ages"), fields.get("when")
    formulations = fields.entries["formulations"].entries() if "formulations" in fields else {}
    return TreatmentStep(
        id=identifier,
        label=fields.text("label", identifier),
        kind=fields.one_of("kind", get_args(StepKind), "advice"),  # type: ignore[arg-type]
        aliases=fields.texts("aliases"),
        drug=fields.text("drug"),
        text=fields.text("text"),
        when=rules.read(when) if when else None,
        ages=read_ages(ages) if ages else ANY_AGE,
        formulations=tuple(_formulation(name, each) for name, each in formulations.items()),
        days=fields.number("days"),
        duration=fields.text("duration"),
        excludes=fields.texts("excludes"),
        follow_ups=_follow_ups(fields),
        substitutes=fields.texts("substitutes"),
        resources=fields.texts("resources"),
        source=fields.text("source", UNSOURCED),
    )


def _follow_ups(fields: Fields) -> tuple[FollowUp, ...]:
    given = fields.get("follow_up")
    if given is None:
        return ()
    return tuple(_follow_up(each) for each in (given.items() if given.is_list else [given]))


def _follow_up(part: Part) -> FollowUp:
    if not part.is_map:
        return FollowUp(part.whole())
    fields = part.fields(("days", "if"))
    return FollowUp(fields.need("days").whole(), fields.text("if"))


def _formulation(identifier: str, part: Part) -> Formulation:
    fields = part.fields(_FORMULATION)
    breakable, times = fields.get("breakable"), fields.number("times_per_day")
    sites = fields.get("sites")
    return Formulation(
        id=identifier,
        label=fields.text("label", identifier),
        form=fields.text("form"),
        dose=_dose(fields.need("dose")),
        route=fields.text("route"),
        times_per_day=1 if times is None else times,
        strength=fields.number("strength"),
        volume=fields.number("volume"),
        breakable=breakable.whole() if breakable else 1,
        instructions=fields.text("instructions"),
        sites=sites.whole() if sites else 1,
        per_site=fields.number("per_site"),
        source=fields.text("source", UNSOURCED),
    )


def _dose(part: Part) -> BandDose | WeightDose | FixedDose:
    fields = part.fields(_DOSE)
    ways = [name for name in ("bands", "per_kg_day", "fixed") if name in fields]
    if len(ways) != 1:
        part.refuse("a dose is given in one way", "write `bands`, `per_kg_day` or `fixed`")
    unit = fields.need("unit").text()
    if ways == ["fixed"]:
        return FixedDose(unit, fields.entries["fixed"].number())
    if ways == ["bands"]:
        bands = fields.entries["bands"].items()
        if not bands:
            fields.entries["bands"].refuse("this dose has no bands", "write at least one")
        return BandDose(unit, tuple(_band(each) for each in bands))
    return _by_weight(part, fields, unit)


def _by_weight(part: Part, fields: Fields, unit: str) -> WeightDose:
    given = fields.entries["per_kg_day"]
    ends = [item.number() for item in given.items()] if given.is_list else [given.number()] * _PAIR
    if len(ends) != _PAIR or ends[0] > ends[1]:
        given.refuse("the least and the most for a kg and day are expected", "write [80, 90]")
    cap = fields.get("cap_day")
    if cap is None:
        part.refuse("this dose has no maximum", "write `cap_day: …`, the most of a day")
    return WeightDose(unit, ends[0], ends[1], cap.number())


def _band(part: Part) -> Band:
    fields = part.fields(_BAND)
    weight, ages = fields.get("weight"), fields.get("ages") or fields.get("age")
    return Band(
        value=fields.need("value").number(),
        weight=read_weights(weight) if weight else (None, None),
        ages=read_ages(ages) if ages else ANY_AGE,
        source=fields.text("source", UNSOURCED),
    )
