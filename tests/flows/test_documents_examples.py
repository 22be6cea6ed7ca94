"""The worked examples of document K, on the sample base."""

from __future__ import annotations

from medweave import Answer, KnowledgeBase


def labels(answer: Answer) -> list[str]:
    return [intent.label for intent in answer.question.intents]


def test_the_child_with_four_findings_may_have_pneumonia(base: KnowledgeBase) -> None:
    answer = base.ask(
        "My child has a cough, a pectoralgia, a shiver and a fever recently. "
        "What disease does my child have?"
    )
    assert answer.status == "answered"
    assert labels(answer) == ["diagnosis"]
    assert answer.candidates[0].entity.name() == "pneumonia"
    assert len(answer.candidates[0].why) == 4
    for symptom in ("productive cough", "chest pain", "fever", "shivering", "shortness of breath"):
        assert symptom in answer.sentences[1].text


def test_how_to_prevent_a_cold(base: KnowledgeBase) -> None:
    answer = base.ask("How to prevent a cold?")
    assert labels(answer) == ["prevention"]
    assert "Wash your hands often." in answer.text


def test_the_symptoms_of_a_cold(base: KnowledgeBase) -> None:
    answer = base.ask("What are the symptoms of a cold?")
    assert len(answer.sentences) == 1
    for symptom in ("sneezing", "sore throat", "cough", "runny nose"):
        assert symptom in answer.text


def test_complications_of_gastritis_are_weak(base: KnowledgeBase) -> None:
    answer = base.ask("What are the complications of gastritis?")
    assert "bleeding" in answer.text
    assert "stomach ulcer" in answer.text
    listed = [s for s in answer.statements.values() if s.statement.predicate == "has_complication"]
    evidence = [e for found in listed for e in found.evidence]
    assert {e.strength for e in evidence} == {0.5}


def test_tetracycline_for_a_pregnant_woman_is_stopped(base: KnowledgeBase) -> None:
    answer = base.ask("Can a pregnant woman take tetracycline?")
    applies = [stop for stop in answer.stops if stop.status == "applies"]
    assert [stop.entity.name() for stop in applies] == ["tetracycline"]
    statement = answer.statements[applies[0].statements[0]].statement
    assert (statement.predicate, statement.qualifier("pregnancy")) == ("contraindicated_in", True)
    assert all(e.polarity == 1 for e in answer.evidence_of(statement.id))


def test_aspirin_in_pregnancy_is_no_flat_yes_or_no(base: KnowledgeBase) -> None:
    answer = base.ask("孕妇能吃阿司匹林吗")
    assert {stop.status for stop in answer.stops} == {"ask"}
    assert "妊娠20周后" in answer.text
    assert "止痛" in answer.text
    assert "低剂量" in answer.text
    assert answer.find_out[0].text == "孕周"


def test_symptoms_and_treatment_at_once(base: KnowledgeBase) -> None:
    answer = base.ask("感冒的症状和治疗方法是什么")
    assert labels(answer) == ["symptom", "treatment"]
    assert "打喷嚏" in answer.text
    assert "多休息" in answer.text


def test_fever_cough_and_chest_pain_in_chinese(base: KnowledgeBase) -> None:
    answer = base.ask("发烧咳嗽胸痛寒战是什么病")
    assert answer.candidates[0].entity.name("zh") == "肺炎"
    assert answer.status == "answered"


def test_what_two_diseases_show_alike_is_the_answer(base: KnowledgeBase) -> None:
    answer = base.ask("发烧咳嗽胸痛是什么病")
    assert {c.entity.name("zh") for c in answer.candidates[:2]} == {"肺炎", "肺结核"}
    assert answer.status == "partial"
    assert answer.weighing is not None
    assert {d.entity.name("zh") for d in answer.weighing.diseases} == {"肺炎", "肺结核"}
    assert answer.weighing.apart


def test_fever_that_is_denied_does_not_count(base: KnowledgeBase) -> None:
    answer = base.ask("我没有发烧但是咳嗽")
    assert {m.text: m.status for m in answer.question.mentions} == {
        "发烧": "absent",
        "咳嗽": "present",
    }


def test_cephalosporins_for_a_cold_is_about_a_drug(base: KnowledgeBase) -> None:
    answer = base.ask("感冒可以吃头孢吗")
    assert "diet" not in labels(answer)
    assert any("头孢菌素类用于感冒" in missing for missing in answer.missing)


def test_a_headache_is_answered_from_records_and_recommends_nothing(base: KnowledgeBase) -> None:
    answer = base.ask("头疼怎么办")
    assert answer.sentences
    assert answer.candidates == ()


def test_what_must_not_be_taken_is_never_answered_with_what_is_given(base: KnowledgeBase) -> None:
    answer = base.ask("高血压不能吃什么药")
    assert labels(answer) == ["avoid"]
    assert "华法林 (严重高血压)" in answer.sentences[0].text
    assert "氨氯地平" not in answer.text
