"""The YAML form of a guideline, written: what is as usual is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from medweave.guideline.yaml.reading import COLOURS
from medweave.guideline.yaml.rules import written_rule
from medweave.guideline.yaml.spans import written_ages, written_weights
from medweave.guideline.yaml.tables import WrittenTable, written_table
from medweave.model.guideline import (
    ANY_AGE,
    NO,
    UNSOURCED,
    YES,
    AgeValue,
    AnswerOption,
    Band,
    BandDose,
    ChosenValue,
    Classification,
    Derivation,
    FixedDose,
    Formulation,
    FormulaValue,
    Guideline,
    Observation,
    PersonValue,
    RuleValue,
    SameValue,
    TableValue,
    TreatmentStep,
    WeightDose,
)
from medweave.model.logic import Expression

_WIDTH = 140
_TEXT, _MAP = "tag:yaml.org,2002:str", "tag:yaml.org,2002:map"


def write_guideline(guideline: Guideline) -> str:
    """A guideline in the YAML form; reading it gives the same guideline.

    >>> print(write_guideline(Guideline("g", "1", "Nothing", (), (), ())).strip())
    guideline: g
    version: '1'
    title: Nothing
    """
    import yaml

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
        def ignore_aliases(self, _: Any) -> bool:
            return True

    def text(dumper: Any, value: str) -> Any:
        return dumper.represent_scalar(_TEXT, value, style="|" if "\n" in value else None)

    def table(dumper: Any, value: WrittenTable) -> Any:
        return dumper.represent_mapping(_MAP, value, flow_style=False)

    Dumper.add_representer(str, text)
    Dumper.add_representer(WrittenTable, table)

    return "".join(
        yaml.dump(
            {name: value},
            Dumper=Dumper,
            sort_keys=False,
            allow_unicode=True,
            width=_WIDTH,
            default_flow_style=None if isinstance(value, dict) else False,
        )
        for name, value in _Writing(guideline).whole().items()
    )


def _without_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is empty."""
    return {name: value for name, value in values.items() if value not in (None, "", [], {}, False)}


class _Writing:
    """Writes one guideline."""

    def __init__(self, guideline: Guideline) -> None:
        self._guideline = guideline
        self._observations = {each.id: each for each in guideline.observations}

    def whole(self) -> dict[str, Any]:
        guideline = self._guideline
        return {"guideline": guideline.id, "version": guideline.version} | _without_empty({
            "title": guideline.title,
            "sample": guideline.sample,
            "danger_signs_first": guideline.danger_signs_first,
            "measurable_doses": guideline.measurable_doses,
            "country": guideline.country,
            "language": guideline.language if guideline.language != "en" else "",
            "citation": guideline.citation,
            "developer": guideline.developer,
            "released": guideline.released,
            "limits": guideline.limits,
            "ages": written_ages(guideline.ages) if guideline.ages != ANY_AGE else "",
            "observations": {each.id: self._observation(each) for each in guideline.observations},
            "groups": {name: self._rule(rule) for name, rule in guideline.groups.items()},
            "conditions": self._conditions(),
            "tables": {name: written_table(table) for name, table in guideline.tables.items()},
        })  # fmt: skip

    def _rule(self, rule: Expression) -> Any:
        return written_rule(rule, self._observations)

    def _observation(self, each: Observation) -> dict[str, Any]:
        plain = tuple(replace(answer, implies=()) for answer in each.answers)
        usual = each.kind == "boolean" and plain in ((), (YES, NO))
        usual = usual and not any(answer.implies for answer in each.answers[1:])
        return _without_empty({
            "label": each.label,
            "kind": each.kind if each.kind != "boolean" else "",
            "aliases": list(each.aliases),
            "question": each.question,
            "help": each.help,
            "unit": each.unit,
            "range": _span(each.range),
            "warn": _span(each.warn),
            "answers": {} if usual else {a.id: _answer(a, each) for a in each.answers},
            "ages": written_ages(each.ages) if each.ages != ANY_AGE else "",
            "danger_sign": each.danger_sign,
            "main_symptom": each.main_symptom,
            "routine": each.routine,
            "group": each.group,
            "asked_if": None if each.asked_if is None else self._rule(each.asked_if),
            "unasked": each.unasked if each.unasked != "impossible" else "",
            "resources": list(each.resources),
            "derived": None if each.derived is None else self._derived(each.derived),
            "default": each.default,
            "implies": list(each.answers[0].implies) if usual and each.answers else [],
            "concept": each.concept,
            "source": each.source if each.source != UNSOURCED else "",
        })  # fmt: skip

    def _derived(self, derived: Derivation) -> dict[str, Any]:  # noqa: PLR0911 - one for each
        match derived:
            case RuleValue(rule):
                return {"rule": self._rule(rule)}
            case AgeValue(unit):
                return {"age": unit}
            case PersonValue(what):
                return {"person": what}
            case SameValue(other, factor):
                return {"same": other} | ({"times": number(factor)} if factor != 1 else {})
            case FormulaValue(formula):
                return {"formula": formula}
            case ChosenValue(rules):
                rows = [{"answer": answer, "when": self._rule(rule)} for answer, rule in rules]
                return {"choose": rows}
            case TableValue(male, female, x, y, rounding):
                table = {"male": male, "female": female, "x": x, "y": y}
                return {"table": table | ({"rounding": rounding} if rounding != "down" else {})}

    def _conditions(self) -> dict[str, Any]:
        found: dict[str, dict[str, Any]] = {}
        for condition in self._guideline.conditions:
            held = [c for c in self._guideline.classifications if c.condition == condition.id]
            found[condition.id] = _without_empty({
                "label": condition.label,
                "aliases": list(condition.aliases),
                "classifications": {each.id: self._classification(each) for each in held},
            })  # fmt: skip
        return found

    def _classification(self, each: Classification) -> dict[str, Any]:
        usual = COLOURS[each.severity] == each.colour
        named = None if each.yields_to is None else {"yields_to": list(each.yields_to)}
        return _without_empty({
            "label": each.label,
            "severity": each.severity,
            "colour": "" if usual else each.colour or "none",
            "aliases": list(each.aliases),
            "ages": written_ages(each.ages) if each.ages != ANY_AGE else "",
            "when": self._rule(each.rule),
            "refer": each.refer,
        }) | (named or {}) | _present({"follow_up_days": each.follow_up_days}) | _without_empty({
            "urgency": each.urgency if each.urgency else None,
            "treatments": {step.id: self._step(step) for step in each.treatments},
            "source": each.source if each.source != UNSOURCED else "",
        })  # fmt: skip

    def _step(self, step: TreatmentStep) -> dict[str, Any]:
        return _without_empty({
            "label": step.label,
            "kind": step.kind if step.kind != "advice" else "",
            "aliases": list(step.aliases),
            "drug": step.drug,
            "text": step.text,
            "when": None if step.when is None else self._rule(step.when),
            "ages": written_ages(step.ages) if step.ages != ANY_AGE else "",
            "formulations": {each.id: _formulation(each) for each in step.formulations},
        }) | _present({"days": step.days}) | _without_empty({
            "duration": step.duration,
            "excludes": list(step.excludes),
            "follow_up": [
                {"days": each.days, "if": each.when} if each.when else each.days
                for each in step.follow_ups
            ],
            "substitutes": list(step.substitutes),
            "resources": list(step.resources),
            "source": step.source if step.source != UNSOURCED else "",
        })  # fmt: skip


