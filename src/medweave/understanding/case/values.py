"""Numbers of a case as findings: what a value measures, and for how long something has lasted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from medweave.language.data import rule_in
from medweave.language.folding import lower, name_key
from medweave.language.passage import Passage
from medweave.language.quantities import names as quantity_names
from medweave.language.quantities import quantities, unit_codes
from medweave.language.value_cues import cue_near_value, read_value
from medweave.model.findings import Measured
from medweave.model.guideline import Observation, answers_of
from medweave.model.value import Value
from medweave.understanding.case.names import Named
from medweave.understanding.case.observation_names import ObservationNames
from medweave.understanding.case.words import CaseWord, case_words, content, word_set
from medweave.understanding.rule_files import CASE_RULES

_TIMES = ("duration", "onset")
_IN_TIME = ("d", "wk", "mo", "a", "h")
_OWN_UNITS = {"mm": "mm", "cm": "cm"}


@dataclass(frozen=True, slots=True)
class ReportedNumber:
    """A number of an observation and where it stands."""

    observation: str
    value: float | Measured
    start: int
    end: int
    why: str


def measured_values(
    passage: Passage, values: Iterable[Value], names: ObservationNames
) -> Iterator[ReportedNumber]:
    """The values of a text that are numbers of observations, those of now."""
    for value in values:
        if value.quantity in _TIMES or value.bound:
            continue
        reading = read_value(passage, value)
        own = reading.experiencer == "patient" and reading.status == "present"
        if (
            not own
            or reading.temporality == "historical"
            or cue_near_value(passage.text, value, passage.language, "earlier")
        ):
            continue
        for observation in _measuring(value, names):
            held = Measured(value.written_value, value.code)
            yield ReportedNumber(
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
) -> Iterator[ReportedNumber]:
    """Numbers right behind the name of what is counted: "MUAC 118 mm", "z-score -3.2"."""
    for each in named:
        for name in each.names:
            observation = names.observations[name.observation]
            if name.says != "name" or observation.kind != "number":
                continue
            behind = lower(text[each.end : each.end + 40])
            found = rule_in("en", "number_behind", *CASE_RULES).match(behind)
            if found is None or (not found["between"].strip(" ~") and found.start("n") == 0):
                continue
            unit = _unit(found["u"] or "")
            if unit and not _convertible(unit, observation.unit):
                continue
            number = float(
                re.sub("[−–]", "-", found["n"]).replace(",", ".").replace(" point ", ".")
            )
            yield ReportedNumber(
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
    *,
    named: Sequence[Named],
    present: list[Named],
) -> list[ReportedNumber]:
    """How long what is there has lasted: a time belongs to the sign it stands nearest to in its
    sentence, and to those joined with it by "and".

    Where a sign has no duration of its own, the time is of what it implies ("pus from the ear for
    4 days": ear discharge), unless that is told a time itself.
    """
    direct: list[ReportedNumber] = []
    implied: list[ReportedNumber] = []
    for value in values:
        if value.quantity not in _TIMES or value.bound:
            continue
        others = [each for each in named if each not in present and _is_sign(each, names)]
        for each in _lasting(text, words, value, (present, others)):
            own = _durations_of(_called_things(text, each, names), names)
            if own:
                direct += [_lasted(text, each, value, observation) for observation in own]
            else:
                implied_things = _implied_things(each, names)
                implied += [
                    _lasted(text, each, value, o) for o in _durations_of(implied_things, names)
                ]
    known = {each.observation for each in direct}
    return [*direct, *(each for each in implied if each.observation not in known)]


def durations_of_sign(
    text: str, each: Named, value: Value, names: ObservationNames
) -> list[ReportedNumber]:
    """A time as the duration of a sign, or of what that implies."""
    own = _durations_of(_called_things(text, each, names), names)
    found = own or _durations_of(_implied_things(each, names), names)
    return [_lasted(text, each, value, observation) for observation in found]


def _lasted(text: str, each: Named, value: Value, observation: Observation) -> ReportedNumber:
    number = value.value if observation.unit == "d" else Measured(value.value, "d")
    why = f"how long there has been '{text[each.start : each.end]}'"
    return ReportedNumber(observation.id, number, value.start, value.end, why)


def _is_sign(named: Named, names: ObservationNames) -> bool:
    return any(names.observations[name.observation].kind == "boolean" for name in named.names)


def _lasting(
    text: str, words: list[CaseWord], value: Value, signs: tuple[list[Named], list[Named]]
) -> list[Named]:
    """The signs that a time belongs to; none where it is of one that is denied or in doubt."""
    present, others = signs
    sentence = next((word.sentence for word in words if word.end > value.start), -1)
    near = [each for each in present if words[each.first].sentence == sentence]
    before = [each for each in near if each.end <= value.start]
    if before and rule_in("en", "begins_anew", *CASE_RULES).search(
        lower(text[before[-1].end : value.start])
    ):
        before = []  # "a cough for five days, and since last night his breathing is fast"
    behind = [each for each in near if each.start >= value.end]
    if before:
        last = before[-1]
        if any(last.end <= other.start and other.end <= value.start for other in others):
            return []
        found = [last]
        for other in reversed(before[:-1]):
            if lower(text[other.end : found[-1].start]).strip() != "and":
                break
            found.append(other)
        return found
    between = lower(text[value.end : behind[0].start]).strip() if behind else "-"
    if not rule_in("en", "time_of_a_sign", *CASE_RULES).fullmatch(between):
        return []
    found = behind[:1]
    for other in behind[1:]:
        if lower(text[found[-1].end : other.start]).strip() != "and":
            break
        found.append(other)
    return found


def _called_things(text: str, named: Named, names: ObservationNames) -> list[set[str]]:
    """What a sign may be called, by stems, as it is written first."""
    found = [set(content(case_words(text[named.start : named.end])))]
    for name in named.names:
        found += _names_of(names.observations[name.observation])
    return found


def _implied_things(named: Named, names: ObservationNames) -> list[set[str]]:
    """What the things are called that a sign implies."""
    found: list[set[str]] = []
    for name in named.names:
        for answer in answers_of(names.observations[name.observation]):
            others = answer.implies if answer.means == "true" else ()
            for other in others:
                if other in names.observations:
                    found += _names_of(names.observations[other])
    return found


def _names_of(observation: Observation) -> list[set[str]]:
    ways = (observation.label, *observation.aliases)
    return [found for way in ways if (found := set(content(case_words(way))))]


def _durations_of(things: list[set[str]], names: ObservationNames) -> list[Observation]:
    """The numbers of days that belong to a thing, by their names: "cough duration"."""
    found = []
    for observation in names.observations.values():
        if observation.kind == "number" and observation.unit in _IN_TIME:
            lasting = (_lasting_thing(way) for way in (observation.label, *observation.aliases))
            if any(what and (what <= things[0] or what in things) for what in lasting if things):
                found.append(observation)
    return found


def _lasting_thing(name: str) -> set[str]:
    """What a duration is of: the name without "duration" and "days"; empty where it is none."""
    times = {stem for word in word_set("duration_words") for stem in content(case_words(word))}
    found = set(content(case_words(name)))
    return found - times if found & times else set()
