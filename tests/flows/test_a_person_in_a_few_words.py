"""A person told of in a few words, shorthand or idiom, and what there is for them."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


def standing(answer: Answer) -> dict[str, set[str]]:
    """The drugs that are listed, by what is known of them for this person."""
    found: dict[str, set[str]] = {}
    for listed in answer.drugs:
        for group in listed.groups:
            found.setdefault(group.standing, set()).update(d.entity.name() for d in group.drugs)
    return found


@pytest.mark.parametrize(
    ("question", "stopped", "offered"),
    [
        ("psoriasis in a man who drinks heavily, options?", "methotrexate", "clobetasol"),
        ("bf mum, bad back, what can she have?", "tramadol", "paracetamol"),
        ("my mate takes lithium and has dodgy knees, what's safe", "ibuprofen", "paracetamol"),
        ("allergic to codeine (vomits). pain after tooth out?", "morphine", "paracetamol"),
        ("my lad's 9, tonsillitis, can't have penicillin", "amoxicillin", "clarithromycin"),
        ("G6PD def pt w/ UTI", "nitrofurantoin", "cefalexin"),
        ("bipolar on lithium, high blood pressure", "lisinopril", "amlodipine"),
        ("kid 6y fever which syrup", "aspirin", "paracetamol"),
        ("UTI in a bloke of 45 who takes tizanidine", "ciprofloxacin", "cefalexin"),
        ("allergic to pen, tonsillitis. which abx?", "amoxicillin", "clarithromycin"),
    ],
)
def test_what_is_told_in_few_words_counts(
    base: KnowledgeBase, question: str, stopped: str, offered: str
) -> None:
    found = standing(base.ask(question))
    assert stopped in found["stopped"]
    assert offered in found["not_stopped"]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("on the combined pill and has migraines with aura. what now", "migraine with aura"),
        ("she is 30, migraine with aura, contraceptive pill ok?", "migraine with aura"),
    ],
)
def test_a_class_that_is_forbidden_is_stopped(
    base: KnowledgeBase, question: str, words: str
) -> None:
    stops = [stop for stop in base.ask(question).stops if stop.status == "applies"]
    assert any(words in stop.reason for stop in stops)


def test_filtration_that_is_known_tells_how_severe_a_kidney_disease_is(
    base: KnowledgeBase,
) -> None:
    def gravest(text: str) -> str:
        return next(stop.level for stop in base.ask(text).stops if stop.status == "applies")

    assert gravest("metformin with eGFR 28") == "stop"
    assert gravest("metformin with eGFR 45") == "care"
    assert gravest("on dialysis, metformin?") == "stop"


def test_the_mother_of_a_baby_is_the_patient_and_not_of_its_age(base: KnowledgeBase) -> None:
    understood = base.understand("mum of a 3 week old, breastfeeding, mastitis, what can she take?")
    assert understood.patient.age_days is None
    assert base.understand("mother of a 2 year old with fever").patient.age_days == 730


def test_what_somebody_is_allergic_to_is_named_where_it_is_not_known(base: KnowledgeBase) -> None:
    answer = base.ask("cystitis, allergic to zix, what can I take?")
    assert [unread.text for unread in answer.question.not_understood] == ["zix"]


def test_what_is_needed_is_not_taken(base: KnowledgeBase) -> None:
    understood = base.understand("had gastric bypass, need painkillers")
    assert [m.role for m in understood.mentions if m.concept == "drug_class"] == ["asked"]


def test_a_class_of_which_nothing_known_is_asked_is_listed_once(base: KnowledgeBase) -> None:
    answer = base.ask("what colour are antidepressants")
    assert len(answer.drugs) == 1
    assert len(answer.sentences) <= 2


def test_two_drugs_without_more_are_held_against_each_other(base: KnowledgeBase) -> None:
    answer = base.ask("simvastatin with lisinopril?")
    assert any("no interaction" in line for line in answer.missing)


def test_what_a_drug_is_taken_for_is_not_what_another_is_wanted_for(base: KnowledgeBase) -> None:
    answer = base.ask("sore throat, takes methotrexate for arthritis, what could he use")
    assert [listed.about.name() for listed in answer.drugs] == ["sore throat"]


def test_weeks_of_a_grown_up_are_no_age(base: KnowledgeBase) -> None:
    patient = base.understand("woman 20 wks, depressed").patient
    assert (patient.age_days, patient.age_max_days) != (140, 140)
    assert patient.pregnancy_weeks == 20
    assert base.understand("son 8 weeks with cough").patient.age_days == 56


def test_a_symptom_on_a_medicine_may_be_of_it(base: KnowledgeBase) -> None:
    answer = base.ask("I take amlodipine and my ankles are swollen, what can I do")
    assert any("side effect of amlodipine" in sentence.text for sentence in answer.sentences)
    listed = base.ask("knee replaced last month, on rivaroxaban, heartburn").drugs
    assert [drugs.about.name() for drugs in listed] == ["heartburn"]


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("how are eye diseases treated", {"conjunctivitis", "glaucoma"}),
        ("tablets for stomach trouble?", {"gastritis", "peptic ulcer"}),
    ],
)
def test_what_is_asked_of_an_organ_is_answered_for_each_disease(
    base: KnowledgeBase, question: str, about: set[str]
) -> None:
    assert about <= {listed.about.name() for listed in base.ask(question).drugs}


def test_a_class_without_members_is_answered_as_a_whole(base: KnowledgeBase) -> None:
    answer = base.ask("non smoker, no migraine. combined pill ok for me?")
    assert not answer.drugs
    assert not [stop for stop in answer.stops if stop.status == "applies"]
    assert any("breast cancer" in sentence.text for sentence in answer.sentences)


def test_a_reaction_right_behind_a_class_is_to_it(base: KnowledgeBase) -> None:
    found = standing(base.ask("Known penicillin anaphylaxis; cellulitis"))
    assert "amoxicillin" not in found["not_stopped"]
    assert found["not_stopped"]


def test_as_a_child_is_no_age(base: KnowledgeBase) -> None:
    patient = base.understand("had asthma as a child, can I take propranolol?").patient
    assert patient.age_days is None


@pytest.mark.parametrize(
    ("question", "stopped"),
    [("普通感冒孕28周头痛", "ibuprofen"), ("gout and a headache, on warfarin", "naproxen")],
)
def test_a_symptom_beside_a_disease_leaves_the_list(
    base: KnowledgeBase, question: str, stopped: str
) -> None:
    assert stopped in standing(base.ask(question))["stopped"]


def test_what_to_avoid_is_listed_only_where_a_word_says_so(base: KnowledgeBase) -> None:
    def labels(text: str) -> set[str]:
        return {intent.label for intent in base.ask(text).question.intents}

    assert labels("which diabetes drug is best if you have heart failure") == {"drug"}
    assert "avoid" in labels("drugs to avoid in glaucoma")
    assert "avoid" in labels("哪些药高血压患者不能吃")
