"""Which classes of medicines have members that act alike."""

from __future__ import annotations

from functools import cache

from medweave.language.data import shipped_yaml


@cache
def act_alike() -> frozenset[str]:
    """The classes, by identifier: what is recorded of most members may be so of any.

    >>> "mw.substance:statins" in act_alike(), "mw.substance:antibiotics" in act_alike()
    (True, False)
    """
    return frozenset(shipped_yaml("vocabulary", "act_alike.yaml")["classes"])


@cache
def told_enough() -> frozenset[str]:
    """The classes whose record tells so much of any member that what is not there says something.

    >>> "mw.substance:corticosteroids" in told_enough(), "mw.substance:statins" in told_enough()
    (True, True)
    >>> "mw.substance:antidepressants" in told_enough()
    False
    """
    return act_alike() | frozenset(shipped_yaml("vocabulary", "act_alike.yaml")["told_enough"])
