"""Present, absent, unknown: the cues."""

from __future__ import annotations

import pytest

from medweave.language.cues import read_mention
from medweave.language.passage import passage_of
from medweave.language.segmentation import index_terms


@pytest.mark.parametrize(
    ("text", "mention", "status"),
    [
        ("I have a cough but no fever", "fever", "absent"),
        ("I have a cough but no fever", "cough", "present"),
        ("no fever, cough or rash", "rash", "absent"),
        ("I don't have chest pain", "chest pain", "absent"),
        ("I have no fever and a bad cough", "cough", "present"),
        ("the fever is gone", "fever", "absent"),
        ("fever: no", "fever", "absent"),
        ("my son can't stop coughing with fever", "fever", "present"),
        ("I can't sleep", "sleep", "present"),
        ("he is unable to swallow", "swallow", "present"),
        ("she could not really breathe", "breathe", "present"),
        ("I can't feel any pain", "pain", "absent"),
        ("I feel as if a cramp runs down my leg", "cramp", "present"),
        ("I don't know why I have a fever", "fever", "present"),
        ("not only fever but cough, I have both", "fever", "present"),
        ("not sure if he has a rash", "rash", "unknown"),
        ("what should I do if I get a fever", "fever", "hypothetical"),
        ("What are the symptoms of a cold?", "cold", "unknown"),
        ("treatment for migraine", "migraine", "unknown"),
        ("我没有发烧但是咳嗽", "发烧", "absent"),
        ("我没有发烧但是咳嗽", "咳嗽", "present"),
        ("我无发热、头痛", "头痛", "absent"),
        ("我无发热，咳嗽三天", "咳嗽", "present"),
        ("他发烧不退", "发烧", "present"),
        ("我有未治疗的哮喘", "哮喘", "present"),
        ("我有没有控制好的哮喘", "哮喘", "present"),
        ("我没有哮喘，血压没有控制", "哮喘", "absent"),
        ("I have not well controlled asthma", "asthma", "present"),
        ("I have controlled my weight, not asthma", "asthma", "absent"),
        ("感冒的症状是什么", "感冒", "unknown"),
        ("疑似肺炎", "肺炎", "unknown"),
    ],
)
def test_status(text: str, mention: str, status: str) -> None:
    start = text.index(mention)
    assert read_mention(passage_of(text), start, start + len(mention)).status == status


def status_of(text: str, mention: str) -> str:
    start = text.index(mention)
    return read_mention(passage_of(text), start, start + len(mention)).status


