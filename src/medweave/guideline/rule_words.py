"""Rules and doses of a guideline in words, by the labels of what they name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from medweave.guideline.logic.explanations import ages_in_words
from medweave.guideline.yaml.spans import plain, written_weights
from medweave.model import logic
from medweave.model.guideline import (
    ANY_AGE,
    AgeBand,
    BandDose,
    FixedDose,
    Guideline,
    WeightDose,
    answers_of,
)

SIGNS: Mapping[str, str] = {
    "<": "below",
    "<=": "at most",
    ">": "above",
    ">=": "at least",
    "=": "exactly",
    "!=": "other than",
}


@dataclass(frozen=True)
class Labels:
    """What the parts of a guideline are called."""

    observations: Mapping[str, str]
    answers: Mapping[tuple[str, str], str]
    """(observation, answer) → the words for it; '' for the answer that means yes."""
    units: Mapping[str, str]
    classifications: Mapping[str, str]

    @classmethod
    def of(cls, guideline: Guideline) -> Labels:
        """The labels of a guideline."""
        return cls(
            {each.id: each.label for each in guideline.observations},
            {
                (each.id, answer.id): "" if answer.means == "true" else answer.label
                for each in guideline.observations
                for answer in answers_of(each)
            },
            {each.id: each.unit for each in guideline.observations},
            {each.id: each.label for each in guideline.classifications},
        )


def leaf_in_words(leaf: logic.Expression, labels: Labels) -> str:
    """What has no parts, in words.

    >>> labels = Labels({"spo2": "Oxygen"}, {}, {"spo2": "%"}, {})
    >>> leaf_in_words(logic.Compared("spo2", "<", 90), labels)
    'Oxygen below 90 %'
    """
    match leaf:
        case logic.Answered(name, answer):
            label = labels.observations.get(name, name)
            answer_label = labels.answers.get((name, answer), answer)
            return f"{label}{': ' if answer_label else ''}{answer_label}{_taken(leaf)}"
        case logic.Compared(name, sign, limit):
            unit = labels.units.get(name, "")
            shown = f" {unit}" if unit not in ("", "1") else ""
            label = labels.observations.get(name, name)
            return f"{label} {SIGNS[sign]} {plain(limit)}{shown}{_taken(leaf)}"
        case logic.Aged(from_days, to_days):
            return f"age {ages_in_words(AgeBand(from_days, to_days))}"
        case logic.Classified(name):
            return f"{labels.classifications.get(name, name)} holds"
        case logic.GroupReference(name):
            return f"group {name}"
        case logic.Constant(value):
            return "always" if value else "never"
        case _:
            raise TypeError(leaf)


def _taken(leaf: logic.Answered | logic.Compared) -> str:
    wordings = [
        f"{'true' if value else 'false'} where {when}"
        for value, when in (
            (leaf.fallback, "it cannot be had"),
            (leaf.unanswered, "nobody has answered it"),
        )
        if value is not None
    ]
    return f" (taken as {', '.join(wordings)})" if wordings else ""


def rule_in_words(rule: logic.Expression, labels: Labels) -> str:
    """A rule as one line; groups by their names.

    >>> cough = logic.Answered("cough", "yes")
    >>> labels = Labels({}, {("cough", "yes"): ""}, {}, {})
    >>> rule_in_words(logic.AllOf((cough, logic.Negation(cough))), labels)
    'all of (cough; not cough)'
    """
    match rule:
        case logic.AllOf(parts) | logic.AnyOf(parts):
            return joined(
                "all of" if isinstance(rule, logic.AllOf) else "any of",
                [rule_in_words(part, labels) for part in parts],
            )
        case logic.AtLeast(count, parts, scores):
            wordings = [rule_in_words(part, labels) for part in parts]
            return joined(at_least(count, scores), scored(wordings, scores))
        case logic.Negation(part):
            return f"not {rule_in_words(part, labels)}"
        case logic.Guarded(guard, part, material):
            return guarded(
                rule_in_words(guard, labels), rule_in_words(part, labels), material=material
            )
        case _:
            return leaf_in_words(rule, labels)


def joined(head: str, parts: list[str]) -> str:
    """Parts under what joins them; nothing is said of what joins one part alone."""
    return f"{head} ({'; '.join(parts)})" if parts else f"{head} nothing"


def at_least(count: float, scores: tuple[float, ...]) -> str:
    """What a score asks for.

    >>> at_least(2, ()), at_least(2, (1.0, 2.0))
    ('at least 2 of', 'at least 2 points of')
    """
    return f"at least {plain(count)} {'points of' if set(scores) - {1.0} else 'of'}"


def scored(parts: list[str], scores: tuple[float, ...]) -> list[str]:
    """Parts with their points, where they are not one each."""
    if not set(scores) - {1.0}:
        return parts
    return [f"{part} [{plain(score)}]" for part, score in zip(parts, scores, strict=True)]


def guarded(guard: str, part: str, *, material: bool) -> str:
    """IF … THEN, in words."""
    return f"if {guard} then {part}{' (else true)' if material else ''}"


def dose_in_words(dose: BandDose | WeightDose | FixedDose) -> str:
    """A dose of one administration, or of a day, in words.

    >>> dose_in_words(WeightDose("mg", 80, 90, 3000))
    '80 to 90 mg/kg a day, at most 3000 mg a day'
    """
    match dose:
        case FixedDose(unit, value):
            return f"{plain(value)} {unit}"
        case WeightDose(unit, least, most, cap):
            span = plain(least) if least == most else f"{plain(least)} to {plain(most)}"
            return f"{span} {unit}/kg a day, at most {plain(cap)} {unit} a day"
        case BandDose(unit, bands):
            rows = []
            for band in bands:
                named = [] if band.weight == (None, None) else [written_weights(band.weight)]
                named += [] if band.ages == ANY_AGE else [f"age {ages_in_words(band.ages)}"]
                rows.append(f"{', '.join(named) or 'all'}: {plain(band.value)} {unit}")
            return "; ".join(rows)
