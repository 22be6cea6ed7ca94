"""Rules of EmCare, as CQL or as its sheets write them → expressions of a guideline.

CQL reads what is unknown as absent in many places (`Coalesce(x, false) != true`). Here unknown
stays unknown: such a test is a plain negation, and what a rule takes for an observation that
cannot be had (`Coalesce("Oxygen Saturation", 95 '%') < 90 '%'`) is its fallback.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

from medweave.guideline.emcare.cql import Call, Choice, Name, Operation, Term, UnreadError, Value
from medweave.guideline.emcare.observations import NOT_MEASURED, Observed, folded
from medweave.guideline.logic.evaluation import HOLDS
from medweave.guideline.logic.values import conversion
from medweave.model.guideline import NO, YES, Observation, days_of_months
from medweave.model.logic import (
    Aged,
    AllOf,
    Answered,
    AnyOf,
    AtLeast,
    Classified,
    Comparator,
    Compared,
    Constant,
    Expression,
    GroupReference,
    Negation,
)


@dataclass(frozen=True, slots=True)
class Referent:
    """What a name stands for: an observation, an answer, a classification, or a definition."""

    observation: str = ""
    answer: str = ""
    classification: str = ""
    definition: Term | None = None
    key: str = ""
    """The name of a definition among all."""
    scope: Scope | None = None
    """Where the names in a definition are looked up."""


class Scope(Protocol):
    """Where names are looked up: a library, or a sheet."""

    def referent(self, name: Name) -> Referent | None:
        """What a name stands for; None where nothing is called so."""


@dataclass(frozen=True, slots=True)
class _Number:
    """One side of a comparison: an observation, an age in a unit, or a limit with its unit."""

    observation: str = ""
    age: str = ""
    limit: float = 0.0
    unit: str = ""
    default: _Number | None = None


_TURNED: dict[str, Comparator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_SAME, _OTHER = ("=", "~", "<<"), ("!=", "!~", "!<<")
_FLAG = (*_SAME, *_OTHER)


@dataclass
class Rules:
    """Turns terms into expressions, and keeps each definition they use as a group."""

    observed: Observed
    groups: dict[str, Expression] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)

    def truth(  # noqa: PLR0911, PLR0912  a case for each construct
        self, term: Term, scope: Scope
    ) -> Expression:
        """What a term that is true or false says. Raises `UnreadError` with the reason."""
        match term:
            case Value(bool() as value):
                return Constant(value)
            case Operation("and", (left, right)):
                return _all(self.truth(left, scope), self.truth(right, scope))
            case Operation("or", (left, right)):
                return _any(self.truth(left, scope), self.truth(right, scope))
            case Operation("implies", (left, right)):
                return _any(Negation(self.truth(left, scope)), self.truth(right, scope))
            case Operation("xor", (left, right)):
                one, other = self.truth(left, scope), self.truth(right, scope)
                return _any(_all(one, Negation(other)), _all(Negation(one), other))
            case Operation("not", (inner,)):
                return _negated(self.truth(inner, scope))
            case Operation("is true", (inner,)):
                return self.truth(inner, scope)
            case Operation("is false", (inner,)):
                return self._false(inner, scope)
            case Operation("is null", (inner,)):
                return self._null(inner, scope)
            case Operation(sign, (left, right)) if sign in HOLDS or sign in _FLAG:
                return self._compared(sign, left, right, scope)
            case Choice(cases, otherwise):
                return self._chosen(cases, otherwise, scope)
            case Call("Coalesce", (inner, Value(bool() as default))):
                return self._with_fallback(self.truth(inner, scope), default)
            case Call("iif", (test, then, other)):
                return self._chosen(((test, then),), other, scope)
            case Call():
                return self._question_test(term, scope)
            case Name():
                return self._named(term, scope)
        raise UnreadError(f"{_described(term)} is neither true nor false")

    def _named(self, name: Name, scope: Scope) -> Expression:
        referent = self._referent(name, scope)
        if referent.classification:
            return Classified(referent.classification)
        if referent.observation:
            return self._answered(referent.observation, referent.answer or "yes")
        if referent.definition is not None and referent.scope is not None:
            return self._group(referent.key, referent.definition, referent.scope)
        raise UnreadError(f"'{name.name}' is an answer, and no condition")

    def _referent(self, name: Name, scope: Scope) -> Referent:
        referent = scope.referent(name)
        if referent is None:
            raise UnreadError(f"nothing is called '{name.name}'")
        return referent

    def _group(self, key: str, term: Term, scope: Scope) -> Expression:
        """A definition: by its name where it is a rule, in place where it is small."""
        if key in self.groups:
            return GroupReference(key)
        if key in self._open:
            raise UnreadError(f"'{key}' is defined by itself")
        self._open.append(key)
        try:
            expression = self.truth(term, scope)
        finally:
            self._open.pop()
        if not isinstance(expression, AllOf | AnyOf | AtLeast) or _only_age(expression):
            return expression
        self.groups[key] = expression
        return GroupReference(key)

    def _false(self, inner: Term, scope: Scope) -> Expression:
        truth = self.truth(inner, scope)
        match truth:
            case Answered(observation, "yes", None) if self._has(observation, "no"):
                return Answered(observation, "no")
        return _negated(truth)

    def _compared(self, sign: str, left: Term, right: Term, scope: Scope) -> Expression:
        for one, other in ((left, right), (right, left)):
            if isinstance(other, Value) and isinstance(other.value, bool) and sign in _FLAG:
                if other.value is (sign in _SAME):
                    return self.truth(one, scope)
                exact = sign in _SAME
                return self._false(one, scope) if exact else _negated(self.truth(one, scope))
        if sign in _FLAG:
            answer = self._answer(left, right, scope)
            if answer is not None:
                return answer if sign in _SAME else _negated(answer)
        total = self._counted(sign, left, right, scope)
        if total is not None:
            return total
        if sign not in HOLDS:
            raise UnreadError(f"'{sign}' is not read between numbers")
        return self._numbers(sign, self._number(left, scope), self._number(right, scope))

    def _answer(self, left: Term, right: Term, scope: Scope) -> Expression | None:
        """An observation held against one of its answers, either way round."""
        for one, other in ((left, right), (right, left)):
            observation = self._observation(one, scope)
            if observation is None:
                continue
            label = _label(other)
            if label is None:
                continue
            referent = scope.referent(other) if isinstance(other, Name) else None
            is_answer = referent and referent.answer and not referent.observation
            codes = [referent.answer] if referent and is_answer else []
            return self._option(observation, label, codes)
        return None

    def _option(self, observation: str, label: str, codes: list[str]) -> Expression:
        known = self.observed.by_id[observation]
        codes = [*codes, *self.observed.answers.get(folded(label), ())]
        for option in known.answers:
            if option.id in codes or folded(option.label) == folded(label) or option.id == label:
                return Answered(observation, option.id)
        raise UnreadError(f"'{label}' is no answer to '{known.label}'")

    def _observation(  # noqa: PLR0911
        self, term: Term, scope: Scope
    ) -> str | None:
        match term:
            case Name():
                referent = scope.referent(term)
                if referent is None or referent.answer:
                    return None
                if referent.observation:
                    return referent.observation
                if referent.definition is not None and referent.scope is not None:
                    return self._observation(referent.definition, referent.scope)
            case Call("GetObsValue" | "HasObs", (Value(str() as code), *_)):
                return code if code in self.observed.by_id else None
            case Call("GetObsValue" | "HasObs", (Name() as name, *_)):
                referent = scope.referent(name)
                return referent.observation or None if referent else None
            case Call("Coalesce", (inner, *_)):
                return self._observation(inner, scope)
        return None

    def _answered(self, observation: str, answer: str) -> Expression:
        if not self._has(observation, answer):
            label = self.observed.by_id[observation].label
            raise UnreadError(f"'{label}' is neither true nor false by itself")
        return Answered(observation, answer)

    def _has(self, observation: str, answer: str) -> bool:
        return any(option.id == answer for option in self.observed.by_id[observation].answers)

    def _question_test(  # noqa: PLR0911
        self, call: Call, scope: Scope
    ) -> Expression:
        match call:
            case Call("GetObsValue" | "HasObs", (Value(str() as code), *_)):
                question, _, answer = code.partition("&")
                if answer and question in self.observed.by_id:
                    return self._answered(question, answer)
                if code in self.observed.by_id:
                    return self._answered(code, "yes")
                if code in self.observed.part_of:
                    return self._answered(self.observed.part_of[code], code)
                raise UnreadError(f"no observation has the code '{code}'")
            case Call("HasObsValueCode", (Value(str() as code), Value(str() as answer))):
                if code in self.observed.by_id:
                    return self._answered(code, answer)
            case Call("HasCondHistory", (Value(str() as code), Value(float() as days))):
                return Answered(self._history(code, int(days)), "yes")
            case Call("exists" | "empty" as test, (), subject):
                there = self._there(Name(subject), scope)
                return there if test == "exists" else _negated(there)
            case Call("HasCond", (Name() as name, *_)):
                referent = self._referent(name, scope)
                if referent.classification:
                    return Classified(referent.classification)
                raise UnreadError(f"no classification is called '{name.name}'")
        raise UnreadError(f"the function '{call.name}' is not read")

    def _history(self, code: str, days: int) -> str:
        identifier = f"history.{code}"
        label = f"{code} within the last {days} days"
        self.observed.add(
            Observation(identifier, label, answers=(YES, NO), source=f"EmCare history of {code}")
        )
        return identifier

    def _there(self, name: Name, scope: Scope) -> Expression:
        """`.exists()`: a box that can be ticked is ticked, anything else was observed."""
        observation = self._observation(name, scope)
        if observation is None:
            return self.truth(name, scope)
        if observation in self.observed.boxes:
            return Answered(observation, "yes")
        return Negation(self._null(name, scope))

    def _null(self, inner: Term, scope: Scope) -> Expression:
        observation = self._observation(inner, scope)
        if observation is None:
            raise UnreadError("only of an observation can be asked whether it is there")
        self.observed.with_answer(observation, NOT_MEASURED)
        return Answered(observation, NOT_MEASURED.id)

    def _chosen(
        self, cases: tuple[tuple[Term, Term], ...], otherwise: Term, scope: Scope
    ) -> Expression:
        none_before: list[Expression] = []
        found: list[Expression] = []
        for test, then in cases:
            held = self.truth(test, scope)
            found.append(_all(*none_before, held, self.truth(then, scope)))
            none_before.append(_negated(held))
        if not (isinstance(otherwise, Value) and otherwise.value is None):
            found.append(_all(*none_before, self.truth(otherwise, scope)))
        return _any(*found)

    def _with_fallback(self, expression: Expression, default: bool) -> Expression:
        """A default for what is unknown: the guideline's own for what cannot be had."""
        match expression:
            case Answered(observation, answer):
                return Answered(observation, answer, fallback=default)
            case Compared(observation, comparator, limit):
                return Compared(observation, comparator, limit, fallback=default)
        return expression

    def _counted(self, sign: str, left: Term, right: Term, scope: Scope) -> Expression | None:
        """ToInteger(a) + ToInteger(b) + … > n."""
        parts = _summands(left)
        if parts is None or not isinstance(right, Value) or not isinstance(right.value, float):
            return None
        signs = tuple(self._plain(part, scope) for part in parts)
        limit = right.value
        match sign:
            case ">":
                return AtLeast(math.floor(limit) + 1, signs)
            case ">=":
                return AtLeast(math.ceil(limit), signs)
            case "<":
                return Negation(AtLeast(math.ceil(limit), signs))
            case "<=":
                return Negation(AtLeast(math.floor(limit) + 1, signs))
            case "=":
                more = Negation(AtLeast(limit + 1, signs))
                return _all(AtLeast(limit, signs), more)
        raise UnreadError("a sum is compared in a way that is not read")

    def _plain(self, term: Term, scope: Scope) -> Expression:
        """A summand; that it counts nothing where it is unknown is CQL's reading, not ours."""
        match term:
            case Call("Coalesce", (inner, Value(bool()))):
                return self.truth(inner, scope)
        return self.truth(term, scope)

    def _number(  # noqa: PLR0911
        self, term: Term, scope: Scope
    ) -> _Number:
        match term:
            case Value(float() as value, unit):
                return _Number(limit=value, unit=unit)
            case Operation("-", (Value(0.0), Value(float() as value, unit))):
                return _Number(limit=-value, unit=unit)
            case Call("AgeInMonths", ()):
                return _Number(age="mo")
            case Call("AgeInDays", ()):
                return _Number(age="d")
            case Call("AgeInYears", ()):
                return _Number(age="a")
            case Call("Coalesce", (inner, default)):
                number = self._number(inner, scope)
                return _Number(number.observation, number.age, default=self._number(default, scope))
            case Name():
                referent = self._referent(term, scope)
                if referent.observation and self._is_number(referent.observation):
                    return _Number(observation=referent.observation)
                if referent.definition is not None and referent.scope is not None:
                    return self._number(referent.definition, referent.scope)
            case Call("GetObsValue", (Value(str() as code), *_)):
                if code in self.observed.by_id and self._is_number(code):
                    return _Number(observation=code)
        raise UnreadError(f"{_described(term)} is no number")

    def _is_number(self, observation: str) -> bool:
        return self.observed.by_id[observation].kind == "number"

    def _numbers(self, sign: str, left: _Number, right: _Number) -> Expression:
        if right.observation or right.age:
            left, right, sign = right, left, _TURNED[sign]
        comparator: Comparator = sign  # type: ignore[assignment]
        if left.age:
            return _aged(comparator, left.age, right.limit)
        if not left.observation:
            return Constant(HOLDS[sign](left.limit, right.limit))
        unit = self.observed.by_id[left.observation].unit
        limit = _converted(right.limit, right.unit, unit)
        fallback = None
        if left.default is not None:
            fallback = HOLDS[sign](_converted(left.default.limit, left.default.unit, unit), limit)
        return Compared(left.observation, comparator, limit, fallback)


