"""Classifiers of intents: what they learn, what they say, and the file they live in."""

from __future__ import annotations

import json
from math import log
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.errors import SourceError
from medweave.knowledge_base import KnowledgeBase
from medweave.language.data import shipped_yaml
from medweave.language.prefilter import Expression
from medweave.language.segmentation import is_han
from medweave.model.configuration import Configuration
from medweave.understanding.intents import find
from medweave.understanding.intents.calibration import calibrate
from medweave.understanding.intents.features import Name, QuestionText, word_features
from medweave.understanding.intents.find import IntentRule, intent_rules
from medweave.understanding.intents.information_gain import train_information_gain
from medweave.understanding.intents.labelled_questions import labelled_question, shipped_questions
from medweave.understanding.intents.model import (
    METHODS,
    IntentModel,
    LabelledQuestion,
    Method,
    model_for,
    shipped_model,
    train_intents,
)
from medweave.understanding.intents.word_families import word_families

NINE = {
    "diagnosis",
    "symptom",
    "treatment",
    "diet",
    "cause",
    "drug",
    "contraindication",
    "indication",
    "prevention",
}


def asked(text: str, **names: str) -> QuestionText:
    places = ((text.index(name), name, concept) for name, concept in names.items())
    return QuestionText(text, tuple(Name(at, at + len(n), concept) for at, n, concept in places))


SMALL = [
    LabelledQuestion(asked(f"{begin} {name}{end}", **{name: "disease"}), (label,))
    for begin, end, label in (
        ("how is", " treated", "treatment"),
        ("what treatment is there for", "", "treatment"),
        ("symptoms of", "", "symptom"),
        ("what are the signs of", "", "symptom"),
        ("how to prevent", "", "prevention"),
        ("prevention of", "", "prevention"),
    )
    for name in ("flu", "asthma", "gout")
]


def test_document_k_represents_a_question_by_words_and_concepts() -> None:
    question = asked("How to prevent a cold?", cold="disease")
    assert word_features(question) == {"how", "prevent", "@disease"}


def test_a_word_that_says_nothing_gains_nothing_jointly_and_something_as_printed() -> None:
    """Of eight questions two are of the rare class; 'what' stands in half of each."""
    questions = [
        ({"what"} if at % 2 else set(), ["rare" if at < 2 else "usual"]) for at in range(8)
    ]
    joint = train_information_gain(questions, mode="joint", smoothing=0)
    paper = train_information_gain(questions, mode="paper", smoothing=0)
    assert joint.weights["what"] == pytest.approx([0, 0])
    assert paper.weights["what"] == pytest.approx([-0.5 * log(2 / 8), -0.5 * log(6 / 8)])
    assert paper.scores({"what"})[0] > paper.scores({"what"})[1]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_learns_what_is_plain(method: Method) -> None:
    model = train_intents(SMALL, method=method)
    for text, label in (
        ("how to prevent measles", "prevention"),
        ("symptoms of measles", "symptom"),
        ("how is measles treated", "treatment"),
    ):
        assert model.ranked(asked(text, measles="disease"))[0].label == label


@pytest.mark.parametrize("method", METHODS)
def test_the_same_questions_give_the_same_file_and_it_says_the_same(method: Method) -> None:
    model = train_intents(SMALL, method=method, seed=3)
    text = model.to_text()
    assert train_intents(SMALL, method=method, seed=3).to_text() == text
    again = IntentModel.from_text(text, where="here")
    assert again.to_text() == text
    question = asked("how is measles treated", measles="disease")
    said, kept = model.ranked(question)[0], again.ranked(question)[0]
    assert said.label == kept.label
    assert said.score == pytest.approx(kept.score, abs=0.02)


def written(**changed: Any) -> str:
    """A model's file, with some of it changed."""
    held = {"format": "medweave intents 4", "method": "linear", "labels": ["a"], "trained_on": {},
            "calibration": [1, 0, 0], "bias": [0], "views": {},
            "features": {"how": [0.57, [0], [0.2]]}}  # fmt: skip
    return json.dumps({**held, **changed})


