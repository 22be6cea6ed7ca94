"""Terms of RDF as SPARQL writes them. Over HTTP it has no parameters, so every value that comes
into a query goes through `iri` or `literal`, and none can end what it stands in.

Everything is written in ASCII: some servers take a text without a charset for Latin-1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from medweave.errors import StoreError
from medweave.model.rdf_layout import XSD

_NO_IRI = re.compile(r"[\x00-\x20<>\"{}|^`\\\x7f\ud800-\udfff]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_TAG = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_NAMED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
# Escapes of Unicode are read before all others, by some servers also right after a backslash.
_ESCAPED = re.compile(r"[\\\"\x00-\x1f\x7f-\U0010ffff]|(?<=\\)[uU]")


class Term(NamedTuple):
    """A term in a result."""

    kind: Literal["iri", "literal", "blank"]
    value: str
    datatype: str = ""
    """The IRI of the datatype of a literal; '' for text."""
    language: str = ""


def iri(text: str) -> str:
    """An absolute IRI between its brackets. Raises `StoreError` for what is none.

    >>> iri("http://example.org/eye"), iri("urn:é")
    ('<http://example.org/eye>', '<urn:\\\\u00E9>')
    """
    if _NO_IRI.search(text) or not _SCHEME.match(text):
        raise StoreError("this is no IRI", where=ascii(text), remedy="percent-encode it")
    return f"<{_ESCAPED.sub(_escape, text)}>"


def literal(value: str | int | float | bool, language: str = "") -> str:
    """A value: a text, in a language where one is named, or a number, or a truth.

    Raises `StoreError` for half a character (a lone surrogate), and what is no language.

    >>> literal('a "b"'), literal("mal", "pt-BR"), literal(True)
    ('"a \\\\"b\\\\""', '"mal"@pt-BR', 'true')
    >>> literal(1), literal(0.1)
    ('1', '"0.1"^^<http://www.w3.org/2001/XMLSchema#double>')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        written = repr(value) if math.isfinite(value) else _infinite(value)
        return f'"{written}"^^<{XSD}double>'
    if language and not _TAG.fullmatch(language):
        raise StoreError("this is no tag of a language", where=ascii(language))
    return f'"{_ESCAPED.sub(_escape, value)}"{"@" if language else ""}{language}'


def values(name: str, terms: Iterable[str]) -> str:
    """A block in which a variable is each of some terms that are written already.

    >>> values("n", [literal(True), iri("urn:a")])
    'VALUES ?n { true <urn:a> }'
    """
    return f"VALUES ?{name} {{ {' '.join(terms)} }}"


def _infinite(value: float) -> str:
    return "NaN" if math.isnan(value) else "INF" if value > 0 else "-INF"


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    if "\ud800" <= character <= "\udfff":
        raise StoreError("half a character cannot be kept in RDF", where=ascii(character))
    code = ord(character)
    return _NAMED.get(character) or (f"\\u{code:04X}" if code < 1 << 16 else f"\\U{code:08X}")
