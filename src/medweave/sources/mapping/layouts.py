"""Finding and reading the mapping of a source."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from typing import Any, get_args

import yaml

from medweave.errors import MappingError, VocabularyError
from medweave.language.data import read_yaml, read_yaml_file, shipped
from medweave.model.identifiers import digest
from medweave.model.mapping import Mapping
from medweave.model.statement import EvidenceClass
from medweave.sources.files.rows import data_stem
from medweave.sources.kinds import kinds
from medweave.sources.mapping.rules import SHAPES, rules_of

_PARENTHESES = ("keep", "synonym")


@cache
def shipped_mappings() -> dict[str, Mapping]:
    """The mappings that ship, by name."""
    entries = sorted(shipped("sources").glob("*/layouts/*.yaml"), key=lambda e: e.name)
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


def kind_mapping(name: str) -> Mapping:
    """A mapping that says of which kind a file is, and leaves the rest to the file.

    >>> kind_mapping("triples").names_kind
    True
    """
    return Mapping(name, name, "")


def own_layout(kind: str) -> Mapping | None:
    """The layout of our own that is called like a kind, if it says anything."""
    found = shipped_mappings().get(kind)
    return None if found is None or found.names_kind else found


def by_place(path: Path, named: Mapping | None = None) -> Mapping | None:
    """The mapping that the place of a file alone decides, before its columns are known.

    A mapping that is named and is for any file, or else one that names this very file and without
    which its columns cannot be known.
    """
    if named is not None and not named.parts and not named.names_kind:
        return named
    parts = named.parts if named else ()
    candidates = parts or [m for m in _shipped_parts() if named is None or m.kind == named.kind]
    exact = [m for m in candidates if data_stem(path) in m.files and (parts or _fits(path, m))]
    if len(exact) != 1:
        return None
    must_look = not exact[0].columns or exact[0].quoted or not exact[0].header
    return exact[0] if must_look else None


def recognise(
    path: Path, columns: Collection[str], candidates: Iterable[Mapping] | None = None
) -> Mapping | None:
    """The mapping whose folder name and columns fit; the most particular one wins.

    A mapping that names folders or files fits only there; among the rest the one that asks for most
    columns is the most particular. `candidates` are all that ship unless some are given.
    """
    have = set(columns)
    fitting = [
        mapping
        for mapping in (_shipped_parts() if candidates is None else candidates)
        if have.issuperset(mapping.columns) and not mapping.parts and not mapping.names_kind
        if _fits(path, mapping) or (candidates is not None and _named(path, mapping))
    ]
    ranked = sorted(fitting, key=lambda m: (bool(m.files), bool(m.folders), len(m.columns), m.name))
    return ranked[-1] if ranked else None


def _shipped_parts() -> list[Mapping]:
    return [part for mapping in shipped_mappings().values() for part in mapping.everything]


def _fits(path: Path, mapping: Mapping) -> bool:
    places = {data_stem(path), path.parent.name}
    return _named(path, mapping) and (not mapping.folders or bool(places & set(mapping.folders)))


def _named(path: Path, mapping: Mapping) -> bool:
    return not mapping.files or data_stem(path) in mapping.files


def mapping_yaml(mapping: Mapping) -> str:
    """A mapping as the YAML from which `parse_mapping` makes an equal one."""
    content = _content(mapping)
    if mapping.parts:
        content = {"name": mapping.name, "parts": list(map(_content, mapping.parts))}
    return yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=100)


def _content(mapping: Mapping) -> dict[str, Any]:
    content = {"name": mapping.name, "kind": mapping.kind, **_written(mapping)}
    del content["version"]
    return content


def _written(rule: Any) -> dict[str, Any]:
    """The entries of a mapping or rule that differ from their default."""
    return {
        part.name: _as_data(getattr(rule, part.name))
        for part in dataclasses.fields(rule)
        if getattr(rule, part.name) != part.default
    }


def _as_data(value: Any) -> Any:
    """Values as YAML has them: rules by their first entry, pairs as mappings, tuples as lists."""
    if dataclasses.is_dataclass(value):
        return _written(value)
    if not isinstance(value, tuple) or not value:
        return value
    if all(map(dataclasses.is_dataclass, value)):
        written = [list(_written(rule).items()) for rule in value]
        return {entries[0][1]: dict(entries[1:]) for entries in written}
    if all(isinstance(entry, tuple) for entry in value):
        return {name: _as_data(value_) for name, value_ in value}
    return list(value)


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
    if content.get("parts") is not None:
        return _source(content, where)
    _check_choice(content, "kind", [kind.name for kind in kinds()], where)
    _check_choice(content, "evidence_class", get_args(EvidenceClass), where)
    _check_choice(content, "parentheses", _PARENTHESES, where)
    _check_shapes(content, where)
    rules = rules_of(content, where)
    plain: dict[str, Any] = {
        name: value
        for name, value in content.items()
        if value is not None and isinstance(value, (str, bool)) and name != "name"
    }
    try:
        return Mapping(
            name=str(content.get("name") or Path(where).stem),
            version=_version(content),
            **plain,
            **rules,
        )
    except TypeError as error:
        raise MappingError(f"this mapping is incomplete: {error}", where=where) from error


def _source(content: dict[str, Any], where: str) -> Mapping:
    """Several files of one source: what stands outside the parts goes for all of them."""
    parts = content["parts"]
    if not isinstance(parts, list) or not parts or not all(map(_is_part, parts)):
        raise MappingError("'parts' must be a list of mappings", where=where)
    common = {name: value for name, value in content.items() if name != "parts"}
    name = str(content.get("name") or Path(where).stem)
    parsed = tuple(parse_mapping({**common, **part}, where) for part in parts)
    return Mapping(name=name, kind="", version=_version(content), parts=parsed)


def _version(content: dict[str, Any]) -> str:
    """A digest of a mapping's file, in which numbers may stand as keys beside texts."""
    return digest(_with_texts_as_keys(content), 6)


def _with_texts_as_keys(value: Any) -> Any:
    if isinstance(value, list):
        return list(map(_with_texts_as_keys, value))
    if not isinstance(value, dict):
        return value
    return {str(key): _with_texts_as_keys(part) for key, part in value.items()}


def _is_part(part: Any) -> bool:
    return isinstance(part, dict) and "parts" not in part


def _check_shapes(content: dict[str, Any], where: str) -> None:
    """Every entry is a text, but for the few that are lists, name parts, or say yes or no."""
    for name, value in content.items():
        shape, called = SHAPES.get(name, (str, "a text"))
        if value is not None and not isinstance(value, shape):
            raise MappingError(f"'{name}' must be {called}", where=where, remedy="mend the file")


def _check_choice(content: dict[str, Any], name: str, choices: Collection[str], where: str) -> None:
    if name in content and content[name] not in choices:
        raise MappingError(
            f"'{name}: {content[name]}' is not known",
            where=where,
            remedy=f"use one of {', '.join(choices)}",
        )
