"""A linear model out of its file says what the same weights say as they were trained."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.errors import SourceError
from medweave.understanding.intents.linear import Linear
from medweave.understanding.intents.model import IntentModel
from medweave.understanding.intents.whole_weights import LARGEST, PackedRows, WholeLinear

LABELS = ("cause", "none", "symptom")
VIEWS = {"~": 0.5, "#": 0.25}
UNIT = 0.01
WEIGHT = st.integers(-900, 900)
ROW = st.tuples(st.integers(1, 2000), st.tuples(WEIGHT, WEIGHT, WEIGHT))
FEATURES = ("how", "why", "how bad", "~how bad", "~why so", "#how", "#cost")
COUNTS = st.dictionaries(st.sampled_from((*FEATURES, "unknown")), st.integers(1, 4))


@given(st.dictionaries(st.sampled_from(FEATURES), ROW, min_size=1), COUNTS)
def test_the_sum_of_whole_numbers_is_the_sum_of_weights(
    rows: dict[str, tuple[int, tuple[int, ...]]], counts: dict[str, int]
) -> None:
    bias = (0.5, -0.25, 0.0)
    weights = {f: (idf * UNIT, [w * UNIT for w in said]) for f, (idf, said) in rows.items()}
    texts = {
        feature: " ".join(map(str, (idf, *(n for at, w in enumerate(said) for n in (at, w)))))
        for feature, (idf, said) in rows.items()
    }
    packed = PackedRows(texts, len(LABELS), tuple(VIEWS))
    whole = WholeLinear(LABELS, weights, bias, VIEWS, packed=packed, unit=UNIT)
    plain = Linear(LABELS, weights, bias, VIEWS)
    assert whole.scores(counts) == pytest.approx(plain.scores(counts))


def test_a_file_with_a_weight_beyond_all_measure_is_no_model() -> None:
    file = (
        '{"format": "medweave intents 3", "method": "linear", "labels": ["cause"],'
        ' "trained_on": {}, "calibration": [1, 0, 0], "unit": 0.01, "bias": [0], "views": {},'
        ' "features": "how", "rows": "100 0 %d"}'
    )
    assert IntentModel.from_text(file % 5, where="own.json").labels == ("cause",)
    with pytest.raises(SourceError):
        IntentModel.from_text(file % LARGEST, where="own.json")
