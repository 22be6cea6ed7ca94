"""At which line of a mapping that was written out something is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from medweave.errors import MappingError, VocabularyError

_LINE = " line "
_NAMED = re.compile(r"'([^']+)'")
_ENTRIES = re.compile(r"unknown entries (.+)")


@contextmanager
def at_its_line(mapping: str) -> Iterator[None]:
    """What is wrong inside is told of the line of `mapping` that it names, where it names one."""
    try:
        yield
    except (MappingError, VocabularyError) as error:
        line = line_of(mapping, error.what)
        if _LINE in error.where or not line:
            raise
        kind = type(error)
        raise kind(error.what, where=f"mapping{_LINE}{line}", remedy=error.remedy) from error


def line_of(mapping: str, told: str) -> int:
    """The line (from 1) that holds what an error names, the last of what it names first; 0 for
    none.

    >>> line_of("name: a\\nfields:\\n  Signs: {nme: x}", "the field 'Signs': unknown entry 'nme'")
    3
    >>> line_of("name: a\\nnme: b", "unknown entries nme"), line_of("name: a", "too 'long'")
    (2, 0)
    """
    names = _NAMED.findall(told)
    if entries := _ENTRIES.search(told):
        names += reversed(entries[1].split(", "))
    lines = mapping.split("\n")
    for name in reversed(names):
        for number, line in enumerate(lines, 1):
            if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line):
                return number
    return 0