def test_the_least_that_is_a_model_is_read() -> None:
    model = IntentModel.from_text(written(), where="here")
    assert [intent.label for intent in model.ranked(QuestionText("how"))] == ["a"]


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "not json", '{"format": "medweave intents 4"}', "[" * 100_000,
     written(features={"how": [1, [0], []]}), written(features={"how": [1, [1], [0.2]]}),
     written(features={"how": [1, [-1], [0.2]]}), written(features={"how": [1, [0], ["x"]]}),
     written(features={"how": [1, [0]]}), written(features={"how": 1}), written(features=["how"]),
     written(labels=[]), written(labels=["a", "b"]), written(method="os.system"),
     written(method="information_gain"), written(format="medweave intents 3")],
)  # fmt: skip
def test_what_is_no_model_is_refused_with_its_place(text: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(text, "utf-8")
    with pytest.raises(SourceError, match=r"model\.json"):
        model_for(str(path))


@pytest.mark.thorough
def test_the_model_that_ships_is_made_from_the_questions_that_ship() -> None:
    """Digits may differ between machines in the last place, so that a feature is kept or not."""
    made = IntentModel.from_text(train_intents(shipped_questions()).to_text(), where="made")
    ships = shipped_model()
    assert made.labels == ships.labels
    features, kept = set(made.classifier.weights), set(ships.classifier.weights)
    assert len(features ^ kept) <= len(kept) // 1000
    for question in shipped_questions()[::50]:
        chances = {intent.label: intent.score for intent in made.ranked(question.asked)}
        for intent in ships.ranked(question.asked):
            assert chances[intent.label] == pytest.approx(intent.score, abs=0.02)


def test_questions_that_ship_are_enough_and_different() -> None:
    questions = shipped_questions()
    texts = [question.asked.text.lower() for question in questions]
    assert len(set(texts)) == len(texts)
    for language in ("en", "zh"):
        of_language = [q for q in questions if q.asked.text.isascii() == (language == "en")]
        for label in NINE:
            assert sum(label in q.labels for q in of_language) >= 40, (language, label)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("What are the symptoms of asthma and how is it treated?", {"symptom", "treatment"}),
        ("How can I keep from getting the flu?", {"prevention"}),
        ("糖尿病人平时吃什么好", {"diet"}),
        ("感冒的症状和治疗方法是什么", {"symptom", "treatment"}),
        ("Can pregnant women take ibuprofen?", {"contraindication"}),
        ("what is amoxicillin good for", {"indication"}),
    ],
)
def test_what_is_asked_is_found(base: KnowledgeBase, text: str, labels: set[str]) -> None:
    assert {intent.label for intent in base.understand(text).intents} == labels


