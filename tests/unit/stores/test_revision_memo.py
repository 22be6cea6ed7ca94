"""Reads that are kept for a question: the same answers in few turns, and never a stale one."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from typing import Any

import pytest
from hypothesis import given

from medweave import KnowledgeBase
from medweave.app import sample_path
from medweave.errors import StoreBusyError
from medweave.model.statement import Literal
from medweave.ports import StoreView
from medweave.stores.derived import FAST_WAYS, view_of
from medweave.stores.fast_ways import methods_of
from medweave.stores.memory import MemoryStore
from medweave.stores.revision_memo import revision_memo
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.ability_conformance import BY_CHANCE
from medweave.testing.fast_ways import ASKED
from medweave.testing.smallest_store import SmallestStore
from medweave.testing.worlds import (
    COLD,
    COUGH,
    FLU,
    SYMPTOM,
    Change,
    cold_and_flu,
    document,
    histories,
    inferring_documents,
    live_through,
    says,
)
from medweave.vocabulary.vocabulary import load_vocabulary, shipped_texts

_READS = ("match", "neighbours", "documents", "names", "version")
_ASIDE = {"snapshot", "writing", "check", "backup", "compact", "server"}

QUESTIONS = """What are the symptoms of gout?
How is hypertension treated?
Which drugs are contraindicated in pregnancy?
Can I give ibuprofen to a patient on warfarin?
Can my 5 year old take ibuprofen?
What are the side effects of amoxicillin?
I have fever and a cough, what could it be?
I am allergic to penicillin and have tonsillitis. What can I take?
Can I drink alcohol with metronidazole?
My eGFR is 25, can I take metformin?
What are the symptoms of river blindness in dolphins?
孕妇可以吃什么止痛药？
哪些药会引起嗜睡？""".splitlines()


class Wire:
    """What is asked of a store from outside, counted: each call is a turn on the wire."""

    def __init__(self, store: Any) -> None:
        self.turns, self._inside = 0, False
        names = {name for ability in FAST_WAYS for name in methods_of(ability)}
        for name in ({*names, *_READS} - _ASIDE) & set(dir(store)):
            setattr(store, name, self._counted(getattr(store, name)))

    def _counted(self, method: Any) -> Any:
        def call(*arguments: Any, **named: Any) -> Any:
            if self._inside:
                return method(*arguments, **named)
            self.turns, self._inside = self.turns + 1, True
            try:
                return method(*arguments, **named)
            finally:
                self._inside = False

        return call


def base_of(view: Any) -> KnowledgeBase:
    return KnowledgeBase(view, load_vocabulary(shipped_texts()))


def told(base: KnowledgeBase, question: str) -> dict[str, Any]:
    return {key: value for key, value in base.ask(question).to_json().items() if key != "timing"}


def test_a_question_takes_few_turns_and_says_the_same() -> None:
    KnowledgeBase.sample().close()
    with closing(SqliteStore.open(sample_path(), create=False, read_only=True)) as store:
        plain = base_of(view_of(store))
        as_before = {question: told(plain, question) for question in QUESTIONS[1:4]}
        wire, base = Wire(store), base_of(revision_memo(store))
        for question in QUESTIONS:
            found = told(base, question)
            assert found == as_before.get(question, found)
        assert wire.turns <= 42 * len(QUESTIONS)
        before = wire.turns  # the hardest, where nothing is known of the base yet
        told(base_of(revision_memo(store)), QUESTIONS[3])
        assert wire.turns - before <= 100


@pytest.mark.thorough
@BY_CHANCE
@given(history=histories(inferring_documents()))
def test_what_is_kept_is_what_would_be_read(history: list[Change]) -> None:
    for store in (MemoryStore(), SmallestStore()):
        plain, kept = view_of(store), revision_memo(store)
        for change in history:
            live_through(kept, [change])
            with kept.snapshot():
                for method in ("matches", "statements", "mentions", "count_mentioned_as"):
                    assert ASKED[method](kept) == ASKED[method](plain)
                    assert ASKED[method](kept) == ASKED[method](plain)
                with kept.snapshot():
                    assert kept.match(COLD, SYMPTOM, limit=1) == plain.match(COLD, SYMPTOM)[:1]


def test_what_stood_together_is_read_together() -> None:
    symptoms = [f"mw.condition:s{n}" for n in range(200)]
    store = MemoryStore()
    store.put([document("a", *(says(COLD, SYMPTOM, one) for one in symptoms))])
    store.put([document("b", *(says(one, SYMPTOM, COUGH) for one in symptoms[::2]))])
    kept, wire = revision_memo(store), Wire(store)
    with kept.snapshot():
        assert [one.statement.object for one in kept.match(COLD, SYMPTOM)] == sorted(symptoms)
        before = wire.turns
        found = [len(kept.match(one, SYMPTOM)) for one in symptoms]
        assert found == [1, 0] * 100
        assert wire.turns - before <= 5
        kept.mentions([symptoms[7]])
        before = wire.turns
        assert not kept.mentions(symptoms[8:12])
        assert wire.turns == before


def test_what_touches_things_is_read_once_for_a_revision() -> None:
    store = MemoryStore()
    cold, flu = cold_and_flu()
    store.put([cold])
    plain, kept, wire = view_of(store), revision_memo(store), Wire(store)
    for documents in ([], [flu]):
        store.put(documents)
        for cap in (1000, 1):
            with kept.snapshot():
                found = kept.neighbours(iter([COLD, FLU]), iter([SYMPTOM]), cap=cap)
                assert found == plain.neighbours([COLD, FLU], [SYMPTOM], cap=cap)
                first, found[:] = [*found], []  # it is the reader's own
                before = wire.turns
                assert kept.neighbours([COLD, FLU], [SYMPTOM], cap=cap) == first != []
                assert wire.turns == before


def test_a_thread_reads_what_it_wrote_and_nothing_stale() -> None:
    store = MemoryStore()
    cold, flu = cold_and_flu()
    kept = revision_memo(store)
    kept.put([cold])
    with kept.snapshot():
        assert not kept.match(FLU)
        kept.put([flu])
        assert kept.match(FLU)
    with kept.transaction():
        kept.remove([flu.document.id])
        with kept.snapshot():
            assert not kept.match(FLU)
        kept.put([flu])
        assert kept.match(FLU)
    with kept.snapshot():
        assert kept.match(FLU)
    store.remove([flu.document.id])
    with kept.snapshot():
        assert not kept.match(FLU)
        assert kept.note("words") is None
        kept.set_note("words", "some")
        assert kept.note("words") == "some"


class Moving(SmallestStore):
    """A store without snapshots to which others write while it is read."""

    def __init__(self, writes: Iterable[str]) -> None:
        super().__init__()
        self._writes = iter(writes)

    def match(self, *pattern: Any, **limit: Any) -> Any:
        found = super().match(*pattern, **limit)
        for name in self._writes:
            self.put([document(name, says(COLD, SYMPTOM, f"mw.condition:{name}"))])
            break
        return found


def things(store: StoreView) -> tuple[list[str | Literal], int]:
    found = [one.statement.object for one in store.match(COLD)]
    return found, len(store.match(COLD, SYMPTOM))


def test_a_base_that_moves_is_read_again_until_it_stands_still() -> None:
    kept = revision_memo(Moving(["a", "b"]))
    assert kept.consistently(lambda: things(kept)) == (["mw.condition:a", "mw.condition:b"], 2)
    restless = revision_memo(Moving(f"a{n}" for n in range(99)))
    with pytest.raises(StoreBusyError, match="changes faster"):
        restless.consistently(lambda: things(restless))
