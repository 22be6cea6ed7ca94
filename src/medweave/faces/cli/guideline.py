"""`medweave guideline`: check one, write one out, read one in, compare two, draw one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.errors import ConfigurationError
from medweave.faces.cli.common import console, print_json, reading, write_file, writing
from medweave.faces.cli.options import Json, Kb

if TYPE_CHECKING:
    from medweave.guideline.import_report import Imported
    from medweave.guideline.logic.graph import Graph
    from medweave.model.guideline import Guideline

_SHOWN = 20
app = typer.Typer(help="Guidelines: check, compare, draw, export, import.", no_args_is_help=True)
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


@app.command("import")
def import_(
    source: Annotated[
        str,
        typer.Argument(
            help="A medAL algorithm (JSON, or packed), or a folder or archive of EmCare.",
            show_default=False,
        ),
    ],
    out: Annotated[str, typer.Option("--out", help="The YAML file to write.")] = "",
    tables: Annotated[
        str,
        typer.Option("--tables", help="Reference tables of z-scores; found beside the source."),
    ] = "",
    kb: Kb = "",
    json: Json = False,
) -> None:
    """Read a guideline of another system, and say what of it could not be mapped.

    It is written as YAML (--out), put into a base (--kb), or both.
    """
    if not out and (tables or not kb):
        raise ConfigurationError(
            "nowhere to put the guideline", where="--out", remedy="name a YAML file"
        )
    from medweave.guideline.loading import import_guideline
    from medweave.guideline.yaml.writing import write_guideline
    from medweave.sources.mapping.layouts import kind_mapping

    imported = import_guideline(Path(source), Path(tables) if tables else None)
    if out:
        write_file(Path(out), write_guideline(imported.guideline))
    if kb:
        with writing(kb) as base:
            base.build([out or source], mapping=kind_mapping("guideline"))
    if json:
        print_json(imported.to_json())
    else:
        _show(imported, out or kb)


def _show(imported: Imported, place: str) -> None:
    report = imported.to_json()
    counts = ", ".join(
        f"{report[name]:,} {name}"
        for name in ("conditions", "classifications", "observations", "treatments")
    )
    lines = [f"{place}: {imported.guideline.name}: {counts}"]
    if imported.not_mapped:
        lines.append(f"not mapped: {len(imported.not_mapped):,}")
    lines += [f"- {each.what} ({each.where}): {each.why}" for each in imported.not_mapped[:_SHOWN]]
    if len(imported.not_mapped) > _SHOWN:
        lines.append(f"and {len(imported.not_mapped) - _SHOWN:,} more: --json lists them all")
    console().print("\n".join(lines), markup=False)


@app.command("diff")
def diff(
    old: Named,
    new: Annotated[str, typer.Argument(help="The other one, likewise.", show_default=False)],
    cases: Annotated[
        str,
        typer.Option("--cases", help="Saved cases: JSONL of findings, as `classify` takes them."),
    ] = "",
    kb: Kb = "",
    json: Json = False,
) -> None:
    """Tell in words what changed between two guidelines, and which saved cases come out otherwise.

    Order and names of groups are no change.
    """
    from medweave.faces.cli.classify import record_lines
    from medweave.faces.terminal.guideline_difference import difference_lines
    from medweave.faces.texts.visible import visible
    from medweave.guideline.logic.graph import compile_guideline
    from medweave.guideline.versions.difference import difference
    from medweave.guideline.versions.rerun import rerun

    one, other = guideline_named(old, kb), guideline_named(new, kb)
    found = difference(one, other)
    tried = None
    if cases:
        graphs = compile_guideline(one), compile_guideline(other)
        tried = rerun(*graphs, record_lines(cases))
    if json:
        print_json(found.to_json() | ({"cases": tried.to_json()} if tried else {}))
        return
    for line in difference_lines(found, tried):
        sys.stdout.write(visible(line) + "\n")


@app.command("draw")
def draw(
    guideline: Named,
    classification: Annotated[
        str, typer.Option("--classification", help="One alone: its id, label or an alias.")
    ] = "",
    out: Annotated[
        str, typer.Option("--out", help="FILE.svg for a picture, FILE.mmd for Mermaid text.")
    ] = "",
    kb: Kb = "",
) -> None:
    """Draw the logic of a guideline, or of one classification; Mermaid text without --out."""
    kind = Path(out).suffix.lower()
    if out and kind not in (".svg", ".mmd"):
        raise typer.BadParameter("--out is a file that ends in .svg or .mmd")
    from medweave.faces.pictures.rule_mermaid import mermaid
    from medweave.faces.pictures.rule_picture import rule_picture
    from medweave.faces.texts.visible import visible
    from medweave.guideline.drawing import drawing_of

    drawing = drawing_of(guideline_named(guideline, kb), classification)
    if not out:
        sys.stdout.write(visible(mermaid(drawing)))
    else:
        write_file(Path(out), rule_picture(drawing) if kind == ".svg" else mermaid(drawing))


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
