"""Two medicines of which it is recorded that they do not interact: that is said, with how they are
taken, and a stop for the person stands all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from medweave import KnowledgeBase


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("can i take ibuprofen and paracetamol together", "between paracetamol and ibuprofen"),
        ("amoxicillin and ibuprofen together?", "between amoxicillin and ibuprofen"),
        ("gave him calpol at noon, can I give nurofen now", "between paracetamol and ibuprofen"),
        ("does omeprazole interact with naproxen", "it protects the stomach"),
        (
            "I'm on amlodipine, can I take paracetamol for my headache",
            "between paracetamol and amlodipine",
        ),
        ("布洛芬和对乙酰氨基酚能一起吃吗", "对乙酰氨基酚与布洛芬之间没有相互作用"),
    ],
)
def test_that_two_do_not_interact_is_said(base: KnowledgeBase, text: str, said: str) -> None:
    answer = base.ask(text)
    told = [sentence for sentence in answer.sentences if said in sentence.text]
    assert told
    assert all(sentence.statements for sentence in told)
    assert not any("no interaction between" in line for line in (*answer.direct, *answer.missing))


def test_a_stop_for_the_person_stands_and_nothing_beside_it_reassures(base: KnowledgeBase) -> None:
    text = "I have severe kidney disease, can I take ibuprofen and paracetamol together?"
    answer = base.ask(text)
    assert "ibuprofen" in {s.entity.name() for s in answer.stops if s.status == "applies"}
    assert not any("may be taken" in sentence.text for sentence in answer.sentences)


def test_what_is_denied_is_in_no_list_of_interactions(base: KnowledgeBase) -> None:
    listed = " ".join(s.text for s in base.ask("what interacts with paracetamol").sentences)
    assert "warfarin" in listed
    assert "ibuprofen" not in listed


def test_of_one_pair_of_three_the_others_are_said_to_be_unknown(tmp_path: Path) -> None:
    records = tmp_path / "records.json"
    told = '{"with": "paracetamol", "severity": "none", "action": "each at its own times"}'
    records.write_text(
        f'[{{"name": "ibuprofen", "concept": "drug", "interactions": [{told}]}}]', "utf-8"
    )
    with KnowledgeBase.open(str(tmp_path / "base.db")) as own:
        own.build([records])
        answer = own.ask("Do ibuprofen, paracetamol and cetirizine interact?")
    assert any("each at its own times" in sentence.text for sentence in answer.sentences)
    assert any("cetirizine" in line for line in (*answer.direct, *answer.missing))
