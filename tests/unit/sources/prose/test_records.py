"""Records to statements: places, refusals, and independence of order."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from medweave.model.document import Extraction
from medweave.model.mapping import Mapping
from medweave.model.statement import Literal
from medweave.sources.extraction import extract
from medweave.sources.mapping.layouts import find_mapping, parse_mapping
from medweave.sources.names import MAX_NAME, Naming
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import shipped_vocabulary
from tests.reading_rows import one_record

NAMING = Naming(shipped_vocabulary(), shipped_lexicon())
GASTRITIS = {"name": "gastritis", "concept": "disease", "symptoms": ["nausea"]}
ASPIRIN = {"name": "aspirin", "concept": "drug", "contraindications": ["pregnancy"]}
COLD = {"name": "感冒", "concept": "disease", "description": "感冒的症状有发热、咳嗽。"}


def read(values: dict[str, Any], mapping: Mapping | None = None) -> Extraction:
    chosen = mapping or find_mapping("monographs")
    return extract(one_record([values], chosen), NAMING)


def read_rows(rows: list[tuple[str, str, str]]) -> Extraction:
    named = [dict(zip(("subject", "predicate", "object"), row, strict=True)) for row in rows]
    return extract(one_record(named, find_mapping("triples"), "t.csv", 2), NAMING)


def assert_quotes_stand_in_their_places(made: Extraction) -> None:
    for item in made.evidence:
        text = made.document.text(item.place.field)
        assert text[item.place.start : item.place.end] == item.quote


@given(st.permutations([GASTRITIS, ASPIRIN, COLD]))
def test_what_a_record_yields_does_not_depend_on_what_was_read_before(
    records: list[dict[str, Any]],
) -> None:
    alone = {str(record["name"]): read(record) for record in (GASTRITIS, ASPIRIN, COLD)}
    for record in records:
        assert read(record) == alone[str(record["name"])]


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(
    lambda name: any(character.isalnum() for character in name)
)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(NAMES, st.just("has_symptom"), NAMES), min_size=1, max_size=5))
def test_quotes_of_triples_stand_in_their_places(rows: list[tuple[str, str, str]]) -> None:
    assert_quotes_stand_in_their_places(read_rows(rows))


@settings(deadline=None, max_examples=40)
@given(st.lists(NAMES, max_size=4), st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_quotes_of_monographs_stand_in_their_places(names: list[str], text: str) -> None:
    assert_quotes_stand_in_their_places(
        read({**GASTRITIS, "symptoms": names, "contraindications": names, "diet": text})
    )


def test_a_triple_outside_the_range_is_refused_with_line_and_reason() -> None:
    made = read_rows([("flu", "has_symptom", "fever"), ("flu", "has_symptom", "flu")])
    assert len(made.statements) == 1
    ((line, reason),) = [(item.line, item.reason) for item in made.skipped]
    assert line == 3
    assert "relates a thing to itself" in reason


def test_a_name_as_long_as_a_text_is_no_name() -> None:
    made = read({**GASTRITIS, "name": "x" * (MAX_NAME + 1)})
    assert (made.statements, len(made.skipped)) == ((), 1)


def test_an_unknown_predicate_of_a_text_is_told() -> None:
    rule = {"predicate": "smells_of", "reading": "text"}
    mapping = parse_mapping(
        {"kind": "monographs", "concept": "disease", "fields": {"smell": rule}}, "m.yaml"
    )
    made = read({"name": "flu", "smell": "Nothing."}, mapping)
    assert [statement.object for statement in made.statements] == [Literal("Nothing.", "en")]
    assert "kept as 'smells_of'" in made.skipped[0].reason


def test_parentheses_hold_another_name_only_behind_a_name() -> None:
    mapping = parse_mapping(
        {"kind": "monographs", "concept": "drug", "parentheses": "synonym"}, "m.yaml"
    )
    for name, wanted in [("A_drug_(B)", {"A drug", "B"}), ("! (B)", {"! (B)"})]:
        assert {mention.name for mention in read({"name": name}, mapping).mentions} == wanted
