"""What happens with a medicine, what is doubted, and whose either is: what of it counts as had."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.language.data import shipped_yaml
from medweave.model.answer import Answer
from medweave.model.question import OF_THE_PERSON
from tests.answers_read import said


def roles(answer: Answer) -> dict[str, str]:
    named = answer.question.mentions
    return {m.entity.partition(":")[2]: m.role for m in named if m.role}


def met(answer: Answer) -> set[tuple[str, str]]:
    """Every drug of which a stop applies, with each other drug it meets."""
    names = (
        (s.entity.id, other) for s in answer.stops if s.status == "applies" for other in s.others
    )
    return {(a.partition(":")[2], b.partition(":")[2]) for a, b in names}


def asked_last(base: KnowledgeBase, *turns: str) -> Answer:
    return base.ask(turns[-1], history=turns[:-1])


@pytest.mark.parametrize(
    ("text", "drug", "role"),
    [
        ("Pt switched from warfarin to apixaban in March. Is fluconazole ok?", "warfarin", "past"),
        ("Pt switched from warfarin to apixaban in March. Is fluconazole ok?", "apixaban", "taken"),
        ("My metoprolol was swapped for bisoprolol last year. Verapamil?", "bisoprolol", "taken"),
        ("They took him off lithium and put him on quetiapine. Ibuprofen?", "lithium", "past"),
        ("I would like lisinopril replaced by losartan. May I?", "lisinopril", "taken"),
        ("I would like lisinopril replaced by losartan. May I?", "losartan", "asked"),
        ("They are going to start mum on apixaban. She takes ramipril.", "apixaban", "asked"),
        ("He was put on amiodarone last week. Can he have ibuprofen?", "amiodarone", "taken"),
        ("Dad refused allopurinol. What about naproxen for his toe?", "allopurinol", "denied"),
        ("He won't have insulin. Is metformin all right?", "insulin", "denied"),
        ("上个月华法林换成了利伐沙班，能吃布洛芬吗？", "rivaroxaban", "taken"),
        ("上个月华法林换成了利伐沙班，能吃布洛芬吗？", "warfarin", "past"),
        ("想把赖诺普利换成氯沙坦，可以吗？", "lisinopril", "taken"),
        ("想把赖诺普利换成氯沙坦，可以吗？", "losartan", "asked"),
        ("爷爷不肯打胰岛素，吃二甲双胍。能吃布洛芬吗？", "insulin", "denied"),
        ("下周要给我上甲氨蝶呤，我在吃复方新诺明，有冲突吗？", "methotrexate", "asked"),
    ],
)
def test_what_an_event_makes_of_a_medicine(
    base: KnowledgeBase, text: str, drug: str, role: str
) -> None:
    assert roles(base.ask(text))[drug] == role


def test_events_are_told_in_both_languages_and_give_known_roles() -> None:
    rules = shipped_yaml("understanding", "rules", "medicine_events.yaml")
    assert set(rules["en"]["events"]) == set(rules["zh"]["events"]) | {"in_place"}
    assert set(rules["en"]["events"]) <= set(rules["roles"])
    given = {role for row in rules["roles"].values() for role in row.values()}
    assert given <= {"asked", *OF_THE_PERSON}


@pytest.mark.parametrize(
    "text",
    [
        "We want to replace my wife's lisinopril. Would losartan be an option?",
        "I take lisinopril and would like to switch to losartan. ok?",
        "Can I have losartan instead of lisinopril?",
        "医生说把赖诺普利换成氯沙坦，氯沙坦可以吗？",
    ],
)
def test_nobody_takes_what_is_replaced_with_what_replaces_it(
    base: KnowledgeBase, text: str
) -> None:
    assert not met(base.ask(text)) & {("losartan", "lisinopril"), ("lisinopril", "losartan")}


def test_a_class_that_is_wanted_in_its_place_is_not_held_against_a_medicine(
    base: KnowledgeBase,
) -> None:
    answer = base.ask("need a different bp tablet for a lady on lisinopril")
    assert roles(answer)["lisinopril"] == "taken"
    assert not met(answer) & {(drug, "lisinopril") for drug in ("losartan", "candesartan")}


def test_what_is_to_be_replaced_still_meets_all_else(base: KnowledgeBase) -> None:
    replaced = base.ask("We want to replace her lithium with quetiapine. Can she take ibuprofen?")
    assert ("ibuprofen", "lithium") in met(replaced)
    on_top = base.ask("He wants to add losartan on top of lisinopril in place of ramipril. Fine?")
    assert ("losartan", "lisinopril") in met(on_top)


def test_what_still_acts_when_it_is_replaced_is_asked_about(base: KnowledgeBase) -> None:
    answer = base.ask("I am to be switched from moclobemide to sertraline. Is sertraline safe?")
    assert not any(stop.status == "applies" for stop in answer.stops)
    assert "how long ago it was must be asked" in said(answer)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("Is it a stroke or a migraine? Can I take sumatriptan?", "stroke"),
        ("I might have a stomach ulcer, the camera is on Friday. Ibuprofen?", "stomach ulcer"),
        ("医生怀疑我有胃溃疡，能吃布洛芬吗？", "胃溃疡"),
    ],
)
def test_what_is_doubted_is_asked_about_and_not_had(
    base: KnowledgeBase, text: str, condition: str
) -> None:
    answer = base.ask(text)
    assert not any(condition in taken.text for taken in answer.taken)
    assert not any(s.status == "applies" for s in answer.stops)
    assert any(f"if it is {condition}" in line or f"真是{condition}" in line
               for line in map(str.lower, answer.direct))  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "I'm worried about my asthma. Can I take propranolol?",
        "I don't think my asthma matters, can I have propranolol?",
        "Not sure whether propranolol is fine with asthma.",
        "maybe i should mention i have asthma, propranolol ok?",
        "45M, no allergies, asthma. Can he take propranolol?",
        "可能因为我有哮喘，医生没给普萘洛尔，我能吃普萘洛尔吗？",
    ],
)
def test_what_is_somebodys_is_had_whatever_is_doubted_of_it(base: KnowledgeBase, text: str) -> None:
    told = [s for s in base.ask(text).stops if s.status == "applies"]
    assert any("asthma" in s.reason or "哮喘" in s.reason for s in told)


def test_a_possible_pregnancy_still_counts(base: KnowledgeBase) -> None:
    answer = base.ask("I might be pregnant, is isotretinoin safe?")
    assert any(s.status == "applies" and "pregnan" in s.reason for s in answer.stops)


@pytest.mark.parametrize(
    "text",
    [
        "Should my gran (84, heart failure) be given naproxen, or diclofenac?",
        "Is naproxen or diclofenac kinder to a man on warfarin?",
        "痛风发作，萘普生还是双氯芬酸，慢性肾病能吃吗？",
    ],
)
def test_what_or_parts_is_not_taken_together(base: KnowledgeBase, text: str) -> None:
    pairs = met(base.ask(text))
    assert not pairs & {("naproxen", "diclofenac"), ("diclofenac", "naproxen")}


def test_what_or_parts_meets_what_is_taken(base: KnowledgeBase) -> None:
    pairs = met(base.ask("Is naproxen or diclofenac kinder to a man on warfarin?"))
    assert {("naproxen", "warfarin"), ("diclofenac", "warfarin")} <= pairs


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("As a dialysis nurse I ask for myself: is diclofenac ok?", "dialysis"),
        ("I run a diabetes clinic. Is ibuprofen ok for my tooth?", "diabetes"),
        ("我是糖尿病科的护士，帮我爸问，他能吃布洛芬吗？", "糖尿病"),
        ("Everyone in my family has glaucoma. Is amitriptyline ok?", "glaucoma"),
    ],
)
def test_a_profession_and_a_family_are_no_state_of_the_patient(
    base: KnowledgeBase, text: str, condition: str
) -> None:
    answer = base.ask(text)
    assert not any(condition in taken.text for taken in answer.taken)
    assert not any(s.status == "applies" for s in answer.stops)


@pytest.mark.parametrize(
    "turns",
    [
        ("Patient is 28 and on lithium.", "Sorry, 82 not 28.", "Is ibuprofen ok?"),
        ("My gran is 28... sorry, 82, takes digoxin. Can she have clarithromycin?",),
        ("我奶奶28岁，不对，82岁，吃地高辛。能吃克拉霉素吗？",),
        ("我奶奶28岁，吃地高辛。", "说错了，82岁。", "能吃克拉霉素吗？"),
    ],
)
def test_the_age_of_a_correction_takes_the_place_of_the_first(
    base: KnowledgeBase, turns: tuple[str, ...]
) -> None:
    assert (asked_last(base, *turns).question.patient.age_days or 0) // 365 == 82


def test_whose_medicine_it_is_is_not_whom_it_is_for(base: KnowledgeBase) -> None:
    answer = asked_last(
        base,
        "32 weeks pregnant, migraine.",
        "My husband takes sumatriptan, could I have one of his?",
        "and his valproate?",
    )
    assert any(s.status == "applies" and "pregnan" in s.reason for s in answer.stops)


@pytest.mark.parametrize(
    ("turns", "reason"),
    [
        (
            (
                "My grandson is 5 and has chickenpox with a fever.",
                "His mother found aspirin in the cupboard. Ok for him?",
            ),
            "16 years",
        ),
        (
            ("我老公有癫痫，吃卡马西平。", "我自己在吃避孕药。", "他感冒了想吃克拉霉素，行吗？"),
            "卡马西平",
        ),
    ],
)
def test_who_was_spoken_of_is_found_again(
    base: KnowledgeBase, turns: tuple[str, ...], reason: str
) -> None:
    told = [s.reason for s in asked_last(base, *turns).stops if s.status == "applies"]
    assert any(reason in each for each in told)


def test_the_cupboard_of_who_asks_is_no_turn_to_them(base: KnowledgeBase) -> None:
    answer = asked_last(
        base,
        "my son is 6, sore throat, gp said penicillin",
        "oh forgot, amoxicillin made him swell up round the lips last year",
        "so what instead? and is doxy an option, we have some from my acne days",
    )
    assert any(s.status == "applies" and "8 years" in s.reason for s in answer.stops)
    assert "on your own" not in said(answer)


def test_what_another_has_is_in_question_for_who_asks_for_some_of_it(base: KnowledgeBase) -> None:
    answer = base.ask(
        "I am breastfeeding and take sertraline. My husband has a cold and a syrup with codeine. "
        "May I have a spoonful of it? And is sertraline all right?"
    )
    told = {s.entity.name("en") for s in answer.stops if s.status == "applies"}
    assert "codeine" in told


def test_what_was_only_suggested_before_is_worded_as_perhaps_taken(base: KnowledgeBase) -> None:
    answer = asked_last(
        base, "My friend suggested aspirin for my heart, I am 60.", "Can I take ibuprofen?"
    )
    assert {t.how for t in answer.taken if "aspirin" in t.text} <= {"supposed"}
    assert "do not stop aspirin" not in said(answer)


def test_options_of_a_letter_were_not_taken_by_who_has_a_complaint(base: KnowledgeBase) -> None:
    answer = base.ask(
        "I am 67 and on warfarin since my valve was done. My son reckons I could have meloxicam. "
        "My GP suggested codeine, and the pharmacist thought naproxen. My sister had a stomach "
        "bleed on aspirin. 1. Is naproxen all right with what I take? 2. Is codeine?"
    )
    own = {drug for drug, role in roles(answer).items() if role == "taken"} - {"aspirin"}
    assert own == {"warfarin"}
    assert ("naproxen", "warfarin") in met(answer)
