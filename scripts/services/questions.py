"""The same questions over the same base, in a file and on a server: are the answers the same?

    python -m scripts.services.questions [NAME…]
    python -m scripts.services.questions neo4j://127.0.0.1:7687/neo4j?base=measured

Starts one server after the other, or speaks to one that runs already. Builds the sample base in
both, with things that have hostile names, asks sixty questions about the one and 78 about the other
of each, and prints how long it took. Beside Weaviate both have vectors, and are asked as well which
dialogues, passages and papers are near to each question.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from medweave.app import sample_files
from medweave.errors import MedweaveError
from medweave.knowledge_base import KnowledgeBase
from medweave.ports import StoreView
from scripts.services.fetching import UnavailableError
from scripts.services.servers import SERVERS

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


_PATIENCE = 120
"""Seconds that a try may take."""
_HOSTILE = (
    'o\'brien "syndrome"',
    "`; drop table name; --",
    "fever%s _%",
    "back\\slash disease",
    "na\u00efve caf\u00e9 disease",
    "nai\u0308ve cafe\u0301 fever",
    "\U0001f912 face disease",
    "null",
    "a`b: 1}) DETACH DELETE n",
    '$where: {"$gt": ""} ache',
    "> ; DROP ALL # <x>",
    "感冒发热病\U00020bb7",
    "very long disease " + "x" * 160,
)
"""Names of diseases that a store must keep, and find, as they are."""
_ABOUT_HOSTILE = (
    "What are the symptoms of {}?",
    "How is {} treated?",
    "I have {}. Can I take ibuprofen?",
    "My child has {} and a fever. What should I do?",
    "{}有什么症状？",
    "Does {} cause {} pain?",
)


@dataclass
class Asked:
    """What one base answered, and in how many seconds each."""

    hash: str
    answers: list[dict[str, Any]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    loaded: float = 0.0
    """Seconds that the build took."""
    vectors: Mapping[Any, int] = field(default_factory=dict)
    """How many vectors it has, where these are looked for, and of what."""
    near: list[tuple[object, ...]] = field(default_factory=list)
    """What is near to each question by these."""

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


def hostile_monographs() -> str:
    """A file of diseases with hostile names, and symptoms, drugs and cautions with such names."""
    rows = [
        {
            "name": name,
            "concept": "disease",
            "symptoms": [f"{name} pain", f"{name.upper()} rash", "fever"],
            "treatments": [f"{name} salve", "ibuprofen"],
            "complications": [_HOSTILE[number - 1]],
        }
        for number, name in enumerate(_HOSTILE)
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def questions_of_hostile() -> list[str]:
    """Each form with each name."""
    return [form.format(name, name) for name in _HOSTILE for form in _ABOUT_HOSTILE]


def ask_all(
    url: str, files: Sequence[Path], asked: Sequence[str], *, vectors: str = "", near: bool = False
) -> Asked:
    """Build a base, and ask it; also what is `near` by vectors, if that is wanted. What belongs to
    the base itself and the time is left out."""
    started = time.perf_counter()
    with KnowledgeBase.open(url, create=True, vectors=vectors, timeout=_PATIENCE) as base:
        base.build(files)
        if near:
            base.make_vectors()
        told = Asked(base.version.hash, loaded=time.perf_counter() - started)
        for question in asked:
            started = time.perf_counter()
            answer = base.ask(question).to_json()
            told.seconds.append(time.perf_counter() - started)
            answer["base"] = answer["base"]["hash"]
            del answer["timing"]
            told.answers.append(answer)
        if near:
            told.vectors = base.vectors.counts()
            told.near = [_near(base, question) for question in asked]
    return told


def _near(base: KnowledgeBase, text: str) -> tuple[object, ...]:
    """All but which run read it."""
    context = base.semantic_context(text)
    relations = [(each.supported.statement, each.score, each.by) for each in context.relations]
    passages = base.passages(text).passages
    return base.similar(text).to_json(), passages, context.entities, relations, context.papers


def questions_about(files: Sequence[Path], of_each: int) -> list[str]:
    """Questions about what some files say."""
    with KnowledgeBase.open("memory:", create=True) as base:
        base.build(files)
        return questions_of(base.knowledge.store, of_each)


def main(names: list[str]) -> int:
    """Compare each server with a file; 1 where one differs."""
    differs = False
    for name in names or SERVERS:
        if "://" in name:
            differs |= not _same(name)
            continue
        try:
            with SERVERS[name]().running() as server:
                print(f"{name} {server.version()}")
                differs |= not _same(server.base("measured"))
        except (UnavailableError, MedweaveError) as error:
            differs |= isinstance(error, MedweaveError)
            print(f"{name}: {error}", flush=True)
    return int(differs)


def _same(url: str) -> bool:
    """Compare a base on a server, or one in a file with its vectors on a server, with one in a file
    alone, and print both."""
    asked = questions_about(sample_files(), 6)
    vectors = url if url.startswith("weaviate:") else ""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "hostile.jsonl"
        made.write_text(hostile_monographs(), "utf-8")
        files, both = [*sample_files(), made], [*asked, *questions_of_hostile()]
        near = bool(vectors)
        here = ask_all(f"{folder}/base.db", files, both, near=near)
        place = f"{folder}/beside.db" if vectors else url
        there = ask_all(place, files, both, vectors=vectors, near=near)
    equal = [one == other for one, other in zip(here.answers, there.answers, strict=True)]
    first, last = equal[: len(asked)], equal[len(asked) :]
    print(f"{sum(first)} of {len(first)} answers equal, {sum(last)} of {len(last)} about", end=" ")
    print(f"hostile names; hash equal: {here.hash == there.hash}")
    same = here.near == there.near and here.vectors == there.vectors
    if near:
        print(f"what is near by {sum(there.vectors.values())} vectors equal: {same}")
    print(here.line("SQLite"))
    print(there.line(url.partition(":")[0]), flush=True)
    return all(equal) and same and here.hash == there.hash


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
