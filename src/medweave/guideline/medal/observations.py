"""The questions, measurements, calculations and sequences of a medAL algorithm as observations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from medweave.errors import VocabularyError
from medweave.guideline.medal.diagrams import (
    CATEGORY,
    OLDER_FROM_DAYS,
    SEQUENCE,
    Diagrams,
    band_of,
    yes_and_no,
)
from medweave.guideline.medal.file import Json, MedalFile, listed, number, words
from medweave.guideline.medal.relevance import Relevance
from medweave.language.arithmetic import names_in, read_formula
from medweave.model.guideline import (
    ANY_AGE,
    AgeBand,
    AgeValue,
    AnswerOption,
    Derivation,
    FormulaValue,
    Means,
    Observation,
    ObservationKind,
    PersonValue,
    RuleValue,
    SameValue,
    TableValue,
)
from medweave.model.logic import Aged

_ONE_NODE = re.compile(r"\[\s*(\d+)\s*\]")
_AGES = {"ToDay": AgeValue("d"), "ToMonth": AgeValue("mo")}
_AGE_OF = re.compile(r"\[?\s*(ToDay|ToMonth)\s*(?:\(\s*\d+\s*\))?\s*\]?")
_REFERENCE = "reference_table_x_id"
_TWO_VALUED = frozenset(("Boolean", "Present", "Positive"))
_NUMBERS = frozenset(("Integer", "Float"))
_KINDS = frozenset(("Array", "String", "Date"))
_NOT_AVAILABLE = "not_available"
_BRACKETED = re.compile(r"\(([^()]*)\)")
_TEST = "assessment_test"
_EMERGENCY = "emergency"


def observations(diagrams: Diagrams) -> Iterator[Observation]:
    """Every node of the algorithm, in the order in which its form asks them."""
    medal = diagrams.medal
    order = _order(medal.config.get("full_order") or {})
    place = {identifier: (index, step) for index, (identifier, step) in enumerate(order.items())}
    last = (len(place), "")
    derived = {identifier: _derived(diagrams, node) for identifier, node in medal.nodes.items()}
    relevance = Relevance(diagrams, derived)
    for node in sorted(medal.nodes.values(), key=lambda n: place.get(str(n["id"]), last)[0]):
        identifier = str(node["id"])
        found = _observation(medal, node, place.get(identifier, last)[1])
        found = replace(found, derived=derived[identifier])
        if derived[identifier] is not None:
            yield found
            continue
        yield replace(found, asked_if=relevance.asked_if(identifier), unasked="needless")


def _observation(medal: MedalFile, node: Json, step: str) -> Observation:
    identifier = str(node["id"])
    kind = _kind(medal, node)
    return Observation(
        id=identifier,
        label=medal.label(node) or identifier,
        kind=kind,
        help=medal.text(node.get("description")),
        unit=_unit(medal, node) if kind == "number" else "",
        range=_span(node, "error"),
        warn=_span(node, "warning"),
        answers=tuple(_answers(medal, node, kind)),
        ages=_ages(node),
        danger_sign=bool(node.get("is_danger_sign"))
        or str(node.get("emergency_status") or "").startswith(_EMERGENCY),
        main_symptom=node.get("category") == CATEGORY and identifier not in _general(medal),
        group=_group(medal, node, step),
        resources=(medal.label(node),) if node.get("category") == _TEST else (),
        default=_default(medal, node),
        source=f"node {identifier}",
    )


def _kind(medal: MedalFile, node: Json) -> ObservationKind:
    form = node.get("value_format")
    if node.get("type") == SEQUENCE or (form in _TWO_VALUED and all(yes_and_no(node))):
        return "boolean"
    if form in _NUMBERS:
        return "number"
    if form not in _KINDS and form not in _TWO_VALUED:
        medal.notes.add(
            f"the answers of '{medal.label(node)}'",
            f"node {node['id']}",
            f"nothing is known of values of the form '{form}': taken as a choice, or as text",
        )
    if node.get("answers"):
        return "choice"
    return "date" if form == "Date" else "text"


def _answers(medal: MedalFile, node: Json, kind: ObservationKind) -> Iterator[AnswerOption]:
    answers = listed(node.get("answers"))
    if kind == "number":
        answers.sort(key=lambda each: int(each["id"]))
    yes, no = yes_and_no(node) if kind == "boolean" else ("", "")
    estimates = [each for each in answers if _stand_in(each) is not None]
    for answer in answers:
        identifier, label = str(answer["id"]), medal.label(answer) or str(answer["id"])
        value = str(answer.get("value") or "")
        if value == _NOT_AVAILABLE:
            yield AnswerOption(identifier, label, means="unavailable")
        elif kind == "number" and answer.get("operator"):
            low, high = _limits(medal, node, answer)
            yield AnswerOption(identifier, label, low=low, high=high)
        elif kind == "number":
            means: Means = "unavailable" if len(estimates) == 1 and answer in estimates else ""
            yield AnswerOption(identifier, label, means=means, value=_stand_in(answer))
        else:
            meaning: Means = "true" if identifier == yes else "false" if identifier == no else ""
            aliases = (value,) if value and number(value) is None else ()
            yield AnswerOption(identifier, label, aliases=aliases, means=meaning)


def _stand_in(answer: Json) -> float | None:
    """The number that is calculated with where this answer is given instead of a number."""
    return None if answer.get("operator") else number(answer.get("value"))


def _limits(medal: MedalFile, node: Json, answer: Json) -> tuple[float | None, float | None]:
    """The band of an answer: from the first on, below the second; none where it is no band."""
    operator, value = answer.get("operator"), str(answer.get("value"))
    limits = [number(part) for part in value.split(",")]
    if None not in limits:
        match operator, limits:
            case "less", [high]:
                return None, high
            case "more_or_equal", [low]:
                return low, None
            case "between", [low, high]:
                return low, high
    medal.notes.add(
        f"the answer '{medal.label(answer)}' ({operator} {value})",
        f"node {node['id']}, '{medal.label(node)}'",
        "its limit is no number: no number matches it",
    )
    return None, None


def _span(node: Json, what: str) -> tuple[float | None, float | None]:
    return number(node.get(f"min_value_{what}")), number(node.get(f"max_value_{what}"))


def _ages(node: Json) -> AgeBand:
    if node.get("category") != CATEGORY:
        return ANY_AGE
    band = band_of(node)
    return AgeBand(band.from_days, band.to_days) if isinstance(band, Aged) else ANY_AGE


def _general(medal: MedalFile) -> Mapping[str, Aged]:
    """The two general categories, and the ages from which and up to which they are yes."""
    older, young = medal.basic("general_cc_id"), medal.basic("yi_general_cc_id")
    return {
        identifier: aged
        for identifier, aged in (
            (older, Aged(OLDER_FROM_DAYS, None)),
            (young, Aged(None, OLDER_FROM_DAYS)),
        )
        if identifier is not None
    }


def _derived(diagrams: Diagrams, node: Json) -> Derivation | None:
    medal, identifier = diagrams.medal, str(node["id"])
    if node.get("type") == SEQUENCE:
        return RuleValue(diagrams.sequence(node))
    if identifier in _general(medal):
        return RuleValue(_general(medal)[identifier])
    if identifier == medal.basic("weight_question_id"):
        return PersonValue("weight")
    if identifier == medal.basic("gender_question_id"):
        return PersonValue("sex")
    return calculation(medal, node)


def _default(medal: MedalFile, node: Json) -> str:
    if node.get("category") != CATEGORY or str(node["id"]) in _general(medal):
        return ""
    return yes_and_no(node)[1]


def _unit(medal: MedalFile, node: Json) -> str:
    """The unit of a number: of the age, of the weight, or as it stands in the label's brackets."""
    formula = str(node.get("formula") or "")
    if formula in ("ToDay", "ToMonth"):
        return "d" if formula == "ToDay" else "mo"
    if str(node["id"]) == medal.basic("weight_question_id"):
        return "kg"
    known: Mapping[str, str] = words()["units"]
    for found in _BRACKETED.findall(medal.label(node)):
        if found.strip().lower() in known:
            return known[found.strip().lower()]
    return ""


