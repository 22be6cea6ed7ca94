"""CDS Hooks: what a guideline says of the patient whose record is open, as cards.

Answers are those of the exported Questionnaire (`linkId` is an observation's id); measurements come
by their LOINC codes, in any unit of UCUM that can be converted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import uuid4

from medweave.errors import FindingsError, MedweaveError, NotFoundError
from medweave.guideline.logic.graph import Graph
from medweave.guideline.logic.values import conversion
from medweave.model.answer import Danger
from medweave.model.assessment import STANDS, Assessment, ClassificationResult
from medweave.model.findings import UNAVAILABLE
from medweave.model.guideline import Guideline

Json = Mapping[str, Any]
LOINC = "http://loinc.org"
WEIGHT = "29463-7"
MEASURED = {
    "8310-5": ("temperature", "axillary temperature", "body temperature"),
    "9279-1": ("respiratory rate", "respiratory_rate", "breaths per minute"),
    "59408-5": ("oxygen saturation", "oxygen_saturation", "SpO2"),
}
"""The names under which a guideline may know what a code of LOINC measures."""
_SUMMARY = 139
_NOT_PERFORMED = "not-performed"
_SEXES = ("female", "male")


class PatientMissingError(MedweaveError):
    """What a service must know of the patient was not sent: the call is told to fetch it."""


@dataclass(frozen=True, slots=True)
class Service:
    """A guideline as a service."""

    id: str
    title: str
    description: str

    def to_json(self) -> dict[str, Any]:
        """One of `services`."""
        return {
            "hook": "patient-view",
            "id": self.id,
            "title": self.title,
            "description": self.description,
            "prefetch": {
                "patient": "Patient/{{context.patientId}}",
                "observations": "Observation?patient={{context.patientId}}"
                f"&code={','.join((WEIGHT, *MEASURED))}&_sort=-date",
                "responses": "QuestionnaireResponse?patient={{context.patientId}}&_sort=-authored",
            },
        }


def service_of(guideline: Guideline) -> Service:
    """The service of a guideline."""
    about = f"What {guideline.name} says of a child, and what it would ask next."
    return Service(guideline.id, guideline.title or guideline.id, about)


def record_of(prefetch: Any, graph: Graph, today: date) -> dict[str, Any]:
    """A line of `classify --findings` of what was sent.

    Raises `PatientMissingError` without a patient or a date of birth, and `FindingsError` where
    something cannot be understood.
    """
    sent = prefetch if isinstance(prefetch, Mapping) else {}
    record = _person(sent.get("patient"), today)
    findings: dict[str, Any] = {}
    for observation in _resources(sent.get("observations"), "Observation"):
        _take_observation(observation, graph, record, findings)
    for response in _resources(sent.get("responses"), "QuestionnaireResponse"):
        for item in _items(response.get("item")):
            value = _answers(item)
            if value is not None:
                findings.setdefault(_known(graph, str(item.get("linkId", "")), "linkId"), value)
    return record | {"findings": findings}


def _person(patient: Any, today: date) -> dict[str, Any]:
    if not isinstance(patient, Mapping) or patient.get("resourceType") != "Patient":
        raise PatientMissingError(
            "no Patient was sent", where="prefetch.patient", remedy="send the Patient"
        )
    try:
        born = date.fromisoformat(str(patient.get("birthDate") or ""))
    except ValueError as error:
        raise PatientMissingError(
            "the Patient has no whole date of birth", where="prefetch.patient.birthDate",
            remedy="send birthDate as YYYY-MM-DD",
        ) from error  # fmt: skip
    if born > today:
        raise FindingsError(
            f"the Patient is born on {born}, which is yet to come",
            where="prefetch.patient.birthDate", remedy="check the date",
        )  # fmt: skip
    sex = patient.get("gender")
    return {"age_days": (today - born).days} | ({"sex": sex} if sex in _SEXES else {})


def _resources(sent: Any, kind: str) -> Iterator[Json]:
    """The resources of a kind in what was sent: one, a list, or a Bundle of them, the latest
    first."""
    if isinstance(sent, Mapping) and sent.get("resourceType") == "Bundle":
        entries = sent.get("entry") or []
        found = [e.get("resource") for e in entries if isinstance(e, Mapping)]
    else:
        found = sent if isinstance(sent, list) else [sent]
    right = [r for r in found if isinstance(r, Mapping) and r.get("resourceType") == kind]
    return iter(sorted(right, key=_when, reverse=True))


def _when(resource: Json) -> str:
    return str(resource.get("effectiveDateTime") or resource.get("authored") or "")


def _take_observation(
    sent: Json, graph: Graph, record: dict[str, Any], findings: dict[str, Any]
) -> None:
    """Take what an Observation says; one that came later is there already."""
    value = _value_of(sent)
    if value is None or sent.get("status") in ("entered-in-error", "cancelled"):
        return
    for system, code in _codes(sent):
        if code == WEIGHT and system in (LOINC, ""):
            if isinstance(value, Mapping):
                record.setdefault("weight_kg", _kilograms(value))
            return
        name = _measured(graph, code) if system in (LOINC, "") else None
        name = name or _found(graph, code)
        if name:
            findings.setdefault(name, value)
            return


def _codes(sent: Json) -> Iterator[tuple[str, str]]:
    code = sent.get("code")
    codings = code.get("coding") if isinstance(code, Mapping) else None
    for coding in codings if isinstance(codings, list) else []:
        if isinstance(coding, Mapping) and coding.get("code"):
            yield str(coding.get("system") or ""), str(coding["code"])


def _measured(graph: Graph, code: str) -> str | None:
    return next((n for name in MEASURED.get(code, ()) if (n := _found(graph, name))), None)


def _found(graph: Graph, name: str) -> str | None:
    try:
        return graph.observation_names.find(name)
    except MedweaveError:
        return None


def _known(graph: Graph, name: str, where: str) -> str:
    found = _found(graph, name)
    if found is None:
        raise FindingsError(
            f"this guideline has no observation '{name}'", where=where,
            remedy="use the Questionnaire that `medweave guideline export` writes",
        )  # fmt: skip
    return found


def _kilograms(value: Json) -> float:
    unit = str(value["unit"])
    factors = conversion(unit, "kg")
    if factors is None:
        raise FindingsError(
            f"'{unit}' is no unit of weight", where="observations", remedy="send kg or g"
        )
    add, times = factors
    return round(float(value["value"]) * times + add, 6)


def _value_of(sent: Json) -> Any:
    """The value of an Observation or of an answer, as findings have it; None: unknown."""
    absent = sent.get("dataAbsentReason")
    if isinstance(absent, Mapping):
        codes = [c.get("code") for c in absent.get("coding") or [] if isinstance(c, Mapping)]
        return UNAVAILABLE if _NOT_PERFORMED in codes else None
    for name, value in sent.items():
        if not name.startswith("value"):
            continue
        match name.removeprefix("value"):
            case "Quantity":
                return _quantity(value)
            case "Coding":
                return value.get("code") if isinstance(value, Mapping) else None
            case "CodeableConcept":
                codings = value.get("coding") if isinstance(value, Mapping) else None
                return str(codings[0].get("code")) if codings else None
            case "Boolean" | "Decimal" | "Integer" | "String" | "Date":
                return value
    return None


def _quantity(value: Any) -> Any:
    if not isinstance(value, Mapping) or not isinstance(value.get("value"), int | float):
        return None
    unit = value.get("code") or value.get("unit")
    return {"value": value["value"], "unit": str(unit)} if unit else value["value"]


def _items(items: Any) -> Iterator[Json]:
    """Items that are answered, with those inside groups and answers."""
    for item in items if isinstance(items, list) else []:
        if isinstance(item, Mapping):
            if item.get("answer") or _absent(item):
                yield item
            yield from _items(item.get("item"))
            for answer in item.get("answer") or []:
                if isinstance(answer, Mapping):
                    yield from _items(answer.get("item"))


def _answers(item: Json) -> Any:
    if _absent(item):
        return UNAVAILABLE
    sent = [each for each in item["answer"] if isinstance(each, Mapping)]
    values = [value for each in sent if (value := _value_of(each)) is not None]
    if any(_absent(each) for each in sent):
        return UNAVAILABLE
    if not values:
        return None
    return values[0] if len(values) == 1 else values


def _absent(element: Json) -> bool:
    """Whether it says by FHIR's extension that this was not performed."""
    for extension in element.get("extension") or []:
        if isinstance(extension, Mapping) and str(extension.get("url", "")).endswith(
            "data-absent-reason"
        ):
            return extension.get("valueCode") == _NOT_PERFORMED
    return False


