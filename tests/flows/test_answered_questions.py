"""Dialogues: what is asked for is there or not as the answer says."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase, Question

P, A, U = "present", "absent", "unknown"


def told(question: Question) -> dict[str, str]:
    """The status of everything named, by its words; what is told outweighs what is left open."""
    found: dict[str, str] = {}
    for mention in question.mentions:
        word = mention.text.lower()
        if mention.status != U or word not in found:
            found[word] = mention.status
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Any fever? – No.", {"fever": A}),
        ("Any fever? No fever.", {"fever": A}),
        ("Any fever or cough? No fever.", {"fever": A, "cough": U}),
        ("Any fever, cough or rash? No.", {"fever": A, "cough": A, "rash": A}),
        ("Any fever, cough or rash? No, none of those.", {"fever": A, "cough": A, "rash": A}),
        ("Doctor: do you have a cough? Patient: yes, for two days", {"cough": P}),
        ("Doctor: do you have a cough?\nPatient: yes, for two days", {"cough": P}),
        (
            "Doctor: Do you have a fever?\nPatient: No, but I have a cough.",
            {"fever": A, "cough": P},
        ),
        ("Any fever? – No, but a cough.", {"fever": A, "cough": P}),
        ("Fever or cough? No, just a cough.", {"fever": A, "cough": P}),
        ("Do you have a cough? Only at night.", {"cough": P}),
        ("Do you have a cough? Sometimes.", {"cough": P}),
        ("Doctor: any headache? Patient: a little, yes", {"headache": P}),
        ("Any chest pain? I don't know.", {"chest pain": U}),
        ("Doctor: Do you have a rash? Patient: I'm not sure, maybe.", {"rash": U}),
        ("Doctor: have you had a fever? Patient: I think so.", {"fever": U}),
        ("Doctor: any fever? Patient: I don't think so.", {"fever": U}),
        ("Have you had any vomiting? Not at all.", {"vomiting": A}),
        ("Any vomiting? Not that I know of.", {"vomiting": A}),
        ("Any vomiting? Not really.", {"vomiting": A}),
        ("Any vomiting? Nope, nothing like that.", {"vomiting": A}),
        ("Q: Any diarrhea? A: None.", {"diarrhea": A}),
        ("Dr: Still coughing? Pt: Yes, doctor.", {"coughing": P}),
        ("- Do you have a headache?\n- I do.", {"headache": P}),
        ("- Do you have a headache?\n- I don't.", {"headache": A}),
        ("Doctor: Any fever? Any chills? Patient: No, nothing.", {"fever": A, "chills": A}),
        (
            "Doctor: Fever? Patient: no. Doctor: Cough? Patient: yes. Doctor: Rash? Pt: dunno.",
            {"fever": A, "cough": P, "rash": U},
        ),
        ("Fever?\nNo\nCough?\nYes\n", {"fever": A, "cough": P}),
        ("Doctor: do you have a fever?", {"fever": U}),
        ("Doctor: do you have a fever? Patient: When do you mean?", {"fever": U}),
        ("Doctor: You have a fever? Patient: Yes.", {"fever": P}),
        ("Doctor: No fever? Patient: No.", {"fever": A}),
        ("Doctor: No fever? Patient: Right.", {"fever": A}),
        ("Doctor: No fever? Patient: Yes, I do have a fever.", {"fever": P}),
        ("Doctor: You don't have a headache, do you? Patient: Yes, I do.", {"headache": P}),
        (
            "Doctor: Any nausea, vomiting or diarrhea? Patient: Vomiting, yes. No diarrhea.",
            {"nausea": U, "vomiting": P, "diarrhea": A},
        ),
        ("Doctor: Do you have cough and fever? Patient: Both.", {"cough": P, "fever": P}),
        ("Doctor: Do you have cough or fever? Patient: Neither.", {"cough": A, "fever": A}),
        ("Doctor: Has he had any seizures? Mother: Never.", {"seizures": A}),
        ("Nurse: Is there any bleeding? Patient: Um, yeah, a bit.", {"bleeding": P}),
        ("Doctor: How long have you had the cough? Patient: Three days.", {"cough": P}),
        ("Doctor: Is your headache worse in the morning? Patient: No.", {"headache": P}),
        ("Doctor: Do you take anything for your fever? Patient: No.", {"fever": P}),
        ("Does anyone in your family have diabetes? No.", {"diabetes": A}),
        ("Doctor: And the fever? Patient: Gone since yesterday.", {"fever": A}),
        (
            "Doctor: What about headache? Patient: No headache, no fever.",
            {"headache": A, "fever": A},
        ),
        ("发烧吗？没有。", {"发烧": A}),
        ("有没有咳嗽？有", {"咳嗽": P}),
        ("有没有咳嗽？有一点", {"咳嗽": P}),
        ("有咳嗽吗？偶尔。", {"咳嗽": P}),
        ("医生：咳嗽吗？患者：晚上会咳。", {"咳嗽": P}),
        ("医生：发烧吗？\n患者：不发烧", {"发烧": A}),
        ("医生：有没有胸痛？患者：不清楚。", {"胸痛": U}),
        ("医生：有胸痛吗？患者：好像有。", {"胸痛": U}),
        ("医生：有没有发烧、咳嗽、腹泻？患者：都没有。", {"发烧": A, "咳嗽": A, "腹泻": A}),
        ("医生：有没有发烧咳嗽？患者：没有发烧，有咳嗽。", {"发烧": A, "咳嗽": P}),
        ("医：发烧吗？患：没有，就是咳嗽。", {"发烧": A, "咳嗽": P}),
        ("头痛不痛？痛", {"头痛": P}),
        ("是否头痛？是", {"头痛": P}),
        ("是否头痛？否", {"头痛": A}),
        ("医生：没有发烧吧？患者：没有。", {"发烧": A}),
        ("医生：不头痛吗？患者：头痛。", {"头痛": P}),
        ("医生：有没有恶心呕吐？患者：恶心有，没有呕吐。", {"恶心": P, "呕吐": A}),
        ("问：腹泻吗？答：对，两天了。", {"腹泻": P}),
        ("医生：孩子发烧吗？家长：烧了两天了。", {"发烧": P}),
        ("医生：有皮疹吗？患者：目前没有。", {"皮疹": A}),
        ("医生：会头晕吗？患者：有时候。", {"头晕": P}),
        ("医生：咳嗽吗？", {"咳嗽": U}),
    ],
)
def test_an_answer_says_of_what_was_asked(
    base: KnowledgeBase, text: str, expected: dict[str, str]
) -> None:
    question = base.understand(text)
    found = told(question)
    assert {word: found[word] for word in expected} == expected
    assert question.contradictions == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # which of several a bare yes means, nobody knows; no to one of them says more than it seems
        ("Doctor: fever or cough? Patient: Yes.", {"fever": U, "cough": U}),
        ("Doctor: fever or cough? Patient: Yes, both.", {"fever": P, "cough": P}),
        (
            "Doctor: nausea or vomiting? Patient: Yes, I had some nausea.",
            {"nausea": P, "vomiting": U},
        ),
        ("医生：有没有发烧、咳嗽？患者：有。", {"发烧": U, "咳嗽": U}),
        ("Doctor: any chest pain when you climb stairs? Patient: No.", {"chest pain": U}),
        ("Doctor: any chest pain when you climb stairs? Patient: Yes.", {"chest pain": P}),
        ("Doctor: any fever? Patient: No, not until today.", {"fever": P}),
        ("Doctor: any cough? Patient: No, only at night.", {"cough": P}),
        # no answer to what was asked
        ("Doctor: any cough? Patient: No one asked me that.", {"cough": U}),
        ("Doctor: any cough? Patient: Any what?", {"cough": U}),
        ("Doctor: Does the rash itch? Patient: No.", {"rash": P}),
        ("I have a cough. Do I have the flu? No idea.", {"cough": P, "the flu": U}),
    ],
)
def test_an_answer_says_no_more_than_it_does(
    base: KnowledgeBase, text: str, expected: dict[str, str]
) -> None:
    found = told(base.understand(text))
    assert {word: found[word] for word in expected} == expected


def test_what_was_is_no_longer_there(base: KnowledgeBase) -> None:
    [gone] = base.understand(
        "Doctor: Do you have a fever? Patient: Yes, but it went away."
    ).mentions
    assert (gone.status, gone.temporality) == (A, "historical")
    [past] = base.understand("Doctor: Any seizures? Patient: Yes, years ago.").mentions
    assert (past.status, past.temporality) == (U, "historical")


def test_what_relatives_have_is_not_the_patient_s(base: KnowledgeBase) -> None:
    text = "Doctor: Does anyone in your family have diabetes? Patient: Yes, my brother."
    [mention] = base.understand(text).mentions
    assert (mention.status, mention.experiencer) == (P, "other")


def test_a_finding_asked_twice_keeps_both_answers_apart(base: KnowledgeBase) -> None:
    text = "Doctor: Fever last week? Patient: No. Doctor: Fever today? Patient: Yes."
    question = base.understand(text)
    assert {mention.status for mention in question.mentions} == {P}
    assert question.contradictions == ("fever: absent, then present",)


def test_what_is_asked_and_left_open_is_no_finding(base: KnowledgeBase) -> None:
    text = "Doctor: do you have a rash? Patient: I don't know. I have a fever. What is it?"
    assert told(base.understand(text)) == {"rash": U, "fever": P}
    assert "rash" not in base.understand(text).patient.conditions


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Doctor: Are your lips blue? Patient: Yes.", "present"),
        ("Doctor: Are your lips blue? Patient: No.", None),
        ("Doctor: any trouble breathing? Patient: Yes, a lot.", "present"),
        ("Doctor: any trouble breathing? Patient: No, none.", None),
        ("Doctor: any trouble breathing? Patient: I'm not sure.", "ask"),
        ("医生：呼吸困难吗？患者：有。", "present"),
        ("医生：呼吸困难吗？患者：没有。", None),
    ],
)
def test_a_sign_of_danger_is_answered_too(
    base: KnowledgeBase, text: str, status: str | None
) -> None:
    danger = base.understand(text).danger or ()
    assert [sign.status for sign in danger] == ([status] if status else [])
