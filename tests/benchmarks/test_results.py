"""A result has the promised form, and the page says what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks.bench import QUICK, Bench
from benchmarks.many_dialogues import DIALOGUES
from benchmarks.page import DOCS, render
from benchmarks.results import FORM, Row, Series, Target, percentile
from benchmarks.run import LATEST, joined, report
from benchmarks.speed import SPEED, table
from benchmarks.systems import WorkerError

ROW = Row(
    "add", "add one document", 1000, "ms",
    Series("medweave", "1", (2.0, 4.0, 3.0)),
    (Series("peer", "2", (30.0, 60.0)), Series("other", reason="does not start: no wheel")),
    Target("< 5 ms, p50 and p95", 5, 5),
)  # fmt: skip


def latest() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(LATEST.read_text("utf-8"))
    return made


def test_a_row_gives_samples_figures_and_ratios() -> None:
    made = ROW.to_json()
    assert (made["median"], made["p95"], made["low"], made["high"]) == (3.0, 4.0, 2.0, 4.0)
    assert [(p["name"], p["ratio"]) for p in made["peers"]] == [("peer", 15.0), ("other", None)]
    assert made["peers"][1]["reason"] == "does not start: no wheel"
    assert made["target"]["met"] is True


def test_where_more_is_better_the_ratio_turns_round() -> None:
    row = Row("build", "build", 1, "/s", Series("m", "", (10.0,)), (Series("p", "", (40.0,)),),
              Target("≥ 20", 20), "higher")  # fmt: skip
    made = row.to_json()
    assert made["peers"][0]["ratio"] == 0.25
    assert made["target"]["met"] is False


def test_a_target_is_missed_by_the_tail_and_unknown_without_samples() -> None:
    target = Target("p50 < 15 ms, p95 < 40 ms", 15, 40)
    slow = Series("m", "", (1.0,) * 15 + (90.0,) * 5)
    assert target.met(slow, "lower") is False
    assert target.met(Series("m", reason="failed"), "lower") is None


@pytest.mark.parametrize(("percent", "value"), [(0, 1.0), (50, 10.0), (95, 19.0), (100, 20.0)])
def test_percentiles_are_samples(percent: int, value: float) -> None:
    assert percentile([float(n) for n in range(20, 0, -1)], percent) == value


def test_repeats_take_turns_and_a_failure_is_a_reason() -> None:
    order: list[str] = []

    def one() -> float:
        order.append("one")
        return 1.0

    def two() -> float:
        order.append("two")
        if len(order) > 3:
            raise WorkerError("fell over")
        return 2.0

    bench = Bench(QUICK, {"one": "1"}, {})
    found = bench.turns({"one": one, "two": two, "three": "cannot be installed"}, 3)
    assert order == ["one", "two", "one", "two", "one"]
    assert (found["one"].samples, found["one"].version) == ((1.0, 1.0, 1.0), "1")
    assert (found["two"].samples, found["two"].reason) == ((2.0,), "fell over")
    assert (found["three"].samples, found["three"].reason) == ((), "cannot be installed")


def test_a_report_has_the_promised_form() -> None:
    made = report([ROW], {}, {"medweave": "1"}, quick=True)
    machine = {"cpu", "cores", "memory_gb", "system", "python", "commit", "packages", "peers"}
    assert set(made["machine"]) == machine
    for result in (made, latest()):
        assert set(result) == set(made)
        assert result["form"] == FORM
        for row in result["rows"]:
            assert set(row) == set(ROW.to_json())
            assert row["samples"] or row["reason"]
            for peer in row["peers"]:
                assert peer["samples"] or peer["reason"], f"{row['what']}: {peer['name']}"


def test_rows_measured_apart_take_the_place_of_older_ones_and_say_so() -> None:
    old = report([ROW, Row("open", "open", 1, "s", Series("medweave", "1", (1.0,)))], {},
                 {"medweave": "1"}, quick=False)  # fmt: skip
    newer = Row("add", "add one document", 1000, "ms", Series("medweave", "2", (9.0,)),
                (Series("newcomer", "7", (1.0,)),), note="a note")  # fmt: skip
    made = joined(old, report([newer], {}, {"medweave": "2"}, quick=False))
    assert [(row["group"], row["median"]) for row in made["rows"]] == [("open", 1.0), ("add", 9.0)]
    assert made["rows"][1]["note"].startswith("a note; measured apart, on 20")
    assert made["machine"]["peers"] == {"medweave": "1", "newcomer": "7"}
    assert set(made) == set(old)


def test_the_page_and_its_pictures_are_those_of_the_latest_result() -> None:
    speed, dialogues = (json.loads(path.read_text("utf-8")) for path in (SPEED, DIALOGUES))
    made = render(latest(), speed, dialogues)
    shown = {"benchmarks.md", *(f"benchmarks/{p.name}" for p in (DOCS / "benchmarks").iterdir())}
    assert shown == set(made)
    for name, text in made.items():
        fresh = (DOCS / name).read_text("utf-8") == text
        assert fresh, f"{name}: run `python -m benchmarks.page`"


def test_a_missed_target_and_an_absent_peer_are_shown() -> None:
    slow = Row(**{**{f: getattr(ROW, f) for f in ROW.__dataclass_fields__},
                  "target": Target("< 1 ms", 1)})  # fmt: skip
    page = render(report([slow], {}, {"medweave": "1"}, quick=True))["benchmarks.md"]
    assert "| add one document | 1,000 | 3 ms | 4 | < 1 ms | **missed** |" in page
    assert "does not start: no wheel" in page
    assert "| fresh machine to first answer | needs a fresh machine" in page


def test_parts_of_a_question_are_shown_before_and_now() -> None:
    whole = "`medweave ask` from the shell"
    made = table({
        "cold": {"before": {whole: 1.2, "imports": 0.5}, "now": {whole: 0.6, "imports": 0.2}},
        "understood": {
            "before": {"first": [0.03], "texts": [0.009, 0.001, 0.02],
                       "parts": {"find names": 0.004}},
            "now": {"first": [0.01], "texts": [0.003], "parts": {"find names": 0.001, "new": 5e-4}},
        },
        "finders": {"other": {"version": "2", "names": 1000, "make": 0.1, "load": 0.05,
                              "texts": [2e-5], "found": 4.0}},
    }).splitlines()  # fmt: skip
    assert made[0] == "| ms of processor time | before | now | ratio |"
    assert f"| {whole} | 1,200 | 600 | 2 |" in made
    assert "| – the command line, the answer, and the end | 700 | 400 | 1.8 |" in made
    assert "| understand a question of sixty words, for the first time | 30 | 10 | 3 |" in made
    assert "| understand a question of sixty words, again | 9 | 3 | 3 |" in made
    assert "| – new | 0 | 0.5 | 0 |" in made
    assert "| other 2 | 1,000 | 100 | 50 | 0.02 | 4 |" in made


@pytest.mark.parametrize("file", [LATEST, SPEED])
def test_results_hold_no_path_of_a_machine(file: Path) -> None:
    text = file.read_text("utf-8")
    assert str(Path.home()) not in text
    assert not re.search(r"/(home|root|work|tmp)/", text)
