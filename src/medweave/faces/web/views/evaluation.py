"""Reports of measurements, each with its single cases."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query
from markdown_it import MarkdownIt
from starlette.responses import HTMLResponse, Response

from medweave.errors import NotFoundError
from medweave.faces.web.reported_cases import cases_in
from medweave.faces.web.views.rendering import Looking, Viewer
from medweave.language.data import shipped_yaml
from medweave.language.patterns import Patterns

router = APIRouter(include_in_schema=False)
_SHOWN = 20


@router.get("/evaluation")
def evaluation(
    viewer: Looking,
    report: Annotated[str, Query(max_length=300)] = "",
    system: Annotated[str, Query(max_length=300)] = "",
    first: Annotated[int, Query(ge=0)] = 0,
) -> HTMLResponse:
    """All reports, or one of them with some of its cases: what went wrong comes first."""
    found = _reports(viewer)
    shown, cases, part = "", None, []
    if report:
        folder = _report(viewer, report)
        text = (folder / "report.md").read_text("utf-8")
        words = _in_chinese if viewer.language == "zh" else str
        shown = _as_page(text, viewer.address(f"/page/evaluation/{report}/"), words)
        cases = cases_in(folder)
        system = system if system in cases.systems else next(iter(cases.systems), "")
        part = cases.read(system, first, _SHOWN)
    return viewer.view(
        "evaluation",
        reports=sorted(found),
        report=report,
        shown=shown,
        cases=cases,
        system=system,
        first=first,
        size=_SHOWN,
        part=part,
    )


@router.get("/page/evaluation/{report}/{name}")
def picture(viewer: Looking, report: str, name: str) -> Response:
    """A picture of a report."""
    folder = _report(viewer, report)
    known = {each.name: each for each in folder.glob("*.svg")}
    if name not in known:
        raise NotFoundError("there is no such picture", where=name)
    policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    headers = {"content-security-policy": policy}
    return Response(known[name].read_bytes(), media_type="image/svg+xml", headers=headers)


def _reports(viewer: Viewer) -> dict[str, Path]:
    """The folders of reports by their names; nothing else is ever opened."""
    folder = viewer.house.serving.evaluations
    if folder is None:
        return {}
    return {path.parent.name: path.parent for path in folder.glob("*/report.md")}


def _report(viewer: Viewer, name: str) -> Path:
    found = _reports(viewer)
    if name not in found:
        raise NotFoundError("there is no such report", where=name, remedy="see the list of them")
    return found[name]


@cache
def _patterns() -> Patterns:
    return Patterns(shipped_yaml("faces", "web", "texts", "reports.zh.yaml"))


def _in_chinese(text: str) -> str:
    """A heading or a cell of a report; names stay as they are."""
    found = _patterns().of(text, _in_chinese)
    return text if found is None else found


def _as_page(text: str, address: str, words: Callable[[str], str]) -> str:
    """Markdown as HTML, without any HTML of its own; pictures lead to where they are served."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    path, mark, query = address.partition("?")
    tokens = reader.parse(text)
    for token in tokens:
        if "right" in str(token.attrs.pop("style", "")):  # the page allows no styles of a part
            token.attrs["class"] = "figure"
        for part in token.children or ():
            if part.type == "text":
                part.content = words(part.content)
            if part.type == "image":
                for told in part.children or ():
                    told.content = words(told.content)
                name = Path(str(part.attrs.get("src", ""))).with_suffix(".svg").name
                part.attrs["src"] = f"{path}{name}{mark}{query}"
    return str(reader.renderer.render(tokens, reader.options, {}))
