"""How all tests run: the same each time, however busy the machine is."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from medweave.knowledge_base import KnowledgeBase

pytest.register_assert_rewrite(
    "medweave.testing.store_conformance",
    "medweave.testing.ability_conformance",
    "medweave.testing.vector_conformance",
)

# What is read once and stays (names, rules, models) is a million objects: to look through them all
# for rubbish again and again takes a tenth of the time.
gc.set_threshold(200_000, 20, 10)

# A red light must mean a change: examples are the same each time, and no clock decides.
settings.register_profile(
    "fixed",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "fuzz", settings.get_profile("fixed"), derandomize=False, max_examples=1000
)
settings.load_profile("fixed")  # `make fuzz` chooses the other


@pytest.fixture(scope="session")
def base() -> Iterator[KnowledgeBase]:
    """The sample base, opened once for all tests that only ask it."""
    with KnowledgeBase.sample() as opened:
        yield opened
