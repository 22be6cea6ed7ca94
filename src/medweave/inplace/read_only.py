"""What is only asked: whatever would write to it is refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from medweave.errors import StoreError
from medweave.model.document import Extraction


class ReadOnlyStore:
    """The writing half of a store that has none."""

    def __init__(self, where: str, *, why: str, remedy: str) -> None:
        self._where = where
        self._why_not = why
        self._remedy = remedy

    def put(self, extractions: Iterable[Extraction]) -> None:  # noqa: ARG002
        """Refused, see `_refuse`."""
        self._refuse()

    def remove(self, documents: Iterable[str]) -> int:  # noqa: ARG002
        """Refused, see `_refuse`."""
        self._refuse()

    def set_note(self, key: str, text: str) -> None:  # noqa: ARG002
        """Refused, see `_refuse`."""
        self._refuse()

    def note(self, key: str) -> str | None:  # noqa: ARG002
        """See `SupportsNotes.note`: none is kept."""
        return None

    def _refuse(self) -> NoReturn:
        raise StoreError(self._why_not, where=self._where, remedy=self._remedy)
