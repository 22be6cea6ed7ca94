"""The pictures of a report: systems with intervals, classes, risk and coverage, hits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from medweave.evaluation.report.markdown import one_line
from medweave.evaluation.report.picture_style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    as_bytes,
    can_write,
    new_picture,
    our_style,
)
from medweave.evaluation.report.tables import (
    best_baseline,
    first_measure,
    is_baseline,
    measure_name,
)
from medweave.evaluation.result import Evaluation, SystemResult
from medweave.evaluation.runner import OURS

PICTURES = ("systems", "classes", "risk-coverage", "hits")
"""The names of all pictures that a report may have."""
MOST_CLASSES = 30
_LONGEST = 32
_HITS = {"hits@1": (BLUE, "o"), "hits@3": (ORANGE, "s"), "hits@5": (GREEN, "^")}
_LINES = [
    (ORANGE, "-", "s"),
    (GREEN, "-", "^"),
    (VERMILLION, "-", "v"),
    (PURPLE, "-", "D"),
    (BLACK, "-", "P"),
    (GREY, "-", "X"),
]
_VARIANTS = [(SKY, "--", marker) for marker in "osDv^PX"]


def draw_pictures(result: Evaluation) -> dict[str, dict[str, bytes]]:
    """Each picture by name, as `svg` and `png`; one that would be empty is left out.

    Raises `ConfigurationError` without matplotlib.
    """
    with our_style():
        drawn = {
            "systems": _systems(result),
            "classes": _classes(result),
            "risk-coverage": _risk_coverage(result),
            "hits": _hits(result),
        }
    return {name: picture for name, picture in drawn.items() if picture}


def _systems(result: Evaluation) -> dict[str, bytes]:
    """A dot with its interval for each system, the best on top."""
    first = first_measure(result)
    systems = [system for system in result.systems if first in system.measures]
    systems.sort(key=lambda system: system.measures[first].value)
    figure, axes = new_picture(1.2 + 0.34 * len(systems))
    for at, system in enumerate(systems):
        colour = GREY if is_baseline(system.name) else BLUE
        shown = system.measures[first]
        axes.plot([100 * shown.low, 100 * shown.high], [at, at], color=colour, linewidth=2)
        face = "white" if system.name != OURS and colour == BLUE else colour
        size = 9 if system.name == OURS else 7
        axes.plot(100 * shown.value, at, "o", color=colour, markerfacecolor=face, markersize=size)
        axes.annotate(
            f"{100 * shown.value:.1f}",
            (100 * shown.high, at),
            (6, 0),
            textcoords="offset points",
            va="center",
            color=colour,
        )
    _name_rows(axes, systems)
    highest = max((system.measures[first].high for system in systems), default=1.0)
    axes.set_xlim(0, min(108, 100 * highest + 8))
    name = measure_name(first)
    title = f"{name[0].upper()}{name[1:]} on {result.data.evaluated:,} items, with 95 % intervals"
    return _finished(figure, axes, title, "%")


def _hits(result: Evaluation) -> dict[str, bytes]:
    """Hits at 1, 3 and 5 of each system; nothing where the task has none."""
    systems = [system for system in result.systems if _HITS.keys() <= system.measures.keys()]
    if not systems:
        return {}
    systems.sort(key=lambda system: system.measures["hits@1"].value)
    figure, axes = new_picture(1.5 + 0.42 * len(systems))
    for number, (name, (colour, marker)) in enumerate(_HITS.items()):
        rows = [at + (1 - number) * 0.2 for at in range(len(systems))]
        shown = [system.measures[name] for system in systems]
        axes.hlines(rows, [100 * f.low for f in shown], [100 * f.high for f in shown], color=colour)
        values = [100 * f.value for f in shown]
        axes.plot(values, rows, marker, color=colour, label=name, linestyle="none")
    _name_rows(axes, systems)
    axes.set_xlim(left=0)
    figure.legend(loc="outside right upper")
    title = f"Right answer among the first 1, 3 and 5, on {result.data.evaluated:,} items"
    return _finished(figure, axes, title, "%, with 95 % intervals")


def _classes(result: Evaluation) -> dict[str, bytes]:
    """F1 of each class, ours beside the best baseline; document K's figure 4."""
    ours, baseline = result.systems[0], best_baseline(result)
    rows = list(ours.classes)[:MOST_CLASSES]
    if not rows:
        return {}
    compared = [(ours, BLUE), *([(baseline, ORANGE)] if baseline else [])]
    high = 0.8 / len(compared)
    figure, axes = new_picture(1.5 + (0.22 + 0.12 * len(compared)) * len(rows))
    for number, (system, colour) in enumerate(compared):
        scores = {row["class"]: row["f1"] for row in system.classes}
        places = [at + (number - (len(compared) - 1) / 2) * high for at in range(len(rows))]
        values = [100 * scores.get(row["class"], 0.0) for row in rows]
        axes.barh(places, values, height=high, color=colour, label=system.name)
    labels = [f"{_label(row['class'], at)} ({row['n']:,})" for at, row in enumerate(rows, 1)]
    axes.set_yticks(range(len(rows)), labels)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    figure.legend(loc="outside lower center", ncols=2)
    more = len(ours.classes) - len(rows)
    which = f"the {len(rows)} most frequent of {len(ours.classes)} classes" if more else "classes"
    return _finished(figure, axes, f"F1 of {which} (number of items)", "%")


def _label(name: str, number: int) -> str:
    """The name of a class, or its number in the report's table where no font can write it."""
    short = one_line(name, _LONGEST)
    return short if short and can_write(short) else f"#{number}"


def _risk_coverage(result: Evaluation) -> dict[str, bytes]:
    """Accuracy over the surest items, for each system; ours in front."""
    systems = [system for system in result.systems if system.risk_coverage]
    if not systems:
        return {}
    figure, axes = new_picture(5.0)
    others, variants = iter(_LINES * len(systems)), iter(_VARIANTS * len(systems))
    for system in systems:
        colour, style, marker = next(others if is_baseline(system.name) else variants)
        own = system.name == OURS
        axes.plot(
            [100 * point["coverage"] for point in system.risk_coverage],
            [100 * point["accuracy"] for point in system.risk_coverage],
            color=BLUE if own else colour,
            linestyle="-" if own else style,
            linewidth=3 if own else 1.4,
            marker=marker,
            markersize=6 if own else 4,
            markevery=max(1, len(system.risk_coverage) // 8),
            zorder=3 if own else 2,
            label=system.name,
        )
    axes.set_xlim(0, 102)
    axes.set_ylim(0, 102)
    axes.set_ylabel("accuracy, %")
    figure.legend(loc="outside right upper")
    return _finished(
        figure, axes, "Accuracy where only the surest items are answered", "answered, %", both=True
    )


def _name_rows(axes: Any, systems: Sequence[SystemResult]) -> None:
    axes.set_yticks(range(len(systems)), [system.name for system in systems])
    axes.set_ylim(-0.6, len(systems) - 0.4)
    for label, system in zip(axes.get_yticklabels(), systems, strict=True):
        if system.name == OURS:
            label.set_fontweight("bold")


def _finished(
    figure: Any, axes: Any, title: str, across: str, *, both: bool = False
) -> dict[str, bytes]:
    axes.set_title(title)
    axes.set_xlabel(across)
    axes.grid(visible=True, axis="both" if both else "x")
    return as_bytes(figure, title)
