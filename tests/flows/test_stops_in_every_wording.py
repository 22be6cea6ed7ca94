"""Stops that hold however it is told, and medicines that are stopped for nobody else's facts.

Each group stands for a cause by which a stop was lost, or a medicine withheld: whose a fact is, how
it is told, and which turn of a conversation told it.
"""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.model.answer import Answer
from tests.answers_read import last_of


def told_against(answer: Answer) -> set[str]:
    """The medicines that something told of the person speaks against, stopped or with care."""
    told = {s.entity.name("en") for s in answer.stops if s.status == "applies"}
    return told | {
        drug.entity.name("en")
        for some in answer.drugs
        for group in some.groups
        if group.standing in ("stopped", "care")
        for drug in group.drugs
    }


@pytest.mark.parametrize(
    ("turns", "drug"),
    [
        (["My husband is on warfarin, so we keep only paracetamol. But it's me with the wrist: I "
          "fell, I'm 45 and on nothing. Would naproxen do? I'd keep them locked up."], "naproxen"),
        (["The campus doctor has given me propranolol for the shakes. My mum has asthma and she "
          "keeps texting about it, but I've never wheezed. How early do I take it?"],
         "propranolol"),
        (["My flatmate is epileptic so his doctor refused him Zyban, but mine has said yes to me "
          "(I'm 34, never had a fit). When does the second tablet start?"], "bupropion"),
        (["爷爷吃华法林，家里人围着他转。我打篮球崴脚了，身体很好没吃任何药，布洛芬几小时一次？"],
         "ibuprofen"),
        (["我妈青霉素过敏，但我从小到大打过好几次没事。医生开了阿莫西林，几天能退烧？"],
         "amoxicillin"),
        (["Is grapefruit bad with statins? Husband's on simvastatin.",
          "He has gone off it anyway. Now me: 59, no medicines, chest infection.",
          "Clarithromycin 500 twice daily. Is it alright to stop on day four?"], "clarithromycin"),
        (["尿毒症透析，能吃二甲双胍吗？不是我，是我婆婆",
          "我自己是多囊，30岁，医生给二甲双胍。拉肚子多久能适应？"], "metformin"),
    ],
)  # fmt: skip
def test_what_another_has_stops_nothing_for_who_writes(
    base: KnowledgeBase, turns: list[str], drug: str
) -> None:
    assert drug not in told_against(last_of(base, turns))


@pytest.mark.parametrize(
    ("text", "drug"),
    [
        ("My husband is on warfarin, he's 70. His knee hurts. Could he have ibuprofen?",
         "ibuprofen"),
        ("Mum takes warfarin. Her back is bad. I'm 45 and her carer. Can I give her naproxen?",
         "naproxen"),
        ("My husband takes warfarin. I have a sore wrist. He is 70. Would naproxen do?",
         "naproxen"),
        ("我爸吃华法林，他腰疼。我给他买了布洛芬，一天几次？", "ibuprofen"),
        ("I take warfarin. How much ginkgo a day do people take?", "ginkgo"),
        ("I'm on apixaban. Will rifampicin stain my contact lenses?", "rifampicin"),
        ("I take simvastatin. How long do most people take clarithromycin?", "clarithromycin"),
    ],
)  # fmt: skip
def test_what_is_told_of_the_patient_still_counts(
    base: KnowledgeBase, text: str, drug: str
) -> None:
    assert drug in told_against(base.ask(text))


@pytest.mark.parametrize(
    "text",
    ["I never had asthma. My father has asthma.", "我没有哮喘，我老丈人是老哮喘。"],
)
def test_what_one_has_and_the_other_has_not_is_no_contradiction(
    base: KnowledgeBase, text: str
) -> None:
    question = base.understand(text)
    assert {(m.experiencer, m.status) for m in question.of_concept("disease")} == {
        ("patient", "absent"),
        ("other", "present"),
    }
    assert not question.contradictions


@pytest.mark.parametrize(
    ("turns", "drug"),
    [
        (["类风湿，甲氨蝶呤每周四片，叶酸周四", "晨僵要多久才能松？",
          "尿频尿痛，复方磺胺甲噁唑是一天两次吧？"], "co-trimoxazole"),
        (["抑郁症两年，左洛复一天一片，效果还行。", "跑步有帮助吗？",
          "朋友带了贯叶金丝桃片，几周能感觉到？"], "St John's wort"),
        (["我妈69，房颤心衰，地高辛半片一天，测脉搏多少算慢？", "她刚才量是88，还行。",
          "邻居阿姨说复方甘草片特别灵。一次几片？"], "liquorice"),
        (["我婆婆换过肾，吃环孢素，一天两次。", "她血脂高。另外我自己便秘，算了先说她的。",
          "辛伐他汀一晚一粒，多久复查血脂？"], "simvastatin"),
        (["my dads on warfarin, whats a normal inr",
          "no wait i put that wrong, its me on warfarin, dad only drives me to clinic",
          "does ginkgo biloba actually work and how much a day do people take"], "ginkgo"),
        (["Dad, 81, his kidneys are at 24 percent.", "Thanks. Is a flu jab fine?",
          "The old boy has hip pain. What do doctors usually add for hip pain?"],
         "ibuprofen"),
        (["My boy is 3 and a half.", "My sister in Manila sent codeine linctus.",
          "2.5 ml or 5 ml for 15 kilos?"], "codeine"),
    ],
)  # fmt: skip
def test_what_a_turn_before_told_counts(base: KnowledgeBase, turns: list[str], drug: str) -> None:
    answer = last_of(base, turns)
    asked = {s.entity.name("en") for s in answer.stops}
    assert drug in told_against(answer) | asked


