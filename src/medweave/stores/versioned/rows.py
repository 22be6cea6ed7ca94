"""What a database must do to keep a base: rows of a few kinds, found by numbers.

A row is written once. It holds from its stamp `since` up to its stamp `until`, and where nothing
ended it, it has none. A stamp is a revision and a step within it, so whoever reads at a revision
sees all of it and nothing of the next, without any transaction of the database: what a writer
writes is seen by nobody until the one header of the base names its revision.

Texts are looked for by their numbers (see `model.edge`), never by themselves: so case, accents,
spaces at the end, length and collation of a database mean nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

Row = dict[str, Any]
"""Texts and whole numbers by field; a field that says nothing is left out."""
Where = Mapping[str, Sequence[int]]
"""For each field the numbers it may have; all must fit."""
Header = dict[str, str]
"""What a base says of itself, as texts."""

NUMBERED: Mapping[str, tuple[str, ...]] = {
    "document": ("n", "source_n", "name_n", "whole_n"),
    "statement": ("n", "subject_n", "predicate_n", "object_n"),
    "evidence": ("n", "statement_n", "document_n"),
    "premise": ("n", "premise_n"),
    "name": ("n", "thing_n", "key_n", "xref_n", "concept_n", "document_n"),
    "thing": ("n",),
    "run": ("n",),
    "note": ("n",),
    "vector": ("n", "space_n", "key_n", "document_n"),
}
"""The kinds of rows, and the fields by which they are found; `n` is what a row is."""

_STEPS = 24
"""So many bits of a stamp count the steps of one revision."""


def first_stamp(revision: int) -> int:
    """The first stamp of a revision; all of the revisions before it are smaller.

    >>> first_stamp(0), first_stamp(3) - first_stamp(2)
    (0, 16777216)
    """
    return revision << _STEPS


class Rows(Protocol):
    """The rows of one base. Errors are `StoreError` and its kinds.

    All but `swap` may be done twice: a try that failed midway is tried again. `at` stands for what
    was written before that stamp: `since < at`, and no `until`, or `until >= at`.
    """

    def header(self) -> Header | None:
        """The header; None where there is no base."""

    def swap(self, before: Header | None, after: Header) -> bool:
        """Put a header in the place of the one that was read, if it is still that; whether it was.

        Headers differ in `turn`. Where there was none, this makes what a base needs.
        """

    def insert(self, rows: Mapping[str, Sequence[Row]]) -> None:
        """Keep rows, by their kinds; each has `n` and `since`, and replaces one that has both the
        same."""

    def end(self, kind: str, numbers: Sequence[int], stamp: int) -> None:
        """Rows with these `n` that nothing ended yet hold no more; those `since` just then go."""

    def undo(self, kind: str, stamp: int) -> None:
        """Take back all that was written and ended from a stamp on."""

    def forget(self, kind: str, stamp: int) -> None:
        """Take out for good what ended before a stamp."""

    def find(
        self,
        kind: str,
        where: Where,
        at: int,
        fields: Sequence[str],
        *,
        first: int | None = None,
    ) -> Iterable[Row]:
        """These fields of all rows that fit, in any order; or of the `first`, by `n`."""

    def tally(self, kind: str, field: str, where: Where, at: int) -> dict[Any, int]:
        """The values of a field with how many rows have them."""

    def changed(self, stamp: int) -> set[int]:
        """The `statement_n` of all evidence that came or ended from a stamp on."""

    def server(self) -> str:
        """The version of the server."""

    def close(self) -> None:
        """Let go of connections."""