@pytest.mark.parametrize(
    "text",
    [
        "How much does ibuprofen cost at the pharmacy?",
        "Who discovered tuberculosis?",
        "高血压看病医保能报销多少钱",
        "What is the share price of the company that makes aspirin?",
    ],
)
def test_what_is_out_of_scope_is_not_answered(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert answer.question.intents == ()
    assert answer.status == "abstained"


@pytest.mark.parametrize(
    "text",
    [
        "I'm 30 weeks pregnant, how much ibuprofen can I take?",
        "I'm 30 weeks pregnant. Side effects of ibuprofen?",
        "I'm 30 weeks pregnant. What is ibuprofen used for?",
        "I'm 30 weeks pregnant. Price of ibuprofen?",
        "我怀孕30周，布洛芬是干什么的",
    ],
)
def test_stops_do_not_hang_on_what_is_asked(base: KnowledgeBase, text: str) -> None:
    assert "applies" in {stop.status for stop in base.ask(text).stops}


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    return KnowledgeBase.sample()


@given(st.text(max_size=80))
def test_any_text_gets_probabilities(text: str) -> None:
    ranked = shipped_model().ranked(QuestionText(text))
    assert len(ranked) == len(shipped_model().labels)
    assert all(0 <= intent.score <= 1 for intent in ranked)
    assert [i.score for i in ranked] == sorted((i.score for i in ranked), reverse=True)


def test_calibrated_probabilities_hold_what_they_say() -> None:
    """Labels that hold in 4 of 5 cases at one score and 1 of 5 at another get those chances."""
    seen = [([2.0, -2.0], [at % 5 != 0, at % 5 == 0]) for at in range(500)]
    high, low = calibrate(seen).probabilities([2.0, -2.0])
    assert high == pytest.approx(0.8, abs=0.01)
    assert low == pytest.approx(0.2, abs=0.01)


@pytest.mark.parametrize("record", [{}, {"text": ""}, {"text": "x"}, {"label": "y"}, {"text": 5}])
def test_a_record_without_text_or_label_says_what_it_lacks(record: dict[str, object]) -> None:
    assert labelled_question(record, QuestionText) in ("no text", "no label")


def test_a_model_of_ones_own_reads_questions_in_its_place(tmp_path: Path) -> None:
    own = [LabelledQuestion(QuestionText(f"zap number {at}"), ("symptom",)) for at in range(9)]
    other = [LabelledQuestion(QuestionText(f"plain words {at}"), ("treatment",)) for at in range(9)]
    path = tmp_path / "own.json"
    path.write_text(train_intents([*own, *other]).to_text(), "utf-8")
    with KnowledgeBase.sample(configuration=Configuration.of(intents=str(path))) as base:
        intents = base.understand("zap asthma zap number zap").intents
    assert [intent.label for intent in intents] == ["symptom"]


def test_a_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    missing = Configuration.of(intents=str(tmp_path / "none.json"))
    with (
        KnowledgeBase.sample(configuration=missing) as base,
        pytest.raises(SourceError, match=r"none\.json"),
    ):
        base.ask("What are the symptoms of asthma?")


def test_what_is_asked_and_not_answered_here_is_named(tmp_path: Path) -> None:
    """A model with intents of its own: they are said, and nothing else is answered instead."""
    questions = [
        LabelledQuestion(asked(f"{said} {name}", **{name: "drug"}), (label,))
        for said, label in (
            ("where is the factory of", "maker"),
            ("who produces", "maker"),
            ("how should I store", "storage"),
            ("may I keep in the fridge", "storage"),
        )
        for name in ("morphine", "aspirin", "ibuprofen", "warfarin")
    ]
    path = tmp_path / "own.json"
    path.write_text(train_intents(questions).to_text(), "utf-8")
    with KnowledgeBase.sample(configuration=Configuration.of(intents=str(path))) as base:
        answer = base.ask("who produces ibuprofen?")
    assert [intent.label for intent in answer.question.intents] == ["maker"]
    assert answer.status != "answered"
    assert not answer.sentences
    assert any("maker" in said for said in answer.missing)


def test_words_of_one_family_stand_for_each_other() -> None:
    """What is learned of one name for money holds for another that was never seen."""
    questions = [
        LabelledQuestion(QuestionText(f"{said} {thing}"), (label,))
        for said, label in (("price of", "price"), ("the cost of", "price"), ("colour of", "look"))
        for thing in ("this tablet", "that syrup", "the cream")
    ]
    model = train_intents(questions)
    assert model.ranked(QuestionText("copay"))[0].label == "price"


def test_the_order_of_words_far_apart_counts() -> None:
    """Words that are the same, in another order, ask for something else."""
    questions = [
        LabelledQuestion(QuestionText(text), (label,))
        for between in ("after", "following", "since")
        for end in ("today", "now", "again")
        for text, label in (
            (f"gout {between} aspirin {end}", "side_effect"),
            (f"aspirin {between} gout {end}", "treatment"),
        )
    ]
    model = train_intents(questions)
    assert model.ranked(QuestionText("gout beyond aspirin"))[0].label == "side_effect"
    assert model.ranked(QuestionText("aspirin beyond gout"))[0].label == "treatment"


def test_families_are_found_in_the_runs_of_a_text() -> None:
    """Words of a language are held against words of that language alone."""
    for family, held in shipped_yaml("understanding", "intents", "rules", "word_families.yaml")[
        "families"
    ].items():
        assert all(is_han(sign) for word in held["zh"].split(", ") for sign in word), family
        assert word_families().of(held["zh"].split(", ")[0]) >= {family}
        assert word_families().of(held["en"].split(", ")[0].rstrip("*")) >= {family}


def test_a_rule_of_a_label_that_no_model_has_seen_decides_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So an intent is added without training; what the model is sure of is said beside it."""
    new = IntentRule("carrier", frozenset({"disease"}), Expression(r"\bspread by\b"))
    rules = intent_rules("en")
    monkeypatch.setattr(find, "intent_rules", lambda _: (new, *rules))
    with KnowledgeBase.sample() as base:
        told = {
            text: {intent.label for intent in base.understand(text).intents}
            for text in (
                "What is malaria spread by?",
                "What is malaria spread by, and what are its symptoms?",
                "What is aspirin spread by?",
                "Symptoms of malaria?",
            )
        }
    found = list(told.values())
    assert "carrier" in found[0]
    assert found[1] >= {"carrier", "symptom"}
    assert "carrier" not in found[2]
    assert found[3] == {"symptom"}
