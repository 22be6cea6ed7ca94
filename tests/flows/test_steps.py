"""Questions answered in steps over a graph, and the answer in one value."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from medweave import KnowledgeBase
from medweave.contributors.question_subgraph import subgraph_of_question
from medweave.retrieval.graph.subgraph import expanded
from tests.commands import medweave
from tests.typed_rows import MAPPING

ROWS = """subject,subject_type,predicate,object,object_type
asthma,disease,has_symptom,wheezing,symptom
asthma,disease,has_symptom,cough,symptom
bronchitis,disease,has_symptom,wheezing,symptom
bronchitis,disease,has_symptom,cough,symptom
bronchitis,disease,has_symptom,fever,symptom
influenza,disease,has_symptom,cough,symptom
influenza,disease,has_symptom,fever,symptom
salbutamol,drug,used_for,asthma,disease
theophylline,drug,used_for,asthma,disease
amoxicillin,drug,used_for,bronchitis,disease
oseltamivir,drug,used_for,influenza,disease
theophylline,drug,has_side_effect,nausea,symptom
oseltamivir,drug,has_side_effect,nausea,symptom
salbutamol,drug,binds_gene,ADRB2,gene
theophylline,drug,binds_gene,PDE4A,gene
theophylline,drug,binds_gene,ADORA1,gene
asthma,disease,associated_with_gene,ADRB2,gene
asthma,disease,associated_with_gene,IL13,gene
bronchitis,disease,associated_with_gene,IL13,gene
IL13,gene,regulates_gene,ADRB2,gene
ADRB2,gene,participates_in,smooth muscle contraction,biological_process
amoxicillin,drug,contraindicated_in,influenza,disease
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("steps")
    (folder / "rows.csv").write_text(ROWS, "utf-8")
    (folder / "rows.yaml").write_text(MAPPING, "utf-8")
    built = medweave(
        "build", "--kb", folder / "kb.db", "--mapping", folder / "rows.yaml", folder / "rows.csv"
    )
    assert built.status == 0, built.err
    return folder


@pytest.fixture(scope="module")
def base(folder: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(str(folder / "kb.db"), read_only=True, create=False) as opened:
        yield opened


def result_of(base: KnowledgeBase, question: str) -> Any:
    value = base.ask(question).to_json()["result"]["value"]
    return {each["name"] for each in value} if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which genes does theophylline bind?", {"PDE4A", "ADORA1"}),
        ("Which genes are associated with both asthma and bronchitis?", {"IL13"}),
        ("Which genes are associated with asthma but not with bronchitis?", {"ADRB2"}),
        ("Which drugs bind genes associated with asthma?", {"salbutamol"}),
        ("Which asthma drugs can lead to nausea?", {"theophylline"}),
        ("Which drugs for asthma do not cause nausea?", {"salbutamol"}),
        ("drugs for the diseases that cause wheezing",
         {"salbutamol", "theophylline", "amoxicillin"}),
        ("Which genes regulate ADRB2?", {"IL13"}),
        ("Which genes does ADRB2 regulate?", set()),
        ("In which biological processes do the targets of salbutamol take part?",
         {"smooth muscle contraction"}),
        ("What side effects do drugs for asthma have?", {"nausea"}),
        ("Which diseases cause both cough and fever but not wheezing?", {"influenza"}),
        ("Name the symptoms of bronchitis that asthma does not have.", {"fever"}),
        ("Which symptoms of bronchitis doesn't asthma have?", {"fever"}),
        ("What are the side effects of the drugs used for asthma?", {"nausea"}),
        ("Which drugs are used for the symptoms of asthma?", set()),
        ("List the genes which commonly bind to the drugs salbutamol and theophylline", set()),
        ("Which drugs are used for asthma, and which genes do they bind?",
         {"ADRB2", "PDE4A", "ADORA1"}),
    ],
)  # fmt: skip
def test_lists_are_whole(base: KnowledgeBase, question: str, found: set[str]) -> None:
    assert result_of(base, question) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Does salbutamol bind ADRB2?", True),
        ("Does salbutamol bind IL13?", False),
        ("Is IL13 regulated by ADRB2?", False),
        ("Does salbutamol bind a gene associated with asthma?", True),
        ("Do asthma and bronchitis share an associated gene?", True),
        ("Is it false that salbutamol binds ADRB2?", False),
        ("Is there a drug that treats asthma and causes nausea?", True),
        ("ADRB2 and IL13 are genes commonly associated with the disease asthma", True),
        ("ADRB2 and PDE4A are genes which commonly bind to the drug salbutamol", False),
        ("The gene ADRB2 is bound by salbutamol", True),
        ("wheezing and cough are common symptoms of asthma", True),
    ],
)
def test_yes_and_no_in_one_value(base: KnowledgeBase, question: str, found: bool | None) -> None:
    assert result_of(base, question) is found


