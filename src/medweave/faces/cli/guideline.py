"""`medweave guideline`: check one, write one out, read one in, compare two, draw one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.faces.cli import guideline_diff, guideline_draw, guideline_import
from medweave.faces.cli.common import print_json, reading, write_file
from medweave.faces.cli.options import Json, Kb

if TYPE_CHECKING:
    from medweave.guideline.logic.graph import Graph
    from medweave.model.guideline import Guideline

app = typer.Typer(help="Guidelines: check, compare, draw, export, import.", no_args_is_help=True)
app.command("import")(guideline_import.import_)
app.command("diff")(guideline_diff.diff)
app.command("draw")(guideline_draw.draw)
Named = Annotated[
    str, typer.Argument(help="sample, a file, or id@version in the base.", show_default=False)
]


def guideline_named(name: str, kb: str = "", *, beside: Path | None = None) -> Guideline:
    """The guideline of a name; `id@version` is one in the base."""
    from medweave.guideline.loading import guideline_in

    if "@" in name and not Path(name).exists():
        with reading(kb) as base:
            return base.guideline(name)
    return guideline_in(name, beside=beside)


def graph_named(name: str, kb: str = "", *, beside: Path | None = None) -> Graph:
    """The same, compiled."""
    from medweave.guideline.logic.graph import compile_guideline

    return compile_guideline(guideline_named(name, kb, beside=beside))


@app.command("check")
def check(
    file: Annotated[str, typer.Argument(help="A guideline's file.", show_default=False)],
    json: Json = False,
) -> None:
    """Say what is wrong with a guideline, with file and line; exit with 1 where anything is."""
    from medweave.guideline.checks import check_guideline
    from medweave.guideline.loading import written_guideline

    problems = check_guideline(written_guideline(file))
    errors = [problem for problem in problems if problem.severity == "error"]
    if json:
        print_json({"problems": [problem.to_json() for problem in problems]})
    else:
        from medweave.faces.texts.visible import visible

        for problem in problems:
            sys.stdout.write(visible(f"{problem.where}: {problem.severity}: {problem.what}") + "\n")
        totals = f"{len(errors)} errors, {len(problems) - len(errors)} warnings"
        sys.stdout.write(f"{totals}\n" if problems else "nothing is wrong with it\n")
    if errors:
        raise typer.Exit(1)


@app.command("export")
def export(
    guideline: Named,
    out: Annotated[str, typer.Option("--out", help="Write it into this file.")] = "",
    fhir: Annotated[
        str, typer.Option("--fhir", help="Write it into this file as a FHIR Bundle (R4B).")
    ] = "",
    kb: Kb = "",
    json: Json = False,
) -> None:
    """Write a whole guideline as YAML, with --json as one object, with --fhir as a FHIR Bundle."""
    from medweave.guideline.listing import listing
    from medweave.guideline.yaml.writing import write_guideline

    found = guideline_named(guideline, kb)
    if out:
        write_file(Path(out), write_guideline(found))
    if fhir:
        _write_fhir(found, Path(fhir))
    if json:
        print_json(listing(found))
    elif not out and not fhir:
        sys.stdout.write(write_guideline(found))


def _write_fhir(guideline: Guideline, file: Path) -> None:
    from json import dumps

    from medweave.guideline.fhir.export import fhir_bundle

    write_file(file, dumps(fhir_bundle(guideline), ensure_ascii=False, indent=1) + "\n")
