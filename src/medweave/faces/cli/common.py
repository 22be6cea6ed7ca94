"""What all commands share: the base in use, JSON on stdout, errors on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medweave.errors import ConfigurationError, MedweaveError, NotFoundError

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.knowledge_base import KnowledgeBase
    from medweave.ports import Progress
    from medweave.settings import Settings

_PIPED = 1_000_000
"""Bytes of a piped text that are read; a question is shorter."""
_WIDE = 10_000
"""What is piped is not cut to the width of a screen."""


class Run:
    """What the main options say; set once before a command runs."""

    debug = False
    json = False


def print_json(value: Any) -> None:
    """One JSON object on one line of stdout."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def show(found: Any, printer: str, *further: Any, json: bool) -> None:
    """What was found, as JSON or by a printer (`file:function` of `faces.terminal`), which is read
    where it is needed."""
    if json:
        print_json(found if isinstance(found, dict) else found.to_json())
        return
    module, _, name = printer.partition(":")
    getattr(import_module(f"medweave.faces.terminal.{module}"), name)(found, console(), *further)


def tell(found: dict[str, Any], line: str, *, json: bool) -> None:
    """What was done, as JSON or in a sentence."""
    if json:
        print_json(found)
    else:
        sys.stdout.write(line + "\n")


def write_file(path: Path, text: str) -> None:
    """A page, picture or model; `ConfigurationError` where it cannot be written."""
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise ConfigurationError(
            f"this file cannot be written ({error.strerror})",
            where=str(path),
            remedy="name another file",
        ) from error


def piped() -> str:
    """A text that comes through a pipe; what is no UTF-8 in it is marked as such."""
    if sys.stdin.isatty():
        return ""
    return sys.stdin.buffer.read(_PIPED).decode("utf-8", errors="replace").strip()


def console(*, err: bool = False) -> Console:
    """A terminal that falls back to plain text where there is none."""
    from medweave.faces.terminal.screen import Screen

    piped = not (sys.stderr if err else sys.stdout).isatty()
    return Screen(stderr=err, highlight=False, soft_wrap=piped, width=_WIDE if piped else None)


@contextmanager
def reading(
    kb: str,
    vocabulary: str = "",
    ranking: str = "",
    *,
    embedder: str = "",
    model: str = "",
    vectors: str = "",
    mapping: str = "",
) -> Iterator[KnowledgeBase]:
    """The base to read: the one named or set, else the sample base. With a mapping, a database
    that is asked where it is."""
    from medweave.knowledge_base import KnowledgeBase
    from medweave.settings import read_settings

    settings = read_settings(
        kb=kb,
        vectors=vectors,
        vocabulary=vocabulary,
        ranking=ranking,
        embedder=embedder,
        model=model,
    )
    if mapping and not settings.kb:
        raise NotFoundError("no database is named", remedy="give --kb URL beside --mapping")
    if vectors and (mapping or not settings.kb):
        raise ConfigurationError(
            "vectors are kept in Weaviate for a base of your own alone",
            where="--vectors",
            remedy="name that base with --kb, without --mapping",
        )
    if settings.kb:
        how: dict[str, Any] = how_opened(settings) | ({"mapping": Path(mapping)} if mapping else {})
        opened = KnowledgeBase.open(settings.kb, create=False, read_only=True, **how)
    else:
        with progress() as shown:
            opened = KnowledgeBase.sample(progress=shown, configuration=settings.configuration)
    with opened as base:
        yield base


@contextmanager
def writing(
    kb: str,
    vocabulary: str = "",
    *,
    create: bool = True,
    embedder: str = "",
    model: str = "",
    vectors: str = "",
) -> Iterator[KnowledgeBase]:
    """The base to write; there is no falling back on the sample."""
    from medweave.app import not_left_empty
    from medweave.knowledge_base import KnowledgeBase
    from medweave.settings import read_settings

    settings = read_settings(
        kb=kb, vectors=vectors, vocabulary=vocabulary, embedder=embedder, model=model
    )
    url = _named(settings)
    with (
        not_left_empty(url),
        KnowledgeBase.open(url, create=create, **how_opened(settings)) as base,
    ):
        yield base


@contextmanager
def planning(kb: str, vocabulary: str = "", *, model: str = "") -> Iterator[KnowledgeBase]:
    """The base that would be written, to look at; an empty one where there is none yet."""
    from medweave.knowledge_base import KnowledgeBase
    from medweave.settings import read_settings

    settings = read_settings(kb=kb, vocabulary=vocabulary, model=model)
    url = _named(settings)
    try:
        opened = KnowledgeBase.open(url, create=False, read_only=True, **how_opened(settings))
    except NotFoundError:
        opened = KnowledgeBase.open("memory:", **{**how_opened(settings), "vectors": ""})
    with opened as base:
        yield base


def _named(settings: Settings) -> str:
    """The base that is to be written; `NotFoundError` where none is named."""
    if not settings.kb:
        raise NotFoundError("no base is named", remedy="give --kb FILE")
    return settings.kb


def how_opened(settings: Settings) -> dict[str, Any]:
    """What settings say of any base that is opened."""
    return {
        "vocabulary": Path(settings.vocabulary) if settings.vocabulary else None,
        "configuration": settings.configuration,
        "search": settings.search,
        "vectors": settings.vectors,
        "timeout": settings.timeout,
    }


@contextmanager
def progress() -> Iterator[Progress]:
    """A progress line on stderr, where that is a terminal."""
    from medweave.ports import no_progress

    if not sys.stderr.isatty():
        yield no_progress
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Shown

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
    )
    with Shown(*columns, console=console(err=True), transient=True) as shown:
        task = shown.add_task("reading", total=None, rate="")

        def tell(done: int, total: int, what: str) -> None:
            if what != shown.tasks[0].description:  # another file: its time is its own
                shown.reset(task)
            speed = shown.tasks[0].speed
            rate = f"{speed:,.0f} a second" if speed else ""
            shown.update(task, completed=done, total=total or None, description=what, rate=rate)

        yield tell


def fail(error: MedweaveError) -> None:
    """An error as the contract has it: one line on stderr, and JSON on stdout if asked for."""
    if Run.json:
        print_json({"error": error.to_json()})
    from medweave.faces.texts.visible import visible

    line = " ".join(f"error: {error}".split())
    sys.stderr.write(visible(line) + "\n")
