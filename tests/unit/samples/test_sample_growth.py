"""Z-scores of the sample guideline: computed by WHO's growth standards, and never asked for."""

from __future__ import annotations

import gzip
import json
import os
from functools import cache
from pathlib import Path

import pytest

from medweave.assessment.events import Event
from medweave.assessment.session import Session
from medweave.guideline.loading import graph_in
from medweave.guideline.logic.evaluation import evaluate
from medweave.guideline.logic.graph import Graph
from medweave.guideline.logic.status import statuses
from medweave.model.findings import Findings, FindingValue

DATA = Path(os.environ.get("MEDWEAVE_DATA", "none"))
REFERENCE = DATA / "guidelines" / "epoct_reference_tables.json.gz"


@cache
def graph() -> Graph:
    return graph_in("sample")


def scores(findings: Findings) -> dict[str, float | None]:
    known = evaluate(graph(), findings).known
    return {name: known[name].number for name in known if name.endswith("_z")}


@pytest.mark.parametrize(
    ("findings", "weight_for_age", "weight_for_length"),
    [
        # of a boy of a year 9.6 kg is the median, 7.7 kg two and 6.9 kg three deviations below it
        (Findings(365, 9.7, "male", {"body_length": 75.0}), 0, 0),
        (Findings(365, 7.6, "male", {"body_length": 74.0}), -3, -3),
        (Findings(365, 6.8, "male", {"body_length": 76.0}), -4, -4),
        (Findings(365, 8.9, "female", {"body_length": 74.0}), -1, -1),
        (Findings(25, 2.6, "male"), -4, None),
        (Findings(0, 3.4, "male"), 0, None),
        (Findings(1500, 12.0, "female", {"body_length": 100.0}), -3, -3),
    ],
)
def test_scores_are_computed(
    findings: Findings, weight_for_age: int, weight_for_length: int | None
) -> None:
    found = scores(findings)
    assert found["weight_for_age_z"] == weight_for_age
    assert found.get("weight_for_height_z") == weight_for_length


def test_a_score_that_is_given_goes_before_what_is_computed() -> None:
    given = Findings(365, 9.6, "male", {"body_length": 76.0, "weight_for_height_z": -3.2})
    assert scores(given)["weight_for_height_z"] == -3.2


def test_no_score_is_ever_asked_for() -> None:
    session = Session.of(graph()).answer("age", 400)
    asked = []
    known: dict[str, FindingValue] = {"sex": "male", "weight": 10.0, "body_length": 78.0}
    while (question := session.next_question(order="thorough")) is not None:
        asked.append(question.observation)
        answer = known.get(question.observation)
        about = graph().observations.get(question.observation)
        if answer is None and about is not None and about.kind == "boolean":
            answer = False
        if answer is None:
            session = session.after(Event("unknown", question.observation))
        else:
            session = session.answer(question.observation, answer)
    assert {"sex", "weight", "body_length"} <= set(asked)
    assert not {name for name in asked if name.endswith("_z")}


def test_without_a_height_board_the_arm_decides() -> None:
    findings = Findings(400, 8.0, "male", {"muac": 110}, resources={"height board": False})
    found = statuses(evaluate(graph(), findings))
    assert found["uncomplicated_severe_malnutrition"].status == "provisional"


@pytest.mark.skipif(not REFERENCE.exists(), reason="MEDWEAVE_DATA names no such folder")
@pytest.mark.parametrize("sex", ["male", "female"])
def test_the_tables_are_those_of_the_public_record(sex: str) -> None:
    held = json.loads(gzip.decompress(REFERENCE.read_bytes()))
    ours = graph().guideline.tables
    name = "boys" if sex == "male" else "girls"
    for week, row in ours[f"weight_for_age_{name}"].items():
        theirs = held[f"z_score_{sex}_table"][str(int(week) * 7)]
        assert all(abs(value - theirs[z]) < 0.011 for z, value in row.items()), week
    # theirs is by standing height, which is 0.7 cm less than the length
    heights, lengths = held[f"weight_for_height_{sex}_table"], ours[f"weight_for_length_{name}"]
    both = [x for x in heights if f"{float(x) + 1:g}" in lengths]
    assert len(both) > 100
    for x in both:
        low, high = lengths[f"{float(x) + 0.5:g}"], lengths[f"{float(x) + 1:g}"]
        theirs = heights[x]
        assert all(low[z] - 0.06 <= theirs[z] <= high[z] + 0.06 for z in low), x
