"""Mappings: written and read back, recognised, and refused with the reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from medweave.errors import MappingError
from medweave.sources.mapping.layouts import find_mapping, mapping_yaml, recognise, shipped_mappings


@pytest.mark.parametrize("name", sorted(shipped_mappings()))
def test_a_mapping_written_and_read_back_is_the_same(tmp_path: Path, name: str) -> None:
    mapping = shipped_mappings()[name]
    path = tmp_path / "m.yaml"
    path.write_text(mapping_yaml(mapping), "utf-8")
    found = find_mapping(str(path))
    assert [replace(part, version="") for part in found.everything] == [
        replace(part, version="") for part in mapping.everything
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("kind: monographs\nfields: [a]\n", "'fields' must be a mapping"),
        ("kind: monographs\nrelations: 3\n", "'relations' must be a mapping"),
        ("kind: monographs\ncolumns: a\n", "'columns' must be a list"),
        ("kind: monographs\nname_field: [a]\n", "'name_field' must be a text"),
        ("kind: monographs\nparentheses: drop\n", "is not known"),
        ("kind: monographs\n1: x\n", "unknown entries 1"),
        ("kind: monographs\nfields: {a: {predicate: 5}}\n", "must be a text"),
        ("kind: monographs\nfields: {a: {predicate: b, 7: c}}\n", "unknown entry '7'"),
        ("kind: triples\nrelations: {a: {predicate: []}}\n", "must be a text"),
        ("name: x\n", "incomplete"),
    ],
)
def test_a_wrong_mapping_is_a_typed_error(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "m.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(MappingError, match=says):
        find_mapping(str(path))


def test_a_mapping_for_a_folder_is_recognised_only_there() -> None:
    columns = ["h", "r", "t"]
    there, elsewhere = (recognise(Path(f), columns) for f in ("emckg/a.jsonl", "x/a.jsonl"))
    assert there is not None
    assert elsewhere is not None
    assert (there.name, elsewhere.name) == ("emckg", "triples_hrt")
