"""What is recorded of a class, or of most of its members, is told of a member hardly known."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase


def stops(base: KnowledgeBase, text: str) -> dict[str, tuple[str, str]]:
    """The level and the reason of what applies, by medicine, the gravest last."""
    found = [stop for stop in base.ask(text).stops if stop.status == "applies"]
    found.sort(key=lambda stop: stop.hard)
    return {stop.entity.name("en"): (stop.level, stop.reason) for stop in found}


@pytest.mark.parametrize("coumarin", ["acenocoumarol", "phenprocoumon", "Sintrom"])
@pytest.mark.parametrize("other", ["metronidazole", "fluconazole", "ciprofloxacin", "naproxen"])
def test_a_coumarin_is_one_whichever(base: KnowledgeBase, coumarin: str, other: str) -> None:
    assert stops(base, f"I take {coumarin}. Is {other} ok?")[other][0] == "avoid"


@pytest.mark.parametrize(
    ("text", "drug", "words"),
    [
        (
            "Can I take pitavastatin with clarithromycin?",
            "pitavastatin",
            "recorded for simvastatin",
        ),
        ("Can I take torasemide with gout?", "torasemide", "gout (as one of the loop diuretics"),
    ],
)
def test_kin_call_for_care(base: KnowledgeBase, text: str, drug: str, words: str) -> None:
    level, reason = stops(base, text)[drug]
    assert level == "care"
    assert words in reason


def test_what_one_member_of_several_does_is_not_carried(base: KnowledgeBase) -> None:
    """Of the beta blockers propranolol alone is recorded with warfarin."""
    assert "atenolol" not in stops(base, "I take warfarin. Is atenolol ok with it?")


def test_what_kin_do_stands_before_that_nothing_is_recorded(base: KnowledgeBase) -> None:
    answer = base.ask("pitavastatin with clarithromycin?")
    assert "others of a class" in answer.sentences[0].text
    assert not answer.direct


@pytest.mark.parametrize(
    ("text", "drug", "words"),
    [
        ("He is 82 with an enlarged prostate. Piriton for his hay fever?", "chlorphenamine",
         "enlarged prostate"),
        ("Narrow angle glaucoma. Is promethazine ok?", "promethazine", "glaucoma"),
        ("She is 84 and has fallen twice. zolpidem?", "zolpidem", "falls"),
    ],
)  # fmt: skip
def test_sedating_medicines_in_the_old(
    base: KnowledgeBase, text: str, drug: str, words: str
) -> None:
    assert words in stops(base, text)[drug][1]


def test_who_vomits_and_has_diarrhea_dries_out(base: KnowledgeBase) -> None:
    told = "throwing up and diarrhoea for two days. Do I carry on with metformin?"
    assert "dehydration" in stops(base, told)["metformin"][1]
    assert "metformin" not in stops(base, "I threw up once. Do I carry on with metformin?")
