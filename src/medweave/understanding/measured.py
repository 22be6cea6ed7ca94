"""What values of a text say of the person: findings, a weight, and what does not fit together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from medweave.language.passage import Passage
from medweave.language.people import people_of
from medweave.language.quantities import quantities
from medweave.language.value_cues import cue_near_value, read_value
from medweave.language.values import read_values
from medweave.model.question import Link, Mention, Patient
from medweave.model.value import Threshold, Value
from medweave.understanding.linked import linked
from medweave.understanding.patient import read_patient
from medweave.vocabulary.dictionary import Match, Named
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.thresholds import WEIGHT, plausible_weight, says_more, threshold_of

LINK = Link("value")
"""How a finding is linked that a value stands for."""
_MONTH = 30.4375
_IN_YEARS = 24
"""Ages of fewer months are told in months."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The values of a text, and its mentions with those that values stand for."""

    values: tuple[Value, ...]
    mentions: tuple[Mention, ...]
    weight_kg: float | None = None
    contradictions: tuple[str, ...] = ()


def measure(passage: Passage, mentions: tuple[Mention, ...], knowledge: Knowledge) -> Measured:
    """The values of a text beside its names.

    A value over a threshold is a present finding, unless it is denied, over, supposed or another's.
    If the text denies that finding as well, neither is believed: it is unknown, and reported.
    """
    text, language = passage.text, passage.language
    values = read_values(text, language, [(mention.start, mention.end) for mention in mentions])
    if not values:
        return Measured((), mentions)
    telling = [value for value in values if says_more(value)]  # mostly none, of times and doses
    counted = tuple(value for value in telling if _counts(passage, value))
    if not counted:
        return Measured(values, mentions)
    patient = read_patient(passage, mentions)
    found: dict[Value, Value] = {value: value for value in values}
    shown, notes = mentions, []
    for value in counted:
        threshold = _threshold(text, value, language, patient)
        if threshold is None:
            continue
        bearers = knowledge.dictionary.names(threshold.finding)
        denials = _denials(mentions, bearers)
        if denials and cue_near_value(text, value, language, "earlier"):
            continue  # it was so, and is no longer
        found[value] = replace(value, threshold=threshold)
        if denials:
            notes.append(_contradiction(text, value, denials[0], threshold))
            shown = tuple(
                replace(m, status="unknown", doubted=True) if m in denials else m for m in shown
            )
        else:
            shown = _with_finding(
                shown, bearers, _finding(text, language, value, bearers, knowledge)
            )
    weight, questioned = _weight(text, counted, patient)
    shown = tuple(sorted(shown, key=lambda mention: mention.start))
    return Measured(tuple(found.values()), shown, weight, tuple(dict.fromkeys(notes + questioned)))


def _counts(passage: Passage, value: Value) -> bool:
    if value.quantity == WEIGHT and people_of(passage).is_other_weight(value.start):
        return False
    reading = read_value(passage, value)
    own = reading.experiencer == "patient" and reading.temporality == "recent"
    return own and reading.status == "present"


def _threshold(text: str, value: Value, language: str, patient: Patient) -> Threshold | None:
    return threshold_of(value, patient, lambda rule: cue_near_value(text, value, language, rule))


def _naming(mentions: Iterable[Mention], bearers: tuple[Named, ...]) -> tuple[Mention, ...]:
    """The mentions of the person that name what these bear the name of."""
    wanted = {bearer.entity for bearer in bearers}
    return tuple(
        mention
        for mention in mentions
        if mention.experiencer == "patient" and wanted.intersection(mention.entities)
    )


def _denials(mentions: tuple[Mention, ...], bearers: tuple[Named, ...]) -> tuple[Mention, ...]:
    return tuple(mention for mention in _naming(mentions, bearers) if mention.status == "absent")


def _with_finding(
    mentions: tuple[Mention, ...], bearers: tuple[Named, ...], finding: Mention | None
) -> tuple[Mention, ...]:
    """The mentions with the finding of a value present; named in the text, it is not doubled."""
    naming = [m for m in _naming(mentions, bearers) if m.temporality == "recent"]
    if finding is None or any(mention.status == "present" for mention in naming):
        return mentions
    for mention in naming:
        if mention.status == "unknown":
            sure = replace(mention, status="present", doubted=False)
            return tuple(sure if m is mention else m for m in mentions)
    return (*mentions, finding)


def _finding(
    text: str, language: str, value: Value, bearers: tuple[Named, ...], knowledge: Knowledge
) -> Mention | None:
    """The finding that a value stands for; None if neither base nor lexicon knows its name."""
    if not bearers:
        return None
    match = Match(value.start, value.end, bearers)
    return linked(text, match, LINK, language, knowledge, status="present")


def _contradiction(text: str, value: Value, denial: Mention, threshold: Threshold) -> str:
    limit = quantities()[value.quantity].units[value.code].written(threshold.at)
    written = text[value.start : value.end]
    return f"{denial.name}: {denial.status}, but {written} ({threshold.side} {limit:g})"


def _weight(text: str, values: Iterable[Value], patient: Patient) -> tuple[float | None, list[str]]:
    """The weight of the person, and those said that nobody of that age has."""
    weights = [v for v in values if v.quantity == WEIGHT and not v.bound]
    fitting = [v.value for v in weights if plausible_weight(v.value, patient)]
    questioned = [
        f"weight: {text[v.start : v.end]}, at an age of {_age(patient)}"
        for v in weights
        if not plausible_weight(v.value, patient)
    ]
    return next(iter(fitting), None), questioned


def _age(patient: Patient) -> str:
    """An age, or the highest that fits, in years, below two in months."""
    days = patient.age_max_days if patient.age_days is None else patient.age_days
    months = int(((days or 0) + 1) / _MONTH)  # a day more: years are rounded to days
    return f"{months} months" if months < _IN_YEARS else f"{months // 12} years"
