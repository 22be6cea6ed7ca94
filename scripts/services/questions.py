"""The same questions over the same base, in a file and on a server: are the answers the same?

    python -m scripts.services.questions neo4j://127.0.0.1:7687/neo4j?base=measured

Builds the sample base in both, asks sixty questions of each, and prints how long it took.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from medweave.app import sample_files
from medweave.knowledge_base import KnowledgeBase
from medweave.ports import StoreView

_FORMS: Sequence[tuple[str, str, Sequence[str]]] = (
    ("What are the symptoms of {}?", "en", ("disease",)),
    ("How is {} treated?", "en", ("disease",)),
    ("Can my 5 year old take {}?", "en", ("drug",)),
    ("What is {} used for?", "en", ("drug",)),
    ("I have {} and {}. What could it be?", "en", ("symptom", "symptom")),
    ("I take {}. Is {} safe for me? I am pregnant.", "en", ("drug", "drug")),
    ("I have {}. Can I take {}?", "en", ("disease", "drug")),
    ("{}有什么症状？", "zh", ("disease",)),
    ("{}可以治什么病？", "zh", ("drug",)),
    ("我{}，可能是什么病？", "zh", ("symptom",)),
)


@dataclass
class Asked:
    """What one base answered, and in how many seconds each."""

    hash: str
    answers: list[dict[str, Any]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    loaded: float = 0.0
    """Seconds that the build took."""

    def line(self, name: str) -> str:
        """A row of a table."""
        ordered = sorted(self.seconds)
        p50, p95 = statistics.median(ordered), ordered[int(len(ordered) * 0.95)]
        return f"| {name} | {self.loaded:.0f} s | {p50 * 1000:.0f} ms | {p95 * 1000:.0f} ms |"


def questions_of(store: StoreView, of_each: int) -> list[str]:
    """So many questions of each form, about names that lie far apart in the list of all."""
    names: dict[tuple[str, str], set[str]] = {}
    for count in store.all_names():
        mention = count.mention
        names.setdefault((mention.concept, mention.language), set()).add(mention.name)
    made = []
    for form, language, concepts in _FORMS:
        parts = [
            _spread(names.get((one, language), ()), of_each, n) for n, one in enumerate(concepts)
        ]
        made += [form.format(*words) for words in zip(*parts, strict=True)]
    return made


def _spread(names: Iterable[str], count: int, shift: int) -> list[str]:
    ordered = sorted(names)
    places = ((n * len(ordered) // count + shift * 7) % len(ordered) for n in range(count))
    return [ordered[place] for place in places] if ordered else []


def ask_all(url: str, files: Sequence[Path], asked: Sequence[str], *, vectors: str = "") -> Asked:
    """Build a base, and ask it. What belongs to the base itself and the time is left out."""
    started = time.perf_counter()
    with KnowledgeBase.open(url, create=True, vectors=vectors) as base:
        base.build(files)
        told = Asked(base.stats()["base"]["hash"], loaded=time.perf_counter() - started)
        for question in asked:
            started = time.perf_counter()
            answer = base.ask(question).to_json()
            told.seconds.append(time.perf_counter() - started)
            answer["base"] = answer["base"]["hash"]
            del answer["timing"]
            told.answers.append(answer)
    return told


def questions_about(files: Sequence[Path], of_each: int) -> list[str]:
    """Questions about what some files say."""
    with KnowledgeBase.open("memory:", create=True) as base:
        base.build(files)
        return questions_of(base.knowledge.store, of_each)


def main(url: str) -> None:
    """Compare a base on a server, or one in a file with its vectors on a server, with one in a file
    alone, and print both."""
    asked = questions_about(sample_files(), 6)
    vectors = url if url.startswith("weaviate:") else ""
    with tempfile.TemporaryDirectory() as folder:
        here = ask_all(f"{folder}/base.db", sample_files(), asked)
        place = f"{folder}/beside.db" if vectors else url
        there = ask_all(place, sample_files(), asked, vectors=vectors)
    same = sum(one == other for one, other in zip(here.answers, there.answers, strict=True))
    print(f"{same} of {len(asked)} answers equal; hash equal: {here.hash == there.hash}")
    print(here.line("SQLite"))
    print(there.line(url.partition(":")[0]))


if __name__ == "__main__":
    main(sys.argv[1])
