"""Finding and reading the mapping of a source."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from typing import Any, get_args

import yaml

from medweave.documents.rows import data_stem
from medweave.errors import MappingError, VocabularyError
from medweave.language.data import read_yaml, read_yaml_file, shipped
from medweave.model.identifiers import digest
from medweave.model.mapping import FieldRule, Mapping, RelationRule
from medweave.model.statement import EvidenceClass

_KINDS = ("monographs", "triples")
_READINGS = ("names", "phrases", "text")
_PARENTHESES = ("keep", "synonym")


@cache
def shipped_mappings() -> dict[str, Mapping]:
    """The mappings that ship, by name."""
    folder = shipped("documents", "mappings")
    entries = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".yaml")), key=lambda e: e.name
    )
    found = [parse_mapping(read_yaml(e.read_text("utf-8"), where=e.name), e.name) for e in entries]
    return {mapping.name: mapping for mapping in found}


def find_mapping(name_or_file: str) -> Mapping:
    """A shipped mapping by name, or the user's by file."""
    if name_or_file in shipped_mappings():
        return shipped_mappings()[name_or_file]
    path = Path(name_or_file)
    if not path.is_file():
        raise MappingError(
            f"no mapping '{name_or_file}'",
            remedy=f"name a YAML file, or one of {', '.join(sorted(shipped_mappings()))}",
        )
    try:
        return parse_mapping(read_yaml_file(path), str(path))
    except VocabularyError as error:
        raise MappingError(error.what, where=error.where, remedy=error.remedy) from error


def recognise(path: Path, columns: Collection[str]) -> Mapping | None:
    """The mapping whose folder name and columns fit; the most particular one wins.

    A mapping that names folders fits only there; among the rest the one that asks for most
    columns is the most particular.
    """
    places = {data_stem(path), path.parent.name}
    have = set(columns)
    fitting = [
        mapping
        for mapping in shipped_mappings().values()
        if have.issuperset(mapping.columns)
        and (not mapping.folders or places & set(mapping.folders))
    ]
    ranked = sorted(fitting, key=lambda m: (bool(m.folders), len(m.columns), m.name))
    return ranked[-1] if ranked else None


def mapping_yaml(mapping: Mapping) -> str:
    """A mapping as the YAML from which `parse_mapping` makes an equal one."""
    content: dict[str, Any] = {"name": mapping.name, "kind": mapping.kind}
    for name, value in _written(mapping).items():
        if name == "fields":
            content[name] = {rule.field: _written(rule) for rule in mapping.fields}
            for rule in content[name].values():
                del rule["field"]
        elif name == "relations":
            content[name] = {relation: _written(rule) for relation, rule in mapping.relations}
        elif name != "version":
            content[name] = list(value) if isinstance(value, tuple) else value
    return yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=100)


def _written(value: Mapping | FieldRule | RelationRule) -> dict[str, Any]:
    """What differs from the default."""
    return {
        part.name: getattr(value, part.name)
        for part in dataclasses.fields(value)
        if getattr(value, part.name) != part.default
    }


def parse_mapping(content: dict[str, Any], where: str) -> Mapping:
    """A mapping from its YAML form; `MappingError` says what is wrong with it."""
    known = set(Mapping.__dataclass_fields__) - {"version"}
    unknown = sorted(str(name) for name in content if name not in known)
    if unknown:
        raise MappingError(
            f"unknown entries {', '.join(unknown)}",
            where=where,
            remedy=f"use {', '.join(sorted(known))}",
        )
    _check_choice(content, "kind", _KINDS, where)
    _check_choice(content, "evidence_class", get_args(EvidenceClass), where)
    _check_choice(content, "parentheses", _PARENTHESES, where)
    _check_shapes(content, where)
    plain = {
        name: value
        for name, value in content.items()
        if value is not None and name not in ("fields", "relations", "columns", "folders", "name")
    }
    try:
        return Mapping(
            name=str(content.get("name") or Path(where).stem),
            version=digest(content, 6),
            fields=tuple(_field_rule(f, r, where) for f, r in _parts(content, "fields")),
            relations=tuple(
                (str(name), _relation_rule(rule, where))
                for name, rule in _parts(content, "relations")
            ),
            columns=tuple(map(str, content.get("columns") or ())),
            folders=tuple(map(str, content.get("folders") or ())),
            **plain,
        )
    except TypeError as error:
        raise MappingError(f"this mapping is incomplete: {error}", where=where) from error


def _parts(content: dict[str, Any], name: str) -> Iterable[tuple[Any, Any]]:
    return (content.get(name) or {}).items()


def _check_shapes(content: dict[str, Any], where: str) -> None:
    """Every entry is a text, but for the few that are lists or name parts."""
    shapes: dict[str, tuple[type, str]] = {
        "fields": (dict, "a mapping"), "relations": (dict, "a mapping"),
        "columns": (list, "a list"), "folders": (list, "a list"),
    }  # fmt: skip
    for name, value in content.items():
        shape, called = shapes.get(name, (str, "a text"))
        if value is not None and not isinstance(value, shape):
            raise MappingError(f"'{name}' must be {called}", where=where, remedy="mend the file")


def _check_choice(content: dict[str, Any], name: str, choices: Collection[str], where: str) -> None:
    if name in content and content[name] not in choices:
        raise MappingError(
            f"'{name}: {content[name]}' is not known",
            where=where,
            remedy=f"use one of {', '.join(choices)}",
        )


def _field_rule(field: str, rule: Any, where: str) -> FieldRule:
    if not isinstance(rule, dict) or "predicate" not in rule:
        raise MappingError(f"the field '{field}' needs a predicate", where=where)
    _check_choice(rule, "reading", _READINGS, where)
    _check_texts(rule, f"the field '{field}'", where)
    try:
        return FieldRule(field=str(field), **rule)
    except TypeError as error:
        raise MappingError(f"the field '{field}': {error}", where=where) from error


def _check_texts(rule: dict[Any, Any], part: str, where: str) -> None:
    for name, value in rule.items():
        if not isinstance(value, str):
            raise MappingError(f"{part}: '{name}' must be a text", where=where)


def _relation_rule(rule: Any, where: str) -> RelationRule:
    if isinstance(rule, dict):
        _check_texts(rule, "a relation", where)
    try:
        return RelationRule(**rule) if isinstance(rule, dict) else RelationRule(str(rule))
    except TypeError as error:
        raise MappingError(f"a relation is wrong: {error}", where=where) from error
