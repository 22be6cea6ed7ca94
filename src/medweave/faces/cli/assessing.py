"""The talk of a guided assessment: a question, an answer typed, and so on to the end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from medweave.assessment.answers import read_answer, read_event, read_list, read_verdict
from medweave.assessment.case import PERSON
from medweave.assessment.events import Event
from medweave.assessment.free_text import UNREAD
from medweave.errors import FindingsError
from medweave.faces.terminal.assessing import (
    assess_texts,
    print_end,
    print_explanation,
    print_question,
    print_urgent,
)
from medweave.faces.terminal.assessment import beside, print_assessment
from medweave.faces.texts import page_texts
from medweave.faces.texts.session import follow_up_date
from medweave.guideline.danger import signs_in_text
from medweave.guideline.wording import Words
from medweave.model.assessment import STANDS
from medweave.pipeline import stops_of_child

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.assessment.record import RecordFile
    from medweave.assessment.session import Session
    from medweave.model.answer import Danger
    from medweave.model.assessment import Assessment, NextQuestion
    from medweave.vocabulary.knowledge import Knowledge

_LEAVE = {"q", "quit", "exit"}
UNNAMED_SIGN = "told_in_words"


def clock() -> datetime:
    """Now, with the offset of the place."""
    return datetime.now().astimezone()


class Assessing:
    """Leads through one assessment; each event is recorded before the next question."""

    def __init__(
        self,
        session: Session,
        console: Console,
        *,
        record: RecordFile | None = None,
        order: str = "best",
        language: str = "en",
        now: Callable[[], datetime] = clock,
        knowledge: Callable[[], Knowledge] | None = None,
    ) -> None:
        self.session = session
        self.words = Words(session.graph, language)
        self.texts = assess_texts(self.words)
        self._console, self._record, self._order, self._now = console, record, order, now
        self.not_understood: tuple[str, ...] = ()
        """Words of what was told at first that nothing took; they are not recorded."""
        self.text = ""
        """What was told at first; it is not recorded, but what it tells of drugs stops these."""
        self._knowledge = knowledge
        self._passed: set[str] = set()
        """Signs of danger that were asked for, and nobody knew."""
        self._asking = ""
        self._one_by_one = False
        self._steps: list[int] = []
        """How many events each line made, so that one step back takes back a whole line."""
        self._told: set[str] = set()

    def run(self) -> bool:
        """Ask until nothing is left; whether it was finished, not left."""
        self._console.print(self.texts["keys"], style="dim", markup=False)
        self._tell_urgent()
        while True:
            sign = next(
                (s for s in self.session.signs_to_ask() if s.sign not in self._passed), None
            )
            if sign is not None:
                if not self._ask_sign(sign):
                    return False
                continue
            question = self._question()
            if question is None:
                done = self._close()
                if done is not None:
                    return done
            else:
                print_question(self.session, question, self._console, self.words)
                typed = self._read()
                if typed is None or typed.lower() in _LEAVE:
                    return False
                self._safely(lambda: self._take(question, typed))  # noqa: B023

    def _ask_sign(self, sign: Danger) -> bool:
        """Ask for a sign that no question of the guideline asks for; False where one leaves."""
        self._console.print(f"\n{self.texts['danger_sign']} {self.texts['is_there']}", markup=False)
        self.tell(f"  {self._name_of(sign)}")
        typed = self._read()
        if typed is None or typed.lower() in _LEAVE:
            return False
        match typed.lower():
            case "y" | "yes" | "是" | "有":
                self._danger(sign.sign, "present")
            case "n" | "no" | "0" | "否" | "没有":
                self._danger(sign.sign, "absent")
            case _:
                self._passed.add(sign.sign)
        return True

    def _name_of(self, sign: Danger) -> str:
        if sign.sign != UNREAD:
            return self.words(sign.text)
        return str(page_texts(self.words.language)["separator"].join(self.not_understood))

    def _danger(self, sign: str, value: str, name: str = "") -> None:
        known = {each.about: each.reason for each in self.session.events if each.kind == "danger"}
        self.add(Event("danger", sign, value, name or known.get(sign, sign)))
        if value == "present":
            head = page_texts(self.words.language)["guideline"]["danger"]
            self.tell(f"{head}{beside(head)}{name or known.get(sign, sign)}")

    def _tell_sign(self, words: str) -> None:
        """A sign of danger that somebody tells, whether or not the guideline asks for it."""
        found = signs_in_text(words, self.session.case.findings)
        for sign in found:
            self._danger(sign.sign, "present", sign.name)
        if not found:
            self._danger(UNNAMED_SIGN, "present", self.texts["sign_in_words"])

    def add(self, event: Event) -> None:
        """One event: taken if it can be so, recorded, and what is urgent is told at once."""
        self._keep(self.session.after(replace(event, at=self._time())))
        if event.kind != "undone":
            self._steps.append(1)

    def answer(self, about: str, value: object) -> None:
        """An answer."""
        self._keep(self.session.answer(about, value, at=self._time()))  # type: ignore[arg-type]
        self._steps.append(1)

    def tell(self, words: str) -> None:
        """One line, as it is."""
        self._console.print(words, markup=False)

    def tell_not_understood(self) -> None:
        """Name the words that nothing took: one of them may be a danger sign."""
        if self.not_understood:
            words = page_texts(self.words.language)["separator"].join(self.not_understood)
            self.tell(self.texts["not_understood"].format(words=words))

    def _keep(self, session: Session) -> None:
        if self._record:
            self._record.add(session)
        self.session = session
        self._tell_urgent()

    def _time(self) -> str:
        return self._now().isoformat(timespec="seconds")

    def _tell_urgent(self) -> None:
        standing = {name for name, each in self.session.statuses().items() if each.status in STANDS}
        severe = {
            name
            for name in standing - self._told
            if self.session.graph.classifications[name].severity == "severe"
        }
        if severe:
            print_urgent(self.session, severe, self._console, self.words)
        self._told = standing

    def _safely(self, act: Callable[[], None]) -> None:
        """What cannot be so is told, and asked again."""
        try:
            act()
        except FindingsError as error:
            self.tell(self.texts["not_taken"].format(what=error.what, remedy=error.remedy))

    def _read(self) -> str | None:
        self._console.print("> ", end="")
        line = sys.stdin.readline()
        if not line:
            self._console.print("")
            return None
        if not sys.stdin.isatty():
            self._console.print(line.strip(), markup=False)
        return line.strip()

    def _question(self) -> NextQuestion | None:
        from medweave.model.assessment import NextQuestion

        if self._asking:
            observation = self.session.graph.observations.get(self._asking)
            text = (observation.question or observation.label) if observation else self._asking
            return NextQuestion(self._asking, text, "you asked to change it")
        question = self.session.next_question(order=self._order)
        return replace(question, together=()) if question and self._one_by_one else question

    def _take(self, question: NextQuestion, typed: str) -> None:
        """One line in answer to a question: a command, or the answer."""
        about, word = question.observation, typed.lower()
        if word in ("?", "why"):
            print_explanation(self.session, question, self._console, self.words)
        elif not typed:
            self._console.print(self.texts["keys"], style="dim", markup=False)
        elif question.together:
            if not self._command(typed):
                self._take_list((about, *question.together), typed)
        elif word in ("u", "unknown"):
            self._done(Event("unknown", about))
        elif word in ("x", "unavailable"):
            self._done(Event("unavailable", about))
        elif not self._command(typed):
            value = read_answer(self.session.graph, about, typed)
            self.answer(about, value)
            self._asking = ""

    def _take_list(self, signs: tuple[str, ...], typed: str) -> None:
        """One line in answer to a list of signs; each is an answer of its own."""
        answers = read_list(signs, typed)
        self._one_by_one = answers is None
        for about, is_there in (answers or {}).items():
            self.answer(about, is_there)
        if answers:
            self._steps[-len(answers) :] = [len(answers)]

    def _done(self, event: Event) -> None:
        self.add(event)
        self._asking = ""

    def _command(self, typed: str) -> bool:
        """What may be typed at any time; False where it is none of these."""
        word, _, rest = typed.partition(" ")
        rest = rest.strip()
        match word.lower():
            case "b" | "back" if not rest:
                self._asking = ""
                for _ in range(self._steps.pop() if self._steps else 1):
                    self.add(Event("undone"))
            case "w" | "what" if not rest:
                self._what_so_far()
            case "c" | "change":
                self._change(rest)
            case "danger" if rest:
                self._tell_sign(rest)
            case _:
                event = read_event(typed)
                if event is None:
                    return False
                self.add(event)
        return True

    def assessment(self) -> Assessment:
        """What the guideline says, with what stops drugs of its treatments for this child."""
        found = self.words.told(self.session.assessment())
        if self._knowledge is None or not any(row.drug for row in found.treatments):
            return found
        findings = replace(self.session.case.findings, text=self.text)
        return replace(found, safety=stops_of_child(found, findings, self._knowledge()))

    def _what_so_far(self) -> None:
        print_assessment(self.assessment(), self._console, self.words.language)

    def _change(self, name: str) -> None:
        findings = self.session.case.findings
        if not name:
            answered = [*(each for each in PERSON if self.session.is_answered(each))]
            answered += list(findings.values)
            self.tell(self.texts["to_change"].format(names=", ".join(answered)))
        elif name in PERSON:
            self._asking = name
        else:
            self._asking = self.session.graph.observation_names.find(name)

    def _close(self) -> bool | None:
        """Show what came out and ask what is thought of it; None: go on asking."""
        assessment, language = self.assessment(), self.words.language
        follow_up = follow_up_date(assessment.follow_up_days, self._now().date(), language)
        print_end(self.session, assessment, follow_up, self._console, self.words)
        self.tell_not_understood()
        self._console.print(self.texts["closing_keys"], style="dim", markup=False)
        typed = self._read()
        if typed is None or typed.lower() in _LEAVE:
            return False
        if typed.lower() in ("f", "finish"):
            self.add(Event("finished"))
            return True
        self._safely(lambda: self._verdict(typed))
        return None

    def _verdict(self, typed: str) -> None:
        """What is thought of the outcome, or a command."""
        standing = [name for name, each in self.session.statuses().items() if each.status in STANDS]
        events = read_verdict(typed, standing)
        for event in events:
            self.add(event)
        if not events and not self._command(typed):
            self._console.print(self.texts["closing_keys"], style="dim", markup=False)
