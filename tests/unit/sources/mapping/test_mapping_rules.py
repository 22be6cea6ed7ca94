"""Mapping files at their worst: each bad entry is an error that says what is wrong and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from medweave.errors import MappingError
from medweave.model.identifiers import curie, is_curie
from medweave.model.mapping import FieldRule, JoinRule, Mapping, RelationRule
from medweave.sources.mapping.layouts import (
    by_place,
    find_mapping,
    mapping_yaml,
    parse_mapping,
    recognise,
    shipped_mappings,
)

TABLE = "tables: {t: {file: f, key: k}}"


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ("fields: {a: {predicate: b, prefixes: text}}", "the field 'a': 'prefixes' must be a mapp"),
        ("fields: {a: {predicate: b, prefixes: [x]}}", "the field 'a': 'prefixes' must be a mapp"),
        ("fields: {a: {predicate: b, strip: '[more]'}}", "the field 'a': 'strip' must be a list"),
        ("fields: {a: {predicate: b, strip: {x: y}}}", "the field 'a': 'strip' must be a list"),
        ("fields: {a: {predicate: b, cut: 3}}", "the field 'a': 'cut' must be a text"),
        ("fields: {a: {predicate: b, cut: true}}", "the field 'a': 'cut' must be a text"),
        ("fields: {a: {predicate: b, colour: red}}", "the field 'a': unknown entry 'colour'"),
        ("fields: {a: {predicate: b, field: c}}", "the field 'a': unknown entry 'field'"),
        ("fields: {a: {predicate: b, table: t, name: n}}", "the field 'a': no table 't'"),
        (f"fields: {{a: {{predicate: b, table: t}}}}\n{TABLE}", "the field 'a' needs a 'name'"),
        ("fields: {a: b}", "the field 'a' needs a predicate"),
        ("fields: {a: {predicate: b, reading: verse}}", "'reading: verse' is not known"),
        ("relations: {a: [b]}", "the relation 'a' must be a text"),
        ("relations: {a: null}", "the relation 'a' must be a text"),
        ("relations: {a: {predicate: b, polarity: true}}", "'polarity' must be a whole number"),
        ("relations: {a: {predicate: b, polarity: 0.5}}", "'polarity' must be a whole number"),
        ("relations: {a: {predicate: b, polarity: 2}}", "'polarity' must be 1 or -1"),
        ("relations: {a: {predicate: b, strength: strong}}", "'strength' must be a number"),
        ("relations: {a: {predicate: b, strength: 2}}", "'strength' must lie between 0 and 1"),
        ("relations: {a: {subject: b}}", "the relation 'a' is incomplete.*predicate"),
        ("subject: a", "'subject' must be a mapping"),
        ("subject: {identifier: a}", "'subject' is incomplete.*name"),
        ("object: {name: a, concepts: [b]}", "'object': 'concepts' must be a mapping"),
        ("object: {name: a, colour: b}", "'object': unknown entry 'colour'"),
        ("tables: {t: f}", "the table 't' must be a mapping"),
        ("tables: {t: {file: f}}", "the table 't' is incomplete.*key"),
        ("tables: {t: {file: f, key: k, 3: x}}", "the table 't': unknown entry '3'"),
        ("tables: [t]", "'tables' must be a mapping"),
        ("join: {a: t}", "the join of 'a': no table 't'"),
        (f"join: {{a: u}}\n{TABLE}", "the join of 'a': no table 'u'"),
        (f"join: {{a: {{table: t, key: x}}}}\n{TABLE}", "the join of 'a': 'key' must hold {}"),
        (f"join: {{a: {{table: t, key: '{{x}}'}}}}\n{TABLE}", "the join of 'a': 'key' must hold"),
        (f"join: {{a: {{table: t, optional: 1}}}}\n{TABLE}", "'optional' must be true or false"),
        ("join: {a: 3}", "the join of 'a' must be a mapping"),
        ("join: {a: {key: '{}'}}", "the join of 'a' is incomplete.*table"),
        ("collect: {a: b}", "the list 'a' must be a mapping"),
        ("collect: {a: {equal: 1}}", "the list 'a': 'equal' must be a text"),
        ("collect: [a]", "'collect' must be a mapping"),
        ("keep: {a: b}", "'a' must be a list of values"),
        ("questions: {'What is {name}?': 3}", "'What is {name}\\?' must have a text"),
        ("questions: {'What is it?': a}", "'What is it\\?' must hold {name} once"),
        ("questions: {'{name} or {name}?': a}", "must hold {name} once"),
        ("questions: {'What is {name}?': a}", "'What is {name}\\?': no field 'a'"),
        ("identifier_prefixes: {a: 1}", "'a' must have a text"),
        ("xrefs: [a]", "'xrefs' must be a mapping"),
        ("xrefs: {a: [b]}", "'a' must have a text"),
        ("files: train", "'files' must be a list"),
        ("header: 'no'", "'header' must be true or false"),
        ("gather: 1", "'gather' must be true or false"),
        ("relation: [a]", "'relation' must be a text"),
        ("parts: 3", "'parts' must be a list of mappings"),
        ("parts: []", "'parts' must be a list of mappings"),
        ("parts: [a]", "'parts' must be a list of mappings"),
        ("parts: [{parts: [{header: true}]}]", "'parts' must be a list of mappings"),
        ("parts: [{files: [a]}, {files: b}]", "'files' must be a list"),
    ],
)
def test_a_bad_entry_is_an_error_that_says_what_and_where(
    tmp_path: Path, entries: str, says: str
) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(f"kind: triples\n{entries}\n", "utf-8")
    with pytest.raises(MappingError, match=says) as caught:
        find_mapping(str(path))
    assert caught.value.where == str(path)


def test_all_that_can_be_said_is_read() -> None:
    content = {
        "kind": "triples",
        "tables": {"t": {"file": "f", "key": "k"}},
        "join": {"a": "t", "b": {"table": "t", "key": "B:{}", "optional": True}},
        "relations": {
            "r": "has_symptom",
            "n": {"predicate": "used_for", "polarity": -1, "strength": 1},
        },
    }  # fmt: skip
    mapping = parse_mapping(content, "x.yaml")
    assert mapping.join == (JoinRule("a", "t"), JoinRule("b", "t", "B:{}", optional=True))
    assert dict(mapping.relations) == {
        "r": RelationRule("has_symptom"),
        "n": RelationRule("used_for", polarity=-1, strength=1),
    }


_KEPT = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))
"""Signs that YAML keeps in a text as they are."""
WORDS = st.text(_KEPT, min_size=1, max_size=8)
PAIRS = st.dictionaries(WORDS, WORDS, max_size=3)
FLAGS = st.booleans()


@st.composite
def contents(draw: st.DrawFn) -> dict[str, Any]:
    """A mapping as its file has it."""
    tables = draw(st.lists(WORDS, min_size=1, max_size=2, unique=True))
    asked = st.sampled_from(tables)
    join = st.fixed_dictionaries(
        {"table": asked, "key": WORDS.map(lambda text: text + "{}"), "optional": FLAGS}
    )
    field = st.fixed_dictionaries(
        {"predicate": WORDS, "table": asked, "name": WORDS},
        optional={"strip": st.lists(WORDS, max_size=2), "cut": WORDS, "prefixes": PAIRS},
    )
    end = st.fixed_dictionaries(
        {"name": WORDS}, optional={"identifier": WORDS, "concepts": PAIRS, "prefixes": PAIRS}
    )
    relation = st.fixed_dictionaries(
        {"predicate": WORDS},
        optional={"polarity": st.sampled_from([-1, 1]), "strength": st.floats(0, 1)},
    )
    equal = st.fixed_dictionaries({"equal": WORDS})
    return {
        "kind": draw(st.sampled_from(["monographs", "triples", "table"])),
        "tables": {name: {"file": draw(WORDS), "key": draw(WORDS)} for name in tables},
        "join": draw(st.dictionaries(WORDS, join, max_size=2)),
        "fields": draw(st.dictionaries(WORDS, field, max_size=2)),
        "subject": draw(end),
        "relations": draw(st.dictionaries(WORDS, relation | WORDS, max_size=2)),
        "keep": draw(st.dictionaries(WORDS, st.lists(WORDS, max_size=2), max_size=2)),
        "collect": draw(st.dictionaries(WORDS, equal, max_size=2)),
        "xrefs": draw(PAIRS),
        "header": draw(FLAGS),
        "gather": draw(FLAGS),
        "files": draw(st.lists(WORDS, max_size=2)),
    }  # fmt: skip


def read_back(mapping: Mapping) -> Mapping:
    return parse_mapping(yaml.safe_load(mapping_yaml(mapping)), "again.yaml")


def bare(mapping: Mapping) -> Mapping:
    return replace(mapping, version="", parts=tuple(map(bare, mapping.parts)))


@pytest.mark.thorough
@given(contents())
def test_any_mapping_written_and_read_back_is_the_same(content: dict[str, Any]) -> None:
    mapping = parse_mapping(content, "some.yaml")
    assert bare(read_back(mapping)) == replace(bare(mapping), name=mapping.name)


@pytest.mark.thorough
@given(st.lists(contents(), min_size=1, max_size=3))
def test_parts_written_and_read_back_are_the_same(parts: list[dict[str, Any]]) -> None:
    mapping = parse_mapping({"name": "whole", "language": "en", "parts": parts}, "some.yaml")
    assert len(mapping.everything) == len(parts)
    assert {part.language for part in mapping.parts} == {"en"}
    assert bare(read_back(mapping)) == bare(mapping)


def test_what_stands_outside_the_parts_is_for_all_and_a_part_may_differ() -> None:
    content = {
        "kind": "triples", "language": "en", "header": False,
        "parts": [{"files": ["a"]}, {"files": ["b"], "kind": "table", "header": True}],
    }  # fmt: skip
    parts = parse_mapping(content, "some.yaml").parts
    assert [(p.kind, p.header, p.language, p.name) for p in parts] == [
        ("triples", False, "en", "some"),
        ("table", True, "en", "some"),
    ]


class TestWhichPart:
    TWO = parse_mapping(
        {
            "kind": "triples",
            "parts": [
                {"files": ["a"], "header": False},
                {"files": ["b"], "columns": ["x", "y"]},
                {"columns": ["x", "y", "z"]},
            ],
        },
        "two.yaml",
    )

    @pytest.mark.parametrize("file", ["a.tsv", "deep/a.csv.gz"])
    def test_the_name_decides_where_the_columns_cannot_be_known(self, file: str) -> None:
        assert by_place(Path(file), self.TWO) is self.TWO.parts[0]

    def test_the_columns_decide_where_they_can_be_known(self) -> None:
        assert by_place(Path("b.tsv"), self.TWO) is None
        assert by_place(Path("c.tsv"), self.TWO) is None

    @pytest.mark.parametrize(
        ("file", "columns", "part"),
        [
            ("b.tsv", ["x", "y"], 1),
            ("b.tsv", ["x", "y", "z"], 1),
            ("c.tsv", ["x", "y", "z"], 2),
            ("c.tsv", ["x", "y"], None),
            ("b.tsv", ["x"], None),
        ],
    )
    def test_a_part_for_this_file_is_preferred(
        self, file: str, columns: Sequence[str], part: int | None
    ) -> None:
        found = recognise(Path(file), columns, self.TWO.everything)
        assert found is (None if part is None else self.TWO.parts[part])

    def test_a_mapping_without_parts_is_for_any_file(self) -> None:
        mapping = shipped_mappings()["triples"]
        assert by_place(Path("anything.csv"), mapping) is mapping

    @pytest.mark.parametrize(
        ("file", "name", "kind"),
        [
            ("fb15k237/train.tsv.gz", "fb15k237", "triples"),
            ("fb15k237/entities.jsonl", "fb15k237", "table"),
            ("hetionet/nodes.tsv", "hetionet", "table"),
            ("ddxplus/release_conditions.json", "ddxplus", "monographs"),
            ("kaggle41/dataset.csv", "kaggle41", "monographs"),
        ],
    )
    def test_shipped_parts_are_found_in_their_folder(self, file: str, name: str, kind: str) -> None:
        found = by_place(Path(file))
        assert found is not None
        assert (found.name, found.kind) == (name, kind)

    @pytest.mark.parametrize("file", ["x/train.tsv", "x/nodes.tsv", "hetionet/train.tsv", "a.csv"])
    def test_and_nowhere_else(self, file: str) -> None:
        assert by_place(Path(file)) is None

    def test_a_named_source_is_found_in_any_folder(self) -> None:
        found = by_place(Path("x/train.tsv"), shipped_mappings()["fb15k237"])
        assert found is shipped_mappings()["fb15k237"].parts[0]


class TestCuries:
    def test_the_first_beginning_that_fits_is_replaced(self) -> None:
        prefixes = (("a::b", "X:"), ("a::", "Y:"), ("", "Z:"))
        assert [curie(text, prefixes) for text in ("a::b1", "a::1", "1", "")] == [
            "X:1", "Y:1", "Z:1", "",
        ]  # fmt: skip

    def test_without_a_beginning_that_fits_it_stays_as_it_is(self) -> None:
        assert curie("c::1", (("a::", "Y:"),)) == "c::1"
        assert not is_curie(curie("c::1", (("a::", "Y:"),)))

    @given(st.text(), st.lists(st.tuples(st.text(max_size=3), st.text(max_size=3)), max_size=3))
    def test_nothing_is_lost_but_the_beginning(
        self, identifier: str, prefixes: list[tuple[str, str]]
    ) -> None:
        made = curie(identifier, prefixes)
        fits = [pair for pair in prefixes if identifier.startswith(pair[0])]
        if identifier and fits:
            assert made == fits[0][1] + identifier[len(fits[0][0]) :]
        else:
            assert made == identifier


def test_numbers_may_be_keys_beside_texts() -> None:
    content: dict[str, Any] = {"kind": "triples", "relations": {1: "a", "b": "c"}}
    mapping = parse_mapping(content, "x.yaml")
    assert dict(mapping.relations) == {"1": RelationRule("a"), "b": RelationRule("c")}


def test_a_rule_for_keys_is_written_with_its_table() -> None:
    rule = FieldRule("a", "has_symptom", table="t", name="n", prefixes=(("", "X:"),))
    content = {"kind": "monographs", "tables": {"t": {"file": "f", "key": "k"}},
               "fields": {"a": {"predicate": "has_symptom", "table": "t", "name": "n",
                                "prefixes": {"": "X:"}}}}  # fmt: skip
    assert parse_mapping(content, "m.yaml").fields == (rule,)
