"""What a face needs of a child stands on the base itself: classify, and assess step by step."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from medweave import KnowledgeBase, NotFoundError
from medweave.assessment.events import Event
from medweave.errors import FindingsError
from tests.commands import medweave

CHILD = {"age_days": 400, "weight_kg": 9, "findings": {"cough": True, "convulsions": True}}


@pytest.fixture(scope="module")
def base() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open("memory:") as base:
        yield base


def test_classify_is_what_the_command_prints(base: KnowledgeBase, tmp_path: Path) -> None:
    findings = tmp_path / "child.json"
    findings.write_text(json.dumps(CHILD), "utf-8")
    ran = medweave("classify", "--guideline", "sample", "--json", "--findings", findings)
    assert base.classify(CHILD).to_json() == json.loads(ran.out)


def test_findings_alone_are_those_of_a_record(base: KnowledgeBase) -> None:
    assert base.classify({"convulsions": True}) == base.classify(
        {"findings": {"convulsions": True}}
    )


def test_the_language_is_that_of_the_text_or_the_one_asked_for(base: KnowledgeBase) -> None:
    in_chinese = base.classify({"age_days": 400, "text": "咳嗽3天，抽搐"})
    assert in_chinese.classifications[0].label != base.classify(CHILD).classifications[0].label
    assert base.classify(CHILD, language="zh") != base.classify(CHILD)


def test_what_is_wrong_is_an_error_of_ours(base: KnowledgeBase) -> None:
    with pytest.raises(FindingsError):
        base.classify({"findings": {"convulsions": True}, "shoe_size": 4})
    with pytest.raises(NotFoundError):
        base.classify(CHILD, guideline="none.yaml")
    with pytest.raises(NotFoundError):
        base.assess("none@1")


def test_an_assessment_goes_on_from_its_events(base: KnowledgeBase) -> None:
    begun = base.assess().after(Event("started"))
    answered = begun.after(Event("answered", "age", 400))
    assert base.assess(events=answered.events) == answered


def test_children_are_classified_by_several_threads(base: KnowledgeBase) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(base.classify, [CHILD] * 8))
    assert found == [base.classify(CHILD)] * 8