def cards_of(found: Assessment, guideline: Guideline, url: str) -> list[dict[str, Any]]:
    """A card for each classification that stands, the gravest first; none where nothing stands but
    one with the next question, where something is still open."""
    making = _Cards(found, guideline, url)
    danger = [sign for sign in found.danger or () if sign.status == "present"]
    cards = [making.danger(each) for each in danger]
    stands = [each for each in found.classifications if each.status in STANDS]
    cards += sorted((making.classified(each) for each in stands), key=_gravest)
    asked = found.next_question
    if not cards and asked:
        cards = [making.card(f"Next: {asked.text}", "info", asked.why)]
    return cards


def _gravest(card: Json) -> int:
    return ("critical", "warning", "info").index(str(card["indicator"]))


class _Cards:
    def __init__(self, found: Assessment, guideline: Guideline, url: str) -> None:
        self._found, self._guideline, self._url = found, guideline, url

    def card(self, summary: str, indicator: str, detail: str) -> dict[str, Any]:
        source = {"label": f"{self._guideline.title or self._guideline.id} (medweave)"}
        return {
            "uuid": str(uuid4()),
            "summary": _short(summary),
            "indicator": indicator,
            "detail": detail,
            "source": source | ({"url": self._url} if self._url else {}),
        }

    def danger(self, sign: Danger) -> dict[str, Any]:
        text = f"{sign.text} {sign.advice}".strip()
        return self.card(text, "critical" if sign.grade == "now" else "warning", text)

    def classified(self, each: ClassificationResult) -> dict[str, Any]:
        stands_as = {"severe": "critical", "moderate": "warning"}
        lines = [each.why, *self._treatments(each.id)]
        card = self.card(each.label, stands_as.get(each.severity, "info"), "\n\n".join(lines))
        about = {"classification": each.id, "status": each.status}
        return card | {"extension": {"medweave": about}}

    def _treatments(self, classification: str) -> Iterable[str]:
        rows = [r for r in self._found.treatments if r.classification == classification]
        for label in dict.fromkeys(row.label for row in rows):
            yield f"- {label}"


def _short(text: str) -> str:
    """A summary has fewer than 140 characters."""
    line = " ".join(text.split())
    return line if len(line) <= _SUMMARY else line[: _SUMMARY - 1].rstrip() + "…"


def named(services: Mapping[str, str], name: str) -> str:
    """What the library knows the guideline of a service by; `NotFoundError`."""
    if name not in services:
        raise NotFoundError("there is no such service", where=name, remedy="see GET /cds-services")
    return services[name]
