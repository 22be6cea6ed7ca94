"""The view of the graph: a thing with what is joined to it, as a picture and as a table."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import HTMLResponse

from medweave.faces.texts import page_texts
from medweave.faces.web.replies import Json
from medweave.faces.web.views.rendering import Looking

router = APIRouter(include_in_schema=False)


@router.get("/graph")
def graph(viewer: Looking) -> HTMLResponse:
    """The view; what is looked for is fetched by its script."""
    return viewer.view("graph")


@router.get("/page/words")
def words(viewer: Looking) -> Json:
    """What predicates and concepts are called in the language of the page."""
    held, language = viewer.served.base.knowledge.vocabulary, viewer.language
    return Json(
        {
            "predicates": {name: each.words(language) for name, each in held.predicates.items()},
            "classes": page_texts(language)["classes"],
            "concepts": {
                name: each.labels.get(language, name.replace("_", " "))
                for name, each in held.concepts.items()
            },
        }
    )
