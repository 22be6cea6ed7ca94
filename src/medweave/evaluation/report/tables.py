"""The tables of a report, in the manner of document K's tables 2, 4 and 5 and its figure 4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from medweave.evaluation.measures.bootstrap import Figure
from medweave.evaluation.report.markdown import one_line, table
from medweave.evaluation.result import Evaluation, SystemResult
from medweave.evaluation.runner import OURS

_NAMES = {"macro_f1": "macro F1", "no_entity": "nothing recognised"}
MOST_ROWS = 50
"""Further classes stand in evaluation.json."""
MOST_ERRORS = 20
MOST_COUNTED = 500
"""Further rows of a task's own tables stand in evaluation.json."""
_LEVELS = range(10, 101, 10)
_NONE = "–"
_REASON = 300


def data(result: Evaluation) -> str:
    """What was evaluated, what was left out and why, and what it was trained on."""
    held = result.data
    rows: list[tuple[str, object]] = [
        ("file", one_line(held.name)),
        ("sha256", held.sha256),
        ("records", f"{held.n:,}"),
        ("evaluated", f"{held.evaluated:,}"),
        *((one_line(what.replace("_", " ")), f"{count:,}") for what, count in held.counts.items()),
        *((f"told apart: {one_line(what)}", f"{count:,}") for what, count in held.apart.items()),
        *(_left_out(held.left_out)),
    ]
    settings = dict(result.settings)
    train = settings.pop("train", None)
    if train:
        rows += [
            ("trained on", one_line(str(train["path"]))),
            ("its sha256", train["sha256"]),
            ("its records", f"{train['n']:,}"),
            ("of these used", f"{train['evaluated']:,}"),
            *(_left_out(train["left_out"])),
        ]
    rows += [(name, one_line(str(value))) for name, value in _flat(settings) if value]
    rows.append(("seed", result.seed))
    return table(["what", "value"], rows, texts=2)


def _flat(settings: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}: ")
        else:
            yield before + name.replace("_", " "), value


def _left_out(reasons: Mapping[str, int]) -> list[tuple[str, object]]:
    return [(f"left out: {one_line(why)}", f"{count:,}") for why, count in reasons.items()]


def items_by_class(result: Evaluation) -> str:
    """How many items each class has; K's table 2."""
    counted = result.classes
    rows: list[tuple[str, str]] = [
        (one_line(name), f"{count:,}") for name, count in list(counted.items())[:MOST_ROWS]
    ]
    further = list(counted.values())[MOST_ROWS:]
    if further:
        rows.append((f"{len(further):,} further classes", f"{sum(further):,}"))
    rows.append(("total", f"{sum(counted.values()):,}"))
    return table(["category", "number"], rows)


def systems(result: Evaluation) -> str:
    """Every system with every measure, and its time; K's tables 4 and 5."""
    measures = _measures(result.systems)
    rows = [
        [
            system.name,
            *(_interval(system.measures.get(name)) for name in measures),
            _percent(system.training.accuracy),
            f"{system.training.seconds:.2f}",
            f"{system.milliseconds:.3f}",
        ]
        for system in result.systems
    ]
    head = ["method", *(f"{measure_name(name)} (%)" for name in measures)]
    head += ["training accuracy (%)", "training time cost (s)", "decision time cost (ms an item)"]
    return table(head, rows)


def _percent(share: float | None) -> str:
    return _NONE if share is None else f"{100 * share:.1f}"


def _measures(some: Sequence[SystemResult]) -> list[str]:
    return list(dict.fromkeys(name for system in some for name in system.measures))


def _interval(figure: Figure | None) -> str:
    if figure is None:
        return _NONE
    return f"{100 * figure.value:.1f} ({100 * figure.low:.1f} to {100 * figure.high:.1f})"


def differences(result: Evaluation) -> str:
    """Ours minus theirs on the same draws, and whether the interval tells them apart."""
    tables = []
    for measure, held in result.differences.items():
        if not held:
            continue
        rows = [
            (name, f"{100 * d['value']:+.1f}", _between(d), _verdict(d)) for name, d in held.items()
        ]
        head = ["ours against", f"{measure_name(measure)}, points", "95 % interval", "told apart"]
        tables.append(table(head, rows))
    return "\n\n".join(tables) or "No other system took part."


def _between(difference: Mapping[str, float]) -> str:
    return f"{100 * difference['low']:+.1f} to {100 * difference['high']:+.1f}"


def _verdict(difference: Mapping[str, float]) -> str:
    if difference["low"] > 0:
        return "yes, ours is better"
    return "yes, ours is worse" if difference["high"] < 0 else "no"


def classes(result: Evaluation) -> str:
    """Precision, recall and F1 of each class, ours beside the best baseline; K's figure 4."""
    ours, baseline = result.systems[0], best_baseline(result)
    theirs = {row["class"]: row for row in baseline.classes} if baseline else {}
    rows = []
    for number, row in enumerate(list(ours.classes)[:MOST_ROWS], 1):
        beside = _scores(theirs.get(row["class"])) if baseline else []
        rows.append([number, one_line(row["class"]), f"{row['n']:,}", *_scores(row), *beside])
    head = ["number", "class", "items", *_score_names("ours")]
    head += _score_names(baseline.name) if baseline else []
    more = len(ours.classes) - len(rows)
    parts = [table(head, rows, texts=2)]
    if more:
        parts.append(f"{more:,} further classes stand in evaluation.json.")
    parts.append("A class that the picture calls #1 has the number 1 here: no font could write it.")
    return "\n\n".join(parts)