def _group(medal: MedalFile, node: Json, step: str) -> str:
    """The part of the form it stands in: its system where it has one, else the step."""
    system = node.get("system")
    if not system:
        return step.replace("_", " ")
    named = (medal.config.get("systems_translations") or {}).get(system)
    return medal.text(named) or str(system).replace("_", " ")


def _order(steps: Any) -> dict[str, str]:
    """The ids of the form's questions in its order, each with its step."""
    found: dict[str, str] = {}

    def visit(part: object, step: str) -> None:
        if isinstance(part, Mapping):
            for name, inner in part.items():
                visit(inner, step or str(name))
        elif isinstance(part, list):
            for inner in part:
                visit(inner, step)
        elif isinstance(part, int):
            found.setdefault(str(part), step)

    visit(steps, "")
    return found


def calculation(medal: MedalFile, node: Json) -> Derivation | None:
    """How the number of a node is calculated; None where it is asked for, or not understood."""
    formula = str(node.get("formula") or "").strip()
    if formula:
        return _formula(medal, node, formula)
    if node.get(_REFERENCE) is not None:
        return _from_table(medal, node)
    return None


def _formula(medal: MedalFile, node: Json, formula: str) -> Derivation | None:
    age = _AGE_OF.fullmatch(formula)
    if age:
        return _AGES[age[1]]
    same = _ONE_NODE.fullmatch(formula)
    if same and same[1] in medal.nodes:
        return SameValue(same[1])
    if _is_arithmetic(medal, formula):
        return FormulaValue(formula)
    medal.notes.add(
        f"the formula {formula} of '{medal.label(node)}'",
        f"node {node['id']}",
        "it is not one that is understood: the number has to be given",
    )
    return None


def _is_arithmetic(medal: MedalFile, formula: str) -> bool:
    """Whether it can be calculated from numbers of the algorithm's own nodes."""
    try:
        read_formula(formula)
    except VocabularyError:
        return False
    return all(name in medal.nodes for name in names_in(formula))


def _from_table(medal: MedalFile, node: Json) -> Derivation | None:
    x, y = str(node[_REFERENCE]), str(node.get("reference_table_y_id"))
    male, female = (str(node.get(f"reference_table_{sex}")) for sex in ("male", "female"))
    missing = [name for name in (male, female) if name not in medal.tables]
    if node.get("reference_table_z_id") is not None:
        why = "tables of three measures are not read: the number has to be given"
    elif missing:
        why = f"there is no reference table {' and '.join(missing)}: the number has to be given"
    elif x not in medal.nodes or y not in medal.nodes:
        why = "the measures it is read by are not in the algorithm: the number has to be given"
    else:
        return TableValue(male, female, x, y, "to_zero")
    medal.notes.add(f"the table of '{medal.label(node)}'", f"node {node['id']}", why)
    return None
