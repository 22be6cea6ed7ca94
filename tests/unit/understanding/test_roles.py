"""What conditions do in questions: the model that ships, and how it reads questions kept apart."""

from __future__ import annotations

import json

import pytest

from medweave.evaluation.training import learn_roles
from medweave.model.question import Mention
from medweave.understanding.roles.model import (
    SURE,
    TO_TREAT,
    RoleModel,
    shipped_roles,
    with_conditions_beside,
)
from medweave.understanding.roles.training import marked_question
from medweave.understanding.training_files import training_file

LANGUAGES = ("en", "zh")


def mention(text: str, name: str, concept: str = "disease") -> Mention:
    start = text.index(name)
    return Mention(start, start + len(name), name, f"x:{name}", name, concept)


def test_the_model_that_ships_is_made_from_the_questions_that_ship() -> None:
    """Digits may differ between machines in the last place, so that a feature is kept or not."""
    made, ships = RoleModel.of_json(json.loads(learn_roles(["sample"]).text)), shipped_roles()
    features, kept = set(made.classifier.weights), set(ships.classifier.weights)
    assert len(features ^ kept) <= len(kept) // 100
    for line in training_file("roles", "en.jsonl").read_text("utf-8").splitlines()[::50]:
        asked = marked_question(json.loads(line)["question"])
        scores = ships.scores(asked.text, asked.names)
        assert made.scores(asked.text, asked.names) == pytest.approx(scores, abs=0.02)


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_questions_kept_apart_most_conditions_are_told_and_few_falsely(language: str) -> None:
    lines = training_file("roles", "apart", f"{language}.jsonl").read_text("utf-8").splitlines()
    beside = lost = told = 0
    for asked in (marked_question(json.loads(line)["question"]) for line in lines):
        scores = shipped_roles().scores(asked.text, asked.names)
        for name, role in zip(asked.names, asked.roles, strict=True):
            sure = scores.get(name, 0.0) < -SURE
            beside += role == "has"
            told += role == "has" and sure
            lost += role == TO_TREAT and sure
    assert beside > 50
    assert told >= 0.5 * beside
    assert lost <= 0.15 * beside


def test_nothing_is_beside_where_there_is_no_choice() -> None:
    alone = "has asthma. what drugs?"
    both = "drugs for hypertension in someone with asthma"
    named = (mention(alone, "asthma"),)
    assert with_conditions_beside(alone, named) == named
    read = with_conditions_beside(both, (mention(both, "hypertension"), mention(both, "asthma")))
    assert [m.beside for m in read] == [False, True]


def test_a_condition_that_is_beside_still_counts() -> None:
    """What was learned says nothing of status, role or whose it is, on which stops rest."""
    text = "drugs for hypertension in someone with asthma"
    named = (mention(text, "hypertension"), mention(text, "asthma"))
    read = with_conditions_beside(text, named)
    told = [(m.status, m.role, m.experiencer, m.temporality, m.doubted) for m in read]
    assert told == [("unknown", "", "patient", "recent", False)] * 2
    assert read[1].beside


def test_a_mark_of_another_concept_is_left_out() -> None:
    asked = marked_question("a [gene has:BRCA1] test for [disease has:asthma]")
    assert asked.text == "a BRCA1 test for asthma"
    assert [asked.text[n.start : n.end] for n in asked.names] == ["asthma"]