def _present(values: Mapping[str, float | None]) -> dict[str, Any]:
    """Numbers that are there; 0 is one."""
    return {name: number(value) for name, value in values.items() if value is not None}


def _answer(answer: AnswerOption, of: Observation) -> Any:
    own = {"yes": "true", "no": "false"}.get(answer.id, "") if of.kind == "boolean" else ""
    held = _without_empty({
        "label": answer.label,
        "aliases": list(answer.aliases),
        "means": answer.means if answer.means != own else "",
        "implies": list(answer.implies),
    }) | _present({"from": answer.low, "below": answer.high, "value": answer.value})  # fmt: skip
    return answer.label if set(held) == {"label"} else held


def _formulation(each: Formulation) -> dict[str, Any]:
    return (
        _without_empty({"label": each.label, "form": each.form})
        | _present({"strength": each.strength, "volume": each.volume})
        | _without_empty({
            "breakable": each.breakable if each.breakable != 1 else None,
            "route": each.route,
        })
        | ({"times_per_day": number(each.times_per_day)} if each.times_per_day != 1 else {})
        | {"dose": _dose(each.dose)}
        | _without_empty({
            "instructions": each.instructions,
        })
        | _present({"sites": each.sites if each.sites != 1 else None, "per_site": each.per_site})
        | _without_empty({
            "source": each.source if each.source != UNSOURCED else "",
        })
    )  # fmt: skip


def _dose(dose: BandDose | WeightDose | FixedDose) -> dict[str, Any]:
    match dose:
        case BandDose(unit, bands):
            return {"unit": unit, "bands": [_band(band) for band in bands]}
        case WeightDose(unit, least, most, cap):
            ends = [number(least), number(most)]
            return {"unit": unit, "per_kg_day": ends, "cap_day": number(cap)}
        case FixedDose(unit, value):
            return {"unit": unit, "fixed": number(value)}


def _band(band: Band) -> dict[str, Any]:
    return _without_empty({
        "weight": written_weights(band.weight) if band.weight != (None, None) else "",
        "ages": written_ages(band.ages) if band.ages != ANY_AGE else "",
    }) | {"value": number(band.value)} | _without_empty({
        "source": band.source if band.source != UNSOURCED else "",
    })  # fmt: skip


def _span(span: tuple[float | None, float | None]) -> list[Any]:
    if span == (None, None):
        return []
    return [None if end is None else number(end) for end in span]


def number(value: float) -> float | int:
    """A number without a needless point."""
    return int(value) if float(value).is_integer() else float(value)
