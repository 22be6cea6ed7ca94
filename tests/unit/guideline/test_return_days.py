"""When to come back: read from wording, kept by treatment, and listed by what applies."""

from __future__ import annotations

import pytest

from medweave.faces.texts.treatment import follow_ups_in_words
from medweave.guideline.logic.evaluation import evaluate
from medweave.guideline.logic.graph import compile_guideline
from medweave.guideline.logic.status import assess
from medweave.guideline.return_days import follow_ups_in
from medweave.guideline.yaml.reading import read_guideline
from medweave.guideline.yaml.writing import write_guideline
from medweave.model.findings import Findings
from tests.unit.guideline.emcare.test_emcare_data import IRAQ

FEVER = """
guideline: fever
version: "1"
title: Fever
observations:
  fever: {label: Fever}
  thin: {label: Thin}
  test: {label: Test, asked_if: fever, unasked: needless}
conditions:
  fever:
    label: Fever
    classifications:
      fever:
        label: Fever
        severity: mild
        when:
          any:
            - {observation: fever, if_unanswered: false}
            - {observation: test, if_unavailable: true, if_unanswered: false}
        follow_up_days: 14
        treatments:
          cool: {label: Cool it, follow_up: {days: 2, if: if fever persists}}
          feed: {label: Feed, when: thin, follow_up: [5, 14]}
"""


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Follow-up in 5 days if not improving", [(5, "if not improving")]),
        ("➢Follow -up in 14 days & do Hb;\n➢ Follow up in 1 day", [(1, ""), (14, "")]),
        ("Return to clinic in 2 weeks for follow up", [(14, "")]),
        ("Advise infant to return every day for 7 days for injections", []),
        ("Give zinc for 14 days. Return if worse. Then in 3 days stop", []),
    ],
)
def test_the_days_are_read_from_the_wording(text: str, days: list[tuple[int, str]]) -> None:
    assert [(each.days, each.when) for each in follow_ups_in(text)] == days


def test_all_days_that_apply_are_listed_the_earliest_first() -> None:
    graph = compile_guideline(read_guideline(FEVER).guideline)
    told = {}
    for thin in (True, False, None):
        found = assess(evaluate(graph, Findings(values={"fever": True, "thin": thin})))
        told[thin] = [(row.days, row.when, row.missing) for row in found.follow_ups]
        assert found.follow_up_days == 2
    assert told[True] == [(2, "if fever persists", ()), (5, "", ()), (14, "", ())]
    assert told[False] == [(2, "if fever persists", ()), (14, "", ())]
    assert told[None] == [(2, "if fever persists", ()), (5, "", ("thin",)), (14, "", ())]
    assert follow_ups_in_words(found)[0] == "in 2 days if fever persists, for Fever"


def test_it_is_written_as_it_was_read() -> None:
    guideline = read_guideline(FEVER).guideline
    assert read_guideline(write_guideline(guideline)).guideline == guideline


@pytest.mark.skipif(not IRAQ.exists(), reason="no data folder; name one with MEDWEAVE_DATA")
def test_emcare_s_days_hold_for_the_ages_of_their_group() -> None:
    pytest.importorskip("openpyxl", reason="reading a workbook needs openpyxl")
    from medweave.guideline.emcare.importing import import_emcare

    guideline = import_emcare(IRAQ).guideline
    some = next(each for each in guideline.classifications if each.label == "Some Dehydration")
    by_age = {
        (step.ages.from_days, step.ages.to_days): [each.days for each in step.follow_ups]
        for step in some.treatments
    }
    assert by_age == {(60, None): [5], (None, 60): [2]}
