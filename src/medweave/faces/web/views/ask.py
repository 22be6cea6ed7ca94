"""The view in which questions are asked; an answer comes part by part."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any
from uuid import uuid4

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from medweave.faces.page.answer import answer_parts
from medweave.faces.texts.layout import Layout
from medweave.faces.texts.markdown import answer_markdown
from medweave.faces.web.house import Base, House, HouseHere, Served
from medweave.faces.web.rest.asking import AskBody, pieces
from medweave.faces.web.streaming import Events
from medweave.faces.web.views.rendering import Looking, static_files
from medweave.model.answer import Answer

router = APIRouter(include_in_schema=False)
_KINDS = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
_A_YEAR = "public, max-age=31536000, immutable"


@router.get("/")
def ask(viewer: Looking) -> HTMLResponse:
    """The first view."""
    return viewer.view("ask")


@router.get("/static/{name}")
def static_file(name: str) -> Response:
    """A style or a script."""
    held = static_files().get(name)
    if held is None:
        return Response(status_code=404)
    kind = _KINDS[name.rpartition(".")[2]]
    return Response(held, media_type=kind, headers={"cache-control": _A_YEAR})


@router.post("/page/ask")
def answer(asked: AskBody, served: Base, house: HouseHere) -> Events:
    """An answer as HTML: what is urgent at once, then sentence by sentence, then the whole."""
    return Events(lambda: _parts(asked, served, house))


def _parts(asked: AskBody, served: Served, house: House) -> Iterator[tuple[str, Any]]:
    for piece in pieces(asked, served, house):
        found = piece.answer
        if piece.whole:
            whole = {
                "html": answer_parts(found, f"a{uuid4().hex[:8]}-"),
                "limits": Layout(found).limits,
                "text": answer_markdown(found, "numbers"),
                "json": house.give("answer", served, asked.model_dump(), found.to_json()),
            }
            yield "answer", whole
        elif piece.sentence is None:
            yield "part", _urgent(found)
        elif piece.sentence in Layout(found).sentences:  # others are told in parts of their own
            told = escape(piece.sentence.text)
            yield "part", f'<p class="said" data-testid="sentence">{told}</p>'


def _urgent(found: Answer) -> str:
    """What stands at once: danger, and what is stopped."""
    layout = Layout(found)
    signs = [sign for sign in found.danger or () if sign.status == "present"]
    told = [
        f'<p class="{"danger" if s.grade == "now" else "make-sure"}" data-testid="danger">'
        f"{escape(f'{s.text} {s.advice}'.strip())}</p>"
        for s in signs
    ]
    for stop in layout.stops:
        words = escape(f"{layout.texts[stop.label]} {stop.name}: {stop.text}")
        told.append(f'<p class="make-sure" data-testid="stop-applies">{words}</p>')
    return "".join(told)
