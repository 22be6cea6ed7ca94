"""A guideline as a FHIR Bundle (R4B, and valid as R4): plan, questions, drafts of treatments.

A rule is told in words as a condition (`text/plain`): neither CQL nor FHIRPath has a score of
which parts are unknown, nor "stands while something could not be excluded". What is evaluated is
the YAML, which the Library holds whole and every condition refers to.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from medweave.guideline.fhir.questionnaire import UCUM, questionnaire_items
from medweave.guideline.logic.explanations import ages_in_words
from medweave.guideline.logic.graph import yields_to
from medweave.guideline.rule_words import Labels, dose_in_words
from medweave.guideline.versions.normal_form import RuleForm
from medweave.guideline.yaml.spans import plain
from medweave.guideline.yaml.writing import write_guideline
from medweave.model.guideline import (
    ANY_AGE,
    UNSOURCED,
    AgeBand,
    Classification,
    FixedDose,
    Formulation,
    Guideline,
    StepKind,
    TreatmentStep,
    WeightDose,
)
from medweave.model.logic import Expression

_KINDS: Mapping[StepKind, str] = {
    "drug": "MedicationRequest",
    "advice": "CommunicationRequest",
    "referral": "ServiceRequest",
    "test": "ServiceRequest",
    "management": "ServiceRequest",
}
_UCUM: Mapping[str, str] = {
    "mg": "mg", "g": "g", "ug": "ug", "mcg": "ug", "mL": "mL", "ml": "mL", "IU": "[iU]",
    "drops": "[drp]", "drop": "[drp]",
}  # fmt: skip
"""UCUM codes of units of doses; all others (tablets, puffs) are words."""
Json = dict[str, Any]
_TERMS = "http://terminology.hl7.org/CodeSystem/"
_COUNTRIES = "urn:iso:std:iso:3166"
_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
_LANGUAGE = "text/plain"


def fhir_bundle(guideline: Guideline) -> Json:
    """The Bundle (type collection): Library, Questionnaire, PlanDefinition, ActivityDefinitions.

    Everything is named by UUIDs made of the guideline's id and version, so that the same guideline
    always gives the same Bundle. Raises `GuidelineError` where its groups go in circles.

    >>> bundle = fhir_bundle(Guideline("g", "1", "G", (), (), ()))
    >>> [entry["resource"]["resourceType"] for entry in bundle["entry"]]
    ['Library', 'Questionnaire', 'PlanDefinition']
    """
    return _Export(guideline).bundle()


class _Export:
    def __init__(self, guideline: Guideline) -> None:
        self._guideline = guideline
        self._labels = Labels.of(guideline)
        self._form = RuleForm(guideline.groups)
        self._yields = yields_to(guideline)
        self._library = self._url("Library")
        self._conditions = {each.id: each.label for each in guideline.conditions}
        self._activities: list[Json] = []

    def bundle(self) -> Json:
        plan = self._plan()
        resources = [self._library_resource(), self._questionnaire(), plan, *self._activities]
        entries = [{"fullUrl": each["url"], "resource": each} for each in resources]
        return {"resourceType": "Bundle", "type": "collection", "entry": entries}

    def _url(self, *parts: str) -> str:
        name = "\n".join(["medweave", self._guideline.id, self._guideline.version, *parts])
        return f"urn:uuid:{uuid5(NAMESPACE_URL, name)}"

    def _head(self, kind: str) -> Json:
        """What all resources that define something say."""
        guideline = self._guideline
        url = self._url(kind)
        found: Json = {
            "resourceType": kind,
            "id": url.removeprefix("urn:uuid:"),
            "language": guideline.language or "en",
            "url": url,
            "identifier": [{"value": guideline.id}],
            "version": guideline.version,
            "name": re.sub(r"\W+", "_", f"{kind}_{guideline.id}"),
            "title": guideline.title.strip() or guideline.id,
            "status": "draft" if guideline.sample else "unknown",
            "experimental": guideline.sample,
        }
        if _DATE.fullmatch(guideline.released):
            found["date"] = guideline.released
        if guideline.developer:
            found["publisher"] = guideline.developer
        if guideline.country:
            found["jurisdiction"] = [_jurisdiction(guideline.country)]
        return found

    def _cited(self) -> Json:
        citation = self._guideline.citation
        return {"relatedArtifact": [{"type": "citation", "citation": citation}]} if citation else {}

    def _library_resource(self) -> Json:
        text = write_guideline(self._guideline).encode()
        attachment = {
            "contentType": "application/yaml",
            "data": b64encode(text).decode(),
            "size": len(text),
            "title": f"{self._guideline.name}.yaml",
        }
        kind = {"coding": [{"system": f"{_TERMS}library-type", "code": "logic-library"}]}
        return self._head("Library") | {"type": kind} | self._cited() | {"content": [attachment]}

    def _questionnaire(self) -> Json:
        found = self._head("Questionnaire") | {"subjectType": ["Patient"]}
        items = questionnaire_items(self._guideline)
        return found | ({"item": items} if items else {})

    def _plan(self) -> Json:
        guideline = self._guideline
        kind = {"system": f"{_TERMS}plan-definition-type", "code": "clinical-protocol"}
        found = self._head("PlanDefinition") | {"type": {"coding": [kind]}}
        if guideline.ages != ANY_AGE:
            found["description"] = f"For children aged {ages_in_words(guideline.ages)}."
        if guideline.limits:
            found["usage"] = guideline.limits
        found |= self._cited() | {"library": [self._library]}
        actions = [self._classification(each) for each in guideline.classifications]
        return found | ({"action": actions} if actions else {})

    def _classification(self, each: Classification) -> Json:
        parts = [f"{self._conditions.get(each.condition, each.condition)}: {each.severity}"]
        parts += [each.colour] if each.colour else []
        parts += ["refer"] if each.refer else []
        if each.follow_up_days is not None:
            parts.append(f"come back in {each.follow_up_days} days")
        words = [self._form.in_words(each.rule, self._labels)]
        before = [self._labels.classifications.get(n, n) for n in self._yields[each.id]]
        words += [f"and none of these holds: {'; '.join(before)}"] if before else []
        found: Json = {
            "title": each.label.strip() or each.id,
            "description": ", ".join(parts),
            "code": [{"text": each.id}],
        }
        if each.source not in ("", UNSOURCED):
            found["documentation"] = [{"type": "citation", "citation": each.source}]
        found["condition"] = [self._condition(each.ages, " ".join(words))]
        steps = [self._step(each, step) for step in each.treatments]
        return found | ({"action": steps} if steps else {})

    def _condition(self, ages: AgeBand, words: str) -> Json:
        aged = "" if ages == ANY_AGE else f"age {ages_in_words(ages)}"
        wording = " and ".join(part for part in (aged, words) if part)
        expression = {"language": _LANGUAGE, "expression": wording, "reference": self._library}
        return {"kind": "applicability", "expression": expression}

    def _step(self, each: Classification, step: TreatmentStep) -> Json:
        found: Json = {"title": step.label.strip() or step.id, "code": [{"text": step.id}]}
        if step.when is not None or step.ages != ANY_AGE:
            found["condition"] = [self._condition(step.ages, self._words(step.when))]
        made = [
            (
                formulation.label,
                self._activity(activity(step, formulation), each, step, formulation.id),
            )
            for formulation in step.formulations
        ]
        if not made:
            return found | {"definitionCanonical": self._activity(activity(step), each, step, "")}
        if len(made) == 1:
            return found | {"definitionCanonical": made[0][1]}
        ways = [{"title": label, "definitionCanonical": url} for label, url in made]
        return found | {"selectionBehavior": "exactly-one", "action": ways}

    def _words(self, rule: Expression | None) -> str:
        return "" if rule is None else self._form.in_words(rule, self._labels)

    def _activity(
        self, made: Json, each: Classification, step: TreatmentStep, formulation: str
    ) -> str:
        """Keeps an activity, under a name of its own; the name."""
        url = self._url("ActivityDefinition", each.id, step.id, formulation)
        named: Json = {
            "resourceType": made.pop("resourceType"),
            "id": url.removeprefix("urn:uuid:"),
            "language": self._guideline.language or "en",
            "url": url,
            "version": self._guideline.version,
        }
        self._activities.append(named | made | {"library": [self._library]})
        return url


def _jurisdiction(country: str) -> Json:
    if re.fullmatch(r"[A-Z]{2,3}", country):
        return {"coding": [{"system": _COUNTRIES, "code": country}]}
    return {"text": country}


def activity(step: TreatmentStep, formulation: Formulation | None = None) -> Json:
    """One step, or one of the formulations that a drug is given in.

    A dose by weight is a rate per kg and day, with its maximum; a fixed one is a quantity. A dose
    looked up by weight or age is told in words alone: a dosage has no conditions.
    """
    found: Json = {
        "resourceType": "ActivityDefinition",
        "title": step.label if formulation is None else f"{step.label}: {formulation.label}",
        "status": "draft",
        "kind": _KINDS[step.kind],
        "intent": "proposal",
    }
    if step.text:
        found["description"] = step.text
    if step.drug:
        found["productCodeableConcept"] = {"text": step.drug}
    sources = [step.source, *([formulation.source] if formulation else [])]
    cited = [each for each in dict.fromkeys(sources) if each not in ("", UNSOURCED)]
    if cited:
        found["relatedArtifact"] = [{"type": "citation", "citation": each} for each in cited]
    if step.kind == "drug" and formulation is not None:
        found["dosage"] = [_dosage(step, formulation)]
    return found


def _dosage(step: TreatmentStep, each: Formulation) -> Json:
    words = [dose_in_words(each.dose), f"{plain(each.times_per_day)} times a day"]
    words += [f"for {plain(step.days)} days"] if step.days else []
    words += [part for part in (step.duration, each.route) if part]
    found: Json = {"text": "; ".join(words)}
    if each.instructions:
        found["patientInstruction"] = each.instructions
    timing = _timing(step, each)
    if timing:
        found["timing"] = {"repeat": timing}
    if each.route:
        found["route"] = {"text": each.route}
    match each.dose:
        case FixedDose(unit, value):
            found["doseAndRate"] = [{"doseQuantity": _quantity(value, unit)}]
        case WeightDose(unit, least, most, cap):
            rate = f"{unit}/kg/d"
            ends = {"low": _quantity(least, rate), "high": _quantity(most, rate)}
            found["doseAndRate"] = [{"rateRange": ends}]
            found["maxDosePerPeriod"] = {
                "numerator": _quantity(cap, unit),
                "denominator": _quantity(1, "d"),
            }
        case _:
            pass
    return found


def _timing(step: TreatmentStep, each: Formulation) -> Json:
    """So often a day, or every so many days; nothing where neither is a whole number."""
    found: Json = {}
    often = each.times_per_day
    if often > 0 and float(often).is_integer():
        found = {"frequency": int(often), "period": 1, "periodUnit": "d"}
    elif often > 0 and (1 / often).is_integer():
        found = {"frequency": 1, "period": int(1 / often), "periodUnit": "d"}
    if step.days:
        found["boundsDuration"] = _quantity(step.days, "d")
    return found


def _quantity(value: float, unit: str) -> Json:
    number = int(value) if float(value).is_integer() else value
    head, _, tail = unit.partition("/")
    code = _UCUM.get(head, "d" if unit == "d" else "")
    if not code:
        return {"value": number, "unit": unit}
    return {
        "value": number,
        "unit": unit,
        "system": UCUM,
        "code": f"{code}/{tail}" if tail else code,
    }
