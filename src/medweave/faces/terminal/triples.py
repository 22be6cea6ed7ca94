"""What fits a query of triples, and the relations of a base, in a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.text import Text

from medweave.model.entity import Entity
from medweave.model.statement import Literal, Statement

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.model.triple_query import TripleResult, Value
    from medweave.retrieval.graph.base_schema import BaseSchema

_SHOWN = 40
"""Values of an unknown, and statements, that are printed: `--json` has all."""


def print_triples(found: TripleResult, console: Console) -> None:
    """What each unknown stands for, then the statements with where they come from."""
    for name in found.unknown:
        console.print(Text(f"The base knows nothing called '{name}'."))
    ways = "1 way" if found.total == 1 else f"{found.total:,} ways"
    console.print(Text(f"{ways} in which all of it holds", style="bold"))
    for name, values in found.bindings.items():
        shown = [_named(value) for value in values[:_SHOWN]]
        listed = "; ".join(shown) + _more(len(values)) if shown else "nothing"
        console.print(Text(f"  {name}: ", style="green") + Text(listed))
    for match in found.matches[:_SHOWN]:
        supported = found.statements[match.statement]
        documents = dict.fromkeys(
            found.documents[item.document].name for item in supported.evidence
        )
        console.print(
            Text(_in_words(supported.statement, found.entities))
            + Text(f"  {', '.join(documents)}", style="dim")
        )
    turned = sorted({match.triple + 1 for match in found.matches if match.direction == "inverse"})
    for number in turned:
        console.print(Text(f"triple {number} holds the other way round", style="dim"))
    if len(found.matches) > _SHOWN:
        console.print(Text(f"{_more(len(found.matches)).strip()}: see --json", style="dim"))
    for line in found.heard.missing:
        console.print(Text(line, style="yellow"))
    if found.truncated:
        console.print(Text("cut: give more with --limit", style="dim"))


def print_schema(schema: BaseSchema, console: Console) -> None:
    """A line for each relation, and for each store that was not heard."""
    for shape in schema.predicates:
        ends = f"{' | '.join(shape.subject)} → {' | '.join(shape.object)}"
        count = Text(f"{shape.statements:>8,}  ", style="dim")
        console.print(count + Text(shape.name, style="green") + Text(f"  {ends}"))
    for line in schema.heard.missing:
        console.print(Text(line, style="yellow"))


def _named(value: Value) -> str:
    if isinstance(value, Entity):
        return value.name()
    if isinstance(value, Literal):
        return f"{value.value} {value.unit}".strip()
    return value.predicate


def _in_words(statement: Statement, entities: Mapping[str, Entity]) -> str:
    held = statement.object
    object_ = _named(held) if isinstance(held, Literal) else entities[held].name()
    qualifiers = ", ".join(f"{name}={value}" for name, value in statement.qualifiers)
    line = f"{entities[statement.subject].name()} · {statement.predicate} · {object_}"
    return f"{line} ({qualifiers})" if qualifiers else line


def _more(count: int) -> str:
    return f" and {count - _SHOWN:,} more" if count > _SHOWN else ""
