"""The baselines, beside scikit-learn or beside examples worked by hand."""

from __future__ import annotations

import json
import sys
from math import exp, log
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.errors import ConfigurationError
from medweave.evaluation.data.cases import FindingsReader
from medweave.evaluation.items import Item
from medweave.evaluation.systems.baselines import (
    Bm25,
    Majority,
    NaiveBayes,
    NearestCase,
    TfidfRegression,
)
from medweave.evaluation.tasks.diagnosis import IdfVote
from medweave.knowledge_base import KnowledgeBase
from medweave.language.segmentation import index_terms

FINDINGS = ("fever", "cough", "rash", "itch", "thirst")
findings = st.sets(st.sampled_from(FINDINGS), min_size=1).map(sorted)
cases = st.lists(st.tuples(st.sampled_from(("cold", "flu", "measles")), findings), min_size=2)


def case(label: str, *facts: str) -> Item:
    return Item(label, (label,), facts=facts)


def facts(item: Item) -> tuple[str, ...]:
    return item.facts


@given(cases, findings)
def test_naive_bayes_is_the_multinomial_one_of_scikit_learn(
    known: list[tuple[str, list[str]]], asked: list[str]
) -> None:
    sklearn = pytest.importorskip("sklearn.naive_bayes")
    used = sorted({finding for _, some in known for finding in some})
    model = sklearn.MultinomialNB(alpha=1.0)
    model.fit(
        [[int(finding in some) for finding in used] for _, some in known],
        [label for label, _ in known],
    )
    theirs = model.predict_proba([[int(finding in asked) for finding in used]])[0]
    ranked = NaiveBayes([case(label, *some) for label, some in known], facts).rank(case("", *asked))
    chances = dict(zip(model.classes_, theirs, strict=True))
    assert set(ranked.labels) == set(chances)
    assert ranked.confidence == pytest.approx(max(theirs))
    in_order = [chances[label] for label in ranked.labels]
    assert in_order == pytest.approx(sorted(theirs, reverse=True))
    assert ranked.recognised == any(finding in used for finding in asked)


def test_naive_bayes_worked_by_hand() -> None:
    known = [case("flu", "fever", "cough"), case("flu", "fever"), case("cold", "cough")]
    ranked = NaiveBayes(known, facts).rank(case("", "cough", "never seen"))
    # V = {fever, cough}; flu has 3 findings in 2 cases, cold 1 in 1
    flu, cold = 2 / 3 * (1 + 1) / (3 + 2), 1 / 3 * (1 + 1) / (1 + 2)
    assert ranked.labels == ("flu", "cold")
    assert ranked.confidence == pytest.approx(flu / (flu + cold))


def test_naive_bayes_weighs_a_weak_finding_less() -> None:
    known = [case("flu", "fever", "cough"), case("cold", "cough", "fever")]

    def strength(held: Item, finding: str) -> float:
        return 0.5 if (held.id, finding) == ("flu", "cough") else 1.0

    ranked = NaiveBayes(known, facts, weight_of=strength).rank(case("", "cough"))
    flu, cold = log(1.5 / 3.5), log(2 / 4)
    assert ranked.labels == ("cold", "flu")
    assert ranked.confidence == pytest.approx(1 / (1 + exp(flu - cold)))


def test_naive_bayes_that_recognises_nothing_falls_back_on_the_most_frequent() -> None:
    known = [case("cold", "cough"), case("flu", "fever"), case("flu", "cough")]
    ranked = NaiveBayes(known, facts).rank(case("", "thirst"))
    assert ranked.labels[0] == "flu"
    assert not ranked.recognised
    assert not ranked.answered


def test_the_nearest_case_worked_by_hand() -> None:
    known = [
        case("flu", "fever", "cough", "ache"),
        case("cold", "cough", "sneeze"),
        case("cold", "fever", "cough", "sneeze", "thirst"),
        case("gout", "ache in a toe"),
    ]
    ranked = NearestCase(known, facts).rank(case("", "fever", "cough"))
    # flu: 2 of 3; cold: the better of 1 of 3 and 2 of 4; gout shares nothing
    assert ranked.labels == ("flu", "cold")
    assert ranked.confidence == pytest.approx(2 / 3)


@pytest.mark.parametrize("system", [NaiveBayes, NearestCase])
def test_a_finding_that_is_named_twice_counts_once(system: Any) -> None:
    trained = system([case("flu", "fever", "ache"), case("cold", "cough")], facts)
    assert trained.rank(case("", "fever", "fever")) == trained.rank(case("", "fever"))


