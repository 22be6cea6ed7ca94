"""A run that was stopped goes on, and gives what it would have given."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from medweave.errors import ConfigurationError, SourceError
from medweave.evaluation.items import Data, Item, Ranked, System
from medweave.evaluation.outcomes import Checkpoint
from medweave.evaluation.runner import Plan, evaluate
from medweave.evaluation.systems.baselines import Majority, NaiveBayes
from medweave.evaluation.tasks.intents import measures_of

RUN = {"data": "0", "seed": 1}
TIMES = ("training_seconds", "seconds", "milliseconds_per_item")


class Counted:
    """A system that says how often it was trained, and asked of what it has not learned."""

    trained = 0
    asked = 0

    def __init__(self, cases: Sequence[Item]) -> None:
        Counted.trained += 1
        self._system = NaiveBayes(cases, words)
        self._learned = {case.id for case in cases}

    def rank(self, item: Item) -> Ranked:
        Counted.asked += item.id not in self._learned
        return self._system.rank(item)


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    Counted.trained = Counted.asked = 0


def words(item: Item) -> list[str]:
    return item.text.split()


def plan(folds: int = 3, data: str = "0") -> Plan:
    items = questions("gout", "flu", "asthma", "cold", "mumps", "measles")
    return Plan(
        "intents",
        Data("own.jsonl", data, len(items), items),
        {"medweave": Counted, "majority": Majority},
        measures_of,
        train=() if folds else questions("croup", "eczema"),
        folds=folds,
        seed=1,
    )


def questions(*names: str) -> tuple[Item, ...]:
    texts = {"symptom": "what signs does {} have", "treatment": "what helps with {}"}
    return tuple(
        Item(f"{label} {name}", (label,), text.format(name))
        for name in names
        for label, text in texts.items()
    )


def untimed(result: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(result.to_json()))
    for system in found["systems"]:
        for name in TIMES:
            del system[name]
    return found


def stopped_after(items: int, path: Path, run: dict[str, Any] = RUN, folds: int = 3) -> None:
    seen = 0

    def stop(done: int, total: int, what: str) -> None:
        nonlocal seen
        seen += 1
        if seen == items:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(plan(folds), Checkpoint(path, run), progress=stop)


def whole(tmp_path: Path, folds: int = 3) -> dict[str, Any]:
    found = untimed(evaluate(plan(folds), Checkpoint(tmp_path / "whole.jsonl", RUN)))
    Counted.trained = Counted.asked = 0
    return found


@pytest.mark.parametrize("folds", [0, 3])
@pytest.mark.parametrize("items", [1, 4, 7, 12, 13, 23])
def test_a_stopped_run_goes_on_and_ends_the_same(tmp_path: Path, items: int, folds: int) -> None:
    wanted = whole(tmp_path, folds)
    path = tmp_path / "kept.jsonl"
    stopped_after(items, path, folds=folds)
    asked = Counted.asked
    assert untimed(evaluate(plan(folds), Checkpoint(path, RUN))) == wanted
    assert asked == min(items, 12)
    assert Counted.asked == 12, "no item was asked twice"


def test_a_run_may_be_stopped_twice(tmp_path: Path) -> None:
    wanted = whole(tmp_path)
    path = tmp_path / "kept.jsonl"
    stopped_after(5, path)
    stopped_after(4, path)
    assert untimed(evaluate(plan(), Checkpoint(path, RUN))) == wanted
    assert Counted.asked == 12


def test_what_is_complete_is_not_trained_again(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    stopped_after(15, path)  # all of ours, and some of the majority
    assert Counted.trained == 3
    evaluate(plan(), Checkpoint(path, RUN))
    assert Counted.trained == 3


def test_the_time_of_training_outlives_a_stop(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    stopped_after(15, path)
    spent = Checkpoint(path, RUN).training("medweave")
    assert spent.seconds > 0
    assert spent.cases == 3 * 8, "each fold learns from the other two"
    result = evaluate(plan(), Checkpoint(path, RUN))
    assert result.systems[0].training == spent


def test_a_finished_run_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    stopped_after(5, path)
    assert path.exists()
    evaluate(plan(), Checkpoint(path, RUN))
    assert not path.exists()


@pytest.mark.parametrize("other", [{"data": "1", "seed": 1}, {"data": "0", "seed": 2}, {}])
def test_what_another_run_left_is_not_used(tmp_path: Path, other: dict[str, Any]) -> None:
    wanted = whole(tmp_path)
    path = tmp_path / "kept.jsonl"
    stopped_after(7, path, run=other)
    Counted.asked = 0
    assert untimed(evaluate(plan(), Checkpoint(path, RUN))) == wanted
    assert Counted.asked == 12


def test_outcomes_under_another_head_are_not_taken_even_where_they_fit(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    stopped_after(7, path)
    head, *rows = path.read_text("utf-8").split("\n")
    path.write_text("\n".join([head.replace("1", "2"), *rows]), "utf-8")
    assert not Checkpoint(path, RUN).outcomes
    path.write_text("\n".join([head, *rows]), "utf-8")
    assert len(Checkpoint(path, RUN).outcomes) == 7


@pytest.mark.parametrize("cut", [1, 2, 20, 60])
def test_a_line_that_was_cut_is_run_again(tmp_path: Path, cut: int) -> None:
    wanted = whole(tmp_path)
    path = tmp_path / "kept.jsonl"
    stopped_after(7, path)
    path.write_bytes(path.read_bytes()[:-cut])
    kept = len(Checkpoint(path, RUN).outcomes)
    assert kept == 6
    Counted.asked = 0
    assert untimed(evaluate(plan(), Checkpoint(path, RUN))) == wanted
    assert Counted.asked == 12 - 6


@pytest.mark.parametrize("junk", [b"", b"\xff\xfe", b"[]\n[]\n", b'{"data": "0", "seed": 1}\n7\n'])
def test_a_file_of_something_else_does_no_harm(tmp_path: Path, junk: bytes) -> None:
    wanted = whole(tmp_path)
    path = tmp_path / "kept.jsonl"
    path.write_bytes(junk)
    assert untimed(evaluate(plan(), Checkpoint(path, RUN))) == wanted


def test_a_place_where_nothing_can_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(SourceError, match="cannot be kept"):
        evaluate(plan(), Checkpoint(tmp_path / "file" / "kept.jsonl", RUN))


@pytest.mark.parametrize("folds", [1, 13])
def test_folds_that_no_items_fill_are_refused(tmp_path: Path, folds: int) -> None:
    with pytest.raises(ConfigurationError, match="folds"):
        evaluate(plan(folds), Checkpoint(tmp_path / "kept.jsonl", RUN))


def test_a_baseline_that_cannot_run_is_named_and_ours_must_run(tmp_path: Path) -> None:
    def missing(_: Sequence[Item]) -> System:
        raise ConfigurationError("not installed", remedy="install it")

    some = plan()
    beside = Plan("intents", some.data, {**some.systems, "dense": missing}, measures_of, folds=3)
    result = evaluate(beside, Checkpoint(tmp_path / "kept.jsonl", RUN))
    assert result.not_run == {"dense": "not installed, install it"}
    assert [system.name for system in result.systems] == ["medweave", "majority"]
    alone = Plan("intents", some.data, {"medweave": missing}, measures_of, folds=3)
    with pytest.raises(ConfigurationError, match="not installed"):
        evaluate(alone, Checkpoint(tmp_path / "kept.jsonl", RUN))


def test_two_labels_of_one_name_stay_two_classes(tmp_path: Path) -> None:
    some = plan()
    named = Plan(
        "intents",
        some.data,
        some.systems,
        measures_of,
        folds=3,
        name_of=lambda _: "alike",
    )
    result = evaluate(named, Checkpoint(tmp_path / "kept.jsonl", RUN))
    assert result.classes == {"alike (symptom)": 6, "alike (treatment)": 6}
    names = {row["class"] for row in result.systems[0].classes}
    assert names == {"alike (symptom)", "alike (treatment)"}


def test_repeats_are_means_over_other_folds(tmp_path: Path) -> None:
    """Each repeat is the run of its own seed; what is said is the mean over them."""
    single = [
        untimed(evaluate(replace(plan(), seed=seed), Checkpoint(tmp_path / str(seed), RUN)))
        for seed in (1, 2, 3)
    ]
    several = untimed(evaluate(replace(plan(), repeats=3), Checkpoint(tmp_path / "all", RUN)))
    for at, system in enumerate(several["systems"]):
        values = [run["systems"][at]["measures"]["accuracy"]["value"] for run in single]
        assert system["repeats"]["accuracy"] == pytest.approx(values, abs=1e-4)
        assert system["measures"]["accuracy"]["value"] == pytest.approx(fmean(values), abs=1e-4)


def test_repeats_that_were_stopped_go_on(tmp_path: Path) -> None:
    repeated = replace(plan(), repeats=2)
    wanted = untimed(evaluate(repeated, Checkpoint(tmp_path / "whole", RUN)))

    def stop(done: int, total: int, what: str) -> None:
        if done == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(repeated, Checkpoint(tmp_path / "kept", RUN), progress=stop)
    assert untimed(evaluate(repeated, Checkpoint(tmp_path / "kept", RUN))) == wanted


def test_without_folds_there_is_nothing_to_repeat(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no folds to repeat"):
        evaluate(replace(plan(0), repeats=2), Checkpoint(tmp_path / "kept", RUN))
