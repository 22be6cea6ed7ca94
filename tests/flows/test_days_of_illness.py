"""Who dries out, or whose kidneys fail, asks before the next dose of what can harm then: never told
to stop it, and never told only that nothing speaks against it."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.model.answer import Answer

PAUSED = {"en": "whether to pause", "zh": "是否要暂停"}


def paused(answer: Answer) -> str:
    """The sentence on what is often paused; "" where none is."""
    said = (text for text in answer.missing if PAUSED[answer.question.language] in text)
    return next(said, "")


@pytest.mark.parametrize(
    ("text", "drugs"),
    [
        ("D&V for two days, dry, Cr 98 -> 190, on metformin and ramipril. Continue?",
         ["metformin", "ramipril"]),
        ("I take metformin, ramipril and indapamide and I've been vomiting with diarrhoea all "
         "day. Should I keep taking them?", ["metformin", "ramipril", "indapamide"]),
        ("stomach bug, on lithium. what about my tablets?", ["lithium"]),
        ("I have norovirus, on empagliflozin and insulin", ["empagliflozin"]),
        ("Dad is dehydrated after diarrhoea, takes digoxin", ["digoxin"]),
        ("pt with AKI stage 2 on lisinopril and gliclazide", ["lisinopril", "gliclazide"]),
        ("creatinine 190 (baseline 95), on losartan and spironolactone, dehydrated",
         ["losartan", "spironolactone"]),
        ("I take methotrexate and have had the runs and vomiting since Friday", ["methotrexate"]),
        ("上吐下泻一天了，在吃二甲双胍和缬沙坦，还要继续吃吗？", ["二甲双胍", "缬沙坦"]),
        ("患者肌酐由80升至165，在用呋塞米、依那普利、秋水仙碱", ["呋塞米", "依那普利", "秋水仙碱"]),
        ("我爸脱水了，吃着达格列净和格列美脲，还能吃吗", ["达格列净", "格列美脲"]),
        ("肌酐翻倍，还在吃锂盐", ["锂盐"]),
    ],
)  # fmt: skip
def test_what_can_harm_then_is_asked_about_before_the_next_dose(
    base: KnowledgeBase, text: str, drugs: list[str]
) -> None:
    answer = base.ask(text)
    told = paused(answer)
    assert all(drug in told for drug in drugs), answer.missing
    held = {stop.entity.name(answer.question.language) for stop in answer.stops}
    assert set(drugs) <= held


@pytest.mark.parametrize(
    "text",
    [
        "been sick twice, take ramipril",
        "No vomiting, no diarrhoea. Can I take ramipril with ibuprofen?",
        "creatinine went from 98 to 190 over six years. on ramipril. ok?",
        "creatinine 98 -> 110, on ramipril",
        "my neighbour has D&V. I take metformin, can I eat grapefruit?",
        "我没有呕吐也没有腹泻，吃氢氯噻嗪要注意什么",
        "肌酐这五年从98慢慢升到190，吃雷米普利",
    ],
)
def test_on_a_usual_day_nothing_is_to_be_paused(base: KnowledgeBase, text: str) -> None:
    assert paused(base.ask(text)) == ""


@pytest.mark.parametrize(
    ("text", "drug"),
    [
        ("I have norovirus, on empagliflozin and insulin", "insulin"),
        ("D&V for two days. I take warfarin and ramipril. Continue?", "warfarin"),
        ("上吐下泻一天了，在吃泼尼松和缬沙坦，还要继续吃吗？", "泼尼松"),
    ],
)
def test_what_must_go_on_is_never_among_it(base: KnowledgeBase, text: str, drug: str) -> None:
    told = paused(base.ask(text))
    assert told
    assert drug not in told


def test_salts_are_offered_where_dryness_is_only_reckoned_with(base: KnowledgeBase) -> None:
    lists = base.ask("stomach bug, on lithium. what can I take?").drugs
    free = {d.entity.name("en") for each in lists for g in each.groups if g.standing == "not_stopped" for d in g.drugs}  # fmt: skip  # noqa: E501
    assert "oral rehydration salts" in free
