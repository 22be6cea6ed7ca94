"""Doses are let through only where a treatment step of a guideline gives them, as it gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from medweave.claims.reading import Part
from medweave.claims.rules import rules_of
from medweave.language.data import LANGUAGES
from medweave.language.folding import name_key
from medweave.model.guideline import AgeBand, BandDose, Guideline, WeightDose
from medweave.model.statement import SupportedStatement
from medweave.vocabulary.knowledge import Knowledge

_AMOUNT = re.compile(
    r"(?P<n>\d+(?:\.\d+)?)(?:\s*(?:to|-|–|至|到)\s*(?P<m>\d+(?:\.\d+)?))?\s*"
    r"(?P<unit>mg|毫克|puffs?|喷|tablets?|片|ml|毫升)(?P<kg>\s*(?:/|per )\s*kg|/公斤)?"
    r"(?P<day>\s*(?:/|per |a )\s*day|每日|每天)?"
)
_MORE = re.compile(r"\b(?:once|twice|times|every|hour\w*|daily|at a time)\b|每次|次|小时")
"""How often: no sentence is read for that, and so none that says it is let through."""
_SLACK = 2.0
"""Days: months and years are not all of one length."""
_FIVE_YEARS = 1827.0
_UNITS = {
    "毫克": "mg",
    "puffs": "puff",
    "喷": "puff",
    "tablets": "tablet",
    "片": "tablet",
    "毫升": "ml",
}


@dataclass(frozen=True, slots=True)
class RecordedDose:
    """What a step gives of a drug, for one classification."""

    drug: str
    """The key of its name."""
    classification: str
    """The key of what it is given for."""
    unit: str
    least: float
    most: float
    per_kg_day: bool
    ages: tuple[float, float]
    """Of children from so many days on, and below so many."""
    statement: SupportedStatement


def doses_of(
    guideline: Guideline, supports: Mapping[str, SupportedStatement]
) -> Iterator[RecordedDose]:
    """The doses of a guideline that a sentence can give: by weight and day, or fixed."""
    for classification in guideline.classifications:
        statement = supports.get(classification.id)
        if statement is None:
            continue
        for step in classification.treatments:
            for formulation in step.formulations:
                dose = formulation.dose
                if isinstance(dose, BandDose):
                    continue  # it hangs on a weight or age, which no sentence here is read for
                by_weight = isinstance(dose, WeightDose)
                least, most = (
                    (dose.least, dose.most) if isinstance(dose, WeightDose) else (dose.value,) * 2
                )
                yield RecordedDose(
                    name_key(step.drug.replace("_", " ")),
                    name_key(classification.label),
                    dose.unit.lower(),
                    least,
                    most,
                    per_kg_day=by_weight,
                    ages=_ages_of(guideline.ages, classification.ages, step.ages),
                    statement=statement,
                )


class Dosing:
    """The doses that may be told."""

    def __init__(self, doses: Iterable[RecordedDose], knowledge: Knowledge) -> None:
        self._doses = tuple(doses)
        self._knowledge = knowledge

    def of(self, part: Part) -> list[SupportedStatement]:
        """By what the only dose of a part is given, for what it is given there; else nothing.

        The claim must be of children of the ages that the step is for: it is a dose of no other,
        and of one age alone, for which there may be a better step, none is told.
        A dose by weight must be named by the kilogram and the day, and lie within the step's range.
        The step's whole classification must be named: a dose for pneumonia is none for an ear.
        """
        amounts = list(_AMOUNT.finditer(part.text))
        ages = part.narrowed.ages
        if len(amounts) != 1 or len(part.doses) != 1 or ages is None or _MORE.search(part.text):
            return []
        (amount,) = amounts
        if set(part.numbers) - {amount["n"]} or _denies(part) or part.narrowed.one_age:
            return []
        keys = {
            name_key(name)
            for end in part.names
            for entity in end.entities[:1]
            for name in self._knowledge.entities.get(entity).all_names()
        }
        # Told the wrong way round, a range is read as the widest that it can mean.
        least, most = sorted((float(amount["n"]), float(amount["m"] or amount["n"])))
        unit = _UNITS.get(amount["unit"], amount["unit"])
        per_kg_day = bool(amount["kg"]) and bool(amount["day"])
        if bool(amount["kg"]) != bool(amount["day"]):
            return []
        found = {
            each.statement.statement.id: each.statement
            for each in self._doses
            if each.drug in keys
            and each.classification in keys
            and each.unit == unit
            and each.per_kg_day == per_kg_day
            and each.least <= least
            and most <= each.most
            and each.ages[0] - _SLACK <= ages[0]
            and ages[1] <= each.ages[1] + _SLACK
        }
        return list(found.values())


def _denies(part: Part) -> bool:
    return any(rules_of(language).denying.search(part.text) for language in LANGUAGES)


def _ages_of(*bands: AgeBand) -> tuple[float, float]:
    """The ages in all of these bands; a guideline here is of children under five."""
    least = max(band.from_days or 0 for band in bands)
    return float(least), float(min(band.to_days or _FIVE_YEARS for band in bands))
