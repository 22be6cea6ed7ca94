"""What was built, would be built, and is held, in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from medweave.faces.terminal.screen import table_of

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.graph.builder import BuildPlan, BuildReport
    from medweave.graph.duplicates import Duplicates

_MAX_SHOWN = 8


def print_duplicates(found: Duplicates, console: Console) -> None:
    """Each kind of finding with its most mentioned examples."""
    for name, says in _DUPLICATES.items():
        kind = getattr(found, name)
        console.print(Text(f"{kind.count} {says}", style="bold"))
        for example in kind.examples[:_MAX_SHOWN]:
            names, entities = " = ".join(example.names[:6]), ", ".join(example.entities[:6])
            concepts = ", ".join(example.concepts)
            console.print(Text(f"  {names}") + Text(f"  {concepts}: {entities}", style="dim"))
    for line in found.heard.missing:
        console.print(Text(line, style="yellow"))


_DUPLICATES = {
    "taken_together": "names with several identifiers, taken for one thing",
    "kept_apart": "names of things whose identifiers or main names differ, kept apart",
    "several_concepts": "things that sources hold for several kinds of thing",
    "several_families": "names of things of different families, kept apart",
    "spelled_alike": "groups of names that may only be spelled differently, kept apart",
}


def print_report(report: BuildReport, console: Console) -> None:
    """What a build read, made and left out."""
    console.print(
        f"{report.documents} documents read ({report.unchanged} unchanged,"
        f" {report.removed} removed), "
        f"{report.statements} statements made in {report.seconds:.1f} s; the base now holds "
        f"{report.base.documents} documents, {report.base.statements} statements, "
        f"{report.base.entities} things."
    )
    if report.masked:
        kinds = (f"{kind.replace('_', ' ')} {count}" for kind, count in report.masked.items())
        console.print(f"masked as personal data: {', '.join(kinds)}")
    if report.model:
        model = report.model
        console.print(
            f"read by {model['id']}: {model['read']:,} documents ({model['unchanged']:,} unchanged,"
            f" {model['by_rules']:,} left to rules, {model['dropped_answers']:,} answers dropped);"
            f" {model['input_tokens'] + model['output_tokens']:,} tokens",
            markup=False,
        )
    if report.left:
        console.print(f"{len(report.left):,} documents are left for the next run")
    for item in report.skipped[:_MAX_SHOWN]:
        where = f"{item.file} line {item.line}" if item.line else item.file  # 0: the whole file
        console.print(Text(f"skipped {where}: {item.reason}", style="yellow"))
    if len(report.skipped) > _MAX_SHOWN:
        console.print(f"[yellow]and {len(report.skipped) - _MAX_SHOWN} more skipped; see --json[/]")


def print_plan(plan: BuildPlan, console: Console) -> None:
    """What a build would do, source by source."""
    for found in plan:
        numbers = (
            f"{found.new} new, {found.changed} changed, {found.unchanged} unchanged,"
            f" {found.removed} to be removed, {len(found.skipped)} skipped"
        )
        console.print(Text(f"{found.source}: {numbers}"))


def print_statistics(counts: dict[str, Any], console: Console) -> None:
    """The numbers of a base."""
    for name, value in counts.items():
        if name == "topology":
            _print_topology(value, console)
            continue
        if name == "stores":
            for store in value:
                console.print(Text(f"store {store['name']}: {store['status']}"))
            continue
        if name == "missing":
            for line in value:
                console.print(Text(line, style="yellow"))
            continue
        if isinstance(value, dict):
            told = ((key, each) for key, each in value.items() if each is not None)
            shown = ", ".join(f"{key} {each}" for key, each in told)
        else:
            shown = ", ".join(value) if isinstance(value, list) else str(value)
        console.print(Text(f"{name}: ", style="bold") + Text(shown))


def _print_topology(found: dict[str, Any], console: Console) -> None:
    """Document K's table 3, and the same for each concept."""
    line = (
        f"{found['nodes']:,} nodes ({found['isolated']:,} that no edge touches), "
        f"{found['edges']:,} edges, "
        f"{found['average_neighbours']:.2f} neighbours on average (2E/N), "
        f"density {found['density']:.2e} (2E/(N(N-1)))"
    )
    console.print(Text("topology: ", style="bold") + Text(line))
    table = table_of("concept", "nodes", "isolated", "edges touching", "average degree")
    for name, part in found["concepts"].items():
        counted = (f"{part[key]:,}" for key in ("nodes", "isolated", "edges"))
        table.add_row(name, *counted, f"{part['average_degree']:.2f}")
    console.print(table)
