"""How common a disease is orders what fits alike, and nothing where nothing is stated of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medweave.inference.commonness import NOTHING_STATED, Commonness, commonness_in
from medweave.knowledge_base import KnowledgeBase
from medweave.model.edge import thing_number

_FINDINGS = ["fever", "cough", "rash"]


def _built(folder: Path, levels: dict[str, str | None]) -> KnowledgeBase:
    records = [
        {
            "name": name,
            "concept": "disease",
            "language": "en",
            "symptoms": _FINDINGS if name.startswith("rare") else _FINDINGS[:2],
            **({} if level is None else {"how_common": [level]}),
        }
        for name, level in levels.items()
    ]
    source = folder / "diseases.json"
    source.write_text(json.dumps(records), encoding="utf-8")
    base = KnowledgeBase.open(str(folder / "base.db"))
    base.build([source])
    return base


@pytest.mark.parametrize("first", ["alphitis", "betitis"])
def test_of_two_that_show_the_same_the_common_one_comes_first(tmp_path: Path, first: str) -> None:
    levels = {name: "common" if name == first else "rare" for name in ("alphitis", "betitis")}
    with _built(tmp_path, dict(levels)) as base:
        answer = base.ask("I have a fever and a cough. What could it be?")
        assert answer.candidates[0].entity.name() == first
        assert len(answer.candidates) == len(levels)  # nothing is hidden
        stated = answer.statements[answer.candidates[0].how_common[0]].statement
        assert stated.text == "common"


def test_where_nothing_is_stated_nothing_changes(tmp_path: Path) -> None:
    with _built(tmp_path, {"alphitis": None, "betitis": None}) as base:
        assert commonness_in(base.knowledge) is NOTHING_STATED
        answer = base.ask("I have a fever and a cough. What could it be?")
        assert len({candidate.score for candidate in answer.candidates}) == 1


def test_much_evidence_outweighs_rarity_and_little_stays_above_nothing() -> None:
    common = Commonness({1: 0.0, 2: 4.8}, {}, 2.9)
    weighed = common.weighing(lambda numbers: 12.0 if numbers == (2,) else 4.0, 1.0, {1, 2})
    assert weighed((2,)) > weighed((1,))
    little = common.weighing(lambda _: 0.1, 1.0, {1, 2})
    assert 0 < little((2,)) < little((1,))


def test_what_only_words_lead_to_is_not_held_common() -> None:
    weighed = Commonness({1: 0.0}, {}, 2.9).weighing(lambda _: 1.0, 1.0, {2})
    assert weighed((1,)) == weighed((3,))


def test_every_illness_of_the_sample_with_symptoms_says_how_common_it_is() -> None:
    with KnowledgeBase.sample() as base:
        knowledge = base.knowledge
        common = commonness_in(knowledge)
        showing = {s.statement.subject for s in knowledge.store.match(None, "has_symptom")}
        unstated = [d for d in showing if not common.statements([thing_number(d)])]
        assert unstated == []