def _summands(term: Term) -> list[Term] | None:
    match term:
        case Operation("+", (left, right)):
            one, other = _summands(left), _summands(right)
            return None if one is None or other is None else [*one, *other]
        case Call("ToInteger" | "ToIntC", (inner,)):
            return [inner]
    return None


def _aged(comparator: Comparator, unit: str, limit: float) -> Expression:
    """An age in completed units; months are of 30.4375 days."""

    def days(count: float) -> int:
        return int(count) if unit == "d" else days_of_months(count * (12 if unit == "a" else 1))

    match comparator:
        case ">=":
            return Aged(from_days=days(math.ceil(limit)))
        case ">":
            return Aged(from_days=days(math.floor(limit) + 1))
        case "<":
            return Aged(to_days=days(math.ceil(limit)))
        case "<=":
            return Aged(to_days=days(math.floor(limit) + 1))
        case "=":
            return Aged(days(limit), days(limit + 1))
    return Negation(Aged(days(limit), days(limit + 1)))


def _converted(value: float, given: str, unit: str) -> float:
    """A limit in the unit of the observation; as it is where the units are not known."""
    add, times = conversion(given, unit) or (0.0, 1.0)
    return value * times + add


def _only_age(expression: Expression) -> bool:
    match expression:
        case Aged():
            return True
        case AllOf(parts) | AnyOf(parts):
            return all(_only_age(part) for part in parts)
    return False


