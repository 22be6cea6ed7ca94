"""Names that people use for medicines, conditions, findings and tests are read as what they are."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    return KnowledgeBase.sample()


def _entities(base: KnowledgeBase, text: str) -> set[str]:
    return {mention.entity.partition(":")[2] for mention in base.understand(text).mentions}


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("is Piriteze ok with wine", "cetirizine"),
        ("can I take Epilim while pregnant", "valproate"),
        ("Combiflam and alcohol", "ibuprofen-paracetamol"),
        ("Thyronorm on an empty stomach", "levothyroxine"),
        ("hcq and eyes", "hydroxychloroquine"),
        ("signs of dig tox", "digoxin_toxicity"),
        ("trop 120, ECG fine", "troponin_test"),
        ("I have ringing in my ears", "tinnitus"),
        ("what is PCOD", "polycystic_ovary_syndrome"),
        ("is melanoma curable", "melanoma"),
        ("SMZ能和华法林一起吃吗", "co-trimoxazole"),
        ("拜唐苹饭前吃吗", "acarbose"),
        ("得了缠腰龙怎么办", "shingles"),
        ("普拿疼一天几颗", "paracetamol"),
    ],
)
def test_a_name_is_read_as_what_it_means(base: KnowledgeBase, text: str, entity: str) -> None:
    assert entity in _entities(base, text)


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("is cocodamol strong", "co-codamol"),
        ("coamoxiclav and milk", "amoxicillin-clavulanate"),
        ("antiinflammatories after surgery", "nonsteroidal_anti-inflammatory_drugs"),
    ],
)
def test_the_hyphen_behind_a_short_part_may_be_missing(
    base: KnowledgeBase, text: str, entity: str
) -> None:
    assert entity in _entities(base, text)


@pytest.mark.parametrize(
    "text",
    ["she is on dig", "dig level 2.4 today", "he takes warfarin and dig.", "Dig/warfarin ok?"],
)
def test_a_short_name_is_read_beside_what_tells_of_a_medicine(
    base: KnowledgeBase, text: str
) -> None:
    assert "digoxin" in _entities(base, text)


@pytest.mark.parametrize(
    "text",
    [
        "I dig in the garden and my back hurts",
        "she takes warfarin and dig holes",
        "the gent next door has a cough",
        "my friend Sita has asthma",
        "we are off to the panto with a cold",
    ],
)
def test_a_short_name_is_a_word_elsewhere(base: KnowledgeBase, text: str) -> None:
    assert not _entities(base, text) & {"digoxin", "gentamicin", "sitagliptin", "pantoprazole"}


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("do HEPA filters help", "hepatitis_a"),
        ("不必奇怪，我只是感冒", "diosmectite"),
        ("冬天脱毛衣有静电", "hair_loss"),
        ("can I have the shingles vaccine", "recombinant_shingles_vaccine"),
    ],
)
def test_no_name_hides_in_other_words(base: KnowledgeBase, text: str, entity: str) -> None:
    assert entity not in _entities(base, text)
