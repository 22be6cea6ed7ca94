"""Rules as a clinician reads them in YAML, and back: strings for what is simple, maps for the rest.

The forms are listed in docs/how-to/guidelines.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import astuple, dataclass, replace
from typing import Any, Literal, cast

from medweave.guideline.logic.values import conversion
from medweave.guideline.yaml.parts import Part, near
from medweave.guideline.yaml.spans import (
    days_of,
    number,
    plain,
    read_ages,
    written_ages,
    written_days,
)
from medweave.model import logic
from medweave.model.guideline import AgeBand, Observation, answers_of
from medweave.model.identifiers import normalise_name

_ID = r"([^\W\d][\w.-]*)"
_NUMBER = r"(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)"
_PLAIN = re.compile(r"[^\W\d]\w*")
_RESERVED = {"not", "group", "always", "never", "age", "holds", "is"}
_AGE = re.compile(r"age\s*(>=|<)\s*(\d+(?:\.\d+)?)\s*([a-z]+)")
_COMPARED = re.compile(rf"{_ID}\s*(<=|>=|!=|<|>|=)\s*{_NUMBER}\s*(\S.*)?")
_IS_NOT = re.compile(rf"{_ID} is not (\S.*)")
_IS = re.compile(rf"{_ID} is (\S.*)")
_HOLDS = re.compile(rf"{_ID} holds")
_GROUP = re.compile(rf"group {_ID}")
_ALONE = re.compile(_ID)
_WORDS: Mapping[str, logic.Comparator] = {
    "is_below": "<",
    "is_at_most": "<=",
    "is_above": ">",
    "is_at_least": ">=",
    "is_equal": "=",
    "is_not_equal": "!=",
}
_SIGNS = {sign: word for word, sign in _WORDS.items()}
_TAKEN: Mapping[str, Literal["fallback", "unanswered"]] = {
    "if_unavailable": "fallback",
    "if_unanswered": "unanswered",
}
_HELP = "write it like `cough`, `not cough`, `drinking is poorly`, `spo2 < 90`, `all: […]`"


@dataclass(frozen=True, slots=True)
class Rules:
    """Reads rules over the observations, groups and classifications of one guideline."""

    observations: Mapping[str, Observation]
    groups: Collection[str]
    classifications: Collection[str]

    def read(self, part: Part) -> logic.Expression:
        """A rule; `GuidelineError` with file and line where it is none, or names the unknown."""
        if part.is_map:
            return self._map(part)
        if part.is_list or part.is_null:
            part.refuse("a rule is expected here", _HELP)
        return self._text(part, part.text().strip())

    def _text(self, part: Part, text: str) -> logic.Expression:  # noqa: PLR0911 - one for each form
        if text in ("always", "never"):
            return logic.Constant(text == "always")
        if text.startswith("not "):
            return logic.Negation(self._text(part, text[4:].strip()))
        if found := _AGE.fullmatch(text):
            return self._age(part, found[1], float(found[2]), found[3])
        if found := _GROUP.fullmatch(text):
            return self._group(part, found[1])
        if found := _HOLDS.fullmatch(text):
            return self._class(part, found[1])
        if found := _IS_NOT.fullmatch(text):
            return logic.Negation(self._answered(part, found[1], found[2]))
        if found := _IS.fullmatch(text):
            return self._answered(part, found[1], found[2])
        if _ALONE.fullmatch(text):
            return self._true(part, text)
        return self._comparison(part, text)

    def _comparison(self, part: Part, text: str) -> logic.Compared:
        found = _COMPARED.fullmatch(text)
        if found is None:
            part.refuse(f"the rule '{text}' cannot be understood", _HELP)
        sign = cast(logic.Comparator, found[2])
        return self._compared(part, found[1], sign, float(found[3]), found[4] or "")

    def _age(self, part: Part, sign: str, number: float, unit: str) -> logic.Expression:
        days = days_of(number, unit)
        if days is None:
            part.refuse(f"'{unit}' is no unit of age", "use d, wk, mo or y")
        return logic.Aged(days) if sign == ">=" else logic.Aged(None, days)

    def _observation(self, part: Part, name: str) -> Observation:
        found = self.observations.get(name)
        if found is None:
            if name in self.groups:
                part.refuse(f"'{name}' is a group, no observation", f"write `group {name}`")
            if name in self.classifications:
                part.refuse(f"'{name}' is a classification", f"write `{name} holds`")
            part.refuse(f"there is no observation '{name}'", _remedy(name, self.observations))
        return found

    def _true(self, part: Part, name: str) -> logic.Answered:
        observation = self._observation(part, name)
        answer = next((a.id for a in answers_of(observation) if a.means == "true"), None)
        if answer is None:
            part.refuse(
                f"'{name}' is not a question of yes or no", f"say which answer: `{name} is …`"
            )
        return logic.Answered(name, answer)

    def _answered(self, part: Part, name: str, answer_text: str) -> logic.Answered:
        observation = self._observation(part, name)
        options = answers_of(observation)
        if not options and observation.kind in ("text", "date"):
            return logic.Answered(name, answer_text)
        exact = [answer.id for answer in options if answer.id == answer_text]
        key = normalise_name(answer_text)
        alike = [
            answer.id
            for answer in options
            if key in map(normalise_name, (answer.id, answer.label, *answer.aliases))
        ]
        found = exact or alike
        if len(found) != 1:
            known = ", ".join(answer.id for answer in options) or "none: it is a number"
            what = "several answers" if found else "no answer"
            part.refuse(f"'{name}' has {what} '{answer_text}'", f"its answers are {known}")
        return logic.Answered(name, found[0])

    def _compared(
        self, part: Part, name: str, sign: logic.Comparator, limit: float, unit: str = ""
    ) -> logic.Compared:
        observation = self._observation(part, name)
        if observation.kind != "number":
            part.refuse(f"'{name}' is no number", f"say which answer: `{name} is …`")
        if unit and unit != observation.unit:
            factor = conversion(unit, observation.unit)
            if factor is None:
                part.refuse(
                    f"{unit} does not convert to {observation.unit or 'a number without unit'}, "
                    f"the unit of '{name}'",
                    "write the limit in that unit",
                )
            limit = round(limit * factor[1] + factor[0], 9)
        return logic.Compared(name, sign, limit)

    def _group(self, part: Part, name: str) -> logic.Expression:
        if name not in self.groups:
            part.refuse(f"there is no group '{name}'", _remedy(name, self.groups))
        return logic.GroupReference(name)

    def _class(self, part: Part, name: str) -> logic.Expression:
        if name not in self.classifications:
            part.refuse(f"there is no classification '{name}'", _remedy(name, self.classifications))
        return logic.Classified(name)

    def _map(self, part: Part) -> logic.Expression:
        entries = part.entries()
        forms: Mapping[str, Callable[[Part, dict[str, Part]], logic.Expression]] = {
            "at_least": self._at_least,
            "if": self._guarded,
            "observation": self._of_observation,
            "compare": self._compare,
            "all": lambda _, e: logic.AllOf(self._parts(e["all"])),
            "any": lambda _, e: logic.AnyOf(self._parts(e["any"])),
            "not": lambda _, e: logic.Negation(self.read(e["not"])),
            "class": lambda _, e: self._class(e["class"], e["class"].text()),
            "group": lambda _, e: self._group(e["group"], e["group"].text()),
            "age": lambda _, e: logic.Aged(*astuple(read_ages(e["age"]))),
        }
        name = next((form for form in forms if form in entries), None)
        if name is None:
            part.refuse("this is no rule", f"begin with one of {', '.join(forms)}")
        extra = set(entries) - {name} - _BESIDE.get(name, set())
        if extra:
            part.refuse(f"'{name}' and '{min(extra)}' do not go together", "put one in the other")
        return forms[name](part, entries)

    def _parts(self, part: Part) -> tuple[logic.Expression, ...]:
        return tuple(self.read(each) for each in part.items())

    def _at_least(self, part: Part, entries: dict[str, Part]) -> logic.Expression:
        if "of" not in entries:
            part.refuse("'of' is missing here", "write `of: […]` beside `at_least`")
        parts: list[logic.Expression] = []
        scores: list[float] = []
        scored = False
        for each in entries["of"].items():
            held = each.entries() if each.is_map else {}
            if set(held) == {"score", "of"}:
                scored = True
                scores.append(held["score"].number())
                parts.append(self.read(held["of"]))
            else:
                scores.append(1.0)
                parts.append(self.read(each))
        given = tuple(scores) if scored else ()
        return logic.AtLeast(entries["at_least"].number(), tuple(parts), given)

    def _guarded(self, part: Part, entries: dict[str, Part]) -> logic.Expression:
        if "then" not in entries:
            part.refuse("'then' is missing here", "write `then: …` beside `if`")
        material = entries["material"].flag() if "material" in entries else False
        return logic.Guarded(self.read(entries["if"]), self.read(entries["then"]), material)

    def _of_observation(self, part: Part, entries: dict[str, Part]) -> logic.Expression:
        name = entries["observation"].text()
        chosen = [key for key in entries if key == "is" or key in _WORDS]
        if len(chosen) > 1:
            part.refuse(f"'{chosen[0]}' and '{chosen[1]}' do not go together", "use `all`")
        if not chosen:
            return _taken(self._true(entries["observation"], name), entries)
        value = entries[chosen[0]]
        if chosen[0] == "is":
            return _taken(self._answered(value, name, value.text()), entries)
        return _taken(self._compared(value, name, _WORDS[chosen[0]], value.number()), entries)

    def _compare(self, _: Part, entries: dict[str, Part]) -> logic.Expression:
        part = entries["compare"]
        return _taken(self._comparison(part, part.text().strip()), entries)


_BESIDE: Mapping[str, set[str]] = {
    "at_least": {"of"},
    "if": {"then", "material"},
    "observation": {"is", *_TAKEN, *_WORDS},
    "compare": {*_TAKEN},
}


def _taken(
    leaf: logic.Answered | logic.Compared, entries: Mapping[str, Part]
) -> logic.Answered | logic.Compared:
    """With what it is taken for where it cannot be had, and where nobody answered it."""
    given: dict[str, Any] = {
        name: entries[key].flag() for key, name in _TAKEN.items() if key in entries
    }
    return replace(leaf, **given)


def _remedy(name: str, known: Collection[str]) -> str:
    return near(name, known).strip() or "define it, or mend the name"


def written_rule(rule: logic.Expression, rules: Rules) -> Any:  # noqa: PLR0911 - one for each kind
    """A rule as YAML values, which read as the same rule.

    >>> rules = Rules({"cough": Observation("cough", "Cough")}, (), ())
    >>> written_rule(logic.Negation(logic.Answered("cough", "yes")), rules)
    'not cough'
    """
    match rule:
        case logic.Constant(value):
            return "always" if value else "never"
        case logic.Answered():
            return _written_answer(rule, rules)
        case logic.Compared(name, sign, limit):
            if _is_plain(name) and not _with(rule, {}):
                return f"{name} {sign} {plain(limit)}"
            return _with(rule, {"observation": name, _SIGNS[sign]: number(limit)})
        case logic.Aged(from_days, to_days):
            return _written_age(from_days, to_days)
        case logic.Classified(name):
            return f"{name} holds" if _is_plain(name) else {"class": name}
        case logic.GroupReference(name):
            return f"group {name}" if _is_plain(name) else {"group": name}
        case _:
            return _written_parts(rule, rules)


def _written_parts(rule: logic.Expression, rules: Rules) -> Any:
    def write(each: logic.Expression) -> Any:
        return written_rule(each, rules)

    match rule:
        case logic.AllOf(parts):
            return {"all": [write(part) for part in parts]}
        case logic.AnyOf(parts):
            return {"any": [write(part) for part in parts]}
        case logic.Negation(part):
            inner = write(part)
            if isinstance(part, logic.Answered) and isinstance(inner, str) and " is " in inner:
                return inner.replace(" is ", " is not ", 1)
            return f"not {inner}" if isinstance(inner, str) else {"not": inner}
        case logic.Guarded(guard, part, material):
            held = {"if": write(guard), "then": write(part)}
            return held | ({"material": True} if material else {})
        case logic.AtLeast(count, parts, scores):
            written = [write(part) for part in parts]
            if scores:
                pairs = zip(scores, written, strict=True)
                written = [{"score": number(score), "of": each} for score, each in pairs]
            return {"at_least": number(count), "of": written}
        case _:
            raise TypeError(rule)


def _written_answer(rule: logic.Answered, rules: Rules) -> Any:
    name, answer = rule.observation, rule.answer
    observation = rules.observations.get(name)
    options = answers_of(observation) if observation else ()
    is_true = any(each.id == answer and each.means == "true" for each in options)
    if _is_plain(name) and not _with(rule, {}):
        if is_true and next(each.id for each in options if each.means == "true") == answer:
            return name
        if _is_plain(answer):
            return f"{name} is {answer}"
    return _with(rule, {"observation": name, "is": answer})


def _with(rule: logic.Answered | logic.Compared, held: dict[str, Any]) -> dict[str, Any]:
    taken = {key: getattr(rule, name) for key, name in _TAKEN.items()}
    return held | {key: value for key, value in taken.items() if value is not None}


def _written_age(from_days: int | None, to_days: int | None) -> Any:
    if from_days is not None and to_days is None:
        return f"age >= {written_days(from_days)}"
    if to_days is not None and from_days is None:
        return f"age < {written_days(to_days)}"
    return {"age": written_ages(AgeBand(from_days, to_days))}


def _is_plain(name: str) -> bool:
    return _PLAIN.fullmatch(name) is not None and name not in _RESERVED
