"""What every database that is asked in place is held to; each test file makes one and names it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from medweave.errors import StoreError
from medweave.inplace.mapping import read_database_mapping
from medweave.inplace.opening import open_in_place
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
