"""Whatever is written into a query comes out of it as it was, and nothing else with it."""

import math
import re
from typing import Any

import pyoxigraph
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from medweave.errors import StoreError
from medweave.stores.sparql.terms import iri, literal

_SHARP = "\\uU0041\"'<>\n\r\t{}?#;. é😀"


_STORE = pyoxigraph.Store()


def _told(term: str) -> Any:
    """What a term is to who reads it between others."""
    found: Any = _STORE.query(f"SELECT ?x {{ VALUES (?x ?y) {{ ({term} <urn:a>) }} }}")
    [solution] = found
    return solution["x"]


@given(st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from(_SHARP))))
@example("\\u0022 . <urn:x> <urn:y> \\u0022")
@example("\\\\u0041\\U0001F600\\")
@example('""" } ; DROP ALL ; INSERT DATA { #')
@example("e\u0301 é \x00 ")
def test_a_text_is_one_text(text: str) -> None:
    written = literal(text)
    assert written.isascii()
    assert _told(written) == pyoxigraph.Literal(text)


@given(st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from(_SHARP))))
@example("urn:x> . <urn:y")
@example("http://example.org/\\u003E")
def test_an_iri_is_one_iri_or_refused(text: str) -> None:
    try:
        written = iri("urn:" + text)
    except StoreError:
        assert re.search(r"[\x00-\x20<>\"{}|^`\\\x7f]", text)
        return
    assert re.fullmatch(r"<urn:([!-~]|\\u\w{4}|\\U\w{8})*>", written)
    if text.isascii() and text.isalnum():
        assert _told(written) == pyoxigraph.NamedNode("urn:" + text)


@given(st.one_of(st.floats(), st.integers(), st.booleans()))
def test_numbers_and_truths_keep_their_type_and_value(value: float | bool) -> None:
    told = _told(literal(value))
    kind = told.datatype.value.rpartition("#")[2]
    assert kind == {float: "double", int: "integer", bool: "boolean"}[type(value)]
    read = told.value == "true" if isinstance(value, bool) else type(value)(told.value)
    assert read == value or math.isnan(read)


@pytest.mark.parametrize("wrong", ["", "no scheme", "name", "urn:a b", "urn:\ud800", "urn:a>b"])
def test_what_is_no_iri_is_refused(wrong: str) -> None:
    with pytest.raises(StoreError):
        iri(wrong)


def test_half_a_character_and_what_is_no_language_are_refused() -> None:
    with pytest.raises(StoreError):
        literal("\ud800")
    with pytest.raises(StoreError):
        literal("a", "en> .")