def test_what_is_not_read_keeps_where_its_answer_lies(base: KnowledgeBase) -> None:
    """Words that nobody knows tell nothing, but what they can mean is left of the graph."""
    answer = base.ask("Onto which proteins does theophylline latch, pray?")
    [step] = answer.steps
    left = {end for each in step.subgraph.statements for end in each.statement.entities}
    names = {each.name() for each in base.knowledge.entities.all(left).values()}
    assert {"PDE4A", "ADORA1", "theophylline"} <= names
    assert "cough" not in names
    kept = {each.statement.id for each in step.subgraph.statements}
    gone = {each.statement for each in step.subgraph.removed}
    [named] = answer.question.mentions
    assert kept | gone >= expanded(named.entities, base.knowledge).keys()  # nothing is lost
    assert step.subgraph.before == len(kept | gone) == len(kept) + len(gone)


def test_what_lies_two_steps_away_is_kept_though_a_nearer_reading_is_found(
    base: KnowledgeBase,
) -> None:
    """A noun of which nothing was read ("adverse reactions" of no drug) leads on; and "thing" is no
    kind of thing."""

    def left(question: str) -> set[str]:
        around = [each for step in base.ask(question).steps for each in step.subgraph.statements]
        ends = {end for each in around for end in each.statement.entities}
        return {each.name() for each in base.knowledge.entities.all(ends).values()}

    assert "nausea" in left("People are treated for asthma: what adverse reactions can they meet?")
    assert "nausea" in left("If I swallowed theophylline, what unpleasant things could occur?")


@pytest.mark.parametrize(
    ("chinese", "english"),
    [
        ("茶碱结合哪些基因？", "Which genes does theophylline bind?"),
        ("与哮喘和支气管炎都有关的基因有哪些？",
         "Which genes are associated with both asthma and bronchitis?"),
        ("哪些基因与哮喘有关，但与支气管炎无关？",
         "Which genes are associated with asthma but not with bronchitis?"),
        ("哪些药物能结合与哮喘有关的基因？", "Which drugs bind genes associated with asthma?"),
        ("治疗哮喘的药物会引起哪些副作用？", "Which side effects do drugs for asthma have?"),
        ("用于哮喘但不会引起恶心的药物有哪些？", "Which drugs for asthma do not cause nausea?"),
        ("沙丁胺醇是否作用于ADRB2？", "Does salbutamol bind ADRB2?"),
        ("IL13是不是沙丁胺醇的靶点？", "Does salbutamol bind IL13?"),
        ("有没有治疗哮喘的药物能结合PDE4A？", "Is there a drug for asthma that binds PDE4A?"),
        ("下列哪个基因是沙丁胺醇的靶点？ A. IL13 B. ADRB2",
         "Which of the following genes is bound by salbutamol? A. IL13 B. ADRB2"),
    ],
)  # fmt: skip
def test_a_chinese_question_has_the_value_of_the_english_one(
    base: KnowledgeBase, chinese: str, english: str
) -> None:
    def value(question: str) -> Any:
        found = base.ask(question).to_json()["result"]["value"]
        return {each["id"] for each in found} if isinstance(found, list) else found

    assert value(chinese) == value(english)
    assert value(chinese) not in (None, set())


def test_steps_in_chinese_are_told_in_chinese(base: KnowledgeBase) -> None:
    answer = base.ask("哪些药物能结合与哮喘有关的基因？")
    first, second = answer.steps
    assert (first.question, second.question) == (
        "记录了哪些与哮喘有关的基因？",
        "记录了哪些结合与哮喘有关的基因的药物？",
    )
    assert "沙丁胺醇" in answer.sentences[-1].text


def test_relations_go_as_a_model_or_their_meaning_says(base: KnowledgeBase) -> None:
    question = base.understand("Tell me of theophylline")

    def left(**by: Any) -> tuple[set[str], set[str]]:
        around = subgraph_of_question(question, None, base.knowledge, **by)
        assert around
        relations = {each.statement.predicate for each in around.statements}
        return relations, {each.by for each in around.removed}

    called = base.knowledge.vocabulary.predicate("binds_gene").words("en")

    def far(_: str, others: Sequence[str]) -> list[float]:
        return [0.1 if other == called else 0.9 for other in others]

    assert "binds_gene" in left()[0]
    assert left(unrelated=lambda _: ["binds_gene"]) == (
        {"used_for", "has_side_effect"},
        {"distance", "model"},
    )
    relations, by = left(cosines=far)
    assert "binds_gene" not in relations
    assert "cosine" in by
    assert left(unrelated=lambda found: {s.statement.predicate for s in found.values()})[
        0
    ]  # what holds something is never emptied


