"""What a question and a child cost, as ratios to a fixed computation of the same run.

    python -m benchmarks.ratios --before NAME=OLDER/src --guideline FILE

--before NAME=FOLDER  another version's `src`, measured in turns with this one; more than once
--guideline FILE      a guideline with many questions, such as an ePOCT+ export; else the sample's
--statements N        size of the generated base (330,000: about 95,000 names)
--turns N             the least of so many turns counts

Versions of one machine, and machines, are compared by ratios: processor time of one text by that of
`REFERENCE`, which never changes. Only commands and JSON that are a contract are used, so it runs
with any version: what many lines take less what few take is the price of a line, with reading it
and printing what came of it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.generate import World, write
from benchmarks.speed import run
from benchmarks.systems import ROOT

NOW = "now"
FEW = 20
"""Lines of the short run; the long one has `MANY` more."""
MANY = 200
REFERENCE = """
import re
text = " ".join(str(number * number) for number in range(200_000))
for _ in range(3):
    found = {}
    for word in re.findall(r"\\d+", text):
        found[word[:3]] = found.get(word[:3], 0) + len(word)
    sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
"""
"""Words of a text found, counted and sorted: what reading texts is made of."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print one JSON object."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--before", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--guideline", default="sample")
    parser.add_argument("--statements", type=int, default=330_000)
    parser.add_argument("--turns", type=int, default=5)
    told = parser.parse_args(arguments)
    trees = {name: Path(tree).resolve() for name, _, tree in
             (pair.partition("=") for pair in told.before)} | {NOW: ROOT / "src"}  # fmt: skip
    guideline = str(Path(told.guideline).resolve()) if told.guideline != "sample" else "sample"
    with tempfile.TemporaryDirectory() as folder:
        found = measured(trees, World(told.statements), guideline, Path(folder), told.turns)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 0


def measured(
    trees: Mapping[str, Path], world: World, guideline: str, folder: Path, turns: int
) -> dict[str, Any]:
    """Milliseconds of processor time and ratios by version, the least of all turns."""
    source = folder / "triples.csv"
    write(world, "triples", source)
    texts = [json.dumps({"text": text}) for text in world.stories(FEW + MANY)]
    out, _ = run(trees[NOW], folder, *_MEDWEAVE, "guideline", "export", guideline, "--json")
    asked = json.loads(out)["observations"]
    children = [json.dumps(child(asked, number)) for number in range(FEW + MANY)]
    commands: dict[str, dict[str, tuple[str, ...]]] = {}
    for name, tree in trees.items():
        store = str(folder / f"{name}.db")
        run(tree, folder, *_MEDWEAVE, "build", "--kb", store, str(source))
        commands[name] = {
            "question": ("understand", "--kb", store, "--json", "--lines"),
            "child": ("classify", "--guideline", guideline, "--json", "--findings"),
        }
    files = {
        "question": _files(folder, "texts", texts),
        "child": _files(folder, "children", children),
    }
    least: dict[str, float] = {}
    prices: dict[str, dict[str, float]] = {name: {} for name in trees}
    for _ in range(turns):
        _keep(least, "reference", run(trees[NOW], folder, "-c", REFERENCE)[1])
        for name, tree in trees.items():
            for what, command in commands[name].items():
                spent = [
                    run(tree, folder, *_MEDWEAVE, *command, str(file))[1] for file in files[what]
                ]
                _keep(prices[name], what, (spent[1] - spent[0]) / MANY)
    reference = least["reference"]
    first = json.loads(children[0])["findings"]
    return {
        "reference_ms": round(1000 * reference, 1),
        "answers_of_a_child": len(first),
        "milliseconds": _rounded(prices, 1000),
        "per_mille_of_the_reference": _rounded(prices, 1000 / reference),
    }


_MEDWEAVE = ("-m", "medweave")


def child(asked: Sequence[Mapping[str, Any]], number: int) -> dict[str, Any]:
    """A child of whom everything that can be asked is answered, by chance."""
    chance = random.Random(f"child {number}")  # noqa: S311 - no secret
    findings: dict[str, Any] = {}
    for observation in asked:
        if not observation.get("derived"):
            value = _value(observation, chance)
            if value is not None:
                findings[observation["id"]] = value
    return {"age_days": 500, "weight_kg": 10.0, "sex": "female", "findings": findings}


def _value(observation: Mapping[str, Any], chance: random.Random) -> Any:
    kind, answers = observation["kind"], observation.get("answers") or []
    if kind == "boolean":
        return chance.random() < 0.2  # noqa: PLR2004 - few signs are there
    if kind in ("choice", "choices") and answers:
        chosen = chance.choice(answers)
        name = chosen["id"] if isinstance(chosen, dict) else chosen
        return [name] if kind == "choices" else name
    if kind == "number":
        low, high = observation.get("range") or (None, None)
        low = 0.0 if low is None else float(low)
        return round(low + 0.4 * ((float(high) if high is not None else low + 40) - low), 1)
    return None


def _files(folder: Path, name: str, lines: Sequence[str]) -> tuple[Path, Path]:
    """A short file and a long one."""
    made = []
    for count in (FEW, FEW + MANY):
        path = folder / f"{name}-{count}.jsonl"
        path.write_text("\n".join(lines[:count]) + "\n", "utf-8")
        made.append(path)
    return made[0], made[1]


def _keep(least: dict[str, float], name: str, seconds: float) -> None:
    least[name] = min(seconds, least.get(name, seconds))


def _rounded(prices: Mapping[str, Mapping[str, float]], factor: float) -> dict[str, Any]:
    return {
        name: {what: round(factor * price, 2) for what, price in some.items()}
        for name, some in prices.items()
    }


if __name__ == "__main__":
    sys.exit(main())
