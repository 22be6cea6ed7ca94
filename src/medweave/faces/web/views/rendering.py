"""Templates filled in the language of whoever looks at the page."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, Query, Request
from starlette.responses import HTMLResponse

from medweave.faces.page.answer import environment
from medweave.faces.texts.visible import visible
from medweave.faces.web.house import HouseHere, Served
from medweave.faces.web.problems import language_of
from medweave.faces.web.serving import SAMPLE
from medweave.guideline.translation import Translation
from medweave.language.data import shipped, shipped_yaml

if TYPE_CHECKING:
    from jinja2 import Environment

LANGUAGES = ("en", "zh")
VIEWS = {
    "ask": "/",
    "assess": "/assess",
    "documents": "/documents",
    "graph": "/graph",
    "guideline": "/guideline",
    "evaluation": "/evaluation",
    "about": "/about",
}
_STATIC = (
    "answer.css", "page.css", "page.js", "ask.js", "assess.js", "documents.js", "review.js",
    "graph.js",
)  # fmt: skip


@cache
def static_files() -> dict[str, bytes]:
    """What the page loads, by name."""
    answer = shipped("faces", "page", "templates", "style.css.jinja")
    own = {name: shipped("faces", "web", "static", name) for name in _STATIC[1:]}
    return {name: file.read_bytes() for name, file in {"answer.css": answer, **own}.items()}


def static(name: str) -> str:
    """The address of a static file; another one for other content, so that it may be kept."""
    return f"/static/{name}?v={sha256(static_files()[name]).hexdigest()[:12]}"


def texts_of(language: str) -> dict[str, Any]:
    """What the page says in a language."""
    return shipped_yaml("faces", "web", "texts", f"{language}.yaml")


@cache
def _templates() -> Environment:
    from jinja2 import FunctionLoader

    def source(name: str) -> str:
        own = shipped("faces", "web", "templates", name)
        found = own if own.is_file() else shipped("faces", "page", "templates", name)
        return found.read_text("utf-8")

    made = environment().overlay(loader=FunctionLoader(source))
    made.globals = {**environment().globals, "static": static, "views": VIEWS}
    return made


def filled(template: str, **slots: Any) -> str:
    """A template as HTML."""
    return visible(_templates().get_template(template).render(**slots))


class Viewer:
    """Whoever looks: in which language, at which base."""

    def __init__(self, request: Request, house: HouseHere, language: str, kb: str) -> None:
        self.house = house
        self.language = language
        self.texts = texts_of(language)
        self.served: Served = house.named(kb)
        self.kb = kb
        self._path = request.url.path

    def address(self, path: str, **more: str) -> str:
        """An address of the page that keeps language and base; nothing of a person is in it."""
        from urllib.parse import urlencode

        kept = {"lang": self.language, "kb": self.kb, **more}
        return f"{path}?{urlencode({key: value for key, value in kept.items() if value})}"

    def guidelines(self) -> list[tuple[str, str]]:
        """(name, title and version) of all guidelines that may be chosen, the version first: the
        end of a long title is cut off on a phone."""
        found = self.house.guidelines(self.served)
        return [(g.name, f"{g.version} · {self.told(g.title)}") for g in found]

    def told(self, text: str) -> str:
        """What a guideline is called, in the language of the page."""
        return Translation()(text) if self.language == "zh" else text

    def view(self, name: str, **slots: Any) -> HTMLResponse:
        """A whole view."""
        texts = self.texts
        html = filled(
            f"{name}.html.jinja",
            view=name,
            viewer=self,
            texts=texts,
            says=texts[name],
            script_texts=json.dumps(texts["script"] | texts.get(name, {}), ensure_ascii=False),
            here=self._path,
            sample=self.served.name == SAMPLE and self.served.place is None,
            bases=[each.name for each in self.house.all],
            **slots,
        )
        return HTMLResponse(html)


def _viewer(
    request: Request,
    house: HouseHere,
    lang: Annotated[str, Query(max_length=20)] = "",
    kb: str = "",
) -> Viewer:
    language = lang if lang in LANGUAGES else language_of(request.scope)
    return Viewer(request, house, language, kb)


Looking = Annotated[Viewer, Depends(_viewer)]
"""Who looks at the page."""