def test_what_no_source_lists_is_not_denied(base: KnowledgeBase) -> None:
    """Of harm no list is complete; nor of what a base has no list of at all."""
    assert result_of(base, "Is salbutamol contraindicated in influenza?") is not True
    with KnowledgeBase.sample() as sample:  # monographs, and no list of a database
        assert result_of(sample, "Does asthma cause jaundice?") is None


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("Which of the following genes is bound by salbutamol? 1. IL13 2. ADRB2 3. PDE4A", "2"),
        ("Which of these drugs binds a gene associated with asthma? a) amoxicillin b) salbutamol",
         "B"),
        ("Which gene is not associated with asthma? A. ADRB2 B. PDE4A C. IL13", "B"),
        ("Does salbutamol bind ADRB2? a) No b) Yes", "B"),
        ("Which of the following is associated with the diseases asthma and bronchitis ? "
         "1. ADRB2 2. PDE4A 3. IL13", "3"),
        ("Which one is not a symptom of asthma: 1) wheezing 2) cough 3) fever", "3"),
        ("All of these are symptoms of asthma except: a. cough b. fever c. wheezing", "B"),
        ("Which drug is used for asthma: 1. oseltamivir 2. salbutamol?", "2"),
        ("Which would harm a patient with influenza: (A) salbutamol (B) amoxicillin", "B"),
    ],
)  # fmt: skip
def test_an_option_of_the_question(base: KnowledgeBase, question: str, label: str) -> None:
    answer = base.ask(question).to_json()
    assert (answer["result"]["kind"], answer["result"]["value"]) == ("choice", label)


@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("Which drugs are used for the complications of measles?", "azithromycin", "vitamin A"),
        ("What are the complications of the diseases caused by Helicobacter pylori?",
         "gastric cancer", "peptic ulcer"),
        ("What are the side effects of the drugs used for gestational diabetes?",
         "lactic acidosis", "metformin"),
        ("What do gout and kidney stones have in common as risk factors?", "obesity", "joint pain"),
        ("Which antibiotics for pneumonia belong to the tetracyclines?", "doxycycline",
         "amoxicillin"),
        ("Which tests are done for both asthma and pneumonia?", "chest X-ray", "allergy test"),
        ("What are the symptoms of diabetes and the causes of illness", "insulin resistance",
         "fever"),
    ],
)  # fmt: skip
def test_over_monographs_too(question: str, holds: str, lacks: str) -> None:
    with KnowledgeBase.sample() as sample:
        found = result_of(sample, question)
    assert holds in found
    assert lacks not in found


def test_what_is_offered_is_nobodys_complaint(base: KnowledgeBase) -> None:
    with KnowledgeBase.sample() as sample:
        asked = "Which of these is a side effect of sildenafil? a) rash b) headache c) gout"
        answer = sample.ask(asked).to_json()
    assert (answer["result"]["kind"], answer["result"]["value"]) == ("choice", "B")


def test_each_question_of_a_text_is_a_step() -> None:
    asked = "What is gout, how is it diagnosed and what are the treatment options?"
    with KnowledgeBase.sample() as sample:
        answer = sample.ask(asked).to_json()
    assert [step["type"] for step in answer["steps"]] == ["description", "test", "treatment"]
    assert all(step["statements"] for step in answer["steps"])
    named = {each["name"] for each in answer["result"]["value"]}
    assert {"uric acid test", "colchicine"} <= named


def test_a_step_feeds_the_next(base: KnowledgeBase) -> None:
    answer = base.ask("Which drugs bind genes associated with asthma?").to_json()
    first, second = answer["steps"]
    assert first["queries"] == [["asthma", "associated_with_gene", "?y"]]
    assert second["queries"] == [["?x", "binds_gene", "?y"]]
    assert set(first["statements"]) | set(second["statements"]) <= set(answer["statements"])
    for step in (first, second):
        size = step["subgraph"]
        assert size["before"] - size["after"] == len(step["removed"])
        assert size["after"] >= len(step["statements"]) > 0
        assert all(each["reason"] for each in step["removed"])


