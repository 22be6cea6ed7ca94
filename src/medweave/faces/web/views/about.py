"""What it is for and what it cannot do."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import HTMLResponse

from medweave import __version__
from medweave.faces.web.views.rendering import Looking

router = APIRouter(include_in_schema=False)


@router.get("/about")
def about(viewer: Looking) -> HTMLResponse:
    """Intended use, limits, versions, and settings without secrets."""
    house = viewer.house
    return viewer.view(
        "about",
        version=__version__,
        served=[_base(each) for each in house.all],
        guidelines=viewer.guidelines(),
        model=house.serving.configuration.model.id,
    )


def _base(served: Any) -> dict[str, Any]:
    counts = served.base.knowledge.store.counts()
    return {
        "name": served.name,
        "writable": served.writable,
        "n": served.base.version.revision,
        "documents": counts.documents,
        "statements": counts.statements,
    }
