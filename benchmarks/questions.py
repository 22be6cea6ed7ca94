"""Questions until a child is settled: guided, against the form's own order.

    python -m benchmarks.questions sample --children 2000 --out benchmarks/results/questions.json
    python -m benchmarks.questions --picture docs/pictures/questions.svg FILE…

Children are drawn from the guideline's own logic; see `benchmarks/simulated_children.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.question_count import Counted, count_questions, summary
from medweave.guideline.loading import graph_in

_PRESENT = 500
"""So many children are told of one by one, for the picture."""


def main() -> None:
    """Count, or draw what was counted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("inputs", nargs="+", help="a guideline; with --picture, results")
    parser.add_argument("--children", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", help="write the figures into this file (JSON)")
    parser.add_argument("--picture", help="draw results into this file (SVG)")
    asked = parser.parse_args()
    if asked.picture:
        results = [json.loads(Path(each).read_text("utf-8")) for each in asked.inputs]
        Path(asked.picture).write_bytes(draw(results))
        return
    told = count(asked.inputs[0], asked.children, asked.seed)
    shown = {name: value for name, value in told.items() if name != "pairs"}
    sys.stdout.write(json.dumps(shown, indent=1) + "\n")
    if asked.out:
        Path(asked.out).write_text(json.dumps(told, indent=1) + "\n", "utf-8")


def count(name: str, number: int, seed: int) -> dict[str, Any]:
    """The figures of one guideline, and (guided, form) of each child for the picture."""
    graph = graph_in(name)
    found = count_questions(graph, number, seed, every=20)
    reached = {each.child.target for each in found if each.child.stands}
    return {
        "guideline": graph.guideline.name,
        "seed": seed,
        **summary(found),
        "not_reached": sorted({each.child.target for each in found} - reached),
        "left_open_by_the_form": _left_open(found),
        "pairs": [[len(e.guided.asked), len(e.form.asked)] for e in found[:_PRESENT]],
    }


def _left_open(found: list[Counted]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for each in found:
        for name in each.form.differs:
            counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: -item[1])[:10])


def draw(results: list[dict[str, Any]]) -> bytes:
    """A dot for each child: questions guided against questions of the form, with the means."""
    from medweave.evaluation.report.picture_style import (
        BLUE,
        GREEN,
        GREY,
        ORANGE,
        as_bytes,
        new_picture,
        our_style,
    )

    with our_style():
        figure, axes = new_picture(5.0)
        most = max(max(pair) for each in results for pair in each["pairs"])
        axes.plot([0, most], [0, most], color=GREY, linewidth=1, label="as many")
        axes.plot([0, most], [0, most / 2], color=GREY, linewidth=1, linestyle="--", label="half")
        for each, colour, marker in zip(results, (BLUE, ORANGE, GREEN), "os^", strict=False):
            label = f"{each['guideline']}: mean {each['guided']:.1f} against {each['form']:.1f}"
            form, guided = [p[1] for p in each["pairs"]], [p[0] for p in each["pairs"]]
            axes.plot(form, guided, marker, color=colour, alpha=0.25, markersize=4, linewidth=0)
            axes.plot(each["form"], each["guided"], marker, color=colour, markersize=11,
                      markeredgecolor="white", label=label)  # fmt: skip
        axes.set_ylabel("guided")
        axes.set_xlabel("in the form's own order")
        axes.grid(visible=True)
        figure.legend(loc="outside lower center", ncols=2)
        title = "Questions until settled, a dot for each simulated child"
        axes.set_title(title)
        return as_bytes(figure, title)["svg"]


if __name__ == "__main__":
    main()
