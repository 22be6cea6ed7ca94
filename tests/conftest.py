"""How all tests run: property tests repeat in CI, and the shipped suite shows its assertions."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

pytest.register_assert_rewrite(
    "medweave.testing.store_conformance",
    "medweave.testing.graph_conformance",
    "medweave.testing.vector_conformance",
)

settings.register_profile("ci", derandomize=True)  # a red light must mean a change
if os.environ.get("CI"):
    settings.load_profile("ci")
