"""What a device, a clinic, a test, a treatment or an event tells is taken so, and said by what."""

import pytest

from medweave import Answer, KnowledgeBase


def stopped(answer: Answer) -> list[str]:
    """What applies, by the medicine and the reason."""
    return [f"{s.entity.name('en')}: {s.reason}" for s in answer.stops if s.status == "applies"]


@pytest.mark.parametrize(
    ("text", "stop", "words"),
    [
        ("I go to the INR clinic. Can I take ibuprofen?", "ibuprofen: interacts with warfarin",
         "INR clinic"),
        ("He wears a CPAP. Can he take diazepam?", "diazepam: contraindicated in sleep apnea",
         "CPAP"),
        ("I've got the rod in my arm and the neurologist wants to start carbamazepine.",
         "carbamazepine: interacts with etonogestrel", "rod in my arm"),
        ("I popped my Achilles in 2021. Is ciprofloxacin fine?",
         "ciprofloxacin: contraindicated in tendon rupture", "popped my Achilles"),
        ("Is atorvastatin barred once cirrhosis has decompensated?",
         "atorvastatin: contraindicated in decompensated cirrhosis", "cirrhosis has decompensated"),
        ("My kidneys have conked out for good. Metformin?",
         "metformin: contraindicated in severe kidney disease", "kidneys have conked out for good"),
        ("My sister has fits. Can she take tramadol?", "tramadol: caution in epilepsy", "has fits"),
        ("I'm finishing chemo. Can I have the yellow fever jab?",
         "yellow fever vaccine: interacts with cytotoxic drugs", "chemo"),
        ("I perforated after Nurofen last year. Is naproxen ok?",
         "naproxen: contraindicated in peptic ulcer", "perforated after Nurofen"),
        ("My husband keeps a spray under his tongue. Sildenafil?",
         "sildenafil: interacts with nitrates", "spray under his tongue"),
    ],
)  # fmt: skip
def test_a_sign_stops_as_the_name_does_and_the_answer_says_what_it_was_taken_as(
    base: KnowledgeBase, text: str, stop: str, words: str
) -> None:
    answer = base.ask(text)
    assert any(told.startswith(stop) for told in stopped(answer))
    (taken,) = (t for t in answer.taken if "told by" in t.text)
    assert words in taken.text
    assert taken.how == "supposed"
    assert not answer.danger


@pytest.mark.parametrize(
    "text",
    [
        "I work at the INR clinic. Can I take ibuprofen?",
        "My neighbour goes to the INR clinic. Can I take ibuprofen?",
        "I don't use a CPAP. Can I take diazepam?",
        "They offered me a CPAP and I refused. Can I take diazepam?",
        "My dad's pacemaker is new. Can I take ibuprofen?",
        "If I had a stoma bag, would ibuprofen be worse?",
        "A curtain rod fell on my arm. Can I take carbamazepine?",
        "I had the rod taken out of my arm last year. Can I take carbamazepine?",
        "My brother tore his Achilles. Can I take ciprofloxacin?",
        "I mustn't eat cheese because of my cholesterol. Can I take sertraline?",
        "My boy had fits of giggles. Can he take tramadol?",
        "Can I take ibuprofen? My art class hurt my hand, the cad was no help.",  # no ART, no CAD
    ],
)
def test_what_only_looks_like_a_sign_tells_nothing(base: KnowledgeBase, text: str) -> None:
    question = base.understand(text)
    assert [m.text for m in question.mentions if m.link.how == "implied"] == []
    assert [d.text for d in question.described] == []
    assert not [sign for sign in question.danger or () if sign.status == "present"]


def test_a_sign_that_may_mean_something_else_is_asked_about(base: KnowledgeBase) -> None:
    answer = base.ask("We have oxygen at home for him. Can he take diazepam?")
    assert any("oxygen at home" in told and "obstructive" in told for told in answer.direct)
    assert not any("obstructive" in told for told in stopped(answer))


def test_what_was_put_in_stays_and_what_happened_once_is_of_the_past(base: KnowledgeBase) -> None:
    by_words = {
        m.text: m.temporality
        for text in ("I had my thyroid zapped in 2010.", "I perforated after aspirin in 2010.")
        for m in base.understand(text).mentions
        if m.link.how == "implied"
    }
    assert by_words == {"thyroid zapped": "recent", "perforated after aspirin": "historical"}


@pytest.mark.parametrize(
    "text",
    [
        "Simvastatin newly prescribed, amlodipine taken for years.",
        "New prescription: simvastatin. Current: amlodipine. Safe?",
        "Can simvastatin be added to amlodipine?",
        "I'm on amlodipine and they gave me simvastatin.",
    ],
)
def test_of_two_medicines_the_new_one_is_to_be_avoided(base: KnowledgeBase, text: str) -> None:
    assert stopped(base.ask(text)) == ["simvastatin: interacts with amlodipine"]


@pytest.mark.parametrize(
    ("text", "allergic"),
    [
        ("My skin test for penicillin swelled up. Can I have amoxicillin?", True),
        ("Positive prick test to penicillin. Amoxicillin ok?", True),
        ("The skin test for penicillin was negative. Can I have amoxicillin?", False),
        ("Is a skin test for penicillin often positive?", False),
    ],
)
def test_an_allergy_is_told_by_its_test(base: KnowledgeBase, text: str, allergic: bool) -> None:
    assert bool(base.understand(text).patient.allergies) is allergic


@pytest.mark.parametrize(
    ("text", "drug", "state"),
    [
        ("我妈每个月都要去医院查INR，妇科给开了甲硝唑，能吃吗", "甲硝唑", "华法林"),
        ("老伴心脏里换了机械瓣，感冒发烧能吃布洛芬吗", "布洛芬", "华法林"),
        ("我睡觉戴呼吸机，腰痛医生给开了地西泮", "地西泮", "睡眠呼吸暂停"),
        ("去年跟腱断过，这次肺炎开了左氧氟沙星", "左氧氟沙星", "肌腱断裂"),
        ("手臂里埋着避孕棒，神经科给开了卡马西平", "卡马西平", "依托孕烯"),
        ("胃里烂过一个洞，腰疼能吃布洛芬吗", "布洛芬", "消化性溃疡"),
        ("去年皮试青霉素鼓了个大包，现在给了阿莫西林", "阿莫西林", "青霉素"),
    ],
)
def test_signs_are_read_in_chinese(base: KnowledgeBase, text: str, drug: str, state: str) -> None:
    answer = base.ask(text)
    assert any(s.entity.name("zh") == drug for s in answer.stops if s.status == "applies")
    assert any(state in taken.text for taken in answer.taken)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("同事睡觉戴呼吸机，我腰痛能吃地西泮吗", "睡眠呼吸暂停"),
        ("他没有换过瓣膜，能吃布洛芬吗", "瓣膜"),
        ("什么是INR？布洛芬能治头痛吗", "华法林"),
        ("如果以后查INR，能吃布洛芬吗", "华法林"),
        ("青霉素皮试没问题，能用阿莫西林吗", "青霉素类过敏"),
    ],
)
def test_what_is_not_told_of_the_person_is_not_taken_in_chinese(
    base: KnowledgeBase, text: str, state: str
) -> None:
    assert not any(state in taken.text for taken in base.ask(text).taken)