def test_bm25_worked_by_hand() -> None:
    texts = [("flu", "fever fever cough"), ("cold", "cough"), ("gout", "swollen toe")]
    assert index_terms("fever cough") == ["fever", "cough"], "the example is about the formula"
    ranked = Bm25(texts).rank(Item("", (), text="fever cough"))
    mean = (3 + 1 + 2) / 3

    def part(count: int, size: int, holding: int) -> float:
        idf = log(1 + (3 - holding + 0.5) / (holding + 0.5))
        return idf * count * 2.2 / (count + 1.2 * (1 - 0.75 + 0.75 * size / mean))

    assert ranked.labels == ("flu", "cold")
    assert ranked.confidence == pytest.approx(part(2, 3, 1) + part(1, 3, 2))


def test_bm25_takes_the_best_text_of_a_class() -> None:
    texts = [
        ("flu", "chills"),
        ("flu", "high fever"),
        ("cold", "fever and a cough and a sore nose"),
    ]
    assert Bm25(texts).rank(Item("", (), text="fever")).labels == ("flu", "cold")


@pytest.mark.parametrize("system", [NearestCase, NaiveBayes])
def test_nothing_to_learn_from_is_no_answer(system: Any) -> None:
    ranked = system([], facts).rank(case("", "fever"))
    assert (ranked.labels, ranked.answered, ranked.recognised) == ((), False, False)


def test_bm25_without_a_shared_word_is_no_answer() -> None:
    for texts in ([], [("flu", "fever")], [("flu", "")]):
        ranked = Bm25(texts).rank(Item("", (), text="toe"))
        assert (ranked.labels, ranked.answered, ranked.recognised) == ((), False, False)


def test_the_majority_says_the_most_frequent_class_of_whatever() -> None:
    system = Majority([case("cold"), case("flu"), case("flu")])
    assert system.rank(case("", "cough")).labels == ("flu", "cold")
    assert system.rank(case("", "cough")).confidence == pytest.approx(2 / 3)


def test_regression_learns_words_in_english_and_characters_in_chinese() -> None:
    pytest.importorskip("sklearn")
    english = [
        Item("1", ("symptom",), "signs of gout"),
        Item("2", ("treatment",), "help for gout"),
    ]
    assert TfidfRegression(english).rank(Item("", (), "signs of flu")).labels[0] == "symptom"
    chinese = [Item("1", ("symptom",), "痛风有什么症状"), Item("2", ("treatment",), "痛风怎么治疗")]
    ranked = TfidfRegression(chinese).rank(Item("", (), "感冒的症状"))
    assert ranked.labels == ("symptom", "treatment")
    assert 0.5 < ranked.confidence < 1


def test_regression_takes_features_where_there_is_no_text() -> None:
    pytest.importorskip("sklearn")
    known = [case("flu", "E_91", "E 91"), case("cold", "E_92")]
    assert TfidfRegression(known, facts).rank(case("", "E_92")).labels[0] == "cold"


def test_regression_needs_two_classes() -> None:
    pytest.importorskip("sklearn")
    with pytest.raises(ConfigurationError, match="no training cases"):
        TfidfRegression([Item("1", ("flu",), "fever")])


def test_regression_without_scikit_learn_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "sklearn"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'medweave\[evaluate\]'"):
        TfidfRegression([Item("1", ("flu",), "fever"), Item("2", ("cold",), "cough")])


def test_the_idf_vote_worked_by_hand(tmp_path: Path) -> None:
    monographs = {
        "influenza": ["fever", "cough"],
        "measles": ["fever", "rash"],
        "gout": ["joint pain"],
    }
    source = tmp_path / "own.jsonl"
    source.write_text(
        "\n".join(
            json.dumps({"name": name, "concept": "disease", "symptoms": symptoms})
            for name, symptoms in monographs.items()
        ),
        "utf-8",
    )
    with KnowledgeBase.open("memory:") as base:
        base.build([source])
        reader = FindingsReader(base.knowledge)
        ranked = IdfVote(base.knowledge, reader).rank(Item("1", (), present=("fever", "rash")))
        names = [base.knowledge.entities.get(label).name("en") for label in ranked.labels]
    assert names == ["measles", "influenza"]
    # three diseases: fever is shown by two of them, a rash by one; both strongly
    assert ranked.confidence == pytest.approx(log(1 + 3 / 2) + log(1 + 3 / 1))
