"""Entities of XML that grow without bound; the parser of RDF/XML puts in whatever they say."""

from __future__ import annotations

import re
from collections import Counter

_DECLARED = re.compile(rb"<!ENTITY\s+([^\s%]\S*)\s+(?:\"([^\"]*)\"|'([^']*)')")
_NAMED = re.compile(rb"&([^\s#&;][^\s&;]{0,100});")
_TIMES, _FREE = 20, 1_000_000
"""A file may grow to so many times its size, and so many bytes besides: "&owl;" is an address."""


def check_entities(content: bytes) -> None:
    """Raise `ValueError` where what a file declares would make it many times as long.

    >>> check_entities(b'<!DOCTYPE r [<!ENTITY owl "http://www.w3.org/">]><r a="&owl;"/>')
    """
    if b"<!ENTITY" not in content:
        return
    declared = {name: double or single for name, double, single in _DECLARED.findall(content)}
    sizes: dict[bytes, int] = {}
    for name in declared:
        _size(name, declared, sizes, ())
    counts = Counter(_NAMED.findall(content))
    grown = sum(count * sizes.get(name, 0) for name, count in counts.items())
    if grown > _TIMES * len(content) + _FREE:
        raise ValueError("its entities make it many times as long as it is")


def _size(
    name: bytes, declared: dict[bytes, bytes], sizes: dict[bytes, int], above: tuple[bytes, ...]
) -> int:
    """The length of what an entity stands for, with the entities in it."""
    if name in above or len(above) > _TIMES:
        raise ValueError("its entities go round in a circle, or too deep")
    if name not in sizes:
        text = declared.get(name, b"")
        inner = _NAMED.findall(text)
        sizes[name] = len(text) + sum(_size(n, declared, sizes, (*above, name)) for n in inner)
    return sizes[name]
