"""A diagnosis asked for by too little: nothing is ranked, and what would tell most is asked."""

from __future__ import annotations

import pytest

from medweave.inference.telling import most_telling
from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer
from medweave.model.inferred import FEW, Differential, Ranked


def said(answer: Answer) -> str:
    return " ".join(sentence.text for sentence in answer.sentences)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("I just feel tired all the time, what's wrong with me?", "too little to name one"),
        ("got a temperature since yesterday, what could it be", "too little to name one"),
        ("I have lost weight. What illness is it?", "too little to name one"),
        ("恶心，我怎么了？", "还不足以判断"),
        ("头疼三天了，可能是什么病？", "还不足以判断"),
    ],
)
def test_a_common_finding_alone_names_no_disease(
    base: KnowledgeBase, told: str, words: str
) -> None:
    answer = base.ask(told)
    assert answer.weighing is not None
    assert words in said(answer)
    diseases = answer.weighing.diseases
    names = [name for disease in diseases for name in disease.entity.all_names()]
    assert 0 < len(diseases) <= 3
    held = answer.statements
    advice = {key for key in held if held[key].statement.predicate == "practical_advice"}
    told = " ".join(s.text for s in answer.sentences if advice.isdisjoint(s.statements))
    assert not any(name in told for name in names)


def test_what_is_asked_would_speak_for_what_stands_beside_it(base: KnowledgeBase) -> None:
    weighing = base.ask("headache for three days, what illness is this").weighing
    assert weighing is not None
    asked = {finding.id for finding in weighing.apart}
    assert len(asked) == 3
    assert {disease.also[0].entity.id for disease in weighing.diseases} <= asked


def test_few_that_fit_alike_are_named(base: KnowledgeBase) -> None:
    answer = base.ask("burning when I pee and I go every twenty minutes, what do I have?")
    assert "Cystitis" in said(answer)  # the urinary tract infection that is told like this


def test_one_that_shows_far_more_is_not_named_beside_those_that_show_little(
    base: KnowledgeBase,
) -> None:
    told = "my hands shake, heart races, always hot, lost 6 kilos though I eat loads. what is it?"
    weighing = base.ask(told).weighing
    assert weighing is not None
    first, *others = (disease.entity.name() for disease in weighing.diseases)
    assert first == "hyperthyroidism"
    assert set(others) <= {"Graves' disease"}  # what it mostly comes from


def test_an_answer_to_the_first_question_parts_the_diseases_most(base: KnowledgeBase) -> None:
    knowledge = base.knowledge
    fever = "mw.condition:fever"
    having = {s.statement.subject for s in knowledge.store.match(None, "has_symptom", fever)}
    ranked = tuple(Ranked(d, 1.0, (), findings=1) for d in sorted(having)[:10])
    assert len(ranked) > FEW
    first, *_ = most_telling(Differential(ranked), {fever}, knowledge)
    shows = [bool(knowledge.store.match(r.entity, "has_symptom", first)) for r in ranked]
    every = {
        s.statement.object_entity
        for r in ranked
        for s in knowledge.store.match(r.entity, "has_symptom")
    }
    counts = [
        sum(bool(knowledge.store.match(r.entity, "has_symptom", f)) for r in ranked)
        for f in every - {fever, None}
    ]
    nearest = min(abs(n - len(ranked) / 2) for n in counts)
    assert abs(sum(shows) - len(ranked) / 2) <= nearest + 1  # how often a disease shows it counts


def test_what_was_told_already_is_not_asked(base: KnowledgeBase) -> None:
    answer = base.ask("I feel sick and have no appetite, no fever. What could it be?")
    assert answer.weighing is not None
    told = {"mw.condition:nausea", "mw.condition:loss_of_appetite", "mw.condition:fever"}
    assert told.isdisjoint(finding.id for finding in answer.weighing.apart)


def test_only_what_speaks_of_the_finding_is_told_as_urgent(base: KnowledgeBase) -> None:
    assert "severe headache" in said(base.ask("headache for three days, what illness is this"))
    assert "breathlessness" not in said(base.ask("I feel tired all the time, what is it?"))
