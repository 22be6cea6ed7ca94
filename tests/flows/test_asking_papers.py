"""What papers are recorded to say is asked for in a verb, and told with each paper's address."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
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


@pytest.mark.parametrize(
    "text",
    [
        "does smoking aggravate amd",
        "Isn't it true that smoking aggravates AMD?",
        "Doesn't smoking aggravate AMD?",
        "Isn't AMD aggravated by smoking?",
        "You stupid bot, doesn't smoking obviously aggravate AMD?",
        "Surely smoking aggravates AMD, right?",
        "Smoking aggravates AMD, doesn't it?",
        "What is the evidence that smoking aggravates AMD?",
        "Which papers say that smoking aggravates AMD?",
    ],
)
def test_how_it_is_asked_does_not_change_what_is_recorded(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert "yes, smoking aggravates age-related macular degeneration" in answer.text
    assert {e["document"] for e in answer.to_json()["evidence"].values()} >= {"NCT00000001"}


@pytest.mark.parametrize(
    "text", ["Isn't it true that smoking cures AMD?", "Smoking cures AMD, right?"]
)
def test_a_false_claim_that_expects_a_yes_gets_none(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert "yes" not in answer.text
    assert "smoking aggravates age-related macular degeneration" in answer.text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("What is the role of CFH in AMD?", "CFH leads to age-related macular degeneration"),
        ("What is the effect of smoking on AMD?", "smoking aggravates age-related macular"),
        ("Which trials studied ranibizumab for wet AMD?", "ranibizumab is used for wet"),
        ("What is the evidence for ranibizumab in wet AMD?", "ranibizumab is used for wet"),
    ],
)
def test_a_role_is_what_is_recorded_of_both(base: KnowledgeBase, text: str, told: str) -> None:
    assert told in base.ask(text).text


@pytest.mark.parametrize(
    "text", ["Can you tell me what affects macula?", "Hello, do you know what affects the macula?"]
)
def test_who_asks_politely_what_wants_a_list(base: KnowledgeBase, text: str) -> None:
    assert "age-related macular degeneration" in base.ask(text).text


def test_changes_of_habits_are_no_verb(base: KnowledgeBase) -> None:
    told = base.ask("Which lifestyle changes prevent AMD?").text
    assert "used to prevent" in told or "protecting" in told
    assert "affect" not in told


def test_who_does_not_have_a_thing_denies_it(base: KnowledgeBase) -> None:
    understood = base.understand("Don't have AMD, does smoking cause cataract?")
    assert [m.status for m in understood.mentions if m.text == "AMD"] == ["absent"]


def _built(tmp_path: Path, rows: Sequence[tuple[str, ...]]) -> KnowledgeBase:
    lines = [json.dumps(dict(zip(COLUMNS, row, strict=True))) for row in rows]
    (tmp_path / "rows.jsonl").write_text("\n".join(lines), "utf-8")
    opened = KnowledgeBase.open(str(tmp_path / "rows.db"), create=True)
    opened.build([tmp_path / "rows.jsonl"])
    return opened


def test_a_count_rests_on_all_that_is_counted(tmp_path: Path) -> None:
    """A list that says how many there are has the paper of each, also of those it does not name."""
    rows = [("glare", "risk_factor", "affect", f"layer {n}", "body_part", f"NCT0000{n:04}")
            for n in range(40)]  # fmt: skip
    with _built(tmp_path, rows) as base:
        answer = base.ask("What does glare affect?")
    assert "(40): " in answer.text
    assert "and 28 more" in answer.text
    documents = {each["document"] for each in answer.to_json()["evidence"].values()}
    assert documents == {row[-1] for row in rows}


@pytest.mark.parametrize("asked", ["treatments", "therapies", "drugs"])
def test_treatments_are_more_than_drugs(tmp_path: Path, asked: str) -> None:
    rows = [
        ("ibuprofen", "treatment", "treat", "uveitis", "disease", "NCT00000021"),
        ("lamp therapy", "treatment", "treat", "uveitis", "disease", "NCT00000022"),
    ]
    with _built(tmp_path, rows) as base:
        answer = base.ask(f"Which {asked} are there for uveitis?")
    assert "ibuprofen" in answer.text
    assert ("lamp therapy" in answer.text) is (asked != "drugs")
    assert not any("no treatment" in line for line in answer.missing)


def test_what_asks_is_no_thing(tmp_path: Path) -> None:
    """ "Complications" and "biomarkers" say what is asked for, also where a paper's reader made
    things of them."""
    rows = [
        ("complications", "disease", "affect", "vision", "symptom", "pub.1000021"),
        ("uveitis", "disease", "cause", "scarring", "complication", "pub.1000022"),
        ("biomarkers", "biomarker", "affect", "vision", "symptom", "pub.1000021"),
        ("protein XZ7", "biomarker", "diagnose", "uveitis", "disease", "pub.1000023"),
        ("slit lamp", "test", "diagnose", "uveitis", "disease", "pub.1000023"),
    ]
    with _built(tmp_path, rows) as base:
        assert "scarring" in base.ask("What are the complications of uveitis?").text
        found = base.ask("Which biomarkers indicate uveitis?").text
    assert "protein XZ7" in found
    assert "slit lamp" not in found
