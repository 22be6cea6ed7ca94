"""What was answered, in the terms of a guideline: names found, numbers checked, values derived."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from medweave.errors import FindingsError
from medweave.language.quantities import quantities, unit_codes
from medweave.model.findings import UNAVAILABLE, FindingValue, Measured
from medweave.model.guideline import (
    DAYS_OF_A_MONTH,
    AnswerOption,
    Guideline,
    Means,
    Observation,
    answers_of,
)
from medweave.model.identifiers import normalise_name

_MEANINGS: Mapping[str, Means] = {
    **dict.fromkeys(("true", "yes", "present", "positive"), "true"),
    **dict.fromkeys(("false", "no", "absent", "negative"), "false"),
}
"""How the answers to a two-valued question may be called, whatever its own words are."""
_DAYS = {"d": 1.0, "wk": 7.0, "mo": DAYS_OF_A_MONTH, "a": 365.25}
_LARGER_THAN_MEASURED = 1000
_HALF_A_ROW = 0.5
"""A reference table is read at the row that is no further away than this."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of an observation: answers by id, a number, or that it cannot be had."""

    answers: frozenset[str] = frozenset()
    number: float | None = None
    unavailable: bool = False
    source: str = "given"
    """given, computed or default."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A value read, and what is to be questioned about it."""

    known: Known | None
    warnings: tuple[str, ...] = ()


def read_value(observation: Observation, given: FindingValue) -> Reading:
    """A value as it was given, in the guideline's terms; None is unknown.

    Raises `FindingsError` for an answer there is none of, a number that cannot be, or a unit that
    does not convert.

    >>> read_value(Observation("cough", "Cough"), True).known.answers
    frozenset({'yes'})
    """
    if given is None:
        return Reading(None)
    if isinstance(given, str) and normalise_name(given) == UNAVAILABLE:
        return Reading(_unavailable(observation))
    if isinstance(given, Measured):
        return _number(observation, converted(observation, given))
    if observation.kind == "number" and not isinstance(given, bool | tuple):
        return _number_or_band(observation, given)
    return Reading(_chosen(observation, given))


def _chosen(observation: Observation, given: bool | float | str | tuple[str, ...]) -> Known:
    """What was answered, by the answers there are."""
    if isinstance(given, bool):
        return Known(frozenset({_meaning_answer(observation, "true" if given else "false")}))
    if isinstance(given, tuple):
        return _several(observation, given)
    if observation.kind in ("text", "date"):
        return Known(frozenset({str(given)}))
    return _known_by(observation, _option(observation, given))


def _unavailable(observation: Observation) -> Known:
    own = next((a for a in answers_of(observation) if a.means == "unavailable"), None)
    if own is None:
        return Known(unavailable=True)
    return Known(frozenset({own.id}), own.value, unavailable=True)


def _known_by(observation: Observation, answer: AnswerOption) -> Known:
    if answer.means == "unavailable":
        return _unavailable(observation)
    return Known(frozenset({answer.id}), answer.value)


def _several(observation: Observation, given: tuple[str, ...]) -> Known:
    chosen = [_option(observation, each) for each in given]
    if observation.kind != "choices" and len({answer.id for answer in chosen}) > 1:
        raise FindingsError(
            f"'{observation.label}' has one answer, and several were given: {', '.join(given)}",
            where=observation.id,
            remedy="give one",
        )
    return Known(frozenset(answer.id for answer in chosen))


def _meaning_answer(observation: Observation, meaning: Means) -> str:
    answer = _meaning(observation, meaning)
    if answer is None:
        raise FindingsError(
            f"'{observation.label}' is not a question of yes or no",
            where=observation.id,
            remedy=_choices(observation),
        )
    return answer.id


def _meaning(observation: Observation, meaning: Means) -> AnswerOption | None:
    """The answer that means true or false: it is marked so, or the two there are say so by their
    names (positive and negative)."""
    options, marked = answers_of(observation), False
    for each in options:
        if each.means == meaning:
            return each
        marked = marked or each.means in ("true", "false")
    if marked:
        return None
    had = [each for each in options if each.means != "unavailable"]
    called = {_MEANINGS.get(normalise_name(each.label)): each for each in had}
    two = len(had) == len(called) and set(called) == {"true", "false"}
    return called.get(meaning) if two else None


