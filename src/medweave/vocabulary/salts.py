"""A medicine's name without its salt and the form that it is sold in. The words are salts.yaml."""

from __future__ import annotations

from functools import cache

from medweave.language.data import shipped_yaml


def without_salt(name: str) -> str:
    """The name as far as it tells of the medicine itself; the first word always stays.

    >>> without_salt("amlodipine besylate tablets"), without_salt("penicillin g benzathine")
    ('amlodipine', 'penicillin g benzathine')
    """
    words = name.split()
    while len(words) > 1 and words[-1] in _left_out():
        words.pop()
    return " ".join(words)


@cache
def _left_out() -> frozenset[str]:
    rules = shipped_yaml("vocabulary", "salts.yaml")
    return frozenset((*rules["salts"], *rules["forms"]))
