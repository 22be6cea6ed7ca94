"""Makes docs/benchmarks.md and its pictures from a result: `python -m benchmarks.page`.

Every figure on the page comes out of the JSON; a test fails when they are not in step.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import many_dialogues
from benchmarks.pictures import Curve, Dot, dots, growth
from benchmarks.run import LATEST, number
from benchmarks.speed import SPEED, table

DOCS = Path(__file__).parents[1] / "docs"
GROUPS = {
    "build": "Building a base",
    "open": "Opening a base",
    "memory": "Memory",
    "retrieval": "Questions",
    "add": "Adding a document",
    "remove": "Removing a document",
    "ranking": "Path ranking",
    "import": "Import",
    "cold": "From the shell",
    "embed": "Texts to vectors",
    "vectors": "Searching vectors",
}
PICTURES = {
    "open": "open it and answer a first question",
    "memory": "memory while asking",
    "retrieval": "question to answer: which disease",
    "add": "add one document and ask about it",
    "ranking": "path ranking, damping 0.85",
    "cold": "`medweave ask` from the shell",
    "embed": "embed texts of 60 words",
}
"""The row of each group that is drawn."""
GROWTH = (
    ("add one document", "add"),
    ("add one document and ask about it", "add and ask"),
    ("remove one document", "remove"),
    ("question to answer: symptoms", "question: symptoms"),
    ("question to answer: which disease", "question: which disease"),
)
"""Rows in milliseconds that are drawn over the size of the base, and their labels."""

_HEAD = """# Benchmarks

This page is made by `make bench` from [what one run measured](../benchmarks/results/latest.json).
Do not edit it. `make bench QUICK=1` takes about three minutes and measures the small base only.

The base is made up by [a generator](../benchmarks/generate.py): names from syllables, as many
things per name as a power law gives, one document in seven in Chinese. It says nothing about
quality, only about speed and size. Each system runs in a process of its own; the repeats of all
systems take turns, so that what disturbs the machine disturbs all. A figure is the median of its
samples, and a ratio is that of two medians of the same run: above 1, medweave leads; below 1, the
peer does. p95 is the sample that 95 in 100 do not exceed, and with few samples the highest one.

The peers are given what a model would make for them, and no model is called: triples instead of
text, the names in a question instead of its words. LightRAG runs on its default storage with an
embedding that costs next to nothing. LlamaIndex is its own in-memory property graph, written to
its file after each change. medweave is measured from the text of a question to the whole answer.
The base of 10,000 statements is made of about 1,000 monographs for medweave; the others, and all
bases of the peers, are made of triples."""
_SPEED = """## Where the time of one question goes

`python -m benchmarks.speed --before NAME=OLDER/src --write`, measured on {when:.10} at commit
`{commit}` beside older commits: {cpu}, {cores} cores, Python {python}, a base of
{statements:,} statements. Processor time, the least of {turns} turns that the versions took by
turns; compiled, and with what is read from YAML already kept, as it is from the second question
on. Understanding is the median of {texts} questions, its parts are means over them; as many others
were read before, and the questions differ in the names in them alone. The ratio is that of the
first column to the last.

The second table is what others take to find the same names in the same questions, as they are
written: no plural, no other spelling, nothing misspelt, said otherwise or apart."""
_DIALOGUES = """## Very many dialogues

`python -m benchmarks.many_dialogues --write`, measured on {when:.10} at commit `{commit}`: {cpu},
{cores} cores, Python {python}; the machine had a load of {load_before} before the run. The
dialogues are [made up](../benchmarks/dialogues.py) out of the samples and names of diseases and
findings, and marked as such; their vectors of 384 numbers are made up, too, in clouds."""
_LEFT_OUT = """## What is not measured

