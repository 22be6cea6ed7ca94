"""What the columns of a table of relations are called: as many ways as there are people."""

from pathlib import Path

import pytest

from medweave.sources.files.columns import column_of_part, guess_words
from medweave.sources.files.row import Row
from medweave.sources.kinds import kind_called
from medweave.sources.mapping.sample import Sample
from medweave.vocabulary.vocabulary import load_vocabulary, shipped_texts

ROWS = [("river fever", "has symptom", "headache"), ("river fever", "has symptom", "fever")]


@pytest.mark.parametrize(
    "columns",
    [
        ("head", "rel", "tail"),
        ("Source Entity", "relation type", "Target Entity"),
        ("subject_name", "predicate_label", "object_name"),
        ("sourceNode", "relationshipType", "targetNode"),
        ("x_name", "relation", "y_name"),
        ("entity1", "relation", "entity2"),
        ("Node 1", "Edge", "Node 2"),
        ("start", "type", "end"),
        ("from_entity", "link", "to_entity"),
        ("h", "r", "t"),
        ("头实体名称", "关系类型", "尾实体名称"),
        ("实体1", "关系", "实体2"),
        ("EntityA", "RelationType", "EntityB"),
        ("src", "edge_label", "dst"),
        ("node1", "label", "node2"),
        ("SUBJECT TERM", "PREDICATE", "OBJECT TERM"),
    ],
)
def test_a_table_of_relations_is_known_by_what_its_columns_are_called(
    columns: tuple[str, ...],
) -> None:
    beside = ("row-id", "entity type", "score", "PMID")
    found = [column_of_part(role, (*beside, *columns)) for role in guess_words()["triples"]]
    assert found == list(columns)


def _guessed(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> bool:
    sample = Sample(
        Path("t"),
        tuple(Row(n, dict(zip(columns, each, strict=True))) for n, each in enumerate(rows, 1)),
        (),
    )
    guess = kind_called("triples").guess
    assert guess
    return guess(sample, load_vocabulary(shipped_texts())) is not None


def test_numbers_of_rows_elsewhere_are_nobodys_names() -> None:
    columns = ("head", "head_name", "rel", "tail", "tail_name")
    row = ("17", "river fever", "has symptom", "4", "fever")
    assert _guessed(columns, [row])
    assert not _guessed(("head", "rel", "tail"), [("17", "has symptom", "4")])


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        (("x", "y", "type"), ("1.5", "2.25", "clinic")),
        (("disease", "symptom", "source"), ("gout", "pain", "a book")),
        (("patient", "from", "to", "type"), ("Jane", "ward A", "ward B", "acute")),
        (("from", "to", "day"), ("ward A", "ward B", "Monday")),
        (("name", "type", "source", "description"), ("gout", "disease", "a book", "It hurts.")),
    ],
)
def test_what_is_no_table_of_relations_is_not_taken_for_one(
    columns: tuple[str, ...], row: tuple[str, ...]
) -> None:
    assert not _guessed(columns, [row])
