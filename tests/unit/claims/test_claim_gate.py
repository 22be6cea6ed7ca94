"""What a text claims is let through as it is recorded, and in no other way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from medweave.errors import QuestionError
from medweave.knowledge_base import KnowledgeBase
from tests.commands import medweave


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
        "Left untreated, gastritis can lead to a stomach ulcer.",
        "Tinnitus has been reported with gentamicin.",
        "People with gout have a higher risk of kidney stones.",
        "Elderly people should use apixaban with caution.",
        "Alcohol is forbidden during treatment with disulfiram.",
        "痛风的症状包括关节痛和关节肿胀。",
        "8岁以下儿童禁用多西环素。",
        "Aspirin should not be given to children aged 8 years.",
        "Codeine is contraindicated in a 9-year-old.",
        "Neither codeine nor aspirin should be given to children under 10.",
        "Ibuprofen must not be taken at 32 weeks of pregnancy.",
        "Amoxicillin is in the class of penicillins.",
        "Febuxostat treats gout, and so does colchicine.",
        "Colchicine treats gout; febuxostat does too.",
        "Obesity is not only a risk factor for psoriasis but also for gout.",
        "麻疹的症状有发热，其并发症包括肺炎。",
        "7岁的孩子禁用四环素。",
        "妊娠晚期禁用布洛芬。",
        "丙戊酸用于癫痫，卡马西平也可以。",
        "辛伐他汀与克拉霉素不能合用。",
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
        ("Ibuprofen and warfarin can be taken together without any risk.", "negation"),
        ("It is not dangerous to combine warfarin and ibuprofen.", "relation"),
        ("The risk of kidney stones is lower in people with gout.", "relation"),
        ("Half of all people with gout get kidney stones.", "number"),
        ("Thirty percent of people with mumps get orchitis.", "number"),
        ("Most people with measles develop pneumonia.", "number"),
        ("Everybody with gout gets kidney stones.", "number"),
        ("Warfarin is a harmless drug that interacts with aspirin.", "relation"),
        ("Levodopa is a cheap drug that can cause dizziness.", "unknown"),
        ("Measles is caused by a virus and its complications include pneumonia.", "unknown"),
        ("Asthma causes wheezing and is caused by a fungus.", "unknown"),
        ("Measles is mild and can cause pneumonia.", "unknown"),
        ("Codeine must not be given to a child of 14 years.", "number"),
        ("Ibuprofen must not be taken at 12 weeks of pregnancy.", "relation"),
        ("Febuxostat treats gout, and so does warfarin.", "entity"),
        ("Amoxicillin is given at 80 mg/kg per day for pneumonia in a child aged 3 years.", "dose"),
        ("大多数痛风会引起肾结石。", "number"),
        ("痛风患者都会出现肾结石。", "number"),
        ("左旋多巴是一种便宜的药物，可引起头晕。", "unknown"),
        ("哮喘由真菌引起，其症状包括喘息。", "entity"),
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


_NETWORK = """\
subject,predicate,object
pituitary gland,expresses_gene,LRIG3
cyclosporine,binds_gene,CAMLG
ABCB6,regulates_gene,CRIP1
prostate cancer,associated_with_gene,GNRH1
scrub typhus,spread_by,larval mites
"""


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("network")
    (folder / "network.csv").write_text(_NETWORK, "utf-8")
    medweave("build", "--kb", str(folder / "network.db"), str(folder / "network.csv"))
    with KnowledgeBase.open(str(folder / "network.db")) as opened:
        yield opened


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("LRIG3 is expressed in the pituitary gland.", "The pituitary gland expresses CAMLG."),
        ("CAMLG is bound by cyclosporine.", "Cyclosporine does not bind to CAMLG."),
        ("CAMLG is a target of cyclosporine.", "Cyclosporine upregulates CAMLG."),
        ("CRIP1 is regulated by ABCB6.", "CRIP1 regulates ABCB6."),
        ("GNRH1 has been linked to prostate cancer.", "GNRH1 is not linked to prostate cancer."),
        ("Scrub typhus is spread by larval mites.", "Larval mites are spread by scrub typhus."),
    ],
)
def test_every_relation_of_a_base_is_read_with_its_direction(
    network: KnowledgeBase, right: str, wrong: str
) -> None:
    assert network.verify(right).verdict == "supported"
    assert network.verify(wrong).verdict == "unsupported"
