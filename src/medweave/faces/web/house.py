"""The bases that are open, and who is told of what is answered."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

from fastapi import Depends, Query, Request

from medweave.app import file_of
from medweave.errors import ConfigurationError, MedweaveError, NotFoundError
from medweave.faces.web.counts import Counts
from medweave.faces.web.problems import pathless
from medweave.faces.web.replies import without_paths
from medweave.faces.web.serving import SAMPLE, Serving
from medweave.guideline.loading import guideline_in
from medweave.knowledge_base import KnowledgeBase
from medweave.model.guideline import Guideline

if TYPE_CHECKING:
    from medweave.faces.web.jobs import Jobs

BASE_SUFFIX = ".db"
"""How the files of bases end that are made here."""
_LOG = logging.getLogger(__name__)
_LAST_SECONDS = 4.0
"""So long a job may take to stop."""


@dataclass(frozen=True, slots=True)
class Served:
    """A base by its name; `place` is its file, None for the sample."""

    name: str
    base: KnowledgeBase
    place: Path | None = None
    writable: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """Something that was answered: for whoever keeps a record of it."""

    kind: str
    """answer, assessment, decision or change."""
    id: str
    served: Served
    asked: dict[str, Any]
    given: dict[str, Any]
    """As the library gives it: asked anew, it comes out the same."""


@dataclass
class House:
    """Everything that requests share. `listeners` hear of each answer that is given."""

    serving: Serving
    listeners: list[Callable[[Given], None]] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    _served: dict[str, Served] = field(default_factory=dict)
    _guidelines: dict[str, tuple[str, Guideline]] = field(default_factory=dict)
    _getting_ready: Thread | None = None

    @classmethod
    def opened(cls, serving: Serving) -> House:
        """Open all that is to be served. Raises what opening a base or a guideline raises."""
        house = cls(serving)
        try:
            if not serving.bases:
                base = KnowledgeBase.sample(configuration=serving.configuration)
                house._served[SAMPLE] = Served(SAMPLE, base)
            for name, place in serving.bases:
                house.add(name, place)
            house._open_made_here()
            for given in ("sample", *serving.guidelines):
                house._take_guideline(given)
        except BaseException:
            house.close()
            raise
        return house

    def _open_made_here(self) -> None:
        """Open again what was made in the folder for new bases: it must outlive the server. One
        that cannot be opened is told of, and keeps nobody from the others."""
        if self.serving.folder is None:
            return
        places = {served.place.resolve() for served in self.all if served.place}
        for path in sorted(self.serving.folder.glob(f"*{BASE_SUFFIX}")):
            if path.resolve() in places or path.stem in self._served:
                continue
            try:
                self.add(path.stem, str(path))
            except MedweaveError as error:
                _LOG.warning("a base of --bases is not served: %s", error)

    @cached_property
    def jobs(self) -> Jobs:
        """The jobs of all bases."""
        from medweave.faces.web.jobs import Jobs

        return Jobs(self)

    def add(self, name: str, place: str, *, create: bool = False) -> Served:
        """Open one more base; `ConfigurationError` where there is one of the name."""
        if name in self._served:
            raise ConfigurationError(
                "there is a base of this name", where=name, remedy="choose another name"
            )
        path = file_of(place)
        writable = not self.serving.read_only and path is not None and _may_write(path)
        base = open_base(self.serving, place, create=create, read_only=not writable)
        self._served[name] = Served(name, base, path, writable)
        return self._served[name]

    def get_ready(self) -> None:
        """Read, beside everything else, what the first question would wait for; whatever goes
        wrong, that question will tell."""

        def read() -> None:
            with suppress(MedweaveError):
                self.named().base.get_ready()

        self._getting_ready = Thread(target=read, name="ready", daemon=True)
        self._getting_ready.start()

    def end_soon(self) -> None:
        """Let what goes on for long come to an end."""
        if "jobs" in vars(self):
            self.jobs.stop()

    def close(self) -> None:
        """End the work under way, and close all bases."""
        if "jobs" in vars(self):
            self.jobs.close(_LAST_SECONDS)
        if self._getting_ready is not None:
            reading, self._getting_ready = self._getting_ready, None
            reading.join(_LAST_SECONDS)
            if reading.is_alive():
                self._served.clear()  # a base that is read is not closed: it goes with us
        for served in self._served.values():
            served.base.close()

    @property
    def all(self) -> tuple[Served, ...]:
        """All bases, the default one first."""
        return tuple(self._served.values())

    def named(self, name: str = "") -> Served:
        """A base by its name, '' for the default. Raises `NotFoundError`."""
        if not name:
            return self.all[0]
        if name not in self._served:
            raise NotFoundError(
                "there is no such base", where="kb", remedy=f"one of {', '.join(self._served)}"
            )
        return self._served[name]

    def guideline_names(self, served: Served) -> list[str]:
        """The guidelines that may be named: those that are served, then those of the base."""
        return list(dict.fromkeys([*self._guidelines, *served.base.guidelines()]))

    def guidelines(self, served: Served) -> list[Guideline]:
        """The same, read."""
        known = self._guidelines
        names = self.guideline_names(served)
        return [known[n][1] if n in known else served.base.guideline(n) for n in names]

    def guideline(self, name: str, served: Served) -> str:
        """What the library knows a guideline by that a program names: `sample`, `id`, `id@version`.

        Nothing else is one: a name from outside must never open a file.
        """
        if name in ("", "sample"):
            return name
        for known, (place, held) in self._guidelines.items():
            if name in (known, held.id):
                return place
        if name in served.base.guidelines():
            return name
        raise NotFoundError(
            "there is no such guideline",
            where="guideline",
            remedy=f"one of {', '.join(self.guideline_names(served))}",
        )

    def tell(self, given: Given) -> None:
        """Tell all listeners of an answer."""
        for listener in self.listeners:
            listener(given)

    def give(
        self, kind: str, served: Served, asked: dict[str, Any], form: dict[str, Any]
    ) -> dict[str, Any]:
        """What the library gives, as it is sent: under an id, by which all listeners know it."""
        name = uuid4().hex
        self.tell(Given(kind, name, served, asked, form))
        return {"id": name, **without_paths(form)}

    def changed(self, what: str, served: Served, details: dict[str, Any]) -> None:
        """Tell all listeners that a base was changed."""
        self.tell(Given("change", what, served, details, {}))

    def _take_guideline(self, place: str) -> None:
        try:
            held = guideline_in(place)
        except NotFoundError as error:
            raise replace_where(error, f"--guideline {place}") from error
        self._guidelines[held.name] = place, held


def replace_where(error: NotFoundError, where: str) -> NotFoundError:
    """The same error, told of another place."""
    return NotFoundError(error.what, where=where, remedy=pathless(error.remedy))


def _may_write(path: Path) -> bool:
    places = (path, path.parent) if path.exists() else (path.parent,)
    return all(os.access(place, os.W_OK) for place in places)


def open_base(
    serving: Serving, place: str, *, create: bool = False, read_only: bool = False
) -> KnowledgeBase:
    """A base as the settings of the server say; vectors elsewhere are those of the first."""
    first = bool(serving.bases) and place == serving.bases[0][1]
    return KnowledgeBase.open(
        place,
        create=create,
        read_only=read_only,
        vocabulary=serving.vocabulary,
        configuration=serving.configuration,
        search=serving.search,
        vectors=serving.vectors if first else "",
        timeout=serving.timeout,
    )


def house_of(request: Request) -> House:
    """The house of the application that is asked."""
    house: House = request.app.state.house
    return house


HouseHere = Annotated[House, Depends(house_of)]


def _asked_base(
    house: HouseHere, kb: Annotated[str, Query(description="A base by its name.")] = ""
) -> Served:
    return house.named(kb)


Base = Annotated[Served, Depends(_asked_base)]
"""The base that a request names, else the default."""
