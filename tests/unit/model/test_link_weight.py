"""Weights of links: equation 7, and the convex sum with a type's importance."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from medweave.errors import ConfigurationError
from medweave.model.link_weight import LinkWeight
from medweave.retrieval.dialogues.references import importance_table
from medweave.vocabulary.vocabulary import shipped_vocabulary

COSINES = some.floats(-1, 1)
SHARES = some.floats(0, 1)


@given(COSINES, SHARES)
def test_a_lambda_of_0_is_equation_7(cosine: float, importance: float) -> None:
    assert LinkWeight("convex", 0).of(cosine, importance) == (1 + cosine) / 2
    assert LinkWeight("cosine", 0.7).of(cosine, importance) == (1 + cosine) / 2


@given(COSINES, SHARES, SHARES)
def test_weights_lie_between_0_and_1(cosine: float, importance: float, share: float) -> None:
    assert 0 <= LinkWeight("convex", share).of(cosine, importance) <= 1 + 1e-12


def test_a_lambda_of_1_is_the_importance_of_the_type() -> None:
    table = importance_table(shipped_vocabulary())
    weigh = LinkWeight("convex", 1)
    assert weigh.of(-1.0, table["dialogue_caused_by"]) == 1.0
    assert weigh.of(1.0, table["dialogue_similar"]) == 0.4
    order = ["has_section", "dialogue_copied_from", "dialogue_same_issue", "dialogue_related_to"]
    assert [table[name] for name in order] == [0.9, 0.8, 0.7, 0.5]


@pytest.mark.parametrize(
    ("given", "where"), [(("cubic", 0.5), "weighting"), (("convex", 1.1), "lambda")]
)
def test_what_there_is_not_is_refused(given: tuple[Any, float], where: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        LinkWeight(*given)
    assert raised.value.where == where
