"""Formulas over named numbers, read without running anything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.errors import VocabularyError
from medweave.language.arithmetic import calculated, names_in, read_formula


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("2 ^ 3 ^ 2", 512), ("2 ** 3", 8), ("7 - 2 - 1", 4),
        ("8 / 2 / 2", 2), ("-3 + 5", 2), ("[a]/[b]", 4), ("[a] * -[b]", -16), ("1.5*2", 3),
        ("-2 ^ 2", 4),
    ],
)  # fmt: skip
def test_formulas_are_calculated_as_they_are_read(formula: str, value: float) -> None:
    assert calculated(formula, {"a": 8, "b": 2}) == value


@pytest.mark.parametrize("formula", ["[a] / 0", "[missing] + 1", "(0 - 8) ^ 0.5", "9 ^ 9 ^ 9"])
def test_what_comes_to_no_number_is_none(formula: str) -> None:
    assert calculated(formula, {"a": 8}) is None


@pytest.mark.parametrize(
    "formula",
    ["", "1 +", "(1", "1)", "1 2", "[a] [b]", "[]", "import os", "Sqrt([1])", "1 +* 2", "(" * 200],
)
def test_what_is_no_formula_is_refused(formula: str) -> None:
    with pytest.raises(VocabularyError):
        read_formula(formula)


def test_names_are_those_in_brackets() -> None:
    assert names_in("[ 12 ] * ([B10.DE01] - [12])") == ("12", "B10.DE01")


@given(formula=st.text(alphabet="0123456789.[]ab()+-*/^ ", max_size=40))
def test_any_text_is_calculated_or_refused(formula: str) -> None:
    try:
        found = calculated(formula, {"a": 2.0, "b": 0.5})
    except VocabularyError:
        return
    assert found is None or isinstance(found, int | float)