@pytest.mark.parametrize(
    ("turns", "drug"),
    [
        (["How long till the bleeding stops?", "I take Yasmin and like it. When do I start?"],
         "Yasmin"),
    ],
)  # fmt: skip
def test_a_word_behind_a_medicine_stands_for_that(
    base: KnowledgeBase, turns: list[str], drug: str
) -> None:
    question = last_of(base, turns).question
    assert {m.text for m in question.of_concept("drug", "drug_class")} == {drug}


@pytest.mark.parametrize(
    "text",
    [
        "I had two aspirin when I was 16 and ended up in resus, chest closed completely.",
        "I was given aspirin for a fever and woke up in an oxygen tent with a face like a ball.",
        "Took an aspirin at school and landed in hospital with my throat closing.",
    ],
)
def test_where_somebody_ended_up_and_what_it_did_is_an_allergy(
    base: KnowledgeBase, text: str
) -> None:
    assert base.understand(text).patient.allergies == ("mw.substance:aspirin",)


@pytest.mark.parametrize(
    "text",
    [
        "I took ibuprofen and ended up in hospital with a broken leg.",
        "I was given amoxicillin and was admitted to hospital two days later.",
    ],
)
def test_where_somebody_ended_up_alone_is_none(base: KnowledgeBase, text: str) -> None:
    assert base.understand(text).patient.allergies == ()


_LABEL = "They wrote 'allergic to penicillin' on my notes. "


@pytest.mark.parametrize(
    ("text", "allergic"),
    [
        (_LABEL + "The allergy clinic tested me and took the label off. Amoxicillin?", False),
        (_LABEL + "The label was removed in May. Amoxicillin with milk?", False),
        (_LABEL + "They never took the label off. Amoxicillin?", True),
        ("I'm allergic to penicillin and sulfa. The clinic took the sulfa label off. Amoxicillin?",
         True),
    ],
)  # fmt: skip
def test_an_allergy_that_was_taken_off_the_record_is_none(
    base: KnowledgeBase, text: str, allergic: bool
) -> None:
    assert ("mw.substance:penicillins" in base.understand(text).patient.allergies) is allergic


@pytest.mark.parametrize(
    ("text", "pregnant"),
    [
        ("I was panicking I was pregnant but the blood test said no.", False),
        ("I was convinced I was pregnant. False alarm, my period came.", False),
        ("以为怀孕了，验了是阴性。", False),
        ("Did a test this morning, two lines.", True),
        ("Two pink lines on the stick today!", True),
        ("I'm panicking, I am pregnant and not ready.", True),
    ],
)
def test_a_feared_pregnancy_is_told_from_one(
    base: KnowledgeBase, text: str, pregnant: bool
) -> None:
    assert base.understand(text).patient.pregnant is pregnant


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("Type one since I was six, pump and sensor.", "mw.condition:type_1_diabetes"),
        ("I've been making myself sick after meals.", "mw.condition:bulimia_nervosa"),
        ("我吃完饭会自己抠喉咙催吐", "mw.condition:bulimia_nervosa"),
        ("My colitis is bad, ten times a day w blood in it", "mw.condition:bloody_diarrhea"),
        ("zigzags in my eyes before the headache", "mw.condition:migraine_with_aura"),
        ("偏头痛，发作前眼前有闪光锯齿", "mw.condition:migraine_with_aura"),
        ("前列腺大，上个月憋尿憋到插管", "mw.condition:urinary_retention"),
        ("something for my knackered knee", "mw.condition:knee_pain"),
        ("my nose is completely blocked", "mw.condition:nasal_congestion"),
    ],
)
def test_a_state_is_told_in_words_of_its_own(base: KnowledgeBase, text: str, entity: str) -> None:
    present = {m.entity for m in base.understand(text).mentions if m.status != "absent"}
    assert entity in present


@pytest.mark.parametrize(
    ("text", "drug"),
    [
        ("84F on digoxin 125. Reg wants clari 500 bd. With food?", "clarithromycin"),
        ("On simva 40 nocte. GP phoned thru clari 250 bd 5/7. With food?", "clarithromycin"),
        ("I have bulimia. Can I take bupropion?", "bupropion"),
        ("I take digoxin. Can I take liquorice?", "liquorice"),
        (
            "My dad, 77, enlarged prostate. Which over the counter sleeping tablet works best?",
            "diphenhydramine",
        ),
        ("I have ulcerative colitis. Can I take loperamide?", "loperamide"),
    ],
)
def test_what_was_not_read_or_not_recorded_is_held_against(
    base: KnowledgeBase, text: str, drug: str
) -> None:
    assert drug in told_against(base.ask(text))
