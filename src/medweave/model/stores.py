"""Documents of several stores that are asked together: which store has one."""

from __future__ import annotations

_AT = "@"


def in_store(document: str, store: str) -> str:
    """The identifier of a document, with the store that has it.

    >>> in_store("do:17", "clinic"), store_of("do:17@clinic"), store_of("do:17")
    ('do:17@clinic', ('do:17', 'clinic'), ('do:17', ''))
    """
    return f"{document}{_AT}{store}"


def store_of(document: str) -> tuple[str, str]:
    """The identifier within its store, and the store; '' where there is only one."""
    identifier, _, store = document.partition(_AT)
    return identifier, store
