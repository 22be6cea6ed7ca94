"""`medweave demo`: the sample base made before your eyes, and questions to it."""

from __future__ import annotations

import sys

from medweave.faces.cli.common import console, progress

QUESTIONS = (
    "My child has a cough, chest pain, shivering and a fever. What disease could it be?",
    "How to prevent a cold?",
    "感冒的症状和治疗方法是什么",
    "What are the complications of gastritis?",
    "Can a pregnant woman take tetracycline?",
)
"""One in Chinese, and one that ends in a stop."""
PAGE = "The page for all of this: medweave serve --bases bases, then open http://127.0.0.1:8080/"


def demo() -> None:
    """Make the sample base and ask it: a prompt in a terminal, otherwise five questions."""
    from rich.text import Text

    from medweave.app import sample_path
    from medweave.faces.terminal.answer import print_answer
    from medweave.faces.terminal.reports import print_report
    from medweave.knowledge_base import KnowledgeBase, make_sample

    shown = console()
    path = sample_path()
    path.unlink(missing_ok=True)
    with progress() as show_progress:
        report = make_sample(path, progress=show_progress)
    print_report(report, shown)
    with KnowledgeBase.sample() as base:
        if sys.stdin.isatty() and sys.stdout.isatty():
            from medweave.faces.cli.prompt import converse

            shown.print(f"\n{PAGE}", markup=False)
            converse(base, shown)
            return
        for question in QUESTIONS:
            shown.print(Text(f"\n› {question}", style="bold cyan"))
            print_answer(base.ask(question), shown)
    shown.print(f"\n{PAGE}", markup=False)