@pytest.mark.parametrize(
    ("text", "mention", "status"),
    [
        # behind the mention
        ("Pneumonia was ruled out", "Pneumonia", "absent"),
        ("my covid test is negative", "covid", "absent"),
        ("The test for malaria came back negative, I hear", "malaria", "absent"),
        ("my rash from last week has finally cleared up", "rash", "absent"),
        ("my rash has not cleared up", "rash", "present"),
        ("my rash has cleared up", "rash", "absent"),
        ("I had a fever of 39 yesterday but it's gone now", "fever", "absent"),
        ("I had a cough and a rash but it's gone", "cough", "present"),
        ("headache - denies. nausea - yes, he says", "headache", "absent"),
        ("fever -, cough + in this patient", "fever", "absent"),
        ("fever - 3 days in my child", "fever", "present"),
        ("The test for malaria came back positive", "malaria", "present"),
        ("cough started 2 weeks ago", "cough", "present"),
        ("my pain has subsided a little", "pain", "present"),
        ("this is the worst pain I had - my sleep has gone", "pain", "present"),
        ("fever (-), I cough", "fever", "absent"),
        ("once the infection has resolved I can travel", "infection", "present"),
        ("患者咳嗽没有，发烧有", "咳嗽", "absent"),
        ("患者咳嗽没有，发烧有", "发烧", "present"),
        ("怎么知道孩子发烧没有", "发烧", "present"),
        # lists
        ("no fever, chills, or night sweats", "night sweats", "absent"),
        ("My cough and fever are gone", "cough", "absent"),
        ("I have a cough and my headaches are gone", "cough", "present"),
        ("没有任何胸痛或呼吸困难", "呼吸困难", "absent"),
        ("孩子不伴恶心、呕吐", "呕吐", "absent"),
        # where a denial ends
        ("he denies fever, reports cough", "cough", "present"),
        ("I am not sleeping due to cough", "cough", "present"),
        ("I don't have a fever, only a headache", "headache", "present"),
        ("my scan showed nothing, no masses other than a cyst", "cyst", "present"),
        ("I never took anything for asthma, I manage", "asthma", "present"),
        ("1) no fever 2) cough, he cries", "cough", "present"),
        ("my son has no fever, 40 °C, cough", "cough", "present"),
        ("my son has no fever over 38 °C, cough or rash", "cough", "absent"),
        ("患者无明显诱因出现发热", "发热", "present"),
        ("孩子没有发烧，我有点头痛", "头痛", "present"),
        # what looks like a denial
        ("I no longer have a fever", "fever", "absent"),
        ("I can no longer sleep", "sleep", "present"),
        ("she can't eat or drink", "drink", "present"),
        ("the tablets don't relieve my headache", "headache", "present"),
        ("I've never had such a headache", "headache", "present"),
        ("I have never had a headache like this", "headache", "present"),
        ("I didn't notice the rash until today", "rash", "present"),
        ("I do not remember having any injury", "injury", "absent"),
        ("我非常头痛", "头痛", "present"),
        ("我肚子不舒服头痛", "头痛", "present"),
        ("我没胃口恶心", "恶心", "present"),
        ("孩子不发烧", "发烧", "absent"),
        ("我不是感冒", "感冒", "absent"),
        # twice denied
        ("I have chest pain, not without fever", "fever", "present"),
        ("I cannot deny that I have a cough", "cough", "present"),
        ("It is not true that I don't have a cough", "cough", "present"),
        ("It is not true that I have a cough", "cough", "absent"),
        ("I am never without pain", "pain", "present"),
        ("There is no doubt that I have a fever", "fever", "present"),
        ("I doubt that I have a fever", "fever", "unknown"),
        ("患者并非没有发热", "发热", "present"),
        ("我不是没有发烧", "发烧", "present"),
        ("我從來沒有發燒", "發燒", "absent"),
        # open
        ("Pneumonia has not been ruled out in this patient", "Pneumonia", "unknown"),
        ("we cannot rule out pneumonia in my son", "pneumonia", "unknown"),
        ("I don't think I have a fever", "fever", "unknown"),
        ("I may have an infection", "infection", "unknown"),
        ("what may have made my allergies worse?", "allergies", "present"),
        ("I have a rash, is it measles?", "measles", "unknown"),
        ("Is it normal for me to have bleeding after surgery?", "bleeding", "present"),
        ("我有没有发烧", "发烧", "unknown"),
        ("患者不排除肺炎", "肺炎", "unknown"),
        ("患者不能排除肺炎", "肺炎", "unknown"),
        ("患者肺炎待排", "肺炎", "unknown"),
        # what happened ends a list of what is not there
        ("he has no cough, no diarrhoea, swallowed a battery", "battery", "present"),
        ("he has no cough, no diarrhoea, swallowed a battery", "diarrhoea", "absent"),
        ("she has no fever, fell on her head", "head", "present"),
        ("she has no fever, rash or swallowed object", "swallowed", "absent"),
        # supposed
        ("What should she do if her throat swells?", "throat", "hypothetical"),
        ("call me should he develop a rash", "rash", "hypothetical"),
        ("watch out for a rash in my child", "rash", "hypothetical"),
        ("should there be bleeding, call me", "bleeding", "hypothetical"),
        ("should any bleeding occur, call me", "bleeding", "hypothetical"),
        ("he may stay unless there is vomiting", "vomiting", "hypothetical"),
        ("in case I get a fever", "fever", "hypothetical"),
        ("He should come back if fever occurs", "fever", "hypothetical"),
        ("if the pain gets worse I call", "pain", "present"),
    ],
)
def test_status_by_what_stands_around(text: str, mention: str, status: str) -> None:
    assert status_of(text, mention) == status


@pytest.mark.parametrize(
    ("text", "mention", "status"),
    [
        ("Any fever? – No.", "fever", "absent"),
        ("Any fever or chills? Um, no, none.", "fever", "absent"),
        ("Doctor: Do you have a fever? Patient: No, but I cough.", "fever", "absent"),
        ("Doctor: Do you have a fever? Patient: No, but I cough.", "cough", "present"),
        ("Have you had any vomiting? Not at all.", "vomiting", "absent"),
        ("Is it asthma? No.", "asthma", "absent"),
        ("Fever? No. Cough? Yes.", "Cough", "present"),
        ("Do you have a headache? I do.", "headache", "present"),
        ("Do you have a headache?", "headache", "unknown"),
        # the answer is to something else
        ("Is my fever dangerous? No.", "fever", "present"),
        ("Do you take anything for fever? No.", "fever", "unknown"),
        ("Is it a cold? No fever.", "cold", "unknown"),
        ("发烧吗？没有", "发烧", "absent"),
        ("医生：发烧吗？患者：没有。", "发烧", "absent"),
        ("有头痛吗？有", "头痛", "present"),
        ("发烧吗？不知道", "发烧", "unknown"),
    ],
)
def test_a_question_and_its_answer(text: str, mention: str, status: str) -> None:
    assert status_of(text, mention) == status


