"""The view of a base's documents: what is there, and what is being read."""

from __future__ import annotations

from collections import Counter

from fastapi import APIRouter
from starlette.responses import HTMLResponse

from medweave.faces.web.house import Base
from medweave.faces.web.replies import Json, name_of
from medweave.faces.web.views.rendering import Looking
from medweave.graph.decisions import SOURCE
from medweave.sources.kinds import kinds
from medweave.sources.mapping.layouts import shipped_mappings

router = APIRouter(include_in_schema=False)


@router.get("/documents")
def documents(viewer: Looking) -> HTMLResponse:
    """The view; the list is filled in by its script."""
    serving = viewer.house.serving
    can_make = serving.folder is not None and not serving.read_only
    return viewer.view(
        "documents",
        kinds=[kind.name for kind in kinds()],
        mappings=sorted(shipped_mappings()),
        can_make=can_make,
    )


@router.get("/page/sources")
def sources(served: Base) -> Json:
    """The sources of a base by their names, each with how many documents it gave; what people
    decided about its statements is none."""
    held = (source for source, _ in served.base.documents() if source != SOURCE)
    counted = Counter(map(name_of, held))
    return Json({"items": [{"name": name, "documents": counted[name]} for name in sorted(counted)]})
