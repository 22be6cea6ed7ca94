"""One question and its answer, as `medweave ask` shows it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from medweave.faces.cli.common import console, print_json, reading, write_file

if TYPE_CHECKING:
    from medweave.faces.texts.markdown import Links
    from medweave.knowledge_base import KnowledgeBase
    from medweave.model.generated import ModelUse


CANDIDATES = 5
"""How many candidates are shown unless more or fewer are wanted."""


class PlainQuestion(NamedTuple):
    """A question to a base, with nothing else wanted."""

    text: str
    kb: str = ""
    json: bool = False


def plain_question(arguments: Sequence[str]) -> PlainQuestion | None:
    """The question of `ask QUESTION`, with or without `--kb BASE` and `--json`; else None.

    What most often stands on the command line is read here; reading all that may stand there
    takes a library that is slower to load than a question is to answer.

    >>> plain_question(["ask", "What is asthma?", "--kb", "base.db"])
    PlainQuestion(text='What is asthma?', kb='base.db', json=False)
    >>> plain_question(["ask", "--explain", "What is asthma?"])
    """
    texts: list[str] = []
    kb, json = "", False
    rest = iter(arguments[1:] if arguments[:1] == ["ask"] else ())
    for argument in rest:
        if argument == "--json":
            json = True
        elif argument == "--kb":
            kb = next(rest, "-")
        else:
            texts.append(argument)
    if len(texts) != 1 or not texts[0] or any(text.startswith("-") for text in (*texts, kb)):
        return None
    return PlainQuestion(texts[0], kb, json)


def answer_plainly(question: PlainQuestion) -> None:
    """Answer a question that is asked without further options."""
    with reading(question.kb) as base:
        answer(base, question.text, shown=Shown(json=question.json))


class Shown(NamedTuple):
    """How an answer is shown."""

    html: str = ""
    """A file for a page."""
    more: bool = False
    """Nothing is folded."""
    explain: bool = False
    json: bool = False
    markdown: bool = False
    links: Links = "registry"
    """Where Markdown leads to trials."""


AS_TEXT = Shown()


def answer(
    base: KnowledgeBase,
    question: str,
    k: int = CANDIDATES,
    *,
    guideline: str = "",
    history: Sequence[str] = (),
    use: ModelUse | None = None,
    shown: Shown = AS_TEXT,
) -> None:
    """Ask a base, and print the answer; write it as a page, too, where `html` names a file."""
    found = base.ask(question, candidates=k, guideline=guideline, history=history, use=use)
    if shown.html:
        from medweave.faces.page.answer import answer_page

        write_file(Path(shown.html), answer_page(found))
    if shown.json:
        print_json(found.to_json())
        return
    if shown.markdown:
        from medweave.faces.texts.markdown import answer_markdown

        sys.stdout.write(answer_markdown(found, shown.links) + "\n")
        return
    from medweave.faces.terminal.answer import print_answer

    print_answer(found, console(), unfolded=shown.more)
    if shown.explain:
        from medweave.faces.terminal.evidence import print_explanation

        print_explanation(found, console())
