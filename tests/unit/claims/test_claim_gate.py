"""What a text claims is let through as it is recorded, and in no other way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from medweave.errors import QuestionError
from medweave.knowledge_base import KnowledgeBase
from tests.commands import medweave


@pytest.fixture(scope="module")
def base() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.sample() as opened:
        yield opened


@pytest.mark.parametrize(
    "text",
    [
        "Gout can cause joint pain and joint swelling.",
        "Possible complications of gout are tophi and kidney stones.",
        "Sertraline, an SSRI, is used for depression.",
        "Codeine must not be given to children under 10 years.",
        "Fever is not a symptom of gastroesophageal reflux disease.",
        "Amoxicillin is given at 75 to 100 mg/kg per day for pneumonia in children aged 2 months to"
        " 5 years.",
        "Paracetamol is used for fever in children.",
        "痛风的症状包括关节痛和关节肿胀。",
        "8岁以下儿童禁用多西环素。",
    ],
)
def test_what_is_recorded_is_supported_by_statements_with_evidence(
    base: KnowledgeBase, text: str
) -> None:
    checked = base.verify(text)
    assert checked.verdict == "supported"
    for claim in checked.claims:
        assert claim.statements
        assert all(checked.statements[each].evidence for each in claim.statements)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Gout can cause hair loss.", "entity"),
        ("Obesity is a symptom of gout.", "relation"),
        ("Gout raises the risk of obesity.", "direction"),
        ("Gout does not cause joint pain.", "negation"),
        ("Lisinopril is safe in pregnancy.", "negation"),
        ("Warfarin can safely be taken together with ibuprofen.", "negation"),
        ("Codeine must not be given to children under 16 years.", "number"),
        ("A burn injury should be cooled under cool running water for 5 minutes.", "number"),
        ("The usual dose of ibuprofen is 800 mg every four hours.", "dose"),
        ("Amoxicillin is given at 75 to 100 mg/kg per day for pneumonia.", "dose"),
        ("Codeine is used for pain in children under 10.", "negation"),
        ("Lisinopril is used for hypertension in pregnancy.", "negation"),
        ("Aspirin should be given to children with influenza.", "unknown"),
        ("痛风是肥胖的危险因素。", "direction"),
        ("哮喘不会引起喘息。", "negation"),
        ("布洛芬每次两片，用于发热。", "dose"),
    ],
)
def test_what_is_subtly_wrong_is_caught_with_its_reason(
    base: KnowledgeBase, text: str, reason: str
) -> None:
    checked = base.verify(text)
    assert checked.verdict != "supported"
    assert reason in [claim.reason for claim in checked.claims]


def test_what_the_base_denies_is_told_from_what_it_does_not_say(base: KnowledgeBase) -> None:
    denied, silent = base.verify(
        "Iron deficiency anemia causes fever. Gout causes hair loss."
    ).claims
    assert denied.denied
    assert denied.statements
    assert not silent.denied
    assert not silent.statements


def test_each_member_of_a_list_is_a_claim_and_has_its_place(base: KnowledgeBase) -> None:
    text = "Hello. Gout can cause joint pain and hair loss."
    checked = base.verify(text)
    assert checked.verdict == "partly"
    assert [claim.supported for claim in checked.claims[-2:]] == [True, False]
    assert all(text[claim.start : claim.end] == claim.text for claim in checked.claims)


def test_an_empty_text_is_refused(base: KnowledgeBase) -> None:
    with pytest.raises(QuestionError):
        base.verify("  ")


def test_the_command_says_in_words_what_is_wrong() -> None:
    shown = medweave("verify", "Gout raises the risk of obesity.")
    assert "the base does not say so" in shown.out
    assert "the other way round" in shown.out
