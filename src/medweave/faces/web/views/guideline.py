"""The view of guidelines: what each classification rests on, and what differs between two."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import HTMLResponse, Response

from medweave.faces.pictures.rule_picture import rule_picture
from medweave.faces.terminal.guideline_difference import difference_lines
from medweave.faces.web.views.rendering import Looking, Viewer
from medweave.guideline.drawing import drawing_of
from medweave.guideline.versions.difference import difference
from medweave.guideline.wording import Words
from medweave.model.guideline import Guideline

router = APIRouter(include_in_schema=False)
Name = Annotated[str, Query(max_length=500)]


def _named(viewer: Viewer, name: str) -> tuple[Guideline, Words]:
    """A guideline, and what says it in the language of the page."""
    known = viewer.house.guideline(name, viewer.served) or "sample"
    graph = viewer.served.base.assess(known).graph  # read and made ready for assessments already
    return graph.guideline, Words(graph, viewer.language)


@router.get("/guideline")
def guideline(
    viewer: Looking,
    guideline: Name = "sample",
    classification: Name = "",
    beside: Annotated[str, Query(alias="with", max_length=500)] = "",
) -> HTMLResponse:
    """One guideline; with a classification its logic, with another guideline what differs."""
    held, words = _named(viewer, guideline)
    chosen = classification or held.classifications[0].id
    compared = None
    if beside:
        other, _ = _named(viewer, beside)
        compared = list(difference_lines(difference(held, other), words=words))
    return viewer.view(
        "guideline",
        held=held,
        words=words,
        guidelines=viewer.guidelines(),
        chosen=next((each for each in held.classifications if each.id == chosen), None),
        drawing=drawing_of(held, chosen).told(words),
        beside=beside,
        compared=compared,
    )


@router.get("/page/guideline.svg")
def picture(viewer: Looking, guideline: Name = "sample", classification: Name = "") -> Response:
    """The logic of a classification as a picture."""
    held, words = _named(viewer, guideline)
    drawn = rule_picture(drawing_of(held, classification).told(words))
    policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    headers = {"content-security-policy": policy}
    return Response(drawn, media_type="image/svg+xml", headers=headers)
