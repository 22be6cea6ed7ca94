"""`medweave demo`: the sample base made before your eyes, and questions to it."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from medweave.errors import MedweaveError
from medweave.faces.cli.common import console, progress

if TYPE_CHECKING:
    from rich.console import Console

QUESTIONS = (
    "My child has a cough, chest pain, shivering and a fever. What disease could it be?",
    "How to prevent a cold?",
    "感冒的症状和治疗方法是什么",
    "What are the complications of gastritis?",
    "Can a pregnant woman take tetracycline?",
)
"""One in Chinese, and one that ends in a stop."""
PAGE = "The page for all of this: medweave serve --bases bases, then open http://127.0.0.1:8080/"
OPEN = "The page is open as long as this prompt is: {url}"


def demo() -> None:
    """Make the sample base and ask it: the page and a prompt in a terminal, else five questions."""
    from rich.text import Text

    from medweave.faces.terminal.answer import print_answer
    from medweave.knowledge_base import KnowledgeBase

    shown = console()
    _make_sample(shown)
    with KnowledgeBase.sample() as base:
        if sys.stdin.isatty() and sys.stdout.isatty():
            from medweave.faces.cli.page_beside import page_beside
            from medweave.faces.cli.prompt import converse

            with page_beside("--bases", "bases") as url:
                shown.print("\n" + (OPEN.format(url=url) if url else PAGE), markup=False)
                converse(base, shown)
            return
        for question in QUESTIONS:
            shown.print(Text(f"\n› {question}", style="bold cyan"))
            print_answer(base.ask(question), shown)
    shown.print(f"\n{PAGE}", markup=False)


def _make_sample(shown: Console) -> None:
    """Make it where nobody reads it yet: a page that is open on the one before goes on with that,
    which is the same unless it was damaged."""
    from medweave.app import sample_path
    from medweave.faces.terminal.reports import print_report
    from medweave.knowledge_base import make_sample

    path = sample_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=path.parent) as folder:
        made = Path(folder) / path.name
        with progress() as show_progress:
            report = make_sample(made, progress=show_progress)
        print_report(report, shown)
        if not (path.exists() and _hash(path) == _hash(made)):
            made.replace(path)


def _hash(path: Path) -> str:
    """What a base holds; '' where it cannot be opened."""
    from medweave.knowledge_base import KnowledgeBase

    with suppress(MedweaveError), KnowledgeBase.open(str(path), read_only=True) as base:
        return base.version.hash
    return ""
