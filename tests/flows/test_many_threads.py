"""One base asked from many threads at once: every answer is the one it gives alone."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from medweave import KnowledgeBase
from medweave.errors import StoreBusyError, StoreError
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.vector_conformance import entry, found, papers, put
from medweave.testing.worlds import COLD, COUGH, FEVER, SYMPTOM, document, names, says

THREADS = 6
QUESTIONS = (
    "What are the symptoms of migraine?",
    "Can I give ibuprofen to a patient on warfarin?",
    "I have a fever and a headache, what could it be?",
    "What drugs for migraine if I have asthma?",
    "感冒有什么症状？",
    "I have had a sore throat for two days, did anybody ask this before?",
    "What are the symptomps of influenca?",
)


def at_once(work: Callable[[int], Any]) -> list[Any]:
    """What each of six threads makes; they begin together. The first error is raised."""
    begin = Barrier(THREADS)

    def run(number: int) -> Any:
        begin.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def told(base: KnowledgeBase, question: str) -> tuple[str, str, tuple[str, ...], str]:
    answer = base.ask(question)
    return question, answer.status, tuple(one.text for one in answer.sentences), answer.base.hash


def test_six_threads_get_the_answers_that_one_gets() -> None:
    with KnowledgeBase.sample() as base:
        alone = [told(base, question) for question in QUESTIONS]
    with KnowledgeBase.sample() as base:

        def ask(number: int) -> list[Any]:
            order = [*QUESTIONS[number:], *QUESTIONS[:number]]
            return sorted(told(base, question) for question in order * 2)

        for found in at_once(ask):
            assert found == sorted(alone * 2)


@pytest.mark.parametrize("url", ["sqlite:{}/kb.db", "memory:"])
def test_each_question_sees_one_revision_while_another_thread_writes(
    tmp_path: Path, url: str
) -> None:
    symptoms = {COUGH: "cough", FEVER: "fever"}

    def cold(symptom: str) -> Any:
        mentions = [*names(COLD, "marsh cold"), *names(symptom, symptoms[symptom])]
        return document("cold", says(COLD, SYMPTOM, symptom), mentions=mentions)

    with KnowledgeBase.open(url.format(tmp_path)) as base:
        base._opened.store.put([cold(COUGH)])

        def work(number: int) -> set[str]:
            if number:
                asked = "What are the symptoms of marsh cold?"
                return {" ".join(told(base, asked)[2]) for _ in range(10)}
            for turn in range(10):
                base._opened.store.put([cold([FEVER, COUGH][turn % 2])])
            return set()

        said = set().union(*at_once(work))
    assert said <= {f"Symptoms recorded for marsh cold: {one}." for one in symptoms.values()}


def test_vectors_that_are_not_written_yet_are_seen_by_who_writes_them_alone(
    tmp_path: Path,
) -> None:
    pytest.importorskip("numpy")
    one, other = papers("one", "other")
    with closing(SqliteStore.open(tmp_path / "kb.db", create=True)) as store:
        store.put([one, other])
        index = store.vectors()
        put(index, entry("east", one))
        assert found(index, "east") == ["east"]

        def look() -> list[str]:
            return found(index, "east")

        with ThreadPoolExecutor(1) as pool:
            with suppress(ZeroDivisionError), store.transaction():
                put(index, entry("up", other))
                store.remove([one.document.id])
                assert found(index, "east") == ["up"]
                assert pool.submit(look).result() == ["east"]
                raise ZeroDivisionError
            assert found(index, "east") == pool.submit(look).result() == ["east"]
            with store.transaction():
                put(index, entry("up", other))
                assert found(index, "east") == ["east", "up"]
                assert pool.submit(look).result() == ["east"]
            assert found(index, "east") == pool.submit(look).result() == ["east", "up"]


def test_threads_that_write_wait_for_each_other(tmp_path: Path) -> None:
    with KnowledgeBase.open(str(tmp_path / "kb.db")) as base:

        def write(number: int) -> None:
            for turn in range(5):
                base._opened.store.put([document(f"d{number}-{turn}", says(COLD, SYMPTOM, COUGH))])

        at_once(write)
        assert base._opened.store.counts().documents == 5 * THREADS
        assert base.check() == []


def test_a_closed_base_says_so_in_every_thread(tmp_path: Path) -> None:
    base = KnowledgeBase.open(str(tmp_path / "kb.db"))
    base.close()

    def ask(_: int) -> None:
        with pytest.raises(StoreError):
            base.ask("What are the symptoms of a cold?")

    at_once(ask)


def test_a_thread_that_comes_later_is_not_led_to_another_file(tmp_path: Path) -> None:
    path = tmp_path / "kb.db"
    with KnowledgeBase.open(str(path)) as base:
        path.unlink()
        KnowledgeBase.open(str(path)).close()

        def ask(_: int) -> None:
            with pytest.raises(StoreBusyError, match="replaced"):
                base.ask("What are the symptoms of a cold?")

        at_once(ask)