def _score_names(system: str) -> list[str]:
    return [f"{score}, {system}" for score in ("precision", "recall", "F1")]


def _scores(row: Mapping[str, Any] | None) -> list[str]:
    return [f"{100 * row[score]:.1f}" if row else _NONE for score in ("precision", "recall", "f1")]


def slice_of(held: Mapping[str, Any]) -> str:
    """The measures of all systems on the items of one slice."""
    figures = {
        system["name"]: {name: Figure(**figure) for name, figure in system["measures"].items()}
        for system in held["systems"]
    }
    measures = list(dict.fromkeys(name for some in figures.values() for name in some))
    rows = [
        [name, *(_interval(some.get(measure)) for measure in measures)]
        for name, some in figures.items()
    ]
    return table(["method", *(f"{measure_name(name)} (%)" for name in measures)], rows)


def risk_coverage(result: Evaluation) -> str:
    """How accurate each system is on its surest items; – where ties leave no such share."""
    rows = [
        [system.name, *(_accuracy_at(system, level) for level in _LEVELS)]
        for system in result.systems
    ]
    head = ["accuracy on the surest", *(f"{level} %" for level in _LEVELS)]
    return table(head, rows)


def _accuracy_at(system: SystemResult, level: int) -> str:
    """At the first point that reaches a share, if it lies below the next share."""
    for point in system.risk_coverage:
        if level <= 100 * point["coverage"] < level + _LEVELS.step:
            return f"{100 * point['accuracy']:.1f}"
    return _NONE


def thresholds(result: Evaluation) -> str:
    """All points of ours: what answering only above a confidence would give."""
    rows = [
        (f"{p['confidence']:.4g}", f"{100 * p['coverage']:.1f}", f"{100 * p['accuracy']:.1f}")
        for p in result.systems[0].risk_coverage
    ]
    return table(["ours, confidence at least", "answered (%)", "accuracy (%)"], rows, texts=0)


def counted(rows: Sequence[Mapping[str, Any]]) -> str:
    """A table that a task has beside its measures, with as many rows as a page can bear."""
    if not rows:
        return "None."
    texts = sum(isinstance(value, str) for value in rows[0].values())
    shown = [[_cell(value) for value in row.values()] for row in rows[:MOST_COUNTED]]
    parts = [table([name.replace("_", " ") for name in rows[0]], shown, texts=texts)]
    if len(rows) > len(shown):
        parts.append(f"{len(rows) - len(shown):,} further rows stand in evaluation.json.")
    return "\n\n".join(parts)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{100 * value:.1f}"
    return f"{value:,}" if isinstance(value, int) else one_line(value) or _NONE


def not_run(result: Evaluation) -> str:
    """Systems that did not take part, and why."""
    rows = [(name, one_line(why, _REASON)) for name, why in result.not_run.items()]
    return table(["method", "why"], rows, texts=2)


def errors(result: Evaluation) -> str:
    """The first items that ours got wrong."""
    shown = list(result.errors)[:MOST_ERRORS]
    of = f"{len(result.errors):,} of {result.data.evaluated:,} items"
    if not shown:
        return f"{of}."
    rows = [
        (
            one_line(str(error["id"]), 40),
            one_line(error["expected"]),
            one_line(error["got"]) or _NONE,
            error.get("place") or _NONE,
            "yes" if error.get("answered") else "no",
            one_line(error.get("text", "")),
        )
        for error in shown
    ]
    head = ["id", "expected", "got", "place of the right one", "answered", "text"]
    which = f"The first {len(shown)}:" if len(shown) < len(result.errors) else ""
    return "\n\n".join(part for part in (f"{of}. {which}".strip(), table(head, rows, texts=6)))


def is_baseline(name: str) -> bool:
    """Whether a system is neither ours nor a variant of ours.

    >>> is_baseline("naive bayes"), is_baseline("medweave textrank")
    (True, False)
    """
    return name != OURS and not name.startswith(f"{OURS} ")


def first_measure(result: Evaluation) -> str:
    """The measure by which systems are compared: the first that ours has."""
    return next(iter(result.systems[0].measures))


def best_baseline(result: Evaluation) -> SystemResult | None:
    """The baseline with the highest first measure; `None` where no baseline took part."""
    first = first_measure(result)
    baselines = [s for s in result.systems if is_baseline(s.name) and first in s.measures]
    return max(baselines, key=lambda s: s.measures[first].value, default=None)


def measure_name(measure: str) -> str:
    """A measure in words.

    >>> measure_name("accuracy_when_answered"), measure_name("macro_f1")
    ('accuracy when answered', 'macro F1')
    """
    return _NAMES.get(measure, measure.replace("_", " "))