@pytest.mark.parametrize(
    ("text", "mention", "temporality", "experiencer"),
    [
        ("a two-day history of fever", "fever", "recent", "patient"),
        ("history of present illness: she has a cough", "cough", "recent", "patient"),
        ("past medical history: asthma, gout", "gout", "historical", "patient"),
        ("a man with a history of COPD presents with wheezing", "wheezing", "recent", "patient"),
        ("a man with a history of COPD presents with wheezing", "COPD", "historical", "patient"),
        ("I had measles when I was five", "measles", "historical", "patient"),
        ("I felt pain when I was walking", "pain", "recent", "patient"),
        ("He had a stroke in 2015", "stroke", "historical", "patient"),
        ("Status post hip fracture", "hip fracture", "historical", "patient"),
        ("for the past week I have had a headache", "headache", "recent", "patient"),
        ("a past infection", "infection", "historical", "patient"),
        ("a previously healthy child with fever", "fever", "recent", "patient"),
        ("my mom died of a stroke", "stroke", "recent", "other"),
        ("breast cancer runs in my family", "breast cancer", "recent", "other"),
        ("my roommate has the flu and I cough", "flu", "recent", "other"),
        ("My mother has a fever, what should I do", "fever", "recent", "patient"),
        ("三年前得过肺炎", "肺炎", "historical", "patient"),
        # whose, as far as nobody else is spoken of
        ("my mother had asthma, and I have a cough", "asthma", "recent", "other"),
        ("my mother had asthma, and I have a cough", "cough", "recent", "patient"),
        ("my mother had asthma and gout", "gout", "recent", "other"),
        ("我妈妈得过哮喘，我没有发烧", "发烧", "recent", "patient"),
        ("我妈妈得过哮喘，我爸爸得过肺炎", "肺炎", "historical", "other"),
        # how far the past reaches
        ("72F, hx of HTN, sudden onset of chest pain", "chest pain", "recent", "patient"),
        ("72F, hx of HTN, acute chest pain", "HTN", "historical", "patient"),
        ("history of acute pancreatitis", "acute pancreatitis", "historical", "patient"),
        ("gave no history of gout and denies recent nausea", "nausea", "recent", "patient"),
        ("gave no history of gout and denies recent nausea", "gout", "historical", "patient"),
        ("h/o asthma", "asthma", "historical", "patient"),
        ("When my son was 2 he swallowed a coin", "coin", "historical", "patient"),
        ("When my son was 2 he was well, now he swallowed a coin", "coin", "recent", "patient"),
        ("He had a fit at 2, he is 7 now", "fit", "historical", "patient"),
        ("Her fit at 2 pm lasted a minute", "fit", "recent", "patient"),
        ("My waters broke early with my first. I am well", "waters", "historical", "patient"),
        ("I had my spleen out in 2019, shivering since lunch", "shivering", "recent", "patient"),
        ("I had my spleen out in 2019, shivering then", "shivering", "historical", "patient"),
        ("My dog had a seizure yesterday", "seizure", "recent", "other"),
        ("My dog bit me and I have a fever", "fever", "recent", "patient"),
        ("我家狗昨天抽搐了", "抽搐", "recent", "other"),
        ("我家狗咬了我，发烧", "发烧", "recent", "patient"),
        ("childhood asthma", "asthma", "historical", "patient"),
        ("there is an old rib fracture", "rib fracture", "historical", "patient"),
        ("my two week old rash", "rash", "recent", "patient"),
        ("a 3-year-old fever patient", "fever", "recent", "patient"),
        ("because of her asthma history we wait", "asthma", "historical", "patient"),
        ("He denies alcohol or drugs.", "alcohol", "historical", "patient"),
        ("He denies alcohol or drugs.", "drugs", "historical", "patient"),
        ("He denies fever or drug allergies.", "fever", "recent", "patient"),
        ("有高血压病史10年，现头痛", "头痛", "recent", "patient"),
        ("既往高血压10年出现头痛", "头痛", "historical", "patient"),
        ("过去三天我一直发烧", "发烧", "recent", "patient"),
        ("我外婆得过乳腺癌", "乳腺癌", "historical", "other"),
        ("我妈妈发烧怎么办", "发烧", "recent", "patient"),
    ],
)
def test_when_and_whose(text: str, mention: str, temporality: str, experiencer: str) -> None:
    start = text.index(mention)
    reading = read_mention(passage_of(text), start, start + len(mention))
    assert (reading.temporality, reading.experiencer) == (temporality, experiencer)


