"""What a base is about.

Sources of two domains are not brought together: the name of a film must never be taken for that
of a drug.
"""

from __future__ import annotations

from medweave.errors import SourceError
from medweave.ports import StoreView

_NOTE = "domain"
MEDICAL = "medical"
"""The domain of a base that says nothing of it."""


def domain_of(store: StoreView) -> str:
    """What a base is about; an empty one is about nothing yet, and says ''."""
    if not store.sources():
        return ""
    return store.note(_NOTE) or MEDICAL


def check_domain(store: StoreView, domain: str, source: str) -> None:
    """Refuse a source that is about something else than the base. Raises `SourceError`."""
    held = domain_of(store)
    if held and held != domain:
        raise SourceError(
            f"this source is not {held}, as the base is, but {domain}",
            where=source,
            remedy="build a base of its own from it",
        )


def note_domain(store: StoreView, domain: str) -> None:
    """Remember what a base is about."""
    if (store.note(_NOTE) or MEDICAL) != domain:
        store.set_note(_NOTE, domain)
