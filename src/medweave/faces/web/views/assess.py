"""The view that leads through an assessment, one question on a screen."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Form
from pydantic import ValidationError
from starlette.responses import HTMLResponse

from medweave.assessment.events import Event
from medweave.assessment.session import Session
from medweave.errors import FindingsError
from medweave.faces.page.note import POLICY, note_html, note_of
from medweave.faces.texts import page_texts
from medweave.faces.texts.layout import Layout
from medweave.faces.texts.session import (
    findings_in_words,
    follow_up_date,
    overruled_in_words,
    person_in_words,
    with_degrees,
)
from medweave.faces.texts.treatment import follow_ups_in_words, treatments_in_words
from medweave.faces.web.assessing import State, Step, after
from medweave.faces.web.house import House, HouseHere, Served
from medweave.faces.web.replies import Json
from medweave.faces.web.views.rendering import Looking, Viewer, filled
from medweave.guideline.logic.resources import resources_of
from medweave.guideline.wording import Words
from medweave.model.assessment import STANDS
from medweave.model.identifiers import normalise_name
from medweave.model.json_form import json_of

router = APIRouter(include_in_schema=False)
_NOT_STANDING = ("possible", "excluded", "not_applicable")


@router.get("/assess")
def assess(viewer: Looking) -> HTMLResponse:
    """The view, before anything was said."""
    return viewer.view("assess", guidelines=viewer.guidelines())


@router.post("/page/assess")
def step(given: Step, viewer: Looking, house: HouseHere) -> Json:
    """The next question and what stands, after what was done."""
    served = viewer.served
    session = _session(given, served, house)
    state = after(given, session, viewer.language, served.base.knowledge)
    if house.listeners and given.act.kind and state.question is None and not state.crisis:
        record = record_of(state.session)
        found = served.base.classify(record, guideline=_guideline(given, served, house))
        house.give("assessment", served, record, found.to_json())
    return Json(
        {
            "events": [event.to_json() for event in state.session.events],
            "passed": list(state.passed),
            "html": _shown(state, viewer),
        }
    )


def record_of(session: Session) -> dict[str, Any]:
    """What is known of a child, as `classify` takes it."""
    findings = session.case.findings
    values = {
        name: Event("answered", name, value).to_json().get("value")
        for name, value in findings.values.items()
    }
    return {
        "guideline": session.graph.guideline.name,
        "age_days": findings.age_days,
        "weight_kg": findings.weight_kg,
        "sex": findings.sex,
        "findings": values,
        **json_of(findings, "[refused] [agreed] [given] [allergies] [resources]"),
    }


def _session(given: Step, served: Served, house: House) -> Session:
    name = _guideline(given, served, house)
    return served.base.assess(name, map(Event.from_json, given.events))


def _guideline(given: Step, served: Served, house: House) -> str:
    return house.guideline(given.guideline or "sample", served)


def _shown(state: State, viewer: Viewer) -> str:
    found, language = state.assessment, viewer.language
    words = state.words
    standing = [
        (each, _treatments(state, each.id))
        for each in found.classifications
        if each.status in STANDS
    ]
    folded = {
        status: [each for each in found.classifications if each.status == status]
        for status in _NOT_STANDING
    }
    today = datetime.now(UTC).astimezone().date()
    shown = filled(
        "assess_state.html.jinja",
        state=state,
        question=state.question,
        assessment=found,
        standing=standing,
        folded=folded,
        known=_known(state),
        overruled=overruled_in_words(state.session, words),
        resources=_resources(state),
        person=person_in_words(state.session, words),
        stops=Layout(found.safety).stops if found.safety else (),
        follow_up=follow_up_date(found.follow_up_days, today, language),
        follow_ups=follow_ups_in_words(found, language),
        says=viewer.texts["assess"],
        layout=Layout(found.safety).texts if found.safety else {},
        colours=_colours(language),
        note_address=viewer.address("/page/assess/note"),
    )
    return with_degrees(shown)


def _colours(language: str) -> dict[str, str]:
    found: dict[str, str] = page_texts(language)["guideline"]["colours"]
    return found


def _treatments(state: State, classification: str) -> list[str]:
    rows = [row for row in state.assessment.treatments if row.classification == classification]
    return treatments_in_words(rows, state.words.language)


def _known(state: State) -> list[tuple[str, str, str]]:
    """(id, label, answer) of what was answered, to be changed."""
    labels = findings_in_words(state.session, state.words)
    observations = state.session.graph.observations
    names = [
        name
        for name in observations
        if name in state.session.case.findings.values and name in state.session.state.known
    ]
    return [(name, *told) for name, told in zip(names, labels, strict=True)]


def _resources(state: State) -> list[tuple[str, str, bool]]:
    """(name, words, whether it is at hand) of all that the guideline needs."""
    held = state.session.case.findings.resources
    named = {normalise_name(each): each for each in resources_of(state.session.graph)}
    return [(name, state.words(named[name]), held.get(name, True)) for name in sorted(named)]


@router.post("/page/assess/note")
def note(viewer: Looking, house: HouseHere, state: Annotated[str, Form()]) -> HTMLResponse:
    """The referral note as a page to print. What it says comes in the body, not in an address."""
    try:
        given = Step(**_object(state))
    except ValidationError as error:
        raise FindingsError("this is no assessment", where="state", remedy="begin anew") from error
    session = _session(given, viewer.served, house)
    made = note_of(
        session, Words(session.graph, viewer.language), datetime.now(UTC).astimezone().date()
    )
    return HTMLResponse(note_html(made), headers={"content-security-policy": POLICY})


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise FindingsError("this is no assessment", where="state", remedy="begin anew")
    return found