NOTE = """PAST MEDICAL HISTORY:
1. Diabetes
2. Asthma, gout.

FAMILY HISTORY
Breast cancer
HPI: Cough. Fever since Monday.
PMH: migraine. Today he has a rash. He has hives
"""
NOTE_ZH = "主诉：咳嗽3天。既往史：高血压；糖尿病。家族史：乳腺癌。现病史：发热"


@pytest.mark.parametrize(
    ("note", "mention", "temporality", "experiencer"),
    [
        (NOTE, "Diabetes", "historical", "patient"),
        (NOTE, "gout", "historical", "patient"),
        (NOTE, "Breast cancer", "recent", "other"),
        (NOTE, "Cough", "recent", "patient"),
        (NOTE, "Fever", "recent", "patient"),
        (NOTE, "migraine", "historical", "patient"),
        (NOTE, "rash", "recent", "patient"),
        (NOTE, "hives", "recent", "patient"),
        ("Past history\n\nGout\n\nA cough", "Gout", "historical", "patient"),
        ("Past history\n\nGout\n\nA cough", "cough", "recent", "patient"),
        ("Time: noon. Cough", "Cough", "recent", "patient"),
        ("PMH: gout. Meds: none. Cough", "Cough", "recent", "patient"),
        (NOTE_ZH, "咳嗽", "recent", "patient"),
        (NOTE_ZH, "糖尿病", "historical", "patient"),
        (NOTE_ZH, "乳腺癌", "recent", "other"),
        (NOTE_ZH, "发热", "recent", "patient"),
    ],
)
def test_a_heading_says_when_and_whose_what_stands_under_it_is(
    note: str, mention: str, temporality: str, experiencer: str
) -> None:
    start = note.index(mention)
    reading = read_mention(passage_of(note), start, start + len(mention))
    assert (reading.temporality, reading.experiencer) == (temporality, experiencer)


def test_what_a_patient_has_recovered_from_is_absent_and_past() -> None:
    reading = read_mention(passage_of("She recovered from pneumonia"), 19, 28)
    assert (reading.status, reading.temporality) == ("absent", "historical")


def test_what_is_asked_is_not_doubted_as_what_may_be_is() -> None:
    asked, doubted = "What causes a rash?", "I may have a rash"
    assert not read_mention(passage_of(asked), 14, 18).doubted
    assert read_mention(passage_of(doubted), 13, 17).doubted


def test_a_family_history_is_somebody_else_s() -> None:
    text = "I have a family history of diabetes"
    assert read_mention(passage_of(text), 27, 35).experiencer == "other"


def test_what_is_over_is_historical() -> None:
    text = "I have a history of asthma"
    assert read_mention(passage_of(text), 20, 26).temporality == "historical"


def test_a_two_character_chinese_word_is_a_term() -> None:
    assert "感冒" in index_terms("得了感冒怎么办")
    assert {"甲状", "状腺"} <= set(index_terms("甲状腺"))


@pytest.mark.parametrize(
    ("text", "mention", "temporality"),
    [
        ("last year I had shingles", "shingles", "historical"),
        ("Last year, I had shingles", "shingles", "historical"),
        ("in 2010 I had pneumonia", "pneumonia", "historical"),
        ("as a child I had asthma, now I have a cough", "asthma", "historical"),
        ("as a child I had asthma, now I have a cough", "cough", "recent"),
        ("two years ago I had surgery and I have a headache", "headache", "recent"),
        ("over the last year I had headaches", "headaches", "recent"),
        ("I had surgery four years ago, I bruise easily", "bruise", "recent"),
        ("one and a half years ago, I had numbness", "numbness", "historical"),
    ],
)
def test_a_time_in_front_says_when(text: str, mention: str, temporality: str) -> None:
    start = text.index(mention)
    found = read_mention(passage_of(text), start, start + len(mention))
    assert found.temporality == temporality
