"""An evaluation as a folder: `evaluation.json`, `report.md`, pictures as SVG and PNG, and, where
answers are in words, `cases.jsonl`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from medweave.errors import ConfigurationError, MedweaveError
from medweave.evaluation.report.page import report_page
from medweave.evaluation.report.pictures import PICTURES, draw_pictures
from medweave.evaluation.result import Evaluation


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
