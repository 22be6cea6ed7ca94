"""An answer in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from medweave.faces.texts import Words, page_texts
from medweave.faces.texts.sources import source_numbers
from medweave.model.cases import TOPIC

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.model.answer import Answer
    from medweave.model.document import Document
    from medweave.model.statement import Evidence, Statement

_MAX_SHOWN = 8
_AGAINST = ("stops", "depends", "caution")


def print_answer(answer: Answer, console: Console) -> None:
    """Danger, stops, sentences with the numbers of their sources, candidates, what is missing."""
    numbers = source_numbers(answer)
    texts = page_texts(answer.question.language)
    _print_danger(answer, console)
    if answer.question.in_crisis:
        return
    for misread in Words(answer.question).read_as():
        console.print(Text(misread, style="yellow"))
    for stop in answer.stops:
        if stop.status == "applies":
            name = escape(stop.entity.name(answer.question.language))
            label = escape(texts["terminal"]["stop"])
            console.print(f"[bold red]{label}[/] [bold]{name}[/]: {escape(stop.reason)}")
    parts = {sentence.intent for sentence in answer.sentences}
    part = ""
    for sentence in answer.sentences:
        if (len(parts) > 1 or sentence.intent == TOPIC) and sentence.intent != part:
            part = sentence.intent
            console.print(Text(texts["intents"].get(part, part), style="bold green"))
        marks = sorted({numbers[e.id] for s in sentence.statements for e in answer.evidence_of(s)})
        shown = ",".join(map(str, marks[:_MAX_SHOWN])) + (",…" if len(marks) > _MAX_SHOWN else "")
        console.print(Text(sentence.text) + Text(f"  [{shown}]", style="cyan"))
    stopped = any(stop.status == "applies" for stop in answer.stops)
    if not answer.sentences and not stopped:
        console.print(Text(texts["terminal"]["none"], style="yellow"))
    _print_comparison(answer, console)
    _print_candidates(answer, console)
    _print_open_stops(answer, console)
    if answer.cases:
        from medweave.faces.terminal.similar import print_cases

        print_cases(answer, console)
    for missing in answer.missing:
        console.print(Text("? ", style="yellow") + Text(missing))
    sample = any(document.sample for document in answer.documents.values())
    console.print(Text(" ".join([texts["sample"]] * sample + [texts["note"]]), style="dim"))


def _print_danger(answer: Answer, console: Console) -> None:
    """Signs that are present, and what to do at once; what to ask for stands with the missing."""
    texts = page_texts(answer.question.language)["terminal"]
    for sign in answer.danger or ():
        if sign.status == "present":
            label = texts["danger_learned" if sign.how == "learned" else "danger"]
            if sign.kind == "crisis":
                console.print(Text(sign.text, style="bold"))
            else:
                console.print(Text(f"{label} ", style="bold red") + Text(sign.text, style="bold"))
            if sign.advice:
                console.print(Text(sign.advice))
    if answer.emergency:
        console.print(Text(answer.emergency, style="bold red"))


def _print_comparison(answer: Answer, console: Console) -> None:
    """One row for each drug: whether and why it is stopped; what is unknown is asked below.

    What diseases have in common is told by the sentences.
    """
    if not any(cell.kind in _AGAINST for row in answer.comparison for cell in row.cells):
        return
    texts = page_texts(answer.question.language)["comparison"]
    table = Table(box=None, show_header=False, padding=(0, 1))
    for row in answer.comparison:
        style = "bold red" if row.status == "stopped" else "magenta"
        reasons = "; ".join(cell.text for cell in row.cells if cell.kind in _AGAINST)
        name = Text(row.entity.name(answer.question.language))
        table.add_row(name, Text(texts["status"][row.status], style=style), Text(reasons))
    console.print(table)


def _print_candidates(answer: Answer, console: Console) -> None:
    if not answer.candidates:
        return
    best = max(candidate.score for candidate in answer.candidates) or 1.0
    texts = page_texts(answer.question.language)
    table = Table(box=None, show_header=False, padding=(0, 1))
    for rank, candidate in enumerate(answer.candidates, 1):
        bar = "█" * max(1, round(12 * candidate.score / best))
        style = "dim strike" if candidate.status == "excluded" else ""
        name = Text(candidate.entity.name(answer.question.language), style=style)
        words = ", ".join(f"“{text}”" for text, _ in candidate.words[:_MAX_SHOWN])
        by_words = Text(texts["by_words"].format(list=words) if words else "", style="dim")
        table.add_row(
            str(rank), name, Text(bar, style="blue"), texts["candidate"][candidate.status], by_words
        )
    console.print(table)


def _print_open_stops(answer: Answer, console: Console) -> None:
    labels = page_texts(answer.question.language)["terminal"]
    open_ = [stop for stop in answer.stops if stop.status == "ask" and stop.hard]
    for stop in open_[:_MAX_SHOWN]:
        name = stop.entity.name(answer.question.language)
        console.print(
            Text(f"{labels['ask_first']} ", style="magenta") + Text(f"{name}: {stop.reason}")
        )
    if len(open_) > _MAX_SHOWN:
        more = labels["more"].format(n=len(open_) - _MAX_SHOWN)
        console.print(Text(more, style="magenta"))


def print_paths(answer: Answer, console: Console) -> None:
    """The statements of an answer as trees, with their evidence: `ask --explain`."""
    numbers = source_numbers(answer)
    for sentence in answer.sentences:
        tree = Tree(Text(sentence.text, style="bold"))
        for identifier in sentence.statements:
            branch = tree.add(Text(_said(answer, answer.statements[identifier].statement)))
            for item in answer.evidence_of(identifier):
                branch.add(_evidence_line(item, answer.documents[item.document], numbers[item.id]))
        console.print(tree)
    for path in answer.paths:
        console.print(Text(" → ".join(_names(answer, path.source, path.target)), style="green"))


def _names(answer: Answer, *entities: str) -> list[str]:
    language = answer.question.language
    return [answer.entities[entity].name(language) for entity in entities]


def _said(answer: Answer, statement: Statement) -> str:
    subject = answer.entities[statement.subject].name(answer.question.language)
    target = statement.object_entity
    said = _names(answer, target)[0] if target else str(getattr(statement.object, "value", ""))
    qualifiers = ", ".join(f"{name}={value}" for name, value in statement.qualifiers)
    belief = answer.beliefs.get(statement.id, 0.0)
    more = f" ({qualifiers})" if qualifiers else ""
    return f"{subject} —{statement.predicate}→ {said}{more}   belief {belief:.2f}"


def _evidence_line(evidence: Evidence, document: Document, number: int) -> Text:
    verb = "affirms" if evidence.polarity > 0 else "denies"
    cites = f"  cites {', '.join(evidence.cites)}" if evidence.cites else ""
    line = Text(f"[{number}] ", style="cyan")
    line.append(f"{document.name} · {evidence.place.field} {verb}: ")
    line.append(f"“{evidence.quote}”", style="italic")
    line.append(
        f"  ({evidence.evidence_class}, strength {evidence.strength:g}){cites}", style="dim"
    )
    return line


def print_source(answer: Answer, number: int, console: Console) -> bool:
    """One numbered source with its passage; whether there is one of this number."""
    found = {n: identifier for identifier, n in source_numbers(answer).items()}.get(number)
    for supported in answer.statements.values():
        for item in supported.evidence:
            if item.id == found:
                document = answer.documents[item.document]
                console.print(_evidence_line(item, document, number))
                console.print(_passage(item, document))
                return True
    return False


def _passage(evidence: Evidence, document: Document, around: int = 200) -> Text:
    text = document.text(evidence.place.field)
    start, end = evidence.place.start, evidence.place.end
    passage = Text("…" if start > around else "", style="dim")
    passage.append(text[max(0, start - around) : start])
    passage.append(text[start:end], style="black on yellow")
    return passage.append(text[end : end + around] + ("…" if end + around < len(text) else ""))
