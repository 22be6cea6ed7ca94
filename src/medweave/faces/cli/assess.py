"""`medweave assess`: be led through an assessment by a guideline."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.errors import ConfigurationError
from medweave.faces.cli.classify import GuidelineName
from medweave.faces.cli.common import console, print_json, reading, write_file
from medweave.faces.cli.options import Age, Json, Kb, Language, Sex, Weight

if TYPE_CHECKING:
    from medweave.assessment.record import RecordFile
    from medweave.assessment.session import Session
    from medweave.faces.cli.assessing import Assessing
    from medweave.guideline.logic.graph import Graph
    from medweave.vocabulary.knowledge import Knowledge


def assess(
    guideline: GuidelineName = "sample",
    age: Age = "",
    weight: Weight = "",
    sex: Sex = "",
    text: Annotated[
        str, typer.Option("--text", help="What was told, in free text; it is not stored.")
    ] = "",
    without: Annotated[
        list[str] | None,
        typer.Option("--without", help="Not at hand here (oximeter, amoxicillin); repeatable."),
    ] = None,
    session: Annotated[
        str, typer.Option("--session", help="Record it in this file, or go on with it.")
    ] = "",
    note: Annotated[
        str, typer.Option("--note", help="Write a note to print: a .md or .html file.")
    ] = "",
    replay: Annotated[
        bool, typer.Option("--replay", help="Only say whether --session comes out the same now.")
    ] = False,
    keep_text: Annotated[
        bool, typer.Option("--keep-text", help="Store free-text answers in the record, too.")
    ] = False,
    order: Annotated[
        str,
        typer.Option(
            "--order",
            help="Next question: best, thorough (also what is checked in every child), or form.",
        ),
    ] = "best",
    language: Language = "",
    kb: Kb = "",
    json: Json = False,
) -> None:
    """Be asked what tells most, danger signs first, and be told what the guideline says.

    Answers are typed, or come line by line through a pipe. Without --session nothing is stored.
    """
    from medweave.faces.cli.assessing import Assessing
    from medweave.faces.cli.guideline import graph_named
    from medweave.language.segmentation import language_of

    if order not in ("best", "thorough", "form"):
        raise typer.BadParameter("--order is best, thorough or form")
    if note and not note.endswith((".md", ".html")):
        raise typer.BadParameter("--note is a file that ends in .md or .html")
    graph = graph_named(guideline, kb)
    if replay:
        _replay(session, graph, json=json)
        return
    screen = console(err=json)
    record, begun = _opened(session, graph, keep_text=keep_text)
    spoken = language or (language_of(text) if text else "en")
    with ExitStack() as closing:
        talk = Assessing(
            begun,
            screen,
            record=record,
            order=order,
            language=spoken,
            knowledge=_knowledge(kb, closing),
        )
        _greet(talk, session)
        if not begun.events:
            _start(talk)
        _say_person(talk, {"age": age, "weight": weight, "sex": sex}, text)
        for name in without or ():
            from medweave.assessment.events import Event

            talk.add(Event("away", name))
        finished = talk.run()
        _leave(talk, session, finished=finished)
        if note:
            _write_note(talk, Path(note))
            talk.tell(talk.texts["note"].format(file=note))
        if json:
            print_json(talk.assessment().to_json())


def _knowledge(kb: str, closing: ExitStack) -> Callable[[], Knowledge]:
    """What is known of drugs, opened once, where a treatment names one."""
    return cache(lambda: closing.enter_context(reading(kb)).knowledge)


def _opened(session: str, graph: Graph, *, keep_text: bool) -> tuple[RecordFile | None, Session]:
    from medweave import __version__
    from medweave.assessment.record import RecordFile
    from medweave.assessment.session import Session

    if not session:
        return None, Session.of(graph)
    path, program = Path(session), f"medweave {__version__}"
    if path.exists():
        return RecordFile.going_on(path, graph, keep_text=keep_text)
    return RecordFile(path, graph, keep_text=keep_text, program=program), Session.of(graph)


def _start(talk: Assessing) -> None:
    from medweave.assessment.events import Event

    talk.add(Event("started"))


def _say_person(talk: Assessing, person: dict[str, str], text: str) -> None:
    """What was said before the first question is not asked again."""
    from medweave.assessment.answers import read_answer

    for about, stated in person.items():
        if stated:
            value = read_answer(talk.session.graph, about, stated)
            if value != talk.session.person(about):
                talk.answer(about, value)
    if text:
        _say_text(talk, text)


def _say_text(talk: Assessing, text: str) -> None:
    """What a free text tells is answered by it, and shown."""
    from medweave.answering.danger import sign_in_words
    from medweave.assessment.events import Event
    from medweave.assessment.free_text import UNREAD, read_free_text
    from medweave.faces.terminal.assessment import beside
    from medweave.faces.terminal.urgent_signs import print_crisis
    from medweave.faces.texts import page_texts
    from medweave.faces.texts.session import finding_in_words

    language = talk.words.language
    heads = page_texts(language)["guideline"]
    read = read_free_text(talk.session, text)

    def tell(head: str, words: str) -> None:
        talk.tell(f"{heads[head]}{beside(heads[head])}{words}")

    for about, value in read.answers:
        talk.answer(about, value)
    for allergen in read.allergies:
        talk.add(Event("allergic", allergen))
        talk.tell(talk.texts["allergy"].format(name=allergen))
    for each in read.findings:
        tell("understood", finding_in_words(talk.words.finding(each), language))
    for problem in read.questionable:
        tell("check", talk.words(problem))
    if read.in_crisis:
        print_crisis([sign_in_words(sign, language) for sign in read.signs], console(), language)
        raise typer.Exit  # nothing is asked or told beside it
    for sign in read.signs:
        talk.add(Event("danger", sign.sign, sign.status, sign.name))
        urgent = "danger" if sign.grade == "now" else sign.grade
        tell(urgent if sign.status == "present" else "ask_first", sign.name)
    talk.text, talk.not_understood = text, read.unread
    if read.unread:
        talk.add(Event("danger", UNREAD, "ask", talk.texts["unread_words"]))
        talk.tell_not_understood()


def _greet(talk: Assessing, session: str) -> None:
    held, texts = talk.session.graph.guideline, talk.texts
    talk.tell(f"{talk.words(held.title)} ({held.name})")
    if held.sample:
        talk.tell(texts["sample"])
    talk.tell(texts["support"])
    talk.tell(texts["stored"].format(file=session) if session else texts["not_stored"])


def _leave(talk: Assessing, session: str, *, finished: bool) -> None:
    texts = talk.texts
    if finished:
        talk.tell(texts["finished"] + (texts["record"].format(file=session) if session else ""))
    else:
        talk.tell(texts["saved"].format(file=session) if session else texts["left"])


def _replay(session: str, graph: Graph, *, json: bool) -> None:
    from medweave.assessment.record import differences, read_record_file

    if not session:
        raise ConfigurationError(
            "no record is named", where="--replay", remedy="give --session FILE"
        )
    record = read_record_file(Path(session))
    found = differences(record, graph)
    if json:
        print_json({"events": len(record.entries), "torn": record.torn, "differences": found})
    else:
        for event in found:
            console().print(event, markup=False)
        if record.torn:
            console().print("its last line was cut short, and is left out")
        console().print(
            f"{len(record.entries)} events: "
            + (f"{len(found)} differences" if found else "the same comes out")
        )
    if found:
        raise typer.Exit(1)


def _write_note(talk: Assessing, path: Path) -> None:
    from medweave.faces.cli.assessing import clock
    from medweave.faces.page.note import note_html, note_markdown, note_of

    note = note_of(talk.session, talk.words, clock().date())
    write_file(path, note_html(note) if path.suffix == ".html" else note_markdown(note))
