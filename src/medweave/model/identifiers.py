"""Identifiers: CURIEs for things, content-derived digests for statements and evidence.

A thing that a source names without an identifier of its own gets a local CURIE made from its
*family* (what kind of thing it can be) and its normalised name: `mw.condition:chest_pain`. The
concept (disease or symptom?) is not part of it, because sources disagree about concepts and the
answer to that disagreement is computed from all of them.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

LOCAL_PREFIX = "mw"
_ENCODE = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
_CURIE = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,31}:[^\s:/][^\s]{0,127}")
_EDGES = " \t.,;:!?。，；：！？、\"'“”‘’"


def normalise_name(name: str) -> str:
    """The form under which two spellings of a name are the same name.

    Unicode NFKC, case folded, underscores and runs of space become one space, punctuation at the
    edges goes.

    >>> normalise_name("  Chest_Pain. ")
    'chest pain'
    >>> normalise_name("Ｆｅｖｅｒ")
    'fever'
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(folded.replace("_", " ").split()).strip(_EDGES)


def is_curie(text: str) -> bool:
    """Whether `text` looks like PREFIX:LOCAL.

    >>> is_curie("MONDO:0005249"), is_curie("17"), is_curie("http://x")
    (True, False, False)
    """
    return _CURIE.fullmatch(text) is not None


def curie(identifier: str, prefixes: Iterable[tuple[str, str]]) -> str:
    """A source's identifier as a CURIE: how it begins there is replaced by how its CURIE begins.

    >>> curie("Gene::2625", (("Gene::", "NCBIGene:"),)), curie("DB1", (("", "DRUGBANK:"),))
    ('NCBIGene:2625', 'DRUGBANK:DB1')
    """
    if not identifier:
        return ""
    for begins, prefix in prefixes:
        if identifier.startswith(begins):
            return prefix + identifier.removeprefix(begins)
    return identifier


def local_curie(family: str, name: str) -> str:
    """The local identifier of a thing known only by name.

    >>> local_curie("condition", "Chest pain")
    'mw.condition:chest_pain'
    """
    return f"{LOCAL_PREFIX}.{family}:{normalise_name(name).replace(' ', '_')}"


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spaces: equal values give equal text."""
    return _ENCODE(value)


def digest(value: Any, size: int = 12) -> str:
    """A hexadecimal BLAKE2b digest of `value` (anything JSON can hold); `size` is in bytes.

    >>> digest(["a", 1]) == digest(["a", 1])
    True
    """
    return hashlib.blake2b(canonical_json(value).encode(), digest_size=size).hexdigest()
