"""A report in which few names are recognised: its words lead to candidates, and name nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from medweave import Answer, Configuration, KnowledgeBase
from medweave.model.embedder import EmbedderName

DISEASES = {
    "zorn rash": ["itching of the skin", "peeling skin on the palms", "fever"],
    "marsh throat": ["sore throat", "painful swallowing", "fever"],
    "common ache": ["muscle pain", "chest pain", "headache", "fever"],
    "dry scalp": ["flaking of the scalp"],
    "湿疹病": ["皮肤瘙痒", "皮肤脱屑"],
}

Ask = Callable[..., Answer]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    folder = tmp_path_factory.mktemp("words")
    records = [
        {"name": name, "concept": "disease", "symptoms": symptoms}
        for name, symptoms in DISEASES.items()
    ]
    (folder / "all.json").write_text(json.dumps(records, ensure_ascii=False), "utf-8")
    url = str(folder / "all.db")
    with KnowledgeBase.open(url) as base:
        base.build([folder / "all.json"])

    def asked(question: str, **settings: float) -> Answer:
        how = Configuration.of(**settings)  # type: ignore[arg-type]
        how = replace(how, embedder=EmbedderName.of("none"))  # or clauses are read by their meaning
        with KnowledgeBase.open(url, read_only=True, configuration=how) as base:
            return base.ask(question)

    yield asked


def candidates(answer: Answer) -> list[str]:
    return [candidate.entity.name() for candidate in answer.candidates]


def words(answer: Answer) -> dict[str, str]:
    """The words that lead to the first candidate, each with the finding it is found in."""
    statements = answer.statements
    return {
        text: answer.entities[str(statements[identifier].statement.object)].name()
        for text, identifier in answer.candidates[0].words
    }


def test_words_lead_where_no_name_is_recognised(ask: Ask) -> None:
    answer = ask("My palms itch and the skin there peels. What could it be?")
    known = [mention.name for mention in answer.question.mentions]
    assert known == ["itching"], "which this base has nothing of"
    assert candidates(answer)[0] == "zorn rash"
    assert words(answer)["itch"] == "itching of the skin"
    assert words(answer)["palms"] == "peeling skin on the palms"
    assert {c.status for c in answer.candidates} == {"possible"}


def test_words_alone_name_nothing_and_say_so(ask: Ask) -> None:
    answer = ask("My palms itch and the skin there peels. What could it be?")
    assert (answer.status, answer.sentences) == ("abstained", ())
    assert any("single words" in said and "“itch”" in said for said in answer.missing)


def test_words_add_to_findings_recognised_by_name(ask: Ask) -> None:
    answer = ask("I have a fever and it is painful each time I swallow. What do I have?")
    assert candidates(answer)[0] == "marsh throat"
    assert set(words(answer)) == {"painful", "swallow"}
    assert answer.status == "partial", "one finding alone names nothing, with words or without"
    without = ask("I have a fever and it is painful each time I swallow. What do I have?", words=0)
    first, second = without.candidates[:2]
    assert first.score == pytest.approx(second.score)
    assert first.words == ()


def test_one_word_alone_leads_nowhere(ask: Ask) -> None:
    answer = ask("My scalp is odd. What could it be?")
    assert answer.candidates == ()
    assert any("No finding" in said for said in answer.missing)


@pytest.mark.parametrize(
    "question",
    [
        "I have no itching and no peeling of the skin. What could it be?",
        "My mother had itchy, peeling skin. What could it be?",
        "I am not sure whether my skin itches or peels. What could it be?",
    ],
)
def test_what_is_denied_doubted_or_anothers_does_not_count(ask: Ask, question: str) -> None:
    assert ask(question).candidates == ()


def test_of_a_name_that_is_recognised_all_words_are_needed(ask: Ask) -> None:
    answer = ask("I have chest pain. What could it be?")
    [pain] = [c for c in answer.candidates if c.entity.name() == "common ache"]
    assert pain.words == (), "chest pain is no muscle pain"


def test_chinese_words(ask: Ask) -> None:
    answer = ask("我的皮肤老是觉得瘙痒，还有脱屑，是什么病？")
    assert candidates(answer)[0] == "湿疹病"


def test_a_question_for_something_else_goes_by_no_words(ask: Ask) -> None:
    answer = ask("What are the symptoms of marsh throat?")
    assert answer.question.words == ()
    assert answer.candidates == ()


def test_what_is_out_of_scope_stays_so(ask: Ask) -> None:
    assert ask("Which football club has the palms on its flag?").candidates == ()


def test_the_json_names_the_words(ask: Ask) -> None:
    answer = ask("My palms itch and the skin there peels. What could it be?").to_json()
    first = answer["candidates"][0]
    assert {word["text"] for word in first["words"]} == {"palms", "itch", "skin", "peels"}
    assert {word["statement"] for word in first["words"]} <= set(first["why"])


@pytest.mark.thorough
def test_the_answer_is_the_same_whatever_order_sets_have(tmp_path: Path) -> None:
    records = [{"name": n, "concept": "disease", "symptoms": s} for n, s in DISEASES.items()]
    (tmp_path / "all.json").write_text(json.dumps(records, ensure_ascii=False), "utf-8")
    url = str(tmp_path / "all.db")
    with KnowledgeBase.open(url) as base:
        base.build([tmp_path / "all.json"])
    question = "My palms itch, the skin there peels, my throat is sore. What could it be?"
    said = []
    for seed in ("1", "2", "3"):
        ran = subprocess.run(
            [sys.executable, "-m", "medweave", "ask", question, "--kb", url, "--json"],
            capture_output=True,
            check=True,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        said.append({**json.loads(ran.stdout), "timing": {}})
    assert said[0] == said[1] == said[2]
