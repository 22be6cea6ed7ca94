"""A long text that repeats itself takes a time that grows with its length, not with its square."""

from __future__ import annotations

import time

import pytest

from medweave import KnowledgeBase

LIMIT_SECONDS = 10
"""Each took nine to fifteen where every name was held against every other; now two at most, and
eight on a machine that does much else."""


@pytest.mark.thorough
@pytest.mark.parametrize("text", ["?!.,;:" * 3300, "发烧和咳嗽" * 3900, "布洛芬华法林" * 3300])
def test_what_repeats_is_read_in_time(text: str) -> None:
    with KnowledgeBase.sample() as base:
        started = time.process_time()
        base.ask(text)
        assert time.process_time() - started < LIMIT_SECONDS