def _option(observation: Observation, given: str | float) -> AnswerOption:
    """The answer of a name: its id, its label, one of its aliases, or yes and no in any words."""
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    text, options = str(given).strip(), answers_of(observation)
    exact = next((answer for answer in options if answer.id == text), None)
    if exact:
        return exact
    name = normalise_name(text)
    for answer in options:
        if name in {normalise_name(each) for each in (answer.id, answer.label, *answer.aliases)}:
            return answer
    meaning = _MEANINGS.get(name)
    by_meaning = _meaning(observation, meaning) if meaning else None
    if by_meaning:
        return by_meaning
    raise FindingsError(
        f"'{observation.label}' has no answer '{text}'",
        where=observation.id,
        remedy=_choices(observation),
    )


def _choices(observation: Observation) -> str:
    if observation.kind == "number":
        unit = "" if observation.unit in ("", "1") else f" in {observation.unit}"
        return f"give a number{unit}"
    named = ", ".join(answer.label or answer.id for answer in answers_of(observation))
    return f"answer one of: {named}" if named else "see `medweave guideline export`"


def _number_or_band(observation: Observation, given: str | float) -> Reading:
    # Ids of other systems are numbers: a text that is one is meant as one, and so is a number that
    # is larger than what is measured.
    if isinstance(given, str) or given >= _LARGER_THAN_MEASURED:
        text = given.strip() if isinstance(given, str) else f"{given:.0f}"
        own = next((answer for answer in observation.answers if answer.id == text), None)
        if own:
            return Reading(_known_by(observation, own))
    if isinstance(given, str):
        try:
            given = float(given)
        except ValueError:
            return Reading(_known_by(observation, _option(observation, given)))
    return _number(observation, float(given))


def _number(observation: Observation, number: float) -> Reading:
    if observation.kind != "number":
        return Reading(_known_by(observation, _option(observation, number)))
    shown = f"{number:g} {observation.unit}".strip().replace(" 1", "")
    if not math.isfinite(number) or not _within(number, observation.range):
        raise FindingsError(
            f"'{observation.label}' cannot be {shown}",
            where=observation.id,
            remedy=f"it lies {_span(observation.range, observation.unit)}: check it",
        )
    warnings: tuple[str, ...] = ()
    if not _within(number, observation.warn):
        usual = _span(observation.warn, observation.unit)
        warnings = (
            f"{observation.label} of {shown} is unusual (it mostly lies {usual}): check it",
        )
    return Reading(Known(bands_of(observation, number), number), warnings)


def bands_of(observation: Observation, number: float) -> frozenset[str]:
    """The answers whose band a number lies in."""
    return frozenset(
        answer.id
        for answer in observation.answers
        if answer.is_band
        and (answer.low is None or number >= answer.low)
        and (answer.high is None or number < answer.high)
    )


def _within(number: float, span: tuple[float | None, float | None]) -> bool:
    low, high = span
    return (low is None or number >= low) and (high is None or number <= high)


def _span(span: tuple[float | None, float | None], unit: str) -> str:
    low, high = span
    shown = "" if unit in ("", "1") else f" {unit}"
    if low is None:
        return "anywhere" if high is None else f"at or below {high:g}{shown}"
    return f"at or above {low:g}{shown}" if high is None else f"between {low:g} and {high:g}{shown}"


def converted(observation: Observation, given: Measured) -> float:
    """A number in the unit of the observation; `FindingsError` where the units do not convert.

    >>> temperature = Observation("temperature", "Temperature", "number", unit="Cel")
    >>> round(converted(temperature, Measured(101.3, "[degF]")), 1)
    38.5
    """
    factor = conversion(given.unit, observation.unit)
    if factor is None:
        raise FindingsError(
            f"'{observation.label}' is in {observation.unit or 'no unit'}, not in {given.unit}",
            where=observation.id,
            remedy="give it in that unit",
        )
    add, times = factor
    return round(given.value * times + add, 6)


def conversion(written: str, target_unit: str) -> tuple[float, float] | None:
    """What is added after multiplying, to come from one unit to another; None: they do not convert.

    >>> conversion("g", "kg"), conversion("mg", "Cel")
    ((0.0, 0.001), None)
    """
    source, target = _code(written), _code(target_unit)
    if source == target:
        return 0.0, 1.0
    if source in _DAYS and target in _DAYS:
        return 0.0, _DAYS[source] / _DAYS[target]
    for family in _FAMILIES:
        if source in family and target in family:
            return 0.0, family[source] / family[target]
    for quantity in quantities().values():
        if source in quantity.units and target in quantity.units:
            unit, other = quantity.units[source], quantity.units[target]
            zero, one = other.written(unit.reasoned(0.0)), other.written(unit.reasoned(1.0))
            return zero, one - zero
    return None


_FAMILIES: tuple[Mapping[str, float], ...] = (
    {"kg": 1000.0, "g": 1.0, "mg": 0.001, "ug": 0.000001},
    {"m": 1000.0, "cm": 10.0, "mm": 1.0},
    {"L": 1000.0, "dL": 100.0, "mL": 1.0},
)


