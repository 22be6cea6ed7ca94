"""The prompt: ask, then ask why, take findings away, add some, and see at once what changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

from rich.text import Text

from medweave.errors import MedweaveError
from medweave.faces.terminal.answer import print_answer
from medweave.faces.terminal.card import print_named
from medweave.faces.terminal.evidence import print_source, print_why
from medweave.faces.terminal.similar import print_cases
from medweave.faces.terminal.understanding import print_person
from medweave.faces.texts.moves import changes, why_not

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.knowledge_base import KnowledgeBase
    from medweave.model.answer import Answer

_HELP = """Ask a question, or:
  more               what is folded in the last answer
  why                what the last answer rests on; why not NAME: why something does not lead
  source N           open source N of the last answer
  cases              past cases like the question; show ID opens one
  without NAME       the same without a finding        (“without fever”)
  also NAME          the same with a further finding   (“also a rash”)
  who                what is known of the person; it holds until another person is named
  forget             begin with a new person
  show NAME          everything the base says of a thing, or a past case
  quit               end"""
_HISTORY_LENGTH = 50
"""So many of the last questions are about the same person."""
_END = ("quit", "exit", "q", ":q")


@dataclass
class Conversation:
    """What was said of one person, and the last answer."""

    base: KnowledgeBase
    console: Console
    candidates: int
    earlier: tuple[str, ...] = ()
    """What was said before the last question, oldest first."""
    question: str = ""
    answer: Answer | None = None

    def say(self, line: str) -> None:
        """Carry out one line."""
        for pattern, method in _COMMANDS:
            match = re.fullmatch(pattern, line, re.IGNORECASE)
            if match:
                method(self, *match.groups())
                return
        history = (*self.earlier, self.question) if self.question else self.earlier
        self._ask(line, history[-_HISTORY_LENGTH:])

    def _ask(self, question: str, earlier: tuple[str, ...]) -> None:
        self.answer = self.base.ask(question, candidates=self.candidates, history=earlier)
        self.question, self.earlier = question, earlier
        print_answer(self.answer, self.console, more="more")

    def _again(self, question: str) -> None:
        """Ask anew and say what moved."""
        before = self.answer
        self._ask(question, self.earlier)
        if before is not None and self.answer is not None:
            for line in changes(before, self.answer):
                self.console.print(Text(line, style="green"))

    def more(self) -> None:
        """The last answer with nothing folded."""
        if self._has_answer(self.answer):
            print_answer(self.answer, self.console, unfolded=True)

    def why(self) -> None:
        """What the last answer rests on."""
        if self._has_answer(self.answer):
            print_why(self.answer, self.console)

    def why_not(self, name: str) -> None:
        """Where something stands in the last ranking, and what it lacks."""
        self.console.print(Text("\n".join(why_not(self.base, self.answer, name))))

    def without(self, name: str) -> None:
        """The question again, with a finding said to be absent."""
        absent = "没有" if _is_chinese(self.answer) else "no "
        self._again(_joined(self.question, f"{absent}{name}", self.answer))

    def also(self, name: str) -> None:
        """The question again, with one more finding."""
        present = "还有" if _is_chinese(self.answer) else "I also have "
        self._again(_joined(self.question, f"{present}{name}", self.answer))

    def source(self, number: str) -> None:
        """One source of the last answer."""
        if self._has_answer(self.answer) and not print_source(
            self.answer, int(number), self.console
        ):
            self.console.print(f"There is no source {number}.")

    def cases(self) -> None:
        """Past cases like the last question."""
        if self._has_answer(self.answer):
            print_cases(self.answer, self.console)

    def who(self) -> None:
        """What is known of the person."""
        if self._has_answer(self.answer):
            print_person(self.answer, self.console)

    def forget(self) -> None:
        """Begin with a new person."""
        self.earlier, self.question, self.answer = (), "", None
        self.console.print("Forgotten. The next question is about a new person.")

    def show(self, name: str) -> None:
        """Everything the base says of a thing, or a past case as it was talked."""
        print_named(self.base, name, self.console)

    def help(self) -> None:
        """What can be said."""
        self.console.print(_HELP)

    def _has_answer(self, answer: Answer | None) -> TypeGuard[Answer]:
        """Whether there is an answer; says so where there is none."""
        if answer is None:
            self.console.print("Ask something first.")
        return answer is not None


_COMMANDS: tuple[tuple[str, Callable[..., None]], ...] = (
    (r"\??help\??|\?|帮助", Conversation.help),
    (r"more|更多", Conversation.more),
    (r"why\??|为什么[？?]?", Conversation.why),
    (r"(?:why not|为什么不是)\s*(.+?)[?？]?", Conversation.why_not),
    (r"(?:without|去掉|没有)\s*(?:an? |the )?(.+)", Conversation.without),
    (r"(?:also|还有)\s*(.+)", Conversation.also),
    (r"(?:source|来源)\s*(\d+)", Conversation.source),
    (r"cases|案例", Conversation.cases),
    (r"who\??|谁[？?]?", Conversation.who),
    (r"forget|忘记", Conversation.forget),
    (r"(?:show|打开)\s+(.+)", Conversation.show),
)


def converse(
    base: KnowledgeBase, console: Console, *, candidates: int = 5, earlier: tuple[str, ...] = ()
) -> None:
    """Talk until the other side ends it; `earlier` is what was said of the person before."""
    talk = Conversation(base, console, candidates, earlier)
    console.print("Ask a question, or type [bold]help[/]. This is decision support, not care.")
    while True:
        try:
            line = console.input("[bold cyan]› [/]").strip()
        except EOFError:
            return
        if line.lower() in _END:
            return
        if not line:
            continue
        try:
            talk.say(line)
        except MedweaveError as error:
            console.print(Text(f"error: {error}", style="red"))


def _is_chinese(answer: Answer | None) -> bool:
    return answer is not None and answer.question.language == "zh"


def _joined(question: str, more: str, answer: Answer | None) -> str:
    end = "。" if _is_chinese(answer) else ". "
    return f"{question.rstrip(' .。')}{end}{more}" if question else more
