"""An animal is no patient here; a person beside one always is."""

from __future__ import annotations

import pytest

from medweave.language.segmentation import language_of
from medweave.understanding.asides import find_aside


@pytest.mark.parametrize(
    "text",
    [
        "my dog has arthritis, can he take ibuprofen",
        "My rabbit seems to be in pain, which painkiller",
        "Our cat is limping, is paracetamol ok for it?",
        "Is aspirin safe for a puppy with a fever",
        "My horse can't walk well, would naproxen help him?",
        "our kitten keeps vomiting, what can she have",
        "can I give my dog paracetamol",
        "My dog won't eat since yesterday, can she take omeprazole?",
        "The vet says my dog has arthritis, can he take ibuprofen",
        "我家狗关节炎，能吃布洛芬吗",
        "家里猫发烧了，可以用对乙酰氨基酚吗",
        "我家的小狗一直咳嗽，能不能吃阿莫西林",
    ],
)
def test_an_animal_is_told_so(text: str) -> None:
    assert find_aside(text, language_of(text)) == "animal"


@pytest.mark.parametrize(
    "text",
    [
        "my dog is ill and my head hurts, can I take ibuprofen",
        "She is pregnant and our cat has fleas, can she take ibuprofen",
        "He has asthma and my dog has fleas, can he take propranolol",
        "My dog needs walking but my back hurts, can ibuprofen help",
        "I'm on warfarin and my dog bit me, can I take ibuprofen",
        "Our cat has ringworm and my wife is pregnant, can she use terbinafine",
        "My dog looks fine. My stomach hurts, is aspirin ok?",
        "My cat keeps scratching him, can he take aspirin",
        "我家狗咬了我，能吃布洛芬吗",
        "我家猫把孩子抓伤了，能用阿莫西林吗",
        "立马吃布洛芬可以吗",
        "老婆怀孕了，家里狗生病，她能吃布洛芬吗",
    ],
)
def test_a_person_beside_an_animal_is_answered(text: str) -> None:
    assert find_aside(text, language_of(text)) == ""