def _all(*parts: Expression) -> Expression:
    flat: list[Expression] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, AllOf) else [part])
    merged = _one_age(flat)
    return merged[0] if len(merged) == 1 else AllOf(tuple(merged))


def _one_age(parts: list[Expression]) -> list[Expression]:
    """Bounds of age beside each other as one band."""
    ages = [part for part in parts if isinstance(part, Aged)]
    if len(ages) < 2:  # noqa: PLR2004
        return parts
    starts = [age.from_days for age in ages if age.from_days is not None]
    ends = [age.to_days for age in ages if age.to_days is not None]
    band = Aged(max(starts, default=None), min(ends, default=None))
    return [band, *(part for part in parts if not isinstance(part, Aged))]


def _any(*parts: Expression) -> Expression:
    flat: list[Expression] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, AnyOf) else [part])
    return flat[0] if len(flat) == 1 else AnyOf(tuple(flat))


def _negated(part: Expression) -> Expression:
    return part.part if isinstance(part, Negation) else Negation(part)


def _label(term: Term) -> str | None:
    match term:
        case Name(name):
            return name
        case Value(str() as text):
            return text
    return None


def _described(term: Term) -> str:
    match term:
        case Name(name):
            return f"'{name}'"
        case Value(value):
            return repr(value)
        case Call(name):
            return f"'{name}(…)'"
        case Operation(sign):
            return f"'… {sign} …'"
    return "this"
