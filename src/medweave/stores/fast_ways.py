"""What a store or an index does faster takes the place of what is derived."""

from __future__ import annotations

from collections.abc import Iterable


def take_over(view: object, itself: object, abilities: Iterable[type]) -> None:
    """Give a view the methods of each ability that what it is a view of has."""
    for ability in abilities:
        if isinstance(itself, ability):
            for name in methods_of(ability):
                setattr(view, name, getattr(itself, name))


def methods_of(ability: type) -> list[str]:
    """The methods of one of the `Supports…` protocols.

    >>> from medweave.ports import SupportsNotes
    >>> methods_of(SupportsNotes)
    ['note', 'set_note']
    """
    return [name for name in vars(ability) if not name.startswith("_")]
