"""Items said otherwise, and what is lost by it."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave import KnowledgeBase
from medweave.errors import ConfigurationError
from medweave.evaluation.data.perturbations import KINDS, kinds_of, perturbed, typo
from medweave.evaluation.items import Data, Item, Ranked
from medweave.evaluation.measures.classification import right, share
from medweave.evaluation.outcomes import Checkpoint
from medweave.evaluation.result import Evaluation
from medweave.evaluation.runner import Plan, evaluate, with_perturbed
from medweave.evaluation.task import Request
from medweave.evaluation.tasks import danger
from medweave.model.question import DangerSign, Question


def said(text: str, kind: str, seed: int = 0) -> str:
    return perturbed([Item("1", (), text)], kind, seed=seed)[0].text


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("upper", "I DON'T COUGH, BUT MY HEAD HURTS! 发烧 Straße".upper().replace("SS", "ß")),
        ("lower", "i don't cough, but my head hurts! 发烧 straße"),
        ("title", "I Don't Cough, But My Head Hurts! 发烧 Straße"),
        ("unpunctuated", "I dont cough  but my head hurts  发烧 Straße"),
    ],
)
def test_case_and_punctuation(kind: str, expected: str) -> None:
    assert said("I don't cough, but my head hurts! 发烧 Straße", kind) == expected


def test_other_words_leave_names_as_they_are() -> None:
    asked = "Which drugs treat gout?"
    said_so = {said(asked, "reworded", seed) for seed in range(20)}
    assert len(said_so) > 5
    assert asked not in said_so
    assert all("gout" in each for each in said_so)
    item = Item("1", (), "What causes the symptoms?", span=(16, 24))
    [changed] = perturbed([item], "reworded", seed=0)
    assert changed.span
    assert changed.text[slice(*changed.span)] == "symptoms"


@given(st.text(st.sampled_from("abcXYZ é发 ,.")), st.integers(0, 100))
def test_a_typing_error_is_one_in_one_word_of_five_letters_or_more(text: str, seed: int) -> None:
    wrong = typo(text, random.Random(seed))
    parts = re.split(r"([A-Za-z]{5,})", text)  # the long words have odd numbers
    if len(parts) == 1:
        assert wrong == text
        return
    fitting = []
    for at in range(1, len(parts), 2):
        before, after = "".join(parts[:at]), "".join(parts[at + 1 :])
        word = wrong[len(before) : len(wrong) - len(after)]
        same = wrong.startswith(before) and wrong.endswith(after)
        fitting.append(same and word[0] == parts[at][0] and abs(len(word) - len(parts[at])) <= 1)
    assert any(fitting)


def test_all_four_errors_are_made_and_the_first_letter_stays() -> None:
    made = {said("stomach", "typo", seed) for seed in range(300)}
    assert {"sotmach", "stoach", "stommach", "stomacj"} <= made
    assert all(word.startswith("s") for word in made)


def test_one_seed_makes_the_same_errors_whatever_else_is_there() -> None:
    items = [Item(str(n), (), "a terrible headache since yesterday evening") for n in range(9)]
    once = perturbed(items, "typo", seed=3)
    assert perturbed(items[4:], "typo", seed=3) == once[4:]
    assert perturbed(items, "typo", seed=4) != once
    assert len({item.text for item in once}) > 3


@pytest.mark.parametrize("kind", KINDS)
def test_a_mention_that_is_asked_about_is_found_where_it_stands_then(kind: str) -> None:
    text = "She had no symptoms: no terrible, awful CHEST PAIN yesterday (really)."
    start = text.index("CHEST PAIN")
    item = Item("1", (), text, span=(start, start + 10))
    for seed in range(20):
        (copy,) = perturbed([item], kind, seed=seed)
        assert copy.span is not None
        assert copy.text[slice(*copy.span)].upper() == "CHEST PAIN"
        assert copy.text != text


def test_kinds_are_named_alone_in_groups_or_refused() -> None:
    assert kinds_of("") == ()
    assert kinds_of("case, typo,upper") == ("upper", "lower", "title", "typo")
    assert kinds_of("all") == tuple(KINDS)
    with pytest.raises(ConfigurationError, match="no perturbation 'spelling'"):
        kinds_of("typo,spelling")


def shouts(text: str) -> Question:
    """Sees danger in what is not in capitals only."""
    sign = DangerSign("breathing", "present")
    return Question(text, "en", danger=() if text.isupper() else (sign,))


BASELINES = ("keywords", "table alone", "learned alone")


def measured(tmp_path: Path, *kinds: str) -> Evaluation:
    path = tmp_path / "messages.jsonl"
    rows = [{"id": str(n), "text": f"I cannot breathe {n}", "danger": ["x"]} for n in range(20)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    base = cast(KnowledgeBase, SimpleNamespace(understand=shouts))
    plan = with_perturbed(danger.plan(Request(path, base)), kinds, without=BASELINES)
    return evaluate(plan, Checkpoint(tmp_path / "unfinished.jsonl", {}))


def test_what_is_lost_stands_beside_the_clean_figure(tmp_path: Path) -> None:
    result = measured(tmp_path, "upper", "lower")
    assert result.data.evaluated == 20
    assert [system.name for system in result.systems] == ["medweave", "majority (never)"]
    assert result.systems[0].measures["sensitivity"].value == 1
    upper, lower = result.slices["upper"], result.slices["lower"]
    assert upper["n"] == upper["changed"] == 20
    assert upper["systems"][0]["measures"]["sensitivity"]["value"] == 0
    assert upper["differences"]["sensitivity"]["medweave"] == {"value": -1, "low": -1, "high": -1}
    assert lower["differences"]["sensitivity"]["medweave"]["value"] == 0
    assert result.settings["perturb"] == "upper,lower"


def test_nothing_is_trained_on_copies_and_they_stay_with_their_items(tmp_path: Path) -> None:
    seen: list[tuple[set[str], str]] = []

    class Remembering:
        def __init__(self, cases: object) -> None:
            assert isinstance(cases, list)
            assert all(case.copy_of is None for case in cases)
            self.texts = {case.text.lower() for case in cases}

        def rank(self, item: Item) -> Ranked:
            seen.append((self.texts, item.text.lower()))
            return Ranked(("yes",))

    items = tuple(Item(str(n), ("yes",), f"Question {n}") for n in range(10))
    data = Data("none", "", 10, items)
    plan = Plan(
        "test",
        data,
        {"medweave": Remembering},
        lambda _, outcomes: {"accuracy": share(right(outcomes))},
        folds=5,
    )
    result = evaluate(with_perturbed(plan, ["upper"]), Checkpoint(tmp_path / "unfinished", {}))
    assert result.slices["upper"]["n"] == 10
    held = [pair for pair in seen if pair[1] not in pair[0]]
    assert sorted(text for _, text in held) == sorted(2 * [f"question {n}" for n in range(10)])
