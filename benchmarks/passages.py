"""What a question to a base of texts costs, in several versions by turns.

`python -m benchmarks.passages KB QUESTIONS`:

KB is a base of texts that exists already, QUESTIONS a file with one on each line.

--before NAME=FOLDER  another version's `src`, measured in turns with this one; more than once
--turns N             how often each version is asked all of them; the least of each question counts

Processor time of `ask`, once what is read for the first question is in memory. Each version takes
its turn in a process of its own, so that a busy machine is busy for all.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median

from benchmarks.systems import ROOT

NOW = "now"
_FIRST = 3
"""So many questions are asked before any is measured."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print a line for each version."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("kb", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--before", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    told = parser.parse_args(arguments)
    if told.worker:
        sys.stdout.write(json.dumps(asked(told.kb, told.questions.read_text("utf-8").splitlines())))
        return 0
    before = dict(pair.split("=", 1) for pair in told.before)
    trees = {name: Path(tree).resolve() for name, tree in before.items()} | {NOW: ROOT / "src"}
    least: dict[str, list[float]] = {}
    for _ in range(told.turns):
        for name, tree in trees.items():
            found = _in_version(tree, told.kb.resolve(), told.questions.resolve())
            least[name] = [min(pair) for pair in zip(least.get(name, found), found, strict=True)]
    for name, times in least.items():
        sys.stdout.write(
            f"{name}: median {median(times):.0f} ms, mean {mean(times):.0f} ms,"
            f" most {max(times):.0f} ms, {len(times)} questions\n"
        )
    return 0


def _in_version(tree: Path, kb: Path, questions: Path) -> list[float]:
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.passages", str(kb), str(questions), "--worker"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(tree)}, check=True, capture_output=True,
    )  # fmt: skip
    times: list[float] = json.loads(ran.stdout)
    return times


def asked(kb: Path, questions: Sequence[str]) -> list[float]:
    """Milliseconds of processor time that each question takes."""
    from medweave.knowledge_base import KnowledgeBase

    times = []
    with KnowledgeBase.open(str(kb), create=False, read_only=True) as base:
        for question in questions[:_FIRST]:
            base.ask(question)
        for question in questions:
            start = time.process_time()
            base.ask(question)
            times.append(1000 * (time.process_time() - start))
    return times


if __name__ == "__main__":
    raise SystemExit(main())
