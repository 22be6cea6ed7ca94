"""Measure, and write what was measured: `python -m benchmarks.run`.

--quick         the small size and few repeats, about three minutes
--only NAMES    rows by name, with commas
--size NUMBERS  these sizes alone, in statements, with commas
--seconds N     what one system may spend on one row
--latest        the page is made from this run, though it is not one of everything
--join          rows of this run stand on the page beside those of the last whole run
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import ours
from benchmarks.bench import FULL, QUICK, Bench, Sizes, say
from benchmarks.generate import SEED
from benchmarks.machine import describe, slug
from benchmarks.results import FORM, Row
from benchmarks.rows import ROWS
from benchmarks.systems import MEDWEAVE, WorkerError, install, versions

RESULTS = Path(__file__).parent / "results"
LATEST = RESULTS / "latest.json"
NOT_MEASURED = {
    "score 100k dialogues by equation 9": "`python -m benchmarks.many_dialogues` is its command",
    "exact similarity join of 100k dialogues": "the same command",
    "fresh machine to first answer": "needs a fresh machine; `make run` is that command",
}
"""Rows of the promise that no run can measure yet, and why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the rows asked for; the status is 1 when one could not be run at all."""
    told = _parser().parse_args(arguments)
    names = told.only.split(",") if told.only else list(ROWS)
    unknown = sorted(set(names) - set(ROWS))
    if unknown:
        say(f"error: no row {', '.join(unknown)}: use {', '.join(ROWS)}")
        return 2
    load = round(os.getloadavg()[0], 2)
    say("making the peers' environment")
    reasons = install()
    found = {MEDWEAVE.name: ours.VERSION, **versions(reasons)}
    for name, reason in reasons.items():
        say(f"  {name} is not measured: {reason}")
    bench = Bench(_sizes(told), found, reasons)
    with bench.files():
        rows, failed = _measured(bench, names)
    whole = told.latest or not (told.only or told.size or told.quick)
    result = report(rows, failed, found, quick=told.quick)
    result["machine"]["load_before"] = load
    _write(result, whole=whole and (told.latest or not failed))
    if told.join and rows:
        latest = joined(json.loads(LATEST.read_text("utf-8")), result)
        LATEST.write_text(_text(latest), "utf-8")
        say(f"joined: {LATEST}")
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, few repeats")
    parser.add_argument("--only", default="", help=f"of {', '.join(ROWS)}")
    parser.add_argument("--size", default="", help="statements, with commas")
    parser.add_argument("--seconds", type=float, default=0, help="for one system in one row")
    parser.add_argument("--join", action="store_true", help="add these rows to the page")
    parser.add_argument("--latest", action="store_true", help="make the page from this run")
    return parser


def _sizes(told: argparse.Namespace) -> Sizes:
    sizes = QUICK if told.quick else FULL
    if told.size:
        chosen = tuple(sorted(int(size) for size in told.size.split(",")))
        peers = tuple(size for size in chosen if size <= FULL.peers[-1])
        sizes = replace(sizes, ours=chosen, peers=peers)
    return replace(sizes, seconds=told.seconds or sizes.seconds)


def _measured(bench: Bench, names: Sequence[str]) -> tuple[list[Row], dict[str, str]]:
    rows: list[Row] = []
    failed: dict[str, str] = {}
    for name in names:
        say(name)
        try:
            for row in ROWS[name](bench):
                rows.append(row)
                say(f"  {line(row)}")
        except WorkerError as error:
            failed[name] = str(error)
            say(f"  failed: {error}")
    return rows, failed


def line(row: Row) -> str:
    """One row, for a terminal."""
    made = row.to_json()
    shown = [f"{row.what} ({row.size:,})", f"{number(row.ours.median)} {row.unit}"]
    for peer in made["peers"]:
        ratio = f" ({peer['ratio']:.3g} x)" if peer["ratio"] else ""
        shown.append(
            f"{peer['name']} {number(peer['median'])}{ratio} {peer['reason'][:60]}".strip()
        )
    if made["target"]:
        verdict = {True: "met", False: "MISSED", None: "not known"}[made["target"]["met"]]
        shown.append(f"{row.target.text if row.target else ''}: {verdict}")
    return " | ".join(shown)


def number(value: float | None) -> str:
    """A figure with three digits that count.

    >>> number(0.01234), number(1234.6), number(None)
    ('0.0123', '1,235', '–')
    """
    if value is None:
        return "–"
    thousand = 1000
    return f"{value:,.0f}" if abs(value) >= thousand else f"{value:.3g}"


def report(
    rows: Sequence[Row], failed: dict[str, str], found: dict[str, str], *, quick: bool
) -> dict[str, Any]:
    """The whole result in its stable form."""
    return {
        "form": FORM,
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "quick": quick,
        "seed": SEED,
        "machine": describe(found),
        "rows": [row.to_json() for row in rows],
        "failed": failed,
        "not_measured": NOT_MEASURED,
    }


def joined(latest: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """A result with the rows of a later one in place of its own of the same kind.

    Each says when it was measured: figures of two runs are not to be compared with each other.
    """
    machine = result["machine"]
    apart = (
        f"measured apart, on {result['when'][:10]} at commit `{machine['commit']}`,"
        f" with a load of {machine.get('load_before', 'unknown')} before the run"
    )
    groups = {row["group"] for row in result["rows"]}
    new = [
        {**row, "note": "; ".join(part for part in (row["note"], apart) if part)}
        for row in result["rows"]
    ]
    named = {peer["name"]: peer["version"] for row in new for peer in row["peers"]}
    peers = {**latest["machine"]["peers"], **named}
    return {
        **latest,
        "machine": {**latest["machine"], "peers": peers},
        "rows": [row for row in latest["rows"] if row["group"] not in groups] + new,
        "not_measured": result["not_measured"],
    }


def _text(result: dict[str, Any]) -> str:
    return json.dumps(result, ensure_ascii=False, indent=1) + "\n"


def _write(result: dict[str, Any], *, whole: bool) -> None:
    RESULTS.mkdir(exist_ok=True)
    text = _text(result)
    kind = "quick" if result["quick"] else "part"
    end = "" if whole else f"-{kind}"
    path = RESULTS / f"{result['when'][:10]}-{slug(result['machine'])}{end}.json"
    path.write_text(text, "utf-8")
    say(f"written: {path}")
    if whole:
        LATEST.write_text(text, "utf-8")
        say(f"written: {LATEST}")


if __name__ == "__main__":
    sys.exit(main())
