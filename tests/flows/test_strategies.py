"""Other ways to find what is said, beside ours, in one form of answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from medweave.errors import ConfigurationError
from medweave.generation.strategies.strategy import NAMES
from medweave.knowledge_base import KnowledgeBase
from medweave.model.generated import ModelUse
from tests.commands import medweave

GOUT = "What are the symptoms of gout?"
RETRIEVING = sorted({*NAMES} - {"ours", "model", "embedding"})


@pytest.fixture(scope="module")
def plain() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.sample() as opened:
        yield opened


def asked(base: KnowledgeBase, question: str, name: str) -> dict[str, Any]:
    return base.ask(question, use=ModelUse(strategy=name)).to_json()


@pytest.mark.parametrize("name", RETRIEVING)
def test_each_gives_what_it_finds_in_the_form_of_ours(plain: KnowledgeBase, name: str) -> None:
    ours, answer = plain.ask(GOUT).to_json(), asked(plain, GOUT, name)
    assert ours.keys() == answer.keys()
    assert (answer["strategy"], answer["model"]) == (name, None)
    [step] = answer["steps"]
    assert step["statements"]
    assert step["subgraph"]["after"] == len(step["statements"]) <= 20
    named = {each["name"] for each in answer["result"]["value"]}
    assert "gout" not in named  # what is asked about is no answer
    for sentence in answer["sentences"]:
        assert set(sentence["statements"]) <= set(answer["statements"])


def test_nothing_that_only_ours_found_is_kept(plain: KnowledgeBase) -> None:
    answer = plain.ask(GOUT, use=ModelUse(strategy="bm25"))
    ends = {end for each in answer.statements.values() for end in each.statement.entities}
    asked_about = {end for mention in answer.question.mentions for end in mention.entities}
    assert answer.entities.keys() <= ends | asked_about
    assert plain.ask(GOUT).entities.keys() - answer.entities.keys()


@pytest.mark.parametrize("name", RETRIEVING)
def test_a_person_is_as_safe_with_each(plain: KnowledgeBase, name: str) -> None:
    """Stops are told, what is stopped is not offered, and danger comes first."""
    asks = "I am pregnant and take warfarin. What helps for migraine?"
    ours, answer = plain.ask(asks).to_json(), asked(plain, asks, name)
    assert answer["stops"] == ours["stops"]
    said = " ".join(each["text"] for each in answer["sentences"] if each["intent"] != "stop")
    assert "used for migraine" not in said or "buprofen" not in said
    danger = "Crushing chest pain and sweating. What is it?"
    ours, answer = plain.ask(danger).to_json(), asked(plain, danger, name)
    assert answer["danger"] == ours["danger"]
    assert answer["emergency"] == ours["emergency"] != ""


def test_drugs_are_told_where_nothing_is_told_of_a_person(plain: KnowledgeBase) -> None:
    said = asked(plain, "Which drugs are used for gout?", "mindmap")
    assert any("is used for gout" in sentence["text"] for sentence in said["sentences"])


def test_vectors_are_made_of_what_lies_beside(plain: KnowledgeBase) -> None:
    if plain.ask("gout") and not plain._opened.nearness("a", ["b"]):
        pytest.skip("no embedder is installed")
    said = [each["text"] for each in asked(plain, GOUT, "embedding")["sentences"]]
    assert said
    assert all("gout" in each for each in said[:3])


def test_what_is_missing_is_named(plain: KnowledgeBase) -> None:
    for name, needs in (("model", "--model"), ("x", "kg-rank")):
        with pytest.raises(ConfigurationError) as raised:
            asked(plain, GOUT, name)
        assert needs in str(raised.value)
    run = medweave("ask", "--strategy", "embedding", GOUT, MEDWEAVE_EMBEDDER="none")
    assert run.status != 0
    assert "weights install" in run.err + run.out
    run = medweave("ask", "--strategy", "x", GOUT, "--json")
    assert run.status != 0
    assert "talk2doc" in run.err + run.out
