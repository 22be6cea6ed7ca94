"""What papers say of two things, or of one, however it is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from medweave import Answer, KnowledgeBase
from medweave.app import sample_files

ROWS = [
    ("zelorin", "treatment", "treat", "AMD", "disease", "NCT00000011"),
    ("zelorin", "treatment", "prevent", "early AMD", "disease", "pub.1000011"),
    ("zelorin", "treatment", "improve", "visual acuity", "prognosis", "pub.1000011"),
    ("QRS9", "gene", "cause", "AMD", "disease", "pub.1000012"),
    ("QRS9", "gene", "affect", "macula", "body_part", "pub.1000012"),
    ("glare", "risk_factor", "aggravate", "geographic atrophy", "disease", "pub.1000013"),
    ("protein therapy", "treatment", "treat", "uveitis", "disease", "NCT00000012"),
    ("fundus scan", "test", "diagnose", "geographic atrophy", "disease", "ISRCTN00000011"),
    ("geographic atrophy", "disease", "present", "dark spots", "symptom", "pub.1000014"),
]
COLUMNS = ("entity1_name", "entity1_type", "relation_type", "entity2_name", "entity2_type",
           "pub_id")  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder: Path = tmp_path_factory.mktemp("relations")
    lines = [json.dumps(dict(zip(COLUMNS, row, strict=True))) for row in ROWS]
    (folder / "relations.jsonl").write_text("\n".join(lines), "utf-8")
    with KnowledgeBase.open(str(folder / "relations.db"), create=True) as opened:
        assert not opened.build([folder / "relations.jsonl"]).skipped
        yield opened


@pytest.fixture(scope="module")
def sample() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.sample() as opened:
        yield opened


def urls(answer: Answer) -> set[str]:
    return {evidence["url"] for evidence in answer.to_json()["evidence"].values()}


@pytest.mark.parametrize(
    ("text", "said", "address"),
    [
        ("Is QRS9 associated with AMD?", "yes, QRS9 leads to", "publication/pub.1000012"),
        ("Is there a link between AMD and QRS9?", "yes, QRS9 leads to", "pub.1000012"),
        ("Are QRS9 and AMD connected?", "yes, QRS9 leads to", "pub.1000012"),
        ("Does QRS9 affect AMD?", "yes, QRS9 leads to", "pub.1000012"),
        ("Is QRS9 a risk factor for AMD?", "yes, QRS9 leads to", "pub.1000012"),
        ("Is zelorin a treatment for AMD?", "yes, zelorin is used for", "study/NCT00000011"),
        ("Can early AMD be prevented by zelorin?", "yes, zelorin is used to", "pub.1000011"),
        ("Does glare make geographic atrophy worse?", "yes, glare aggravates", "pub.1000013"),
        ("Are dark spots a sign of geographic atrophy?", "geographic atrophy shows", "1000014"),
        ("Is geographic atrophy detected by fundus scan?", "yes, fundus scan indicates", "ISRCTN"),
    ],
)  # fmt: skip
def test_a_claim_is_held_against_papers(
    base: KnowledgeBase, text: str, said: str, address: str
) -> None:
    answer = base.ask(text)
    assert said in answer.text
    assert any(address in url for url in urls(answer))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What is zelorin used for?", "macular degeneration"),
        ("For what is zelorin given?", "macular degeneration"),
        ("What does zelorin protect against?", "early AMD"),
        ("What is prevented by zelorin?", "early AMD"),
        ("What gets better with zelorin?", "visual acuity"),
        ("What helps with visual acuity?", "zelorin"),
        ("What is fundus scan used to diagnose?", "geographic atrophy"),
        ("Which disorders can be detected with fundus scan?", "geographic atrophy"),
        ("What makes geographic atrophy worse?", "glare"),
        ("In which conditions are dark spots seen?", "geographic atrophy"),
        ("How does geographic atrophy show itself?", "dark spots"),
        ("Why does AMD happen?", "QRS9"),
        ("Which genes are linked to AMD?", "QRS9"),
        ("What lowers the risk of early AMD?", "zelorin"),
        ("Against what does zelorin help protect?", "early AMD"),
        ("By which examination is geographic atrophy found?", "fundus scan"),
        ("What has protein therapy been tried for?", "uveitis"),
    ],
)
def test_either_end_is_told(base: KnowledgeBase, text: str, named: str) -> None:
    answer = base.ask(text)
    assert named in answer.text
    assert all(url.startswith("https://") for url in urls(answer))


def test_a_list_of_genes_names_no_drugs(base: KnowledgeBase) -> None:
    assert "zelorin" not in base.ask("Which genes are associated with AMD?").text


def test_another_relation_is_no_yes(base: KnowledgeBase) -> None:
    """What is recorded of two things in another relation stands there as what it is."""
    answer = base.ask("Does QRS9 treat AMD?")
    assert "Recorded: QRS9 leads to" in answer.text
    assert "yes" not in answer.text
    assert any("records no use of QRS9" in line for line in answer.missing)


def test_how_two_things_go_together_is_told_without_a_yes(base: KnowledgeBase) -> None:
    text = base.ask("How does QRS9 affect AMD?").text
    assert "QRS9 leads to" in text
    assert "yes" not in text


def test_nothing_between_two_things_is_no_no(base: KnowledgeBase) -> None:
    answer = base.ask("Is QRS9 associated with glare?")
    assert not answer.sentences
    assert any("that does not mean that there is none" in line for line in answer.missing)


def test_what_is_not_understood_is_told_of_whole_and_said_to_be(base: KnowledgeBase) -> None:
    answer = base.ask("What is the zing of glare?")
    assert "aggravating" in answer.text
    assert answer.status == "partial"
    assert answer.missing


def test_denied_stands_beside_affirmed(tmp_path: Path) -> None:
    head = "subject,subject_concept,predicate,object,object_concept,strength,polarity"
    rows = [
        "kelp,food,protects_from,gout,disease,1,1",
        "kelp,food,improves,gout,disease,1,-1",
        "tea,food,leads_to,gout,disease,0.5,1",
    ]
    (tmp_path / "rows.csv").write_text("\n".join([head, *rows]))
    with KnowledgeBase.open(str(tmp_path / "kelp.db"), create=True) as base:
        base.build([tmp_path / "rows.csv"])
        both = base.ask("Is kelp associated with gout?").text
        assert "yes, kelp protects from gout" in both
        assert "a source denies that kelp improves gout" in both
        hedged = base.ask("Is tea associated with gout?").text
        assert "not as certain: tea leads to gout" in hedged
        assert "yes" not in hedged


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Is CFH associated with AMD?", "yes, CFH leads to age-related macular degeneration"),
        ("Does smoking aggravate AMD?", "not as certain: smoking leads to"),
        ("Is smoking linked to AMD?", "smoking is a risk factor for"),
        ("At what age could you develop AMD?", "older adults"),
        ("What treats wet AMD?", "ranibizumab"),
        ("Which genes are associated with AMD?", "HTRA1"),
    ],
)
def test_the_sample_answers(sample: KnowledgeBase, text: str, said: str) -> None:
    assert said in sample.ask(text).text


def test_what_has_no_public_reference_has_no_address(sample: KnowledgeBase) -> None:
    answer = sample.ask("At what age could you develop AMD?")
    assert answer.sentences
    assert not any(urls(answer))


@pytest.mark.parametrize(
    "text",
    [
        "Does glare always aggravate geographic atrophy?",
        "Can early AMD be prevented with zelorin alone?",
        "Does QRS9 affect AMD more than glare?",
        "Does QRS9 cause only AMD?",
    ],
)
def test_a_claim_of_more_than_a_relation_gets_no_yes(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert answer.sentences
    assert "yes" not in answer.text


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("question", "stopped"),
    [
        ("What improves vision loss? I take warfarin", True),
        ("I am 30 weeks pregnant. What improves vision loss?", True),
        ("I am pregnant. What improves vision loss?", True),
        ("What has been studied for vision loss? I have a stomach ulcer", True),
        ("What improves vision loss?", False),
    ],
)
def test_a_drug_that_papers_name_is_held_against_the_person(
    tmp_path: Path, question: str, stopped: bool
) -> None:
    head = "subject,subject_concept,predicate,object,object_concept,publication,quote"
    rows = [
        f"ibuprofen,drug,{relation},vision loss,disease,NCT00000125,Ibuprofen {relation} it"
        for relation in ("improves", "studied_for")
    ]
    papers = tmp_path / "papers.csv"
    papers.write_text("\n".join([head, *rows]) + "\n", "utf-8")
    monographs = [path for path in sample_files() if path.name == "drugs.en.json"]
    with KnowledgeBase.open("memory:") as base:
        base.build([*monographs, papers])
        answer = base.ask(question)
    standings = {g.standing for listed in answer.drugs for g in listed.groups}
    assert ("stopped" in standings) is stopped
    assert any("ibuprofen" in sentence.text for sentence in answer.sentences) is not stopped
