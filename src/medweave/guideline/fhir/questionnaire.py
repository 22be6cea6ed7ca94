"""The questions of a guideline as a FHIR Questionnaire (R4 and R4B).

What cannot be said in its terms (ages, rules of several levels) is a design note beside the item,
in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from medweave.guideline.logic.explanations import ages_in_words
from medweave.guideline.rule_words import Labels, rule_in_words
from medweave.model.guideline import (
    ANY_AGE,
    NO,
    YES,
    AnswerOption,
    Guideline,
    Observation,
    answers_of,
)
from medweave.model.logic import AllOf, Answered, AnyOf, Compared, Expression, Negation

Json = dict[str, Any]
UCUM = "http://unitsofmeasure.org"
_EXTENSION = "http://hl7.org/fhir/StructureDefinition/"
_CONTROL = "http://hl7.org/fhir/questionnaire-item-control"


def questionnaire_items(guideline: Guideline) -> list[Json]:
    """The items, in the order of the form; those of one step are a group.

    `linkId` is the id of the observation. What is worked out is read-only.
    """
    making = _Items(guideline)
    found: list[Json] = []
    groups = groupby(guideline.observations, key=lambda each: each.group)
    for number, (group, observations) in enumerate(groups, 1):
        items = [making.item(each) for each in observations]
        if group:
            items = [{"linkId": f"group/{number}", "text": group, "type": "group", "item": items}]
        found += items
    return found


class _Items:
    def __init__(self, guideline: Guideline) -> None:
        self._labels = Labels.of(guideline)
        self._observations: Mapping[str, Observation] = {o.id: o for o in guideline.observations}

    def item(self, each: Observation) -> Json:
        conditions, behaviour = self._enabled(each)
        notes = [] if each.ages == ANY_AGE else [f"Asked at age {ages_in_words(each.ages)}."]
        if each.asked_if is not None and not conditions:
            notes.append(f"Asked if: {rule_in_words(each.asked_if, self._labels)}.")
        for answer in answers_of(each):
            if answer.implies:
                named = ", ".join(self._labels.observations[other] for other in answer.implies)
                notes.append(f"Told in a text, '{answer.label}' implies: {named}.")
        kind = item_type(each)
        item: Json = {
            "linkId": each.id,
            "text": each.question or each.label,
            "type": kind,
        }
        extensions = [*_number_extensions(each), *map(_note, notes)]
        if extensions:
            item["extension"] = extensions
        if conditions:
            item["enableWhen"] = conditions
            if len(conditions) > 1:
                item["enableBehavior"] = behaviour
        if each.kind == "choices":
            item["repeats"] = True
        if each.derived is not None:
            item["readOnly"] = True
        if kind == "choice":
            item["answerOption"] = [_option(answer, each) for answer in answers_of(each)]
        elif kind == "boolean" and each.default:
            item["initial"] = [{"valueBoolean": each.default == YES.id}]
        if each.help:
            item["item"] = [_help(each)]
        return item

    def _enabled(self, each: Observation) -> tuple[list[Json], str]:
        """`enableWhen` and `enableBehavior`; nothing where they cannot say the rule."""
        match each.asked_if:
            case None:
                return [], "all"
            case AllOf(parts):
                behaviour = "all"
            case AnyOf(parts):
                behaviour = "any"
            case rule:
                parts, behaviour = (rule,), "all"
        conditions = [self._condition(part) for part in parts]
        return [each for each in conditions if each] if all(conditions) else [], behaviour

    def _condition(self, rule: Expression) -> Json | None:
        match rule:
            case Answered(name, answer, None, None):
                return self._answer(name, answer, "=")
            case Negation(Answered(name, answer, None, None)):
                return self._answer(name, answer, "!=")
            case Compared(name, sign, limit, None, None) if self._is_number(name):
                return {"question": name, "operator": sign, "answerDecimal": limit}
            case _:
                return None

    def _answer(self, name: str, answer: str, operator: str) -> Json | None:
        observation = self._observations.get(name)
        kind = item_type(observation) if observation else ""
        if kind == "boolean":
            value: Json = {"answerBoolean": answer == YES.id}
        elif kind == "choice" and observation and observation.kind != "choices":
            value = {"answerCoding": {"code": answer}}
        else:
            return None
        return {"question": name, "operator": operator, **value}

    def _is_number(self, name: str) -> bool:
        return name in self._observations and item_type(self._observations[name]) == "decimal"


def item_type(each: Observation) -> str:
    """The type of an item: yes and no alone are boolean, other answers a choice.

    >>> item_type(Observation("cough", "Cough")), item_type(Observation("t", "T", "number"))
    ('boolean', 'decimal')
    """
    if each.kind == "boolean":
        return "boolean" if {a.id for a in answers_of(each)} == {YES.id, NO.id} else "choice"
    return {"number": "decimal", "text": "text", "date": "date"}.get(each.kind, "choice")


def _option(answer: AnswerOption, each: Observation) -> Json:
    option: Json = {"valueCoding": {"code": answer.id, "display": answer.label}}
    return option | ({"initialSelected": True} if answer.id == each.default else {})


def _number_extensions(each: Observation) -> Iterator[Json]:
    if each.kind != "number":
        return
    if each.unit not in ("", "1"):
        unit = {"system": UCUM, "code": each.unit, "display": each.unit}
        yield {"url": f"{_EXTENSION}questionnaire-unit", "valueCoding": unit}
    for name, end in zip(("minValue", "maxValue"), each.range, strict=True):
        if end is not None:
            yield {"url": f"{_EXTENSION}{name}", "valueDecimal": end}


def _note(words: str) -> Json:
    return {"url": f"{_EXTENSION}designNote", "valueMarkdown": words}


def _help(each: Observation) -> Json:
    control = {"coding": [{"system": _CONTROL, "code": "help"}]}
    return {
        "extension": [
            {"url": f"{_EXTENSION}questionnaire-itemControl", "valueCodeableConcept": control}
        ],
        "linkId": f"{each.id}/help",
        "text": each.help,
        "type": "display",
    }
