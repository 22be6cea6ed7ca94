"""Where the time of a question goes, in seconds of processor time; one line of JSON comes out.

    python -m benchmarks.workers.speed_worker cold STORE TEXT
    python -m benchmarks.workers.speed_worker understand STORE REPEATS < TEXTS

It also runs with other versions of medweave, so it asks for nothing that earlier ones lack.
"""

from __future__ import annotations

import io
import json
import sys
from collections import defaultdict
from collections.abc import Callable
from contextlib import redirect_stdout
from time import process_time, thread_time
from typing import Any

MODEL, SCORES, REST = "the intents' model", "score intents", "the rest"
PARTS = {
    "find": "find names",
    "_mention": "how they are meant",
    "measure": "values",
    "find_intents": "what is asked",
    "bound_intents": "what is asked",
    "find_form": "how it is asked",
    "read_patient": "of whom",
    "_words": "further words",
    "find_danger": "danger signs",
    "read_danger": "danger signs",
}
"""What the steps of `medweave.understanding.question` are called here; no version has all."""


def cold(store: str, text: str) -> dict[str, float]:
    """The steps of a first question, each in the seconds it takes."""
    marks = [("the interpreter", process_time())]
    from medweave import KnowledgeBase
    from medweave.faces.cli.common import console
    from medweave.faces.terminal.answer import print_answer
    from medweave.understanding.intents.model import shipped_model

    KnowledgeBase.open  # noqa: B018 - the name is imported when it is used
    marks.append(("imports", process_time()))
    with KnowledgeBase.open(store, create=False, read_only=True) as base:
        marks.append(("open the base", process_time()))
        shipped_model()
        marks.append((MODEL, process_time()))
        base.understand(text)
        marks.append(("understand", process_time()))
        answer = base.ask(text)
    again = process_time() - marks[-1][1]  # it understands once more: what it takes is left out
    with redirect_stdout(io.StringIO()):
        print_answer(answer, console())
    marks.append(("print", process_time() - again))
    before = [0.0, *(seconds for _, seconds in marks)]
    return {name: seconds - then for (name, seconds), then in zip(marks, before, strict=False)}


def understand(store: str, texts: list[str], repeats: int) -> dict[str, Any]:
    """The mean over texts of the least time of each step of understanding one, and the whole.

    The first half of the texts is only read, so that what is read once has been read.
    """
    from medweave import KnowledgeBase
    from medweave.understanding import question
    from medweave.understanding.intents.model import IntentModel
    from medweave.vocabulary.dictionary import Dictionary

    spent: dict[str, float] = defaultdict(float)
    for step, name in PARTS.items():
        _time(Dictionary if step == "find" else question, step, name, spent)
    _time(IntentModel, "ranked", SCORES, spent)
    found: dict[str, list[float]] = defaultdict(list)
    firsts, wholes = [], []
    half = len(texts) // 2
    with KnowledgeBase.open(store, create=False, read_only=True) as base:
        for text in texts[:half]:
            base.understand(text)
        for text in texts[half:]:
            least: dict[str, float] = {}
            for turn in range(repeats):
                spent.clear()
                started = thread_time()
                base.understand(text)
                whole = thread_time() - started
                if not turn:
                    firsts.append(whole)
                spent["what is asked"] -= spent[SCORES]
                spent[REST] = whole - sum(spent.values())
                for name, seconds in [*spent.items(), ("", whole)]:
                    least[name] = min(seconds, least.get(name, seconds))
            wholes.append(least.pop(""))
            for name in (*dict.fromkeys(PARTS.values()), SCORES, REST):
                found[name].append(least.get(name, 0.0))
        names = base.stats()["entities"]
    parts = {name: sum(some) / len(some) for name, some in found.items()}
    return {"first": firsts, "texts": wholes, "parts": parts, "things": names}


def _time(owner: Any, step: str, name: str, spent: dict[str, float]) -> None:
    """Note how long a step takes, wherever it is called from."""
    plain: Callable[..., Any] | None = getattr(owner, step, None)
    if plain is None:
        return

    def timed(*arguments: Any, **named: Any) -> Any:
        started = thread_time()
        try:
            return plain(*arguments, **named)
        finally:
            spent[name] += thread_time() - started

    setattr(owner, step, timed)


if __name__ == "__main__":
    if sys.argv[1] == "cold":
        found: dict[str, Any] = cold(*sys.argv[2:])
    else:
        found = understand(sys.argv[2], sys.stdin.read().splitlines(), int(sys.argv[3]))
    print(json.dumps(found))
