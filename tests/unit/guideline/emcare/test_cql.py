"""What is read of CQL, and what is said of the rest."""

from __future__ import annotations

import pytest

from medweave.errors import SourceError
from medweave.guideline.emcare.cql import (
    Call,
    Choice,
    Name,
    Operation,
    UnreadError,
    Value,
    read_term,
)
from medweave.guideline.emcare.cql import read_library as read


def library(body: str) -> str:
    return f"/* of ours */\nlibrary small version '1.2'\ninclude other version '1' called O\n{body}"


def test_and_binds_closer_than_or_and_not_closer_than_both() -> None:
    term = read_term("a or not b and c")
    assert term == Operation(
        "or", (Name("a"), Operation("and", (Operation("not", (Name("b"),)), Name("c"))))
    )


def test_a_limit_keeps_its_unit_and_may_be_below_zero() -> None:
    assert read_term("\"Hb\" < 7 'g/dL'") == Operation("<", (Name("Hb"), Value(7.0, "g/dL")))
    assert read_term('Z."WAZ"<-3') == Operation(
        "<", (Name("WAZ", "Z"), Operation("-", (Value(0.0), Value(3.0))))
    )


def test_what_sheets_write_besides_cql() -> None:
    assert read_term('o"Cough"') == Name("Cough", "o")
    assert read_term('"Weight".exists()') == Call("exists", (), "Weight")
    assert read_term('"Skin" << "All"') == Operation("<<", (Name("Skin"), Name("All")))
    assert read_term("{}") == Value(None)


def test_a_keyword_within_a_path_begins_no_statement() -> None:
    read_one = read(library('define "A": O.thing.code = \'x\'\ndefine "B": true'))
    assert set(read_one.definitions) == {"B"}
    assert [unread.name for unread in read_one.unread] == ["A"]


def test_a_definition_that_is_not_read_says_why_and_where_and_the_others_are_read() -> None:
    text = library('define "Q":\n  exists ([Condition] C)\ndefine "R": if "a" then 1 else 2')
    found = read(text)
    assert isinstance(found.definitions["R"].term, Choice)
    (unread,) = found.unread
    assert (unread.name, unread.line) == ("Q", 4)
    assert "records" in unread.why


def test_what_is_nested_without_end_is_not_read() -> None:
    with pytest.raises(UnreadError, match="deeply"):
        read_term("(" * 5000 + "a" + ")" * 5000)


def test_what_is_no_library_says_so() -> None:
    with pytest.raises(SourceError, match="no CQL library"):
        read("SELECT 1; DROP TABLE x", where="x.cql")
