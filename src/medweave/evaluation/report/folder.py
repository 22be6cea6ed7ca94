"""An evaluation as a folder: `evaluation.json`, `report.md`, pictures as SVG and PNG, and, where
answers are in words, `cases.jsonl`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Container
from pathlib import Path
from shlex import join
from typing import Any

from medweave.errors import ConfigurationError, MedweaveError
from medweave.evaluation.report import tables
from medweave.evaluation.report.markdown import code, escaped, one_line
from medweave.evaluation.report.pictures import PICTURES, draw_pictures
from medweave.evaluation.report.tables import measure_name
from medweave.evaluation.result import Evaluation

_ALTERNATIVES = {
    "systems": "all systems with their intervals",
    "hits": "right answers among the first 1, 3 and 5",
    "classes": "F1 of each class, ours beside the best baseline",
    "risk-coverage": "accuracy over the surest items",
}


def _on_stderr(notice: MedweaveError) -> None:
    sys.stderr.write(f"note: {notice}\n")


def check_folder(folder: Path) -> None:
    """Make the folder of a report, and see that files can be put into it.

    Raises `ConfigurationError` where they cannot. Asked before a long run, this costs nothing.
    """
    probe = folder / ".medweave-report"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise _unwritable(folder, error) from error


def write_report(
    result: Evaluation, folder: Path, *, notice: Callable[[MedweaveError], None] = _on_stderr
) -> None:
    """Write a result with tables and pictures; what an earlier report left there is replaced.

    Equal results give equal files. Without matplotlib there are no pictures, and `notice` is told.
    Raises `ConfigurationError` where the folder cannot be written.
    """
    check_folder(folder)
    whole = json.dumps(result.to_json(), ensure_ascii=False, indent=2)
    _write(folder / "evaluation.json", _utf8(whole + "\n"))
    _write_cases(result, folder / "cases.jsonl")
    drawn = _draw(result, notice)
    for name in PICTURES:
        for kind in ("svg", "png"):
            path = folder / f"{name}.{kind}"
            if name in drawn:
                _write(path, drawn[name][kind])
            elif path.is_file():
                path.unlink()  # it shows another result
    _write(folder / "report.md", _utf8(report_page(result, pictures=drawn)))


def _draw(
    result: Evaluation, notice: Callable[[MedweaveError], None]
) -> dict[str, dict[str, bytes]]:
    try:
        return draw_pictures(result)
    except ConfigurationError as error:
        notice(error)
        return {}


def _write_cases(result: Evaluation, path: Path) -> None:
    if result.cases:
        lines = (json.dumps(case, ensure_ascii=False) + "\n" for case in result.cases)
        _write(path, _utf8("".join(lines)))
    elif path.is_file():
        path.unlink()  # it is of another result


def _utf8(text: str) -> bytes:
    r"""Half a surrogate pair, which JSON may hold and UTF-8 may not, becomes `\ud800`."""
    return text.encode("utf-8", "backslashreplace")


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> ConfigurationError:
    return ConfigurationError(
        f"the report cannot be written there ({error.strerror})",
        where=str(path),
        remedy="name another folder with --report",
    )


def report_page(result: Evaluation, *, pictures: Container[str] = ()) -> str:
    """The page; it shows the `pictures` that lie beside it, by their names."""

    def picture(name: str) -> str:
        if name not in pictures:
            return ""
        return f"[![{_ALTERNATIVES[name]}]({name}.svg)]({name}.png)"

    parts = [
        f"# Evaluation: {escaped(result.task)}",
        "Figures are percentages; in brackets stands the 95 % interval of 1,000 bootstrap draws "
        "over the items.",
        "## Data",
        tables.data(result),
        *_items_by_class(result),
        "## Systems",
        tables.systems(result),
        picture("systems"),
        picture("hits"),
        "## Ours against each other system",
        tables.differences(result),
        *_details(result, picture),
        *_not_run(result),
        *_errors(result),
        "## To make this again",
        code(command(result)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _items_by_class(result: Evaluation) -> list[str]:
    return ["## Items of each class", tables.items_by_class(result)] if result.classes else []


def _details(result: Evaluation, picture: Callable[[str], str]) -> list[str]:
    if result.qrels:
        return _by_qrels(result)
    return _counted(result) if result.tables else _by_class(result, picture)


def _by_qrels(result: Evaluation) -> list[str]:
    """The measures by each further file of judgements."""
    found = []
    for name, held in list(result.qrels.items())[1:]:
        found += [f"## By the judgements {escaped(one_line(name))}", tables.slice_of(held)]
    return found


def _by_class(result: Evaluation, picture: Callable[[str], str]) -> list[str]:
    return [
        "## Classes",
        tables.classes(result),
        picture("classes"),
        *_slices(result),
        "## Risk and coverage",
        tables.risk_coverage(result),
        picture("risk-coverage"),
        tables.thresholds(result),
    ]


def _counted(result: Evaluation) -> list[str]:
    """The tables of a task that counts what is found, and not items."""
    found = []
    for name, rows in result.tables.items():
        found += [f"## {escaped(measure_name(name).capitalize())}", tables.counted(rows)]
    return [*found, *_slices(result)]


def _errors(result: Evaluation) -> list[str]:
    return [] if result.tables else ["## Errors of ours", tables.errors(result)]


def _slices(result: Evaluation) -> list[str]:
    found = []
    for name, held in result.slices.items():
        head = f"### Where {escaped(one_line(name))}: {held['n']:,} items"
        found += [head, tables.slice_of(held)]
    return ["## Told apart", *found] if found else []


def _not_run(result: Evaluation) -> list[str]:
    return ["## Systems that were not run", tables.not_run(result)] if result.not_run else []


def command(result: Evaluation) -> str:
    """The command that measures the same again, with files by their names."""
    settings = result.settings
    words = ["medweave", "evaluate", result.task, result.data.name]
    if settings.get("sources"):
        words += ["--sources", *settings["sources"]]
    train: Any = settings.get("train")
    options = {
        "--kb": settings.get("kb"),
        "--texts": settings.get("texts"),
        "--train": train["path"] if train else None,
        "--folds": settings.get("folds"),
        "--repeats": settings.get("repeats"),
        "--sample": settings.get("sample"),
        "--qrels": settings.get("qrels"),
        "--relevant": settings.get("relevant") if settings.get("relevant") != 1 else None,
        "--perturb": settings.get("perturb"),
        "--strategies": settings.get("strategies"),
        "--seed": result.seed,
        "--report": "report",
    }
    for option, value in options.items():
        if value or option == "--seed":
            words += [option, str(value)]
    return join(words)