def _code(unit: str) -> str:
    return unit_codes().get(unit.strip().lower(), unit.strip())


class Names:
    """Which observation (or classification) a name stands for: its id, label or an alias."""

    def __init__(self, named: Iterable[tuple[str, str, tuple[str, ...]]], what: str) -> None:
        self._what = what
        self._ids: dict[str, str] = {}
        self._names: dict[str, set[str]] = {}
        for identifier, label, aliases in named:
            self._ids[identifier] = identifier
            for name in (identifier, label, *aliases):
                self._names.setdefault(normalise_name(name), set()).add(identifier)

    def called(self, name: str) -> Collection[str]:
        """The ids of all that are called so."""
        return self._names.get(normalise_name(name), ())

    def find(self, name: str) -> str:
        """The id; `FindingsError` where nothing, or more than one thing, is called so."""
        if name in self._ids:
            return name
        found = sorted(self.called(name))
        if len(found) == 1:
            return found[0]
        if found:
            raise FindingsError(
                f"'{name}' names several {self._what}s: {', '.join(found[:5])}",
                where=name,
                remedy="name it by its id",
            )
        raise FindingsError(
            f"the guideline has no {self._what} '{name}'",
            where=name,
            remedy=_near(name, self._names) or "`medweave guideline export` lists what there is",
        )


def _near(name: str, names: Mapping[str, set[str]]) -> str:
    import difflib

    close = difflib.get_close_matches(normalise_name(name), list(names), 3, 0.75)
    return f"did you mean {' or '.join(repr(each) for each in close)}?" if close else ""


def observation_names(guideline: Guideline) -> Names:
    """The names of a guideline's observations."""
    return Names(((o.id, o.label, o.aliases) for o in guideline.observations), "observation")


def classification_names(guideline: Guideline) -> Names:
    """The names of a guideline's classifications."""
    return Names(((c.id, c.label, c.aliases) for c in guideline.classifications), "classification")


def z_score(table: Mapping[str, Mapping[str, float]], x: float, y: float) -> float | None:
    """The greatest z whose reference value is no more than y; below the least: one less.

    None where the table has no row for x. What it is read from is the table as published (WHO's
    growth standards).

    >>> z_score({"45": {"-3": 1.9, "-2": 2.1, "-1": 2.3}}, 45.2, 2.2)
    -2.0
    """
    row = table.get(f"{x:g}") or _nearest(table, x)
    if row is None:
        return None
    reached = [float(z) for z, value in row.items() if y >= value]
    return max(reached) if reached else min(map(float, row)) - 1


def z_score_to_zero(table: Mapping[str, Mapping[str, float]], x: float, y: float) -> float | None:
    """The z that y is at, or the next one towards 0; at most the least or greatest of the row.

    An x between two rows is read at the nearer one, beyond the last row at the last. This is how
    medAL-reader reads them, and what the answers of its algorithms mean ("-2 z-score": from −3 to
    below −1); it reads any x it has no row for at the first or last row, even between two.

    >>> rows = {"45": {"-3": 1.9, "-2": 2.1, "-1": 2.3, "0": 2.5, "1": 2.8}}
    >>> [z_score_to_zero(rows, 45, weight) for weight in (1.8, 2.0, 2.1, 2.2, 2.6, 3.0)]
    [-3.0, -2.0, -2.0, -1.0, 0.0, 1.0]
    """
    row = table.get(f"{x:g}") or _nearest(table, x, within=math.inf)
    if not row:
        return None
    steps = sorted((float(z), value) for z, value in row.items())
    before = steps[0][0]
    if y < steps[0][1]:
        return before
    for z, value in steps:
        if value == y or (value > y and z <= 0):
            return z
        if value > y:
            return before
        before = z
    return before


def _nearest(
    table: Mapping[str, Mapping[str, float]], x: float, within: float = _HALF_A_ROW
) -> Mapping[str, float] | None:
    if not table:
        return None
    key = min(table, key=lambda row: (abs(float(row) - x), float(row)))
    return table[key] if abs(float(key) - x) <= within else None


def age_number(age_days: int, unit: str) -> float:
    """An age in a unit; whole months: somebody is n months old from floor(n × 30.4375) days on.

    >>> age_number(304, "mo"), age_number(60, "mo"), age_number(59, "mo"), age_number(304, "d")
    (10.0, 2.0, 1.0, 304.0)
    """
    if unit == "d":
        return float(age_days)
    return float(math.ceil((age_days + 1) / DAYS_OF_A_MONTH) - 1)
