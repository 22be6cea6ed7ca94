"""What one question costs, part by part, and before a change: `python -m benchmarks.speed`.

--before NAME=FOLDER  another version's `src`, measured in turns with this one; more than once
--statements N   size of the generated base (350,000: 101,000 things, about as many names)
--turns N        how often a question is asked from the shell; the least of each part counts
--write          the page shows this run

All is processor time, the least of several turns: what else the machine does is not measured. The
first turn of each version is not counted: in it what is read from YAML is kept. Beside it stands
what pyahocorasick and flashtext take to find the same names, where they can be had.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.generate import World, write
from benchmarks.machine import describe
from benchmarks.run import RESULTS, number
from benchmarks.systems import ROOT, install_finders

SPEED = RESULTS / "speed.json"
STATEMENTS = 350_000
TEXTS, REPEATS = 40, 10
NOW = "now"
_WHOLE, _PLAIN = "`medweave ask` from the shell", "the command line, the answer, and the end"
_UNDERSTAND = "understand a question of sixty words, again"
_FIRST = "understand a question of sixty words, for the first time"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print a table."""
    told = _parser().parse_args(arguments)
    before = dict(pair.split("=", 1) for pair in told.before)
    trees = {name: Path(tree).resolve() for name, tree in before.items()} | {NOW: ROOT / "src"}
    with tempfile.TemporaryDirectory() as folder:
        made = measured(trees, World(told.statements), Path(folder), told.turns)
    result = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {k: v for k, v in describe({}).items() if k not in ("packages", "peers")},
        "statements": told.statements,
        "turns": told.turns,
        "texts": TEXTS // 2,
        **made,
    }
    sys.stdout.write(table(result) + "\n")
    if told.write:
        SPEED.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--before", action="append", default=[], metavar="NAME=FOLDER",
                        help="another version: what it is called, and its folder src")  # fmt: skip
    parser.add_argument("--statements", type=int, default=STATEMENTS)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--write", action="store_true", help="for the page")
    return parser


def measured(trees: Mapping[str, Path], world: World, folder: Path, turns: int) -> dict[str, Any]:
    """The least seconds of each part of a question from the shell, and of understanding texts."""
    source = folder / "triples.csv"
    write(world, "triples", source)
    stores = {name: str(folder / f"{name}.db") for name in trees}
    for name, tree in trees.items():
        run(tree, folder, "-m", "medweave", "build", "--kb", stores[name], str(source))
    texts = world.stories(TEXTS)
    cold: dict[str, dict[str, float]] = {name: {} for name in trees}
    for turn in range(turns + 1):
        for name, tree in trees.items():
            parts = _cold(tree, folder, stores[name], texts[0])
            if turn:
                known = cold[name]
                cold[name] = {part: min(s, known.get(part, s)) for part, s in parts.items()}
    understood = {}
    for name, tree in trees.items():
        out, _ = run(tree, folder, *_WORKER, "understand", stores[name], str(REPEATS),
                      given="\n".join(texts))  # fmt: skip
        understood[name] = json.loads(out)
    return {"cold": cold, "understood": understood, "finders": _finders(source, folder, texts)}


def _finders(source: Path, folder: Path, texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What others take to find the names of a base in the texts that are measured."""
    with source.open(encoding="utf-8", newline="") as file:
        names = {row[end] for row in csv.DictReader(file) for end in ("subject", "object")}
    (folder / "names.txt").write_text("\n".join(sorted(names)), "utf-8")
    found = {}
    for system in install_finders():
        ran = subprocess.run(
            [*system.command, str(folder / "names.txt")], capture_output=True, check=True,
            input="\n".join(texts[len(texts) // 2 :]).encode(), cwd=ROOT,
        )  # fmt: skip
        found[system.name] = json.loads(ran.stdout)
    return found


_WORKER = ("-m", "benchmarks.workers.speed_worker")


def _cold(tree: Path, folder: Path, store: str, text: str) -> dict[str, float]:
    _, whole = run(tree, folder, "-m", "medweave", "ask", "--kb", store, text)
    out, _ = run(tree, folder, *_WORKER, "cold", store, text)
    return {_WHOLE: whole, **json.loads(out)}


def run(tree: Path, folder: Path, *arguments: str, given: str = "") -> tuple[str, float]:
    """What a process prints, and the seconds of processor time that it takes.

    It runs compiled, as an installed package is, and keeps what it keeps in a folder of its own.
    """
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tree), str(ROOT)]),
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(
        [sys.executable, *arguments], input=given.encode(), capture_output=True, check=True,
        env=environment, cwd=folder,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ran.stdout.decode(), sum(after[:2]) - sum(before[:2])


def table(result: Mapping[str, Any]) -> str:
    """The parts of a result as a table in Markdown."""
    names = list(result["cold"])
    parts: dict[str, list[float]] = {}
    for shown, some in _shown(result):
        for part in some[NOW]:
            name = part if part in (shown, _FIRST) else f"– {part}"
            parts[name] = [some[version].get(part, 0.0) for version in names]
    lines = [
        f"| ms of processor time | {' | '.join(names)} | ratio |",
        f"|---|{'--:|' * len(names)}--:|",
    ]
    for name, seconds in parts.items():
        ratio = f"{seconds[0] / seconds[-1]:.2g}" if len(names) > 1 and seconds[-1] > 0 else ""
        figures = " | ".join(number(some * 1000) for some in seconds)
        lines.append(f"| {name} | {figures} | {ratio} |")
    return "\n".join([*lines, *_others(result["finders"])])


def _others(finders: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A table of what others take, where there are any."""
    head = [
        "",
        "| ms of processor time | names | made of names | loaded again | a question | found |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    lines = []
    for name, some in finders.items():
        spent = (some["make"], some["load"], median(some["texts"]))
        shown = " | ".join(number(seconds * 1000) for seconds in spent)
        lines.append(
            f"| {name} {some['version']} | {some['names']:,} | {shown} | {some['found']:.2g} |"
        )
    return head + lines if lines else []


def _shown(result: Mapping[str, Any]) -> list[tuple[str, dict[str, dict[str, float]]]]:
    """Both halves of the table: which row is the whole, and by version the seconds of each row."""
    cold = {name: dict(some) for name, some in result["cold"].items()}
    for some in cold.values():
        some[_PLAIN] = max(0.0, 2 * some[_WHOLE] - sum(some.values()))
    understood = {
        name: {
            _FIRST: median(some["first"]),
            _UNDERSTAND: median(some["texts"]),
            **some["parts"],
        }
        for name, some in result["understood"].items()
    }
    return [(_WHOLE, cold), (_UNDERSTAND, understood)]


if __name__ == "__main__":
    sys.exit(main())