| promised | why there is no figure |
|---|---|
"""


def render(
    result: dict[str, Any],
    speed: dict[str, Any] | None = None,
    dialogues: dict[str, Any] | None = None,
) -> dict[str, str]:
    """All files of the page by their path below docs/.

    `speed` is a result of benchmarks.speed, `dialogues` one of benchmarks.many_dialogues.
    """
    rows: list[dict[str, Any]] = result["rows"]
    pictures = dict(_pictures(rows))
    parts = [_HEAD, _machine(result), _summary(rows)]
    growing = _growth(rows)
    if growing:
        pictures["benchmarks/growth.svg"] = growing
        parts.append(
            "## As the base grows\n\n![Milliseconds over statements](benchmarks/growth.svg)"
        )
    for group, title in GROUPS.items():
        its = [row for row in rows if row["group"] == group]
        if its:
            parts.append(f"## {title}")
            picture = f"benchmarks/{group}.svg"
            if picture in pictures:
                parts.append(f"![{PICTURES[group].replace('`', '')}]({picture})")
            parts += [_table(its), *_notes(its)]
    if speed:
        parts += [_SPEED.format(**speed, **speed["machine"]), table(speed)]
    if dialogues:
        head = _DIALOGUES.format(**dialogues, **dialogues["machine"])
        parts += [head, many_dialogues.table(dialogues)]
    left_out = {**result["not_measured"], **result["failed"]}
    lines = [f"| {what} | {why} |" for what, why in left_out.items()]
    parts.append(_LEFT_OUT + "\n".join(lines))
    return {"benchmarks.md": "\n\n".join(parts) + "\n", **pictures}


def _machine(result: dict[str, Any]) -> str:
    machine = result["machine"]
    systems = ", ".join(f"{name} {version}" for name, version in machine["peers"].items())
    load = machine.get("load_before")
    others = "" if load is None else f" The machine had a load of {load} before the run."
    quick = " It was a quick run: the small base, few repeats." if result["quick"] else ""
    return (
        f"Measured on {result['when'][:10]} at commit `{machine['commit']}`: {machine['cpu']}, "
        f"{machine['cores']} cores, {machine['memory_gb']} GB, {machine['system']}, "
        f"Python {machine['python']}; {systems}.{others}{quick}"
    )


def _summary(rows: list[dict[str, Any]]) -> str:
    aimed = [row for row in rows if row["target"]]
    met = sum(row["target"]["met"] is True for row in aimed)
    lines = [
        "## Targets",
        "",
        f"{met} of {len(aimed)} rows reach their target.",
        "",
        "| | statements | p50 | p95 | target | |",
        "|---|--:|--:|--:|---|---|",
    ]
    for row in aimed:
        verdict = {True: "met", False: "**missed**", None: "not measured"}[row["target"]["met"]]
        lines.append(
            f"| {row['what']} | {_size(row)} | {_figure(row)} | {number(row['p95'])} "
            f"| {row['target']['text']} | {verdict} |"
        )
    return "\n".join(lines)


def _table(rows: list[dict[str, Any]]) -> str:
    of = "vectors" if rows[0]["group"] == "vectors" else "statements"
    lines = [
        f"| | {of} | system | p50 | p95 | samples | ratio |",
        "|---|--:|---|--:|--:|--:|--:|",
    ]
    for row in rows:
        lines.append(
            f"| {row['what']} | {_size(row)} | medweave | {_figure(row)} | {number(row['p95'])} "
            f"| {len(row['samples'])} | {row['reason']} |"
        )
        for peer in row["peers"]:
            shown = {**peer, "unit": row["unit"]}
            ratio = f"{number(peer['ratio'])}" if peer["ratio"] else ""
            said = "; ".join(part for part in (ratio, peer["reason"]) if part)
            lines.append(
                f"| | | {peer['name']} | {_figure(shown)} | {number(peer['p95'])} "
                f"| {len(peer['samples'])} | {said} |"
            )
    return "\n".join(lines)


def _notes(rows: list[dict[str, Any]]) -> list[str]:
    found: dict[str, None] = {}
    for row in rows:
        facts = ", ".join(
            f"{name.replace('_', ' ')}: {_said(value)}" for name, value in row["facts"].items()
        )
        if row["note"]:
            found[f"- {row['what']}: {row['note']}."] = None
        if facts:
            found[f"- {row['what']} ({_size(row)}): {facts}."] = None
    return ["\n".join(found)] if found else []


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}"


def _size(row: dict[str, Any]) -> str:
    return f"{row['size']:,}" if row["size"] else "–"


def _figure(row: dict[str, Any]) -> str:
    if row["median"] is None:
        return "–"
    return f"{number(row['median'])} {row['unit']}".strip()


def _pictures(rows: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for group, what in PICTURES.items():
        its = [row for row in rows if row["group"] == group and row["what"] == what]
        lines = [dot for row in its for dot in _dots(row)]
        if lines:
            target = its[0]["target"]
            aim, text = (target["median"], f"{number(target['median'])} {its[0]['unit']}") if (
                target
            ) else (None, "")  # fmt: skip
            title = f"{GROUPS[group]}: {what.replace('`', '')}"
            yield f"benchmarks/{group}.svg", dots(title, its[0]["unit"], lines, aim, text)


def _dots(row: dict[str, Any]) -> Iterator[Dot]:
    for series in ({**row, "name": "medweave"}, *row["peers"]):
        if series["median"]:
            label = f"{series['name']}, {row['size']:,}"
            ours = series["name"] == "medweave"
            yield Dot(label, series["median"], series["low"], series["high"], ours)


def _growth(rows: list[dict[str, Any]]) -> str:
    curves = []
    for what, label in GROWTH:
        its = [row for row in rows if row["what"] == what and row["median"]]
        points = tuple((row["size"], row["median"]) for row in sorted(its, key=lambda r: r["size"]))
        if len(points) > 1:
            curves.append(Curve(label, points))
    return growth("medweave as the base grows", "ms", curves) if curves else ""


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("result", type=Path, nargs="?", default=LATEST)
    told = parser.parse_args()
    (DOCS / "benchmarks").mkdir(exist_ok=True)
    for old in (DOCS / "benchmarks").glob("*.svg"):
        old.unlink()
    more = [
        json.loads(path.read_text("utf-8")) if path.exists() else None
        for path in (SPEED, many_dialogues.DIALOGUES)
    ]
    for name, text in render(json.loads(told.result.read_text("utf-8")), *more).items():
        (DOCS / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
