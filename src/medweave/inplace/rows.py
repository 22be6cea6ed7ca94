"""What a database has to tell to be asked in place: as little as it may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from medweave.inplace.mapping import Part

OURS = "it belongs to a base of medweave"
"""Why a table or the like is none of the user's."""


class ForeignRow(NamedTuple):
    """A row, document, node or relationship."""

    key: str
    """By which the database finds it again, as text."""
    shown: str
    """What it is called where it is quoted; several rows may be called the same."""
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that a database changes whenever it is changed."""

    text: str
    settled: bool = True
    """Whether it must differ after any later change: it is not where a clock counts seconds."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, collection, label, type or class, as a schema has it."""

    name: str
    place_kind: str
    rows: int
    columns: tuple[str, ...]
    key: str = ""
    """The one column that tells its rows apart, where the schema says which."""
    foreign: str = ""
    """Why it is none of the user's: it belongs to a base of medweave, or to the server."""


class ForeignRows(Protocol):
    """A database, read in batches and by keys. Errors are `StoreError` or one of its kinds.

    What it can tell of changes, and whether it has rows that join, each says for itself; without a
    word it is that it cannot, and has none.
    """

    def mark(self, parts: Sequence[Part]) -> Mark | None:  # noqa: ARG002
        """A mark of all that these parts read; None where the database has none."""
        return None

    def digest(self, part: Part) -> str:  # noqa: ARG002
        """A digest of all rows of a part, made by the database itself; '' where it makes none."""
        return ""

    def new_rows(self, part: Part, digest: str) -> Iterator[ForeignRow] | None:  # noqa: ARG002
        """The rows that came since a digest was made; None where others changed or went, too, or
        that cannot be told."""
        return None

    def stream(self, part: Part) -> Iterator[ForeignRow]:
        """All rows of a part, those that are shown by the same name together."""

    def fetch(self, part: Part, keys: Sequence[str]) -> Iterable[ForeignRow]:
        """The rows with these keys, those that are gone left out."""

    def joining(self, part: Part, nodes: Iterable[str]) -> Iterable[ForeignRow]:  # noqa: ARG002
        """The rows of a part that joins, that touch any of these nodes (by their keys)."""
        return ()

    def tables(self) -> list[Table]:
        """The schema."""

    def sample(self, table: Table, rows: int) -> list[dict[str, Any]]:
        """Some rows of a table, the first there are."""

    def values(self, table: Table, column: str) -> dict[str, int]:
        """The texts in a column, and how many rows have each; the most frequent thousand."""

    def check(self, parts: Sequence[Part]) -> None:
        """Raises `MappingError` where a part names what is not there."""

    def server(self) -> str:
        """The version of the server."""

    def close(self) -> None:
        """Let go of connections."""
