"""Doses by weight: every weight from 2 to 25 kg, in steps of 0.1 kg, for drugs at random."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.guideline.logic.doses_by_weight import dose_range, liquid_dose, solid_dose
from medweave.model.guideline import WeightDose

WEIGHTS = [tenths / 10 for tenths in range(20, 251)]
ALMOST = 1e-6
TENTH = 0.05 + ALMOST
"""What rounding to 0.1 may add."""


@st.composite
def drugs(draw: st.DrawFn) -> tuple[WeightDose, int]:
    least = draw(st.integers(1, 200)) / draw(st.sampled_from((1, 2, 10)))
    most = least * draw(st.sampled_from((1.0, 1.125, 1.5, 2.0)))
    cap = draw(st.sampled_from((20.0, 100.0, 400.0, 1500.0, 4000.0)))
    return WeightDose("mg", least, most, cap), draw(st.integers(1, 4))


@given(drug=drugs())
def test_the_range_is_of_the_weight_and_below_the_maximum_of_the_day(
    drug: tuple[WeightDose, int],
) -> None:
    dose, times = drug
    for weight in WEIGHTS:
        least, most = dose_range(weight, dose, times)
        assert least <= most
        assert most * times <= dose.cap + ALMOST
        if most * times < dose.cap - ALMOST:
            assert abs(most - weight * dose.most / times) <= TENTH
            assert abs(least - weight * dose.least / times) <= TENTH


@given(
    drug=drugs(),
    strength=st.sampled_from((20.0, 125.0, 250.0)),
    volume=st.sampled_from((1.0, 2.5, 5.0)),
)
def test_a_liquid_is_the_mean_never_above_the_maximum_and_never_less_for_more_weight(
    drug: tuple[WeightDose, int], strength: float, volume: float
) -> None:
    dose, times = drug
    before = 0.0
    for weight in WEIGHTS:
        found = liquid_dose(weight, dose, times, strength=strength, volume=volume)
        middle = weight * (dose.least + dose.most) / 2 / times
        assert found.value * times <= dose.cap + ALMOST
        assert found.value == pytest.approx(dose.cap / times) or abs(found.value - middle) <= TENTH
        assert found.amount == pytest.approx(found.value * volume / strength, abs=ALMOST)
        assert found.value >= before
        before = found.value


@given(
    drug=drugs(),
    strength=st.sampled_from((5.0, 100.0, 250.0, 500.0)),
    breakable=st.sampled_from((1, 2, 4)),
)
def test_solids_are_whole_pieces_within_the_dose(
    drug: tuple[WeightDose, int], strength: float, breakable: int
) -> None:
    dose, times = drug
    piece = strength / breakable
    for weight in WEIGHTS:
        least, most = dose_range(weight, dose, times)
        found = solid_dose(weight, dose, times, strength=strength, breakable=breakable)
        if found is None:
            assert most / piece < 1 or piece * times > dose.cap
            continue
        assert found.amount is not None
        pieces = found.amount * breakable
        assert pieces == pytest.approx(round(pieces), abs=ALMOST)
        assert pieces >= 1
        assert found.value == pytest.approx(pieces * piece)
        assert found.value * times <= dose.cap + ALMOST
        # At most what may be given, but for a tenth of a piece; at least it, but for one piece.
        assert pieces <= most / piece + TENTH
        assert pieces > least / piece - 1 - TENTH


@pytest.mark.parametrize(
    ("least", "most", "pieces"),
    [(2.0, 3.2, 3), (2.2, 2.6, 2), (1.9, 2.4, 2), (0.5, 1.0, 1), (0.2, 0.9, None), (1.1, 1.9, 1)],
)
def test_pieces_go_up_then_down_then_to_the_least(
    least: float, most: float, pieces: int | None
) -> None:
    # One kilogram, once a day, pieces of 10 mg: so many pieces a day at least and at most.
    dose = WeightDose("mg", least * 10, most * 10, 1000)
    found = solid_dose(1.0, dose, 1, strength=10)
    assert (None if found is None else found.amount) == pieces


def test_the_maximum_of_the_day_is_not_exceeded_by_rounding_a_piece() -> None:
    # 0.96 of a piece would be rounded to 1.0, and be more than the maximum.
    assert solid_dose(5.0, WeightDose("mg", 40, 50, 240), 1, strength=250) is None
    assert math.isclose(dose_range(5.0, WeightDose("mg", 40, 50, 240), 1)[1], 240)
