"""Which medicines most people meet, and which are sold without a prescription."""

from __future__ import annotations

from functools import cache

from medweave.language.data import shipped_yaml


def place_in_use(entity: str) -> int:
    """How early a medicine or class stands among those that people meet; the rest stand last.

    >>> place_in_use("mw.substance:ibuprofen") < place_in_use("mw.substance:warfarin")
    True
    """
    places = _places()
    return places.get(entity, len(places))


@cache
def bought() -> frozenset[str]:
    """Medicines and classes that are sold without a prescription in many countries.

    >>> "mw.substance:loratadine" in bought(), "mw.substance:warfarin" in bought()
    (True, False)
    """
    return frozenset(shipped_yaml("vocabulary", "commonly_used.yaml")["bought"])


@cache
def _places() -> dict[str, int]:
    parts = shipped_yaml("vocabulary", "commonly_used.yaml")
    ordered = dict.fromkeys((*parts["bought"], *parts["prescribed"]))
    return {entity: place for place, entity in enumerate(ordered)}
