"""The parts of a mapping file that are more than one text, checked and made into values."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, get_args

from medweave.errors import MappingError
from medweave.model.dialogue import Speaker
from medweave.model.mapping import (
    CollectRule,
    EndRule,
    FieldRule,
    JoinRule,
    RelationRule,
    TableRule,
)

VALUE = "{}"
"""Where the value of a column goes in the key of a table."""
_READINGS = ("names", "phrases", "text", "passages")
_PARTS, _LIST, _CHOICE = (dict, "a mapping"), (list, "a list"), (bool, "true or false")
SHAPES: dict[str, tuple[type, str]] = {
    **dict.fromkeys(
        ("fields", "relations", "subject", "object", "tables", "join", "keep", "without", "collect",
         "questions", "identifier_prefixes", "xrefs", "turns", "sections", "section_values",
         "references"),
        _PARTS,
    ),
    **dict.fromkeys(("columns", "folders", "files", "also"), _LIST),
    **dict.fromkeys(("header", "quoted", "gather", "open_relations", "refined"), _CHOICE),
}  # fmt: skip
"""What an entry must be, where it is not a text."""
_TYPES: dict[str, tuple[Any, str]] = {
    "tuple[tuple[str, str], ...]": _PARTS,
    "tuple[str, ...]": _LIST,
    "bool": _CHOICE,
    "int": (int, "a whole number"),
    "float | None": ((int, float), "a number"),
}
"""What an entry of a rule must be, by the type of its field, where it is not a text."""


def rules_of(content: dict[str, Any], where: str) -> dict[str, Any]:
    """The entries of a mapping that are rules, as `Mapping` takes them."""
    found: dict[str, Any] = {
        name: tuple(map(str, content.get(name) or ()))
        for name in ("columns", "folders", "files", "also")
    }
    for name, make in _NAMED.items():
        found[name] = tuple(make(str(k), v, where) for k, v in (content.get(name) or {}).items())
    for name in ("subject", "object"):
        if content.get(name):
            found[name] = _rule(EndRule, content[name], f"'{name}'", where)
    _check_tables(found, where)
    _check_questions(found, where)
    _check_turns(found, where)
    return found


def _check_turns(found: dict[str, Any], where: str) -> None:
    for field, speaker in found["turns"]:
        if speaker not in get_args(Speaker):
            raise MappingError(
                f"the turn '{field}': nobody speaks who is called '{speaker}'",
                where=where,
                remedy=f"use one of {', '.join(get_args(Speaker))}",
            )


def _check_tables(found: dict[str, Any], where: str) -> None:
    """Whatever asks a table must ask one that is named."""
    tables = [rule.name for rule in found["tables"]]
    asking = [(f"the join of '{rule.column}'", rule.table) for rule in found["join"]]
    asking += [(f"the field '{rule.field}'", rule.table) for rule in found["fields"] if rule.table]
    for part, table in asking:
        if table not in tables:
            known = ", ".join(tables) or "none is"
            raise MappingError(
                f"{part}: no table '{table}'", where=where, remedy=f"name it in 'tables' ({known})"
            )
    for rule in found["fields"]:
        if rule.table and not rule.name:
            raise MappingError(
                f"the field '{rule.field}' needs a 'name'",
                where=where,
                remedy=f"say which column of the table '{rule.table}' holds what its keys mean",
            )


def _check_questions(found: dict[str, Any], where: str) -> None:
    fields = [rule.field for rule in found["fields"]]
    for question, field in found["questions"]:
        if question.count("{name}") != 1:
            raise MappingError(f"the question '{question}' must hold {{name}} once", where=where)
        if field not in fields:
            raise MappingError(f"the question '{question}': no field '{field}'", where=where)


def _rule(kind: type[Any], rule: Any, part: str, where: str, **known: Any) -> Any:
    """A rule of a kind from its entries, each of the type that its default has."""
    if not isinstance(rule, dict):
        raise MappingError(f"{part} must be a mapping", where=where)
    values = dict(known)
    fields = {field.name: field for field in dataclasses.fields(kind)}
    for name, value in rule.items():
        if name not in fields or name in known:
            raise MappingError(
                f"{part}: unknown entry '{name}'", where=where, remedy=f"use {', '.join(fields)}"
            )
        values[name] = _value(str(fields[name].type), value, f"{part}: '{name}'", where)
    try:
        return kind(**values)
    except TypeError as error:
        raise MappingError(f"{part} is incomplete: {error}", where=where) from error


def _value(declared: str, value: Any, part: str, where: str) -> Any:
    """A value of the type that is declared in the model; lists and mappings become tuples."""
    shape, called = _TYPES.get(declared, (str, "a text"))
    if not isinstance(value, shape) or (isinstance(value, bool) and shape is not bool):
        raise MappingError(f"{part} must be {called}", where=where)
    if isinstance(value, dict):
        return tuple((str(key), str(name)) for key, name in value.items())
    return tuple(map(str, value)) if isinstance(value, list) else value


def _field(name: str, rule: Any, where: str) -> FieldRule:
    if not isinstance(rule, dict) or "predicate" not in rule:
        raise MappingError(f"the field '{name}' needs a predicate", where=where)
    if rule.get("reading", "names") not in _READINGS:
        raise MappingError(
            f"'reading: {rule['reading']}' is not known",
            where=where,
            remedy=f"use one of {', '.join(_READINGS)}",
        )
    made: FieldRule = _rule(FieldRule, rule, f"the field '{name}'", where, field=name)
    return made


def _relation(name: str, rule: Any, where: str) -> tuple[str, RelationRule]:
    part = f"the relation '{name}'"
    if not isinstance(rule, dict):
        return name, RelationRule(_value("str", rule, part, where))
    made: RelationRule = _rule(RelationRule, rule, part, where)
    if made.polarity not in (-1, 1):
        raise MappingError(f"{part}: 'polarity' must be 1 or -1", where=where)
    if made.strength is not None and not 0 <= made.strength <= 1:
        raise MappingError(f"{part}: 'strength' must lie between 0 and 1", where=where)
    return name, made


def _table(name: str, rule: Any, where: str) -> TableRule:
    made: TableRule = _rule(TableRule, rule, f"the table '{name}'", where, name=name)
    return made


def _join(name: str, rule: Any, where: str) -> JoinRule:
    if isinstance(rule, str):
        return JoinRule(name, rule)
    made: JoinRule = _rule(JoinRule, rule, f"the join of '{name}'", where, column=name)
    if VALUE not in made.key:
        raise MappingError(
            f"the join of '{name}': 'key' must hold {VALUE}, where the value goes", where=where
        )
    return made


def _collect(name: str, rule: Any, where: str) -> CollectRule:
    made: CollectRule = _rule(CollectRule, rule or {}, f"the list '{name}'", where, field=name)
    return made


def _retained(name: str, values: Any, where: str) -> tuple[str, tuple[str, ...]]:
    if not isinstance(values, list):
        raise MappingError(f"'{name}' must be a list of values", where=where)
    return name, tuple(map(str, values))


def _pair(name: str, value: Any, where: str) -> tuple[str, str]:
    if not isinstance(value, str):
        raise MappingError(f"'{name}' must have a text", where=where)
    return name, value


_NAMED: dict[str, Callable[[str, Any, str], Any]] = {
    "fields": _field,
    "relations": _relation,
    "tables": _table,
    "join": _join,
    "collect": _collect,
    "keep": _retained,
    "without": _retained,
    "questions": _pair,
    "identifier_prefixes": _pair,
    "xrefs": _pair,
    "turns": _pair,
    "sections": _pair,
    "section_values": _pair,
    "references": _pair,
}
