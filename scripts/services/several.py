"""Three real servers asked as one base, each of them killed and made to hang in turn.

    python -m scripts.services.several [NAME NAME NAME]

The sample is shared out among them. While all are there, the answers hold what those of one base
hold; while one is not, no answer is `answered`, each names it, and what the others know is told.
Prints what was seen; ends with 1 where something is not as it should be.
"""

from __future__ import annotations

import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from medweave.app import sample_files
from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer
from medweave.model.statement import Literal, Statement
from scripts.services.servers import SERVERS

NAMES = ("mysql", "rdf4j", "mongodb")
"""Light ones: all run at the same time."""
_PATIENCE = 20
"""Seconds a question waits for a store."""
_QUESTIONS = (
    "What are the symptoms of gout?",
    "Can I take ibuprofen with a stomach ulcer?",
    "感冒有什么症状？",
)
Said = frozenset[tuple[str, str, str, frozenset[str]]]
"""Statements in words, each with the documents that say so."""


def main(names: Sequence[str]) -> int:
    """Share the sample out, and lose one server after the other."""
    with tempfile.TemporaryDirectory() as made, ExitStack() as running:
        file, wrong = Path(made) / "all.toml", 0
        servers = {
            name: running.enter_context(SERVERS[name]().running()) for name in names or NAMES
        }
        files = sorted(sample_files())
        with KnowledgeBase.open("memory:") as base:
            base.build(files)
            right = [_said(base.ask(question)) for question in _QUESTIONS]
        entries = []
        for number, (name, server) in enumerate(servers.items()):
            url = server.base("several")
            with KnowledgeBase.open(url, timeout=60) as base:
                base.build(files[number :: len(servers)])
            entries.append(f'[[store]]\nname = "{name}"\nurl = "{url}"\ntimeout = {_PATIENCE}\n')
        file.write_text("\n".join(entries), "utf-8")
        with KnowledgeBase.open(str(file)) as base:
            base.ask(_QUESTIONS[0])  # names are read
            together = [base.ask(question) for question in _QUESTIONS]
            whole = [each <= _said(answer) for answer, each in zip(together, right, strict=True)]
            wrong += _told("all are there", whole)
            for name, server in servers.items():
                server.process.send_signal(signal.SIGSTOP)
                wrong += _told(f"{name} hangs", _lost(base, name))
                server.process.send_signal(signal.SIGCONT)
                wrong += _told(f"{name} goes on", _whole(base, together))
                server.kill()
                wrong += _told(f"{name} is killed", _lost(base, name))
                running.enter_context(server.started())
                wrong += _told(f"{name} is there again", _whole(base, together))
    return int(wrong > 0)


def _whole(base: KnowledgeBase, together: Sequence[Answer]) -> list[bool]:
    """Whether all is answered as before; a store that was lost may take a moment."""
    patience = time.monotonic() + _PATIENCE
    while any(each.status != "answered" for each in base.ask(_QUESTIONS[0]).stores):
        if time.monotonic() > patience:
            return [False]
        time.sleep(0.5)
    answers = [base.ask(question) for question in _QUESTIONS]
    return [
        (_said(one), one.status) == (_said(other), other.status)
        for one, other in zip(answers, together, strict=True)
    ]


def _lost(base: KnowledgeBase, name: str) -> list[bool]:
    """Whether a lost store is named, nothing is answered whole, and the others are heard."""
    right = []
    for question in _QUESTIONS:
        started = time.monotonic()
        answer = base.ask(question)
        status = {each.name: each.status for each in answer.stores}
        right.append(
            answer.status != "answered"
            and status.pop(name) in ("failed", "late")
            and set(status.values()) == {"answered"}
            and any(name in each for each in answer.missing)
            and name not in _speaking(answer)
            and time.monotonic() - started < 2 * _PATIENCE
        )
    return right


def _said(answer: Answer) -> Said:
    return frozenset(
        (
            answer.entities[found.statement.subject].name(),
            found.statement.predicate,
            _object(answer, found.statement),
            frozenset(answer.documents[item.document].name for item in found.evidence),
        )
        for found in answer.statements.values()
    )


def _object(answer: Answer, statement: Statement) -> str:
    held = statement.object
    return str(held) if isinstance(held, Literal) else answer.entities[held].name()


def _speaking(answer: Answer) -> set[str]:
    """The stores whose evidence is in an answer."""
    return {each["store"] for each in answer.to_json()["evidence"].values()}


def _told(what: str, right: Sequence[bool]) -> int:
    print(f"{what}: {sum(right)} of {len(right)} questions right", flush=True)
    return len(right) - sum(right)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
