"""`medweave connect`: how a database that medweave did not make might be read, or is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from medweave.errors import ConfigurationError
from medweave.faces.cli.common import console, print_json, write_file
from medweave.faces.cli.options import InPlace, Json, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable


def connect(
    url: Annotated[str, typer.Argument(help="The database: its URL.", show_default=False)],
    suggest: Annotated[
        bool, typer.Option("--suggest", help="Propose a mapping from its schema.")
    ] = False,
    out: Annotated[
        str, typer.Option("--out", help="Write the mapping to this file.", show_default=False)
    ] = "",
    mapping: InPlace = "",
    vocabulary: Vocabulary = "",
    json: Json = False,
) -> None:
    """Propose how a database that medweave did not make is to be read, or say what a mapping finds
    in it. It is only read."""
    if suggest == bool(mapping):
        raise ConfigurationError(
            "say what is to be done", where=url.rpartition("@")[2],
            remedy="give --suggest, or --mapping FILE",
        )  # fmt: skip
    words = Path(vocabulary) if vocabulary else None
    told = _suggested(url, words, out) if suggest else _found(url, words, mapping)
    if json:
        told.pop("text", None)
        print_json(told)
        return
    _print(told, out)


def _suggested(url: str, vocabulary: Path | None, out: str) -> dict[str, Any]:
    from medweave.app import suggest_mapping
    from medweave.settings import read_settings

    store, found = suggest_mapping(url, vocabulary, timeout=read_settings().timeout)
    if out:
        write_file(Path(out), found.text)
    return {
        "store": store,
        "mapping": found.mapping,
        "mapped": [{"what": t.what, "rows": t.rows, "as": t.why} for t in found.mapped],
        "not_mapped": _lines(found.not_mapped),
        "text": found.text,
    }


def _found(url: str, vocabulary: Path | None, mapping: str) -> dict[str, Any]:
    from medweave.app import mapping_finds
    from medweave.settings import read_settings

    found = mapping_finds(url, Path(mapping), vocabulary, timeout=read_settings().timeout)
    return {
        "entities": found.entities,
        "statements": found.statements,
        "predicates": found.predicates,
        "not_mapped": _lines(found.not_mapped),
        "skipped": [{"where": where, "reason": reason} for where, reason in found.skipped],
    }


def _lines(told: Iterable[Any]) -> list[dict[str, Any]]:
    return [{"what": each.what, "rows": each.rows, "why": each.why} for each in told]


def _print(told: dict[str, Any], out: str) -> None:
    screen = console()

    def line(text: str) -> None:
        screen.print(text, markup=False)

    if "text" in told:
        line(f"the mapping is in {out}" if out else str(told["text"]).rstrip())
        if not told["mapped"]:
            line("nothing of it is understood: write into the mapping, by hand, what its parts are")
        for each in told["mapped"]:
            line(f"read: {each['what']} ({each['rows']} rows) as {each['as']}")
    else:
        line(f"{told['entities']} things, {told['statements']} statements")
        for predicate, count in told["predicates"].items():
            line(f"  {predicate}: {count}")
    for each in told["not_mapped"]:
        line(f"not read: {each['what']} ({each['rows']} rows): {each['why']}")
    for each in told.get("skipped", ()):
        line(f"passed over: {each['where']}: {each['reason']}")
