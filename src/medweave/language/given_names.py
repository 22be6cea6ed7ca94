"""Given names that are no common words."""

from __future__ import annotations

from functools import cache

from medweave.language.data import shipped_yaml


@cache
def given_names() -> frozenset[str]:
    """All that ship, in lower case.

    >>> "amanda" in given_names(), "may" in given_names()
    (True, False)
    """
    return frozenset(shipped_yaml("language", "rules", "given_names.yaml")["given"].split())
