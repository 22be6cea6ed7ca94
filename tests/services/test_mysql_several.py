"""Several bases on servers are asked together: no longer than the slowest takes, nearly."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from medweave.app import sample_files
from medweave.knowledge_base import KnowledgeBase
from scripts.services.proxy import Proxy, proxy_to
from tests.services.service_stores import new_base, service

ADDRESS = service("mysql")
_DELAYS = (0.06, 0.08, 0.1)
"""Seconds that an answer of each store is on its way."""
_QUESTIONS = (
    "What are the symptoms of gout?",
    "Can I take ibuprofen with a stomach ulcer?",
    "I have a fever and a cough. What could it be?",
    "感冒有什么症状？",
)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[Proxy]]]:
    """A list of three stores, each behind a slow way, and the ways."""
    folder = tmp_path_factory.mktemp("several")
    files = [file for file in sample_files() if file.name.endswith(".json")]
    with ExitStack() as stack:
        ways, entries = [], []
        for number in range(len(_DELAYS)):
            name = new_base(ADDRESS).base
            at = f"{ADDRESS.path}?base={name}"
            with KnowledgeBase.open(f"mysql://{ADDRESS.hosts}/{at}") as base:
                base.build(files[number::2])
            way = stack.enter_context(proxy_to(ADDRESS.host, ADDRESS.port or 3306))
            url = f"mysql://127.0.0.1:{way.port}/{at}"
            entries.append(f'[[store]]\nname = "s{number}"\nurl = "{url}"\n')
            ways.append(way)
        (folder / "all.toml").write_text("".join(entries), "utf-8")
        yield folder / "all.toml", ways


def _seconds(url: str, ways: list[Proxy], *, known: bool) -> float:
    """How long all questions take; where they are `known`, not for the first time."""
    with KnowledgeBase.open(url) as base:
        for way in ways:
            way.delay = 0
        for question in _QUESTIONS[: None if known else 1]:
            base.ask(question)
        for way, delay in zip(ways, _DELAYS, strict=True):
            way.delay = delay
        started = time.monotonic()
        for question in _QUESTIONS:
            answer = base.ask(question)
            assert {store.status for store in answer.stores} <= {"answered"}
        return time.monotonic() - started


@pytest.mark.parametrize("known", [True, False])
def test_three_slow_stores_take_little_longer_than_the_slowest(
    stores: tuple[Path, list[Proxy]], *, known: bool
) -> None:
    file, ways = stores
    alone = [_seconds(f"{file}#s{number}", ways, known=known) for number in range(len(ways))]
    together = _seconds(str(file), ways, known=known)
    assert together <= 1.6 * max(alone)
