"""`/cds-services`: a service for each guideline, as CDS Hooks has it."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from medweave.errors import QuestionError
from medweave.faces.protocols.cds_hooks import (
    PatientMissingError,
    cards_of,
    named,
    record_of,
    service_of,
)
from medweave.faces.web.house import Base, Given, House, HouseHere, Served
from medweave.faces.web.problems import problem
from medweave.faces.web.replies import Json
from medweave.model.guideline import Guideline

router = APIRouter(prefix="/cds-services", tags=["cds"])


@router.get("")
def services(house: HouseHere, served: Base) -> Json:
    """What may be called."""
    found = [service_of(each).to_json() for each in _guidelines(house, served).values()]
    return Json({"services": found})


@router.post("/{service}")
async def call(service: str, request: Request, house: HouseHere, served: Base) -> Json:
    """What the guideline says of the patient, as cards; 412 where the patient is missing."""
    sent = _read(await request.body())
    return await run_in_threadpool(_called, service, sent, house, served, str(request.base_url))


@router.post("/{service}/feedback")
async def feedback(service: str, request: Request, house: HouseHere, served: Base) -> Json:
    """Which cards were followed, and which not and why."""
    sent = _read(await request.body())
    await run_in_threadpool(_named, service, house, served)
    for each in sent.get("feedback") or []:
        if isinstance(each, dict) and each.get("card"):
            decision = "agree" if each.get("outcome") == "accepted" else "disagree"
            told = {"decision": decision, "reason": _reason(each)}
            house.tell(Given("decision", str(each["card"]), served, told, told))
    return Json({})


def _called(service: str, sent: dict[str, Any], house: House, served: Served, url: str) -> Json:
    name, guideline = _named(service, house, served)
    hook = sent.get("hook")
    if hook not in (None, "patient-view"):
        raise QuestionError(
            f"this service answers patient-view, not '{hook}'", where="hook",
            remedy="see GET /cds-services",
        )  # fmt: skip
    try:
        graph = served.base.assess(name).graph
        record = record_of(sent.get("prefetch"), graph, date.today())
    except PatientMissingError as error:
        form = problem(412, error.what, kind="PatientMissingError", where=error.where,
                       remedy=error.remedy)  # fmt: skip
        return Json(form, 412, None, "application/problem+json")
    found = served.base.classify(record, guideline=name)
    house.give("assessment", served, record, found.to_json())
    return Json({"cards": cards_of(found, guideline, f"{url}guideline")})


def _read(body: bytes) -> dict[str, Any]:
    try:
        sent = json.loads(body or b"{}")
    except (ValueError, RecursionError) as error:
        raise QuestionError("this is no JSON", remedy="send a request of CDS Hooks") from error
    if not isinstance(sent, dict):
        raise QuestionError("a request is an object", remedy="send a request of CDS Hooks")
    return sent


def _guidelines(house: House, served: Served) -> dict[str, Guideline]:
    """The guidelines that may be asked, by what the library knows them by."""
    names = [house.guideline(name, served) for name in house.guideline_names(served)]
    return dict(zip(names, house.guidelines(served), strict=True))


def _named(service: str, house: House, served: Served) -> tuple[str, Guideline]:
    guidelines = _guidelines(house, served)
    name = named({each.id: name for name, each in reversed(guidelines.items())}, service)
    return name, guidelines[name]


def _reason(feedback: dict[str, Any]) -> str:
    override = feedback.get("overrideReason")
    if not isinstance(override, dict):
        return ""
    reason = override.get("reason")
    code = str(reason.get("code", "")) if isinstance(reason, dict) else ""
    return " ".join(part for part in (code, str(override.get("userComment") or "")) if part)
