"""Text in lower case and blotted out: nothing moves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from medweave.language.folding import blotted, lower


@given(st.text())
def test_lower_case_moves_nothing(text: str) -> None:
    lowered = lower(text)
    assert len(lowered) == len(text)
    assert all(low in (c, c.lower(), "'") for c, low in zip(text, lowered, strict=True))


def test_a_capital_that_would_grow_leaves_the_rest_in_lower_case() -> None:
    assert lower("İ AM 30 Weeks PREGNANT") == "İ am 30 weeks pregnant"


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30))))
def test_only_what_lies_in_the_spans_is_blotted_out(text: str, ends: list[tuple[int, int]]) -> None:
    spans = [(min(a, b, len(text)), min(max(a, b), len(text))) for a, b in ends]
    inside = {at for start, end in spans for at in range(start, end)}
    wanted = "".join("~" if at in inside else c for at, c in enumerate(text))
    assert blotted(text, spans, "~") == wanted
