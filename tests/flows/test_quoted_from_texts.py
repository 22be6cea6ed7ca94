"""What no statement answers is quoted from texts; a text never outranks a stop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.model.answer import Answer

HANDBOOK = """# Ward handbook

## Storage of insulin

Unopened insulin pens are kept in the refrigerator of the treatment room. An opened pen may lie at
room temperature for four weeks. It is then thrown away, even where it is not empty.

## Night rounds

The nurse on duty looks after each patient every two hours. Lights are dimmed from ten in the
evening. Visitors leave the ward at eight.

## Gout

Gout flares are treated with naproxen on this ward. Colchicine is for those who may not have it.
"""
LEAFLET = """糖尿病病人手册

胰岛素笔开封后可在室温下保存四周。未开封的胰岛素笔应放在冰箱里冷藏。血糖仪每周校准一次。
"""
RECORDS = (
    '{"name": "naproxen", "concept": "drug", "contraindications": ["peptic ulcer"], '
    '"indications": ["gout"]}\n'
)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder: Path = tmp_path_factory.mktemp("texts")
    (folder / "handbook.md").write_text(HANDBOOK, "utf-8")
    (folder / "手册.txt").write_text(LEAFLET, "utf-8")
    (folder / "drugs.jsonl").write_text(RECORDS, "utf-8")
    with KnowledgeBase.open(str(folder / "kb.db")) as made:
        made.build([folder / "handbook.md", folder / "手册.txt", folder / "drugs.jsonl"])
        yield made


def quoted(answer: Answer) -> list[str]:
    return [sentence.text for sentence in answer.sentences if sentence.intent == "passages"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("When do visitors leave the ward?", "Visitors leave the ward at eight."),
        ("How long does an opened insulin pen lie at room temperature?", "four weeks"),
        ("Where are unopened insulin pens kept?", "refrigerator"),
        ("未开封的胰岛素笔放在哪里", "冰箱"),
    ],
)
def test_a_text_answers_what_no_record_does(base: KnowledgeBase, text: str, said: str) -> None:
    answer = base.ask(text)
    assert any(said in each for each in quoted(answer)), answer.text


def test_each_sentence_stands_at_its_place(base: KnowledgeBase) -> None:
    answer = base.ask("When do visitors leave the ward?")
    found = answer.to_json()
    [sentence] = found["sentences"]
    [key] = sentence["evidence"]
    evidence = found["evidence"][key]
    document = next(each for each in answer.documents.values() if each.name == evidence["document"])
    place = evidence["place"]
    assert document.text(place["field"])[place["start"] : place["end"]] == evidence["quote"]
    assert " ".join(evidence["quote"].split()) == sentence["text"]
    assert "handbook.md" in evidence["document"]


@pytest.mark.parametrize(
    "text",
    [
        "What is the capital of France?",
        "What are the symptoms of measles?",
        "How is malaria prevented?",
        "Is psoriasis hereditary?",
        "Which diet helps gout?",
        "Can I take insulin with naproxen?",
        "I have crushing chest pain and cannot breathe. When do visitors leave the ward?",
        "I want to kill myself. When do visitors leave the ward?",
        "麻疹怎么预防",
    ],
)
def test_what_no_text_answers_is_not_quoted(base: KnowledgeBase, text: str) -> None:
    assert not quoted(base.ask(text))


def test_a_text_never_outranks_a_stop(base: KnowledgeBase) -> None:
    answer = base.ask("I have a peptic ulcer. Can I take naproxen for my gout flares?")
    assert [stop.entity.name() for stop in answer.stops] == ["naproxen"]
    assert not quoted(answer)


def test_statements_come_first(base: KnowledgeBase) -> None:
    answer = base.ask("What is naproxen used for?")
    assert "gout" in answer.text
    assert not quoted(answer)


def test_what_is_removed_is_quoted_no_more(tmp_path: Path) -> None:
    source = tmp_path / "rounds.txt"
    source.write_text("Visitors leave the ward at eight in the evening.\n", "utf-8")
    with KnowledgeBase.open(str(tmp_path / "kb.db")) as made:
        before = made.version.hash
        made.build([source])
        assert quoted(made.ask("When do visitors leave the ward?"))
        made.remove(str(source))
        assert not quoted(made.ask("When do visitors leave the ward?"))
        assert made.version.hash == before
