"""What papers are recorded to say is asked for in a verb, and told with each paper's address."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from medweave import KnowledgeBase

ROWS = [
    ("smoking", "risk_factor", "aggravate", "AMD", "disease", "NCT00000001"),
    ("smoking", "risk_factor", "aggravate", "age-related macular degeneration", "disease", "pub.1"),
    ("smoking", "risk_factor", "cause", "cataract", "disease", "pub.1000001"),
    ("advanced age", "risk_factor", "cause", "AMD", "disease", "pub.1000002"),
    ("CFH", "gene", "cause", "AMD", "disease", "pub.1000003"),
    ("ARMS2", "gene", "prevent", "AMD", "disease", "pub.1000003"),
    ("AMD", "risk_factor", "affect", "macula", "body_part", "pub.1000004"),
    ("ranibizumab", "treatment", "treat", "wet AMD", "disease", "ISRCTN00000001"),
    ("ranibizumab", "treatment", "improve", "visual acuity", "prognosis", "ISRCTN00000001"),
    ("ophthalmoscopy", "test", "diagnose", "geographic atrophy", "disease", "a note of ours"),
    ("geographic atrophy", "disease", "present", "dark spots", "symptom", "pub.1000005"),
]
COLUMNS = ("entity1_name", "entity1_type", "relation_type", "entity2_name", "entity2_type",
           "pub_id")  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder: Path = tmp_path_factory.mktemp("papers")
    lines = [json.dumps(dict(zip(COLUMNS, row, strict=True))) for row in ROWS]
    (folder / "relations.jsonl").write_text("\n".join(lines), "utf-8")
    with KnowledgeBase.open(str(folder / "papers.db"), create=True) as opened:
        report = opened.build([folder / "relations.jsonl"])
        assert not report.skipped
        yield opened


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Does smoking aggravate AMD?", "yes, smoking aggravates age-related macular degeneration"),
        ("Is AMD aggravated by smoking?", "yes, smoking aggravates age-related macular"),
        ("What does smoking cause?", "leading to (1): cataract"),
        ("At what age could you develop AMD?", "degeneration (1): advanced age"),
        ("Which genes cause AMD?", "leading to age-related macular degeneration (1): CFH"),
        ("What causes cataract?", "smoking"),
        ("What does AMD affect?", "macula"),
        ("What treats wet AMD?", "ranibizumab"),
        ("What does ranibizumab improve?", "visual acuity"),
        ("How is geographic atrophy diagnosed?", "ophthalmoscopy"),
        ("How does geographic atrophy present?", "dark spots"),
        ("What are the signs of geographic atrophy?", "dark spots"),
    ],
)  # fmt: skip
def test_each_end_is_found(base: KnowledgeBase, text: str, told: str) -> None:
    answer = base.ask(text)
    assert told in answer.text
    assert answer.status == "answered"


def test_what_is_not_recorded_is_no_no(base: KnowledgeBase) -> None:
    answer = base.ask("Does cataract aggravate AMD?")
    assert "yes" not in answer.text.lower()
    assert any("does not mean that it does not" in line for line in answer.missing)


def test_what_papers_only_suppose_is_no_yes(base: KnowledgeBase, tmp_path: Path) -> None:
    rows = "subject,subject_concept,predicate,object,object_concept,strength"
    (tmp_path / "rows.csv").write_text(
        f"{rows}\ncoffee,food,aggravates,gout,disease,0.5\nbeer,food,aggravates,gout,disease,1\n"
    )
    with KnowledgeBase.open(str(tmp_path / "hedged.db"), create=True) as hedged:
        hedged.build([tmp_path / "rows.csv"])
        assert "not as certain: coffee aggravates" in hedged.ask("Does coffee aggravate gout?").text
        assert "yes, beer aggravates" in hedged.ask("Does beer aggravate gout?").text
        assert "beer and coffee (not certain)" in hedged.ask("What aggravates gout?").text


def test_what_is_not_known_gets_no_list(base: KnowledgeBase) -> None:
    assert not base.ask("Does zarquonite aggravate AMD?").sentences


def test_each_paper_has_the_address_of_its_registry(base: KnowledgeBase) -> None:
    urls = {each.name: each.url for each in base.knowledge.store.documents()}
    assert urls["NCT00000001"] == "https://clinicaltrials.gov/study/NCT00000001"
    assert urls["pub.1000005"] == "https://app.dimensions.ai/details/publication/pub.1000005"
    assert not urls["a note of ours"]


def test_what_a_model_read_is_called_so(base: KnowledgeBase) -> None:
    agents = {e.agent_type for s in base.knowledge.store.match() for e in s.evidence}
    assert agents == {"text_mining_agent"}
