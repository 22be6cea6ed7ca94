"""What every database that is asked in place is held to; each test file makes one and names it."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from medweave.errors import StoreError
from medweave.inplace.mapping import read_database_mapping
from medweave.inplace.opening import open_in_place
from medweave.inplace.rows import ForeignRow
from medweave.knowledge_base import KnowledgeBase
from medweave.sources.names import Naming
from medweave.stores.address import StoreAddress
from medweave.stores.revision_memo import revision_memo
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import load_vocabulary, shipped_texts

HOSTILE = [
    "o'brien \"disease\"", "`; drop table triple; --", "fever%s", "100% cough x", ":id rash",
    "back\\slash pain", "感冒发热病", "naïve café syndrome", "🤒 face pain", "null", "{name} pain",
    "$where ache", "a" * 190, "MiXeD cAsE illness", "\\u0060 illness", "a`b: 1}) DETACH DELETE n",
]  # fmt: skip


@dataclass
class Foreign:
    """A database that was made for a test, as an account that may only read sees it."""

    address: StoreAddress
    mapping: str

    @contextmanager
    def base(self, folder: Path) -> Iterator[KnowledgeBase]:
        """It, opened by its mapping."""
        file = folder / "mapping.yaml"
        file.write_text(self.mapping, "utf-8")
        words = load_vocabulary(shipped_texts())
        store = open_in_place(
            replace(self.address, timeout=60),
            read_database_mapping(file),
            Naming(words, shipped_lexicon()),
            folder / "cache",
        )
        with KnowledgeBase(revision_memo(store), words) as base:
            yield base


MANY = 20_000
"""Rows of a table of which a question may read 5 %."""


QUESTIONS = (
    "What are the symptoms of illness 7?",
    "Does illness 9 cause sign 5?",
    "I have sign 5 and sign 7. What could it be?",
)
"""About what `many_rows` say."""


def many_rows() -> list[tuple[str, str]]:
    """Diseases with ten symptoms each, of which each is one of ten."""
    return [(f"illness {n // 10}", f"sign {n * 13 % 1997}") for n in range(MANY)]


class Count:
    """How many rows came from a database."""

    def __init__(self) -> None:
        self.rows = 0

    def pop(self) -> int:
        """So many since the last time."""
        rows, self.rows = self.rows, 0
        return rows


def counted_rows(monkeypatch: pytest.MonkeyPatch, kind: type) -> Count:
    """Count the rows that databases of a kind give, where its own code takes them out of it."""
    count = Count()

    def counting(method: Callable[..., Iterable[ForeignRow]]) -> Callable[..., Any]:
        def counted(*given: Any) -> Iterator[ForeignRow]:
            for row in method(*given):
                count.rows += 1
                yield row

        return counted

    for name in ("fetch", "joining", "stream"):
        monkeypatch.setattr(kind, name, counting(getattr(kind, name)))
    return count


class InPlace:
    """A database with `river fever` (fever, headache), and `purple ears` for each hostile name."""

    quote = ("", "")
    """The evidence that river fever has fever: its document, and its column."""

    def change(self, foreign: Foreign, disease: str, symptom: str) -> None:
        """Add a disease with a symptom."""
        raise NotImplementedError

    def rename(self, foreign: Foreign, before: str, after: str) -> None:
        """Call a symptom otherwise, in place."""
        raise NotImplementedError

    def test_it_is_asked_and_quoted(self, foreign: Foreign, tmp_path: Path) -> None:
        with foreign.base(tmp_path) as base:
            answer = base.ask("What are the symptoms of river fever?").to_json()
        assert {each["name"] for each in answer["result"]["value"]} == {"fever", "headache"}
        quoted = [e for e in answer["evidence"].values() if e["quote"] == "fever"]
        assert [(e["document"], e["place"]["field"]) for e in quoted] == [self.quote]

    def test_every_change_is_seen(self, foreign: Foreign, tmp_path: Path) -> None:
        with foreign.base(tmp_path) as base:
            base.ask("What are the symptoms of river fever?")
            self.change(foreign, "hill pox", "spots")
            assert "spots" in base.ask("What are the symptoms of hill pox?").text
            self.rename(foreign, "spots", "boils")
            assert "boils" in base.ask("What are the symptoms of hill pox?").text
            time.sleep(0.1)
            self.change(foreign, "hill pox", "thirst")
            assert "thirst" in base.ask("What are the symptoms of hill pox?").text

    def test_hostile_names_are_data(self, foreign: Foreign, tmp_path: Path) -> None:
        with foreign.base(tmp_path) as base:
            for name in HOSTILE:
                assert base.show(name).entity.name().split() == name.split(), name

    def test_nothing_is_written(self, foreign: Foreign, tmp_path: Path) -> None:
        source = tmp_path / "more.jsonl"
        source.write_text('{"name": "gout", "concept": "disease", "symptoms": ["pain"]}\n', "utf-8")
        with foreign.base(tmp_path) as base, pytest.raises(StoreError, match="never written"):
            base.build([source])


class FewOfMany(InPlace):
    """One whose questions are also held to how much of a large table they read."""

    kind: type
    """The code that reads it."""

    def fill(self, foreign: Foreign, rows: list[tuple[str, str]]) -> None:
        """Add many diseases, each with many symptoms."""
        raise NotImplementedError

    def test_a_question_reads_few_of_many_rows(
        self, foreign: Foreign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of those that tell something; the names are read once. A row that comes is seen."""
        self.fill(foreign, many_rows())
        read = counted_rows(monkeypatch, self.kind)
        with foreign.base(tmp_path) as base:
            base.ask("What are the symptoms of illness 3?")
            assert read.pop() >= MANY / 10  # names at the least
            for question in QUESTIONS:
                answer = base.ask(question)
                assert answer.statements, question
                assert read.pop() <= 0.05 * MANY, question
            self.change(foreign, "illness 7", "thirst")
            assert "thirst" in base.ask("What are the symptoms of illness 7?").text
