"""Numbers of a case as findings: what a value measures, and for how long something has lasted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from medweave.language.folding import lower, name_key
from medweave.language.quantities import names as quantity_names
from medweave.language.quantities import quantities, unit_codes
from medweave.language.value_cues import read_value, said_near
from medweave.model.findings import Measured
from medweave.model.guideline import Observation
from medweave.model.value import Value
from medweave.understanding.case_names import Named
from medweave.understanding.case_words import CaseWord, case_words, content, word_set
from medweave.understanding.observation_names import ObservationNames

_TIMES = ("duration", "onset")
_IN_TIME = ("d", "wk", "mo", "a", "h")
_NUMBER = re.compile(
    r"^(?P<between>[\s:=~,(]*(?:(?:is|was|of|at|now|about|score|measured|reads|shows|today)[\s:=~]*){0,2})"
    r"(?P<n>[-−–+]?\d+(?:[.,]\d+)?)\s*(?P<u>%|[a-zµμ]+(?:/[a-z]+)?)?"
)
_OWN_UNITS = {"mm": "mm", "cm": "cm"}


@dataclass(frozen=True, slots=True)
class ToldNumber:
    """A number of an observation and where it stands."""

    observation: str
    value: float | Measured
    start: int
    end: int
    why: str


def measured_values(
    text: str, values: Iterable[Value], names: ObservationNames, named: Iterable[Named]
) -> Iterator[ToldNumber]:
    """The values of a text that are numbers of observations, those of now."""
    spans = tuple((each.start, each.end) for each in named)
    for value in values:
        if value.quantity in _TIMES or value.bound:
            continue
        reading = read_value(text, value, "en", spans)
        own = reading.experiencer == "patient" and reading.status == "present"
        if (
            not own
            or reading.temporality == "historical"
            or said_near(text, value, "en", "earlier")
        ):
            continue
        for observation in _measuring(value, names):
            held = Measured(value.written_value, value.code)
            yield ToldNumber(
                observation.id,
                _in_unit(observation, value, held),
                value.start,
                value.end,
                f"a value of {value.quantity}",
            )


def _in_unit(observation: Observation, value: Value, held: Measured) -> float | Measured:
    return value.value if observation.unit == value.unit else held


def _measuring(value: Value, names: ObservationNames) -> Iterator[Observation]:
    """Observations that are called what a quantity is called, and are counted in its units."""
    quantity = quantities().get(value.quantity)
    if quantity is None:
        return
    own_names = quantity_names("en")
    for observation in names.observations.values():
        if observation.kind != "number" or observation.unit not in {*quantity.units, "g/dL"}:
            continue
        called = (name_key(name) for name in (observation.label, *observation.aliases))
        if any(own_names.get(name) == value.quantity for name in called):
            yield observation


def named_numbers(
    text: str, names: ObservationNames, named: Iterable[Named]
) -> Iterator[ToldNumber]:
    """Numbers right behind the name of what is counted: "MUAC 118 mm", "z-score -3.2"."""
    for each in named:
        for name in each.names:
            observation = names.observations[name.observation]
            if name.says != "name" or observation.kind != "number":
                continue
            behind = lower(text[each.end : each.end + 40])
            found = _NUMBER.match(behind)
            if found is None or (not found["between"].strip(" ~") and found.start("n") == 0):
                continue
            unit = _unit(found["u"] or "")
            if unit and not _convertible(unit, observation.unit):
                continue
            number = float(re.sub("[−–]", "-", found["n"]).replace(",", "."))
            yield ToldNumber(
                observation.id,
                Measured(number, unit) if unit and unit != observation.unit else number,
                each.start,
                each.end + found.end(),
                f"a number behind '{text[each.start : each.end]}'",
            )


def _convertible(unit: str, wanted: str) -> bool:
    """Whether a number in a unit can be one of the observation's at all."""
    alike = [set(quantity.units) for quantity in quantities().values()]
    alike += [{"mm", "cm", "m"}, {"g/dL", "g/L"}]
    return unit == wanted or any(unit in units and wanted in units for units in alike)


def _unit(written: str) -> str:
    return _OWN_UNITS.get(written) or unit_codes().get(written, "")


def durations(
    text: str,
    words: list[CaseWord],
    values: Iterable[Value],
    names: ObservationNames,
    present: list[Named],
) -> Iterator[ToldNumber]:
    """How long what is there has lasted: a time belongs to the sign it stands nearest to in its
    sentence, and to those joined with it by "and"."""
    for value in values:
        if value.quantity not in _TIMES or value.bound:
            continue
        for each in _lasting(text, words, value, present):
            for observation in _durations_of(text, each, names):
                number = value.value if observation.unit == "d" else Measured(value.value, "d")
                yield ToldNumber(
                    observation.id,
                    number,
                    value.start,
                    value.end,
                    f"how long there has been '{text[each.start : each.end]}'",
                )


def _lasting(text: str, words: list[CaseWord], value: Value, present: list[Named]) -> list[Named]:
    sentence = next((word.sentence for word in words if word.end > value.start), -1)
    near = [each for each in present if words[each.first].sentence == sentence]
    before = [each for each in near if each.end <= value.start]
    behind = [each for each in near if each.start >= value.end]
    if before:
        last = before[-1]
        found = [last]
        for other in reversed(before[:-1]):
            if lower(text[other.end : found[-1].start]).strip() != "and":
                break
            found.append(other)
        return found
    between = lower(text[value.end : behind[0].start]).strip() if behind else "-"
    return behind[:1] if re.fullmatch(r"(history )?(of|with)( an?| the)?|history|", between) else []


def _durations_of(text: str, named: Named, names: ObservationNames) -> Iterator[Observation]:
    """The numbers of days that belong to a sign, by their names: "cough duration"."""
    said = set(content(case_words(text[named.start : named.end])))
    called = [said]
    for name in named.names:
        of = names.observations[name.observation]
        called += [set(content(case_words(way))) for way in (of.label, *of.aliases)]
    for observation in names.observations.values():
        if observation.kind == "number" and observation.unit in _IN_TIME:
            for way in (observation.label, *observation.aliases):
                what = _lasting_thing(way)
                if what and (what <= said or what in called):
                    yield observation
                    break


def _lasting_thing(name: str) -> set[str]:
    """What a duration is of: the name without "duration" and "days"; empty where it is none."""
    times = {stem for word in word_set("duration_words") for stem in content(case_words(word))}
    found = set(content(case_words(name)))
    return found - times if found & times else set()
