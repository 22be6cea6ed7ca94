"""The form of observations: their answers, and how they are worked out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from medweave.errors import VocabularyError
from medweave.guideline.yaml.forms import RULE, Form, Way, chosen, word
from medweave.guideline.yaml.parts import Part
from medweave.guideline.yaml.rules import Rules
from medweave.language.arithmetic import names_in, read_formula
from medweave.model import guideline as model
from medweave.model.guideline import NO, YES, AnswerOption, Derivation, Observation
from medweave.model.logic import Expression

_OBSERVATION = Form(
    Observation,
    "label kind aliases question help unit range warn answers ages danger_sign main_symptom "
    "routine group asked_if unasked resources derived default implies concept source",
    apart=("answers", "implies", "asked_if", "derived"),
)
_ANSWER = Form(
    AnswerOption,
    "label aliases means implies from=low below=high value",
    ways={"means": word("true", "false", "unavailable")},
)
_TRUTH_WORDS = {"yes": "true", "no": "false"}
"""What an answer to a two-valued question means by its id alone."""


def read_observation(name: str, part: Part, rules: Rules) -> Observation:
    """Without its rules: those may name what has not been read yet."""
    found = _OBSERVATION.read(part, rules, id=name)
    return replace(found, answers=_read_answers(part, found, rules))


def with_rules(observation: Observation, part: Part, rules: Rules) -> Observation:
    """An observation with its skip logic, and with how it is worked out."""
    held = part.present()
    skip_rule, derived = held.get("asked_if"), held.get("derived")
    if skip_rule is None and derived is None:
        return observation
    return replace(
        observation,
        asked_if=rules.read(skip_rule) if skip_rule else None,
        derived=_read_derivation(observation, derived, rules) if derived else None,
    )


def _read_answers(part: Part, of: Observation, rules: Rules) -> tuple[AnswerOption, ...]:
    held = part.present()
    answers, implied = held.get("answers"), held.get("implies")
    if implied is not None and (answers is not None or of.kind != "boolean"):
        implied.refuse(
            "only a yes without `answers` implies something here",
            "write `implies:` beside the answer that does",
        )
    if answers is None:
        if of.kind in ("choice", "choices"):
            part.refuse("a choice needs answers", "write `answers: {…}`")
        yes = replace(YES, implies=implied.texts() if implied else ())
        return (yes, NO) if of.kind == "boolean" else ()
    found = tuple(_read_answer(name, each, of, rules) for name, each in answers.entries().items())
    if of.kind == "boolean" and not {"true", "false"} <= {answer.means for answer in found}:
        answers.refuse(
            "one answer must mean true, and one false", "write `means: true` and `means: false`"
        )
    return found


def _read_answer(name: str, part: Part, of: Observation, rules: Rules) -> AnswerOption:
    own: Any = _TRUTH_WORDS.get(name, "") if of.kind == "boolean" else ""
    if not part.is_map:
        return AnswerOption(name, part.text() or name, means=own)
    found = _ANSWER.read(part, rules, id=name, means=own)
    if found.is_band and of.kind != "number":
        part.refuse("only numbers have bands", "write `kind: number`")
    return found


def _observation_named(part: Part, rules: Rules) -> str:
    name = part.text()
    if name not in rules.observations:
        part.refuse(f"there is no observation '{name}'", "define it, or mend the name")
    return name


def _read_formula(part: Part, rules: Rules) -> str:
    try:
        read_formula(part.text())
    except VocabularyError as error:
        part.refuse(error.what, error.remedy)
    for name in names_in(part.text()):
        if name not in rules.observations:
            part.refuse(f"there is no observation '{name}'", "define it, or mend the name")
    return part.text()


def _read_choices(part: Part, rules: Rules) -> tuple[tuple[str, Expression], ...]:
    rows = []
    for row in part.items():
        held = row.fields(("answer", "when"))
        for key in ("answer", "when"):
            if key not in held:
                row.refuse(f"'{key}' is missing here", f"write `{key}: …`")
        rows.append((held["answer"].text(), rules.read(held["when"])))
    return tuple(rows)


_NAMED = Way(_observation_named)
_AGE_OR_NAMED = Way(
    lambda part, rules: "age" if part.text() == "age" else _observation_named(part, rules)
)
_CHOICES = Way(
    _read_choices,
    lambda rows, rules: [{"answer": name, "when": RULE.write(rule, rules)} for name, rule in rows],
)
_TABLE = Form(model.TableValue, "male female x y rounding", ways={"x": _AGE_OR_NAMED, "y": _NAMED})
_DERIVATIONS: dict[str, Form[Any]] = {
    "rule": Form(model.RuleValue, "rule"),
    "age": Form(model.AgeValue, "age=unit"),
    "person": Form(model.PersonValue, "person=what"),
    "same": Form(model.SameValue, "same=observation times=factor", ways={"observation": _NAMED}),
    "formula": Form(model.FormulaValue, "formula", ways={"formula": Way(_read_formula)}),
    "choose": Form(model.ChosenValue, "choose=rules", ways={"rules": _CHOICES}),
}


def _read_derivation(of: Observation, part: Part, rules: Rules) -> Derivation:
    held = part.entries()
    if set(held) == {"table"}:
        return _TABLE.read(held["table"], rules)
    way = chosen(part, _DERIVATIONS)
    if way is None:
        ways = ", ".join((*_DERIVATIONS, "table"))
        part.refuse("this is no derivation", f"one of {ways}")
    found: Derivation = _DERIVATIONS[way].read(part, rules)
    if isinstance(found, model.ChosenValue):
        known = {answer.id for answer in of.answers}
        for row in held["choose"].items():
            row.entries()["answer"].one_of(known)
    return found


def _written_derivation(derived: Derivation, rules: Rules) -> dict[str, Any]:
    if isinstance(derived, model.TableValue):
        return {"table": _TABLE.write(derived, rules)}
    form = next(form for form in _DERIVATIONS.values() if form.of is type(derived))
    return form.write(derived, rules)


def written_observation(each: Observation, rules: Rules) -> dict[str, Any]:
    """An observation as YAML values."""
    plain = tuple(replace(answer, implies=()) for answer in each.answers)
    usual = each.kind == "boolean" and plain in ((), (YES, NO))
    usual = usual and not any(answer.implies for answer in each.answers[1:])
    return _OBSERVATION.write(
        each,
        rules,
        answers={} if usual else {a.id: _written_answer(a, each, rules) for a in each.answers},
        implies=list(each.answers[0].implies) if usual and each.answers else [],
        asked_if=None if each.asked_if is None else RULE.write(each.asked_if, rules),
        derived=None if each.derived is None else _written_derivation(each.derived, rules),
    )


def _written_answer(answer: AnswerOption, of: Observation, rules: Rules) -> Any:
    own = _TRUTH_WORDS.get(answer.id, "") if of.kind == "boolean" else ""
    held = _ANSWER.write(replace(answer, means="") if answer.means == own else answer, rules)
    return answer.label if set(held) == {"label"} else held