def test_a_simple_question_has_one_step(base: KnowledgeBase) -> None:
    answer = base.ask("What are the symptoms of asthma?").to_json()
    [step] = answer["steps"]
    assert step["question"] == "What are the symptoms of asthma?"
    assert step["statements"] and step["by"] == "rules"
    assert {each["name"] for each in answer["result"]["value"]} == {"wheezing", "cough"}


def test_a_relation_that_the_base_lacks_is_not_answered_beside_the_point() -> None:
    with KnowledgeBase.sample() as sample:
        answer = sample.ask("Which gene binds to aspirin?")
    assert answer.status == "abstained"
    assert not answer.sentences
    assert "no such relation" in answer.missing[0]


def test_parts_are_asked_in_the_order_of_a_doctor() -> None:
    with KnowledgeBase.sample() as sample:
        whole = sample.ask("What are the symptoms of gastric cancer and how to treat it.").to_json()
        hoarse = sample.ask("I have had a hoarse voice for weeks. What could it be?").to_json()
    assert [step["type"] for step in whole["steps"]] == ["symptom", "test", "treatment"]
    assert [step["type"] for step in hoarse["steps"]] == ["diagnosis", "test"]
    fed = {query[0] for query in hoarse["steps"][1]["queries"]}
    assert fed <= {each["name"] for each in hoarse["result"]["value"]}


def test_no_yes_where_a_stop_applies() -> None:
    with KnowledgeBase.sample() as sample:
        taken = sample.ask("I take warfarin. Can I take ibuprofen?").to_json()
        used = sample.ask("I have a stomach ulcer. Is ibuprofen used for migraine?").to_json()
        listed = sample.ask("What drugs for migraine if I have a stomach ulcer?").to_json()
    assert taken["result"] == {"kind": "yes_no", "value": False}
    assert used["result"]["value"] is not True
    names = {each["name"] for each in listed["result"]["value"]}
    assert "paracetamol" in names
    assert not names & {"ibuprofen", "aspirin", "naproxen"}


def test_kgqa_is_measured(folder: Path) -> None:
    lines = (
        '{"question": "Which genes does theophylline bind?", "answers": ["PDE4A", "ADORA1"]}',
        '{"question": "Does salbutamol bind IL13?", "answers": false}',
        '{"question": "Which gene is bound by salbutamol? a) IL13 b) ADRB2", "answers": "B"}',
        '{"question": "no answers"}',
    )
    (folder / "asked.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    ran = medweave("evaluate", "kgqa", folder / "asked.jsonl", "--kb", folder / "kb.db", "--json")
    told = json.loads(ran.out)
    systems = {each["name"]: each["measures"] for each in told["systems"]}
    assert set(systems) == {"medweave", "majority", "random", "one hop"}
    for name in ("hits@1", "precision", "recall", "f1", "accuracy", "answered", "subgraph_kept"):
        assert systems["medweave"][name]["value"] == 1.0
    assert systems["majority"]["f1"]["value"] < 1.0
    assert told["data"]["left_out"]
    beside = ("--strategies", "mindmap,one hop")
    ran = medweave(
        "evaluate", "kgqa", folder / "asked.jsonl", "--kb", folder / "kb.db", *beside, "--json"
    )
    assert [each["name"] for each in json.loads(ran.out)["systems"]] == [
        "medweave",
        "one hop",
        "mindmap",
    ]


def test_a_claim_of_a_finding_is_no_complaint(base: KnowledgeBase) -> None:
    """Whatever disease has the finding, the one that is named is asked about."""
    answer = base.ask("Is influenza characterised by wheezing?")
    assert answer.result.kind == "yes_no"
    assert not answer.candidates


@pytest.mark.parametrize(
    "text",
    [
        "A 57-year-old man has had a hoarse voice for six weeks despite taking medication. Which"
        " disease could it be and which tests should be done?",
        "I have had a hoarse voice for weeks. What tests do I need?",
        "dizzy and thirsty all the time, what should they check",
        "声音嘶哑一个月了，吃了药也不见好，可能是什么病，要做什么检查？",
    ],
)
def test_what_a_complaint_is_tested_for_waits_for_what_it_may_be(text: str) -> None:
    with KnowledgeBase.sample() as sample:
        answer = sample.ask(text).to_json()
    assert answer["status"] != "abstained"
    assert [step["type"] for step in answer["steps"]] == ["diagnosis", "test"]
    fed = {query[0] for query in answer["steps"][1]["queries"]}
    assert fed
    assert fed <= {each["name"] for each in answer["result"]["value"]}
