"""What each strategy of `ask --strategy` gives a model to read; no real model is asked.

    python -m benchmarks.strategies KB QUESTIONS --strategies bm25,rok

KB          a base; `embedding` needs its vectors of relations (`medweave vectors make`)
QUESTIONS   as for `medweave evaluate kgqa`; those with a list of names are asked

A server on this machine answers as a model would that takes nothing apart and says what the first
record says. It counts its requests, and what they hold: so the figures are of the finding, and the
same on each run but for the time. `named` is the share of right answers that what was retrieved (of
ours: what is left of the sub-graphs of its steps) names.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from typing import Any

from medweave.evaluation.items import Item
from medweave.evaluation.tasks.kgqa import LIST, graph_item
from medweave.generation.strategies.strategy import NAMES
from medweave.knowledge_base import KnowledgeBase
from medweave.language.folding import name_key
from medweave.model.configuration import CONFIGURATION
from medweave.model.generated import ModelUse
from medweave.model.language_model import LanguageModelName
from medweave.testing.chat_server import ChatServer, serving

_LETTERS = 4
"""Of a token, about."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over questions."""

    named: float
    statements: float
    tokens: float
    calls: float
    seconds: float


def asked_of(body: dict[str, Any]) -> tuple[int, str]:
    """What the model says: a question stays whole, nothing is added, one record is told."""
    if "response_format" not in body and "tools" not in body:
        return 200, "This is recorded [s1]."
    schema = json.dumps(body.get("response_format") or body["tools"])
    question = str(body["messages"][-1]["content"])
    return 200, json.dumps({"answer": [question] if '"decompose"' in schema else []})


def measured(base: KnowledgeBase, server: ChatServer, name: str, items: Sequence[Item]) -> Figures:
    """One strategy over all questions."""
    rows = [_of_one(base, server, name, item) for item in items]
    return Figures(*(sum(column) / len(rows) for column in zip(*rows, strict=True)))


def _of_one(
    base: KnowledgeBase, server: ChatServer, name: str, item: Item
) -> tuple[float, float, float, float, float]:
    server.asked.clear()
    start = process_time()
    answer = base.ask(item.text, use=ModelUse(strategy=name))
    seconds = process_time() - start
    words = [message["content"] for body in server.asked for message in body["messages"]]
    read = {s.statement.id: s for step in answer.steps for s in step.subgraph.statements}
    ends = {end for each in read.values() for end in each.statement.entities}
    names = {name_key(thing.name()) for thing in base.knowledge.entities.all(ends).values()}
    found = names & set(item.expected)
    tokens = sum(len(str(text)) for text in words) / _LETTERS
    return len(found) / len(item.expected), len(read), tokens, len(server.asked), seconds


def rows(kb: str, items: Sequence[Item], names: Sequence[str]) -> Iterator[str]:
    """A row of a table for each strategy."""
    with serving(asked_of) as server:
        model = LanguageModelName.of(server.name)
        configuration = replace(CONFIGURATION, model=model)
        opened = (
            KnowledgeBase.sample(configuration=configuration)
            if kb == "sample"
            else KnowledgeBase.open(kb, create=False, read_only=True, configuration=configuration)
        )
        with opened as base:
            for name in names:
                figures = measured(base, server, name, items)
                yield (
                    f"| {name} | {figures.named:.3f} | {figures.statements:.1f} "
                    f"| {figures.tokens:.0f} | {figures.calls:.2f} | {figures.seconds * 1000:.0f} |"
                )


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("kb")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--strategies", default=",".join(NAMES))
    given = parser.parse_args()
    lines = given.questions.read_text("utf-8").splitlines()
    read = [graph_item(json.loads(line), str(at)) for at, line in enumerate(lines)]
    items = [item for item in read if isinstance(item, Item) and item.facts[0] == LIST]
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache  # replies that were kept are no calls
        print("| strategy | named | statements | tokens sent | calls | ms |")
        print("|---|---|---|---|---|---|")
        for row in rows(given.kb, items, given.strategies.split(",")):
            print(row, flush=True)


if __name__ == "__main__":
    main()
