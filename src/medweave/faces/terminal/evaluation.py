"""An evaluation on a terminal: systems beside each other, ours first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from medweave.faces.terminal.screen import table_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from rich.console import Console

    from medweave.evaluation.measures.bootstrap import Figure
    from medweave.evaluation.result import Evaluation, SystemResult


def print_evaluation(result: Evaluation, console: Console) -> None:
    """The measures of every system with their 95 % intervals, and what was left out."""
    data = result.data
    console.print(
        f"{result.task}: {escape(data.name)}, {data.evaluated} of {data.n} records evaluated"
    )
    for what, count in data.counts.items():
        console.print(f"  {escape(what.replace('_', ' '))}: {count:,}")
    for what, count in data.apart.items():
        if "changed" in result.slices.get(what, {}):
            continue
        console.print(f"  told apart: {count} ({escape(what)}); see --report or --json")
    for reason, count in data.left_out.items():
        console.print(f"  left out: {count} ({escape(reason)})")
    _print_overlap(result, console)
    wide = result.tables or result.qrels
    console.print(_measures_across(result.systems) if wide else _systems_across(result))
    for name, held in list(result.qrels.items())[1:]:
        console.print(f"by the judgements {escape(name)}")
        console.print(_further(held))
    _print_groups(result, console)
    for title, rows in result.tables.items():
        _print_counted(title, rows, console)
    _print_perturbed(result, console)
    for name, reason in result.not_run.items():
        console.print(f"not run: {escape(name)} ({escape(reason)})")


def _systems_across(result: Evaluation) -> Table:
    measures = list(result.systems[0].measures)
    table = table_of("system", *measures, "ms")
    for system in result.systems:
        cells = [_interval(system.measures.get(name)) for name in measures]
        table.add_row(escape(system.name), *cells, f"{system.milliseconds:.2f}")
    return table


def _measures_across(systems: Sequence[SystemResult]) -> Table:
    """A line for each measure, where there are many."""
    table = _by_measure({system.name: system.measures for system in systems})
    table.add_row("ms", *(f"{system.milliseconds:.2f}" for system in systems))
    return table


def _further(held: Mapping[str, Any]) -> Table:
    """The same by other judgements."""
    from medweave.evaluation.measures.bootstrap import Figure

    return _by_measure(
        {
            system["name"]: {name: Figure(**figure) for name, figure in system["measures"].items()}
            for system in held["systems"]
        }
    )


def _by_measure(systems: Mapping[str, Mapping[str, Figure]]) -> Table:
    table = table_of("measure", *map(escape, systems))
    for name in next(iter(systems.values())):
        table.add_row(name, *(_interval(measures.get(name)) for measures in systems.values()))
    return table


def _interval(figure: Figure | None) -> str:
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]" if figure else "–"


def _print_counted(title: str, rows: Sequence[Mapping[str, Any]], console: Console) -> None:
    """A table that compares systems; of lists of single cases only how long they are."""
    heading = title.replace("_", " ")
    if not rows or "system" not in rows[0]:
        console.print(f"{heading}: {len(rows)}" + (" (see --report or --json)" if rows else ""))
        return
    table = Table(box=None, pad_edge=False, title=heading, title_justify="left")
    for name, value in rows[0].items():
        table.add_column(name, justify="left" if isinstance(value, str) else "right")
    for row in rows:
        table.add_row(
            *(f"{v:.3f}" if isinstance(v, float) else escape(str(v)) for v in row.values())
        )
    console.print(table)


def _print_groups(result: Evaluation, console: Console) -> None:
    """The first measure of every system for each group of items, where there are several."""
    groups = [name for name in result.data.groups if name in result.slices]
    if len(groups) == len({name.partition("=")[0] for name in groups}):
        return
    first = next(iter(result.systems[0].measures))
    columns = {
        f"{name} ({result.slices[name]['n']})": {
            system["name"]: system["measures"][first] for system in result.slices[name]["systems"]
        }
        for name in groups
    }
    table = table_of(first, *map(escape, columns))
    for system in result.systems:
        figures = (held[system.name] for held in columns.values())
        cells = (f"{f['value']:.3f} [{f['low']:.3f}, {f['high']:.3f}]" for f in figures)
        table.add_row(escape(system.name), *cells)
    console.print(table)


def _print_perturbed(result: Evaluation, console: Console) -> None:
    """Clean beside perturbed texts, and the difference with its interval, by the first measure."""
    kinds = {name: held for name, held in result.slices.items() if "changed" in held}
    if not kinds:
        return
    first = next(iter(result.systems[0].measures))
    table = table_of(f"{first}, changed texts", "clean", *kinds)
    for system in result.systems:
        cells = [_against_clean(held, system.name, first) for held in kinds.values()]
        table.add_row(escape(system.name), f"{system.measures[first].value:.3f}", *cells)
    console.print(table)


def _against_clean(held: Mapping[str, Any], system: str, measure: str) -> str:
    of_system = next(some for some in held["systems"] if some["name"] == system)
    lost = held["differences"][measure][system]
    value = of_system["measures"][measure]["value"]
    return f"{value:.3f} ({lost['value']:+.3f} [{lost['low']:+.3f}, {lost['high']:+.3f}])"


def _print_overlap(result: Evaluation, console: Console) -> None:
    """How near the questions that ship come to those evaluated."""
    found = result.settings.get("overlap")
    if found:
        console.print(
            f"  shared with the questions that ship: {found['identical']} whole; the longest run "
            f"has {found['longest']} symbols, the median {found['median']} "
            f"({found['median_share']:.0%} of a question)"
        )
