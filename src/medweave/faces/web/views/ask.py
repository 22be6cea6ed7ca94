"""The view in which questions are asked; an answer comes part by part."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from uuid import uuid4

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response, StreamingResponse

from medweave.errors import MedweaveError
from medweave.faces.page.answer import answer_parts
from medweave.faces.texts.layout import Layout
from medweave.faces.texts.markdown import answer_markdown
from medweave.faces.web.house import Base, House, HouseHere, Served
from medweave.faces.web.problems import problem_of
from medweave.faces.web.rest.asking import STREAM, Asked, answered, event
from medweave.faces.web.views.rendering import Looking, static_files

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
def answer(asked: Asked, served: Base, house: HouseHere) -> StreamingResponse:
    """An answer as HTML: what is urgent at once, then sentence by sentence, then the whole."""
    return StreamingResponse(_parts(asked, served, house), media_type=STREAM)


def _parts(asked: Asked, served: Served, house: House) -> Iterator[bytes]:
    try:
        found, given = answered(asked, served, house)
    except MedweaveError as error:
        yield event("error", problem_of(error))
        return
    layout = Layout(found)
    for sign in found.danger or ():
        if sign.status == "present":
            told = escape(f"{sign.text} {sign.advice}".strip())
            yield event("part", f'<p class="danger" data-testid="danger">{told}</p>')
    for sentence in layout.sentences:
        yield event("part", f'<p class="said" data-testid="sentence">{escape(sentence.text)}</p>')
    whole = {
        "html": answer_parts(found, f"a{uuid4().hex[:8]}-"),
        "limits": layout.limits,
        "text": answer_markdown(found),
        "json": given,
    }
    yield event("answer", whole)
