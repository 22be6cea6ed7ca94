"""Letters about somebody else: who is to take the drug is the patient, whoever writes."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.inference.safety.facts import facts_of

TREATED = [
    # a letter about a relative who is to take something, and what is to be held against it
    (
        "My father is 74, he has heart failure and takes furosemide, lisinopril and digoxin. "
        "His knee hurts a lot and the neighbour gave him naproxen. Is that alright?",
        ("heart failure", "furosemide", "lisinopril", "digoxin"),
    ),
    (
        "Grandma uses digoxin and her kidneys are weak. I have been staying with her since the "
        "weekend. Can we give her clarithromycin for her cough?",
        ("digoxin", "kidney disease"),
    ),
    (
        "I am writing about my mother, who is 81 and lives with us. She has chronic kidney disease "
        "and takes metformin and warfarin. Yesterday I bought ibuprofen because her back hurts. "
        "My sister says it is harmless. May she take it?",
        ("chronic kidney disease", "metformin", "warfarin"),
    ),
    (
        "Dear doctor, I am worried about my dad. Dad has had atrial fibrillation for years and is "
        "on warfarin and bisoprolol. The dentist prescribed metronidazole. I have already picked "
        "it up. Is it safe with his tablets?",
        ("atrial fibrillation", "warfarin", "bisoprolol"),
    ),
    (
        "My aunt is 69 and was found to have gout last year. She also takes warfarin after a "
        "clot. I keep diclofenac in the cupboard for my football injuries. Her toe is red and "
        "hot. Would it do any harm?",
        ("gout", "warfarin"),
    ),
    (
        "We look after our grandfather at home. Grandad has epilepsy and has been taking "
        "valproate for thirty years. The ward now proposes meropenem. I have heard that this is "
        "a bad idea. Is it?",
        ("epilepsy", "valproate"),
    ),
    (
        "My stepmother has asthma. I have been helping her with her tablets since the spring. "
        "The new doctor prescribed propranolol for her tremor. Is that right?",
        ("asthma",),
    ),
    (
        "Could you help me? Mum has a stomach ulcer and takes sertraline. I have ibuprofen at "
        "home, and her shoulder has been sore all week. Is it safe?",
        ("stomach ulcer", "sertraline"),
    ),
    (
        "My brother has been on lithium since his twenties, and he has high blood pressure. My "
        "mother thinks that the hydrochlorothiazide he was given is harmless. Is she right, may "
        "he take it?",
        ("lithium", "hypertension"),
    ),
    (
        "Nan is allergic to penicillin and she is on methotrexate for her joints. I read the "
        "leaflet of the trimethoprim that was left for her, and I do not understand it. Is it "
        "alright?",
        ("penicillin", "methotrexate"),
    ),
    (
        "My husband has severe heart failure. I do the tablets for him: spironolactone, ramipril. "
        "His doctor is away. He has pain in the hip and asks for ibuprofen.",
        ("heart failure", "spironolactone", "ramipril"),
    ),
    (
        "My uncle lives alone and has cirrhosis. His tablets are spironolactone and propranolol. "
        "I visit him on Sundays and he told me his head aches. What about paracetamol?",
        ("cirrhosis", "spironolactone", "propranolol"),
    ),
    (
        "My mother-in-law takes simvastatin and amlodipine. I took her to the surgery with a chest "
        "infection and she came home with clarithromycin. Should she take it?",
        ("simvastatin", "amlodipine"),
    ),
    (
        "我爸心衰，吃呋塞米和地高辛，膝盖疼，能吃萘普生吗",
        ("heart failure", "furosemide", "digoxin"),
    ),
    (
        "我奶奶有慢性肾病，在吃二甲双胍和华法林。我昨天给她买了布洛芬，她腰疼得睡不着。这样可以吗？",
        ("chronic kidney disease", "metformin", "warfarin"),
    ),
    (
        "我妈妈今年七十岁，有房颤，一直吃华法林。我最近陪她看牙，医生开了甲硝唑。我有点担心，能一起吃吗？",
        ("atrial fibrillation", "warfarin"),
    ),
    ("我老公对青霉素过敏，这两天嗓子疼得厉害，我家里有阿莫西林，能给他吃吗？", ("penicillin",)),
    ("老妈有哮喘，手抖，医生开了普萘洛尔。我觉得不对，能吃吗？", ("asthma",)),
    (
        "我婆婆肾不好，吃二甲双胍。我很担心，医生开了萘普生，安全吗？",
        ("kidney disease", "metformin"),
    ),
    ("我有个问题：外公有胃溃疡，吃华法林，腿疼，能吃布洛芬吗？", ("stomach ulcer", "warfarin")),
]

NOT_TREATED = [
    # the writer is to take something; what a relative has or takes is nothing against it
    (
        "My father has heart failure and takes digoxin. I have a sore knee. Can I take naproxen?",
        ("heart failure", "digoxin"),
    ),
    ("My mother is on warfarin. I have a headache; may I take ibuprofen?", ("warfarin",)),
    ("I am 30 and healthy. My brother has asthma. Is propranolol alright for me?", ("asthma",)),
    (
        "My grandmother has kidney disease and takes metformin; I care for her. I sprained my "
        "ankle, should I take ibuprofen?",
        ("kidney disease", "metformin"),
    ),
    (
        "My husband is allergic to penicillin. I have tonsillitis and was given amoxicillin. Can "
        "I take it?",
        ("penicillin",),
    ),
    ("我爸有心衰，吃地高辛。我膝盖疼，我能吃萘普生吗？", ("heart failure", "digoxin")),
    ("我妈妈在吃华法林，我头疼，我可以吃布洛芬吗？", ("warfarin",)),
    ("我老公对青霉素过敏，我嗓子疼，我能吃阿莫西林吗？", ("penicillin",)),
]


def counted(base: KnowledgeBase, letter: str) -> set[str]:
    """All that is held against the drugs of a letter."""
    return {entity for fact in facts_of(base.understand(letter)).held for entity in fact.entities}


def called(base: KnowledgeBase, name: str) -> set[str]:
    return {named.entity for named in base.knowledge.dictionary.names(name)}


@pytest.mark.parametrize(("letter", "facts"), TREATED)
def test_what_a_treated_relative_has_and_takes_counts(
    base: KnowledgeBase, letter: str, facts: tuple[str, ...]
) -> None:
    found = counted(base, letter)
    assert [name for name in facts if not found & called(base, name)] == []


@pytest.mark.parametrize(("letter", "facts"), NOT_TREATED)
def test_what_a_relative_has_who_is_not_treated_does_not_count(
    base: KnowledgeBase, letter: str, facts: tuple[str, ...]
) -> None:
    found = counted(base, letter)
    assert [name for name in facts if found & called(base, name)] == []
