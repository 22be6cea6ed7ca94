"""`medweave guideline import`: a guideline of another system as one of ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.errors import ConfigurationError
from medweave.faces.cli.common import console, print_json, write_file, writing
from medweave.faces.cli.options import Json, Kb

if TYPE_CHECKING:
    from medweave.guideline.import_report import Imported

_SHOWN = 20


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
