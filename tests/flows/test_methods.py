"""Looked up or ranked: what each does to an answer, and what neither may do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from medweave import Answer, Configuration, KnowledgeBase

DISEASES = {
    "zorn fever": (["fever", "blue spots"], ["zornal", "fluminol"]),
    "marsh cough": (["hiccups", "cough", "fever"], ["fluminol", "marshol"]),
    "common ache": (["fever", "cough", "headache", "nausea"], ["achenol"]),
    "toe gout": (["toe pain"], ["toenol"]),
}
DRUGS = {"fluminol": ["pregnancy"], "painol": []}

Ask = Callable[..., Answer]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Ask a base with some methods set."""
    folder = tmp_path_factory.mktemp("methods")
    records = [
        {"name": name, "concept": "disease", "symptoms": symptoms, "drugs": drugs}
        for name, (symptoms, drugs) in DISEASES.items()
    ]
    records += [{"name": n, "concept": "drug", "contraindications": c} for n, c in DRUGS.items()]
    records[-1]["indications"] = ["cough"]
    (folder / "all.json").write_text(json.dumps(records), "utf-8")
    url = str(folder / "all.db")
    with KnowledgeBase.open(url) as base:
        base.build([folder / "all.json"])

    def asked(question: str, ranking: Any = "personalized", **methods: Any) -> Answer:
        how = Configuration.of(ranking=ranking, methods=methods)
        with KnowledgeBase.open(url, read_only=True, configuration=how) as base:
            return base.ask(question)

    yield asked


def candidates(answer: Answer) -> list[str]:
    return [candidate.entity.name() for candidate in answer.candidates]


# diagnosis

DIAGNOSIS = "I have a fever, a cough and hiccups. What disease do I have?"


def test_a_diagnosis_by_lookup_scores_by_the_share_of_findings(ask: Ask) -> None:
    answer = ask(DIAGNOSIS, diagnosis="lookup")
    assert candidates(answer) == ["marsh cough", "common ache", "zorn fever"]
    assert [round(c.score, 3) for c in answer.candidates] == [1.0, 0.667, 0.333]
    assert "marsh cough fits best" in answer.text


def test_a_diagnosis_is_ranked_unless_said_otherwise(ask: Ask) -> None:
    assert ask(DIAGNOSIS).candidates == ask(DIAGNOSIS, diagnosis="ranking").candidates
    assert ask(DIAGNOSIS).candidates != ask(DIAGNOSIS, diagnosis="lookup").candidates


# properties


def test_ranked_symptoms_are_the_same_ones_in_the_order_of_the_walk(ask: Ask) -> None:
    looked_up, walked = (
        ask("What are the symptoms of marsh cough?", symptom=method)
        for method in ("lookup", "ranking")
    )
    assert looked_up.text == "Symptoms recorded for marsh cough: hiccups, cough and fever."
    assert walked.text == "Symptoms recorded for marsh cough: cough, fever and hiccups."
    assert set(looked_up.statements) == set(walked.statements)


def test_what_is_only_near_a_disease_is_never_said_of_it(ask: Ask) -> None:
    assert "blue spots" not in ask("Symptoms of marsh cough?", symptom="ranking").text


def test_ranked_drugs_of_a_named_disease_carry_the_score_of_the_walk(ask: Ask) -> None:
    answer = ask("Which drugs are for zorn fever?", drug="ranking")
    assert candidates(answer) == ["fluminol", "zornal"]  # two diseases lead to fluminol
    assert answer.candidates[0].score > answer.candidates[1].score
    assert not any("symptoms alone" in line for line in answer.missing)


# drugs from symptoms

DRUGS_FOR = "I have a fever and hiccups. Which drugs can I take?"


def test_symptoms_lead_to_drugs_by_way_of_diseases(ask: Ask) -> None:
    answer = ask("I have a fever, a cough and hiccups. Which drugs can I take?")
    assert candidates(answer) == ["achenol", "fluminol", "marshol"]  # one drug need not share
    assert "Drugs recorded for marsh cough: fluminol and marshol." in answer.text
    best = next(c for c in answer.candidates if c.entity.name() == "marshol")
    said = [answer.statements[s].statement.predicate for s in best.why]
    assert sorted(said) == ["has_symptom", "has_symptom", "has_symptom", "used_for"]


def test_drugs_from_symptoms_are_never_a_recommendation(ask: Ask) -> None:
    answer = ask(DRUGS_FOR)
    assert any("No drug is recommended from symptoms alone" in line for line in answer.missing)
    assert "which the question does not name" in answer.text


def test_drugs_from_symptoms_are_held_against_the_person(ask: Ask) -> None:
    answer = ask("I am pregnant and have a fever and hiccups. Which drugs can I take?")
    assert {c.entity.name(): c.status for c in answer.candidates} == {
        "fluminol": "excluded",
        "marshol": "possible",
    }
    assert "Drugs recorded for marsh cough: marshol." in answer.text
    assert [s.entity.name() for s in answer.stops if s.status == "applies"] == ["fluminol"]


@pytest.mark.parametrize("mode", ["textrank", "verbatim"])
def test_a_ranking_that_forgets_the_question_leads_to_no_drug(ask: Ask, mode: str) -> None:
    assert ask(DRUGS_FOR, ranking=mode).candidates == ()


def test_one_symptom_leads_to_no_disease(ask: Ask) -> None:
    answer = ask("Which drugs can I take for hiccups?")
    assert answer.candidates == ()
    assert answer.status == "abstained"


def test_what_is_recorded_for_the_symptom_itself_is_said_first(ask: Ask) -> None:
    answer = ask("I have a fever and a cough. Which drugs can I take?")
    assert answer.sentences[0].text == "Drugs recorded for cough: painol."


def test_an_absent_or_doubted_symptom_leads_nowhere(ask: Ask) -> None:
    assert ask("I have a fever but no hiccups. Which drugs can I take?").candidates == ()


def test_looked_up_symptoms_lead_only_to_what_is_recorded_for_them(ask: Ask) -> None:
    answer = ask("I have a fever and a cough. Which drugs can I take?", drug="lookup")
    assert answer.text == "Drugs recorded for cough: painol."
    assert answer.candidates == ()


def test_a_named_disease_is_looked_up_and_not_ranked(ask: Ask) -> None:
    answer = ask("I have zorn fever with hiccups and a cough. Which drugs can I take?")
    assert "marshol" not in answer.text
    assert set(candidates(answer)) == {"fluminol", "zornal"}
