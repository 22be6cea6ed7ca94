"""What an answer rests on, in a terminal: in plain words, or with everything internal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text
from rich.tree import Tree

from medweave.faces.terminal.hanging import print_hanging
from medweave.faces.terminal.understanding import print_question
from medweave.faces.texts.layout import GUIDELINE, Layout
from medweave.faces.texts.similar import why_in_words
from medweave.model.cases import TOPIC

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.model.answer import Answer, PassageRank
    from medweave.model.statement import Evidence, Statement

_STATEMENTS = 12
"""So many statements of one line are shown with their words; the others are counted."""
_AROUND = 200
"""Characters of a passage on either side of the words that are quoted."""


def print_why(answer: Answer, console: Console) -> None:
    """Each line of an answer with the statements below it, and the words of their sources."""
    layout = Layout(answer)
    for text, statements in _lines(layout):
        tree = Tree(Text(text, style="bold"))
        for identifier in statements[:_STATEMENTS]:
            supported = answer.statements[identifier]
            branch = tree.add(Text(layout.words.said(supported.statement)))
            for item in answer.evidence_of(identifier):
                branch.add(_quoted(item, layout))
        if len(statements) > _STATEMENTS:
            left = len(statements) - _STATEMENTS
            tree.add(Text(layout.texts["more"].format(n=left), style="dim"))
        console.print(tree)


def print_explanation(answer: Answer, console: Console) -> None:
    """How the question was understood, and the evidence with all that was made of it."""
    layout = Layout(answer)
    print_question(answer.question, console)
    for text, statements in _lines(layout):
        tree = Tree(Text(text, style="bold"))
        for identifier in statements:
            branch = tree.add(Text(_as_stored(answer, answer.statements[identifier].statement)))
            for item in answer.evidence_of(identifier):
                branch.add(_weighed(item, layout))
        console.print(tree)
    for path in answer.paths:
        names = (answer.entities[e].name(layout.words.language) for e in (path.source, path.target))
        console.print(Text(" → ".join(names), style="green"))
    for place, candidate in enumerate(answer.candidates, 1):
        name = candidate.name or candidate.entity.name(layout.words.language)
        console.print(Text(f"{place} {name} {candidate.score:.4f} {candidate.status}"))
        for identifier in candidate.how_common:
            stated = _as_stored(answer, answer.statements[identifier].statement)
            console.print(Text(f"  {stated}", style="dim"))
    for case in answer.cases:
        for why in case.why:
            line = f"{case.id} {case.score:.4f}: {why_in_words(why, layout.words.language)}"
            console.print(Text(line, style="dim"))
    for rank in answer.passages:
        _print_passage(answer, rank, console)
    spent = ", ".join(f"{step} {ms:.1f} ms" for step, ms in answer.timing.items())
    console.print(Text(spent, style="dim"))


def _print_passage(answer: Answer, rank: PassageRank, console: Console) -> None:
    """A passage with the quotes in it marked, and how it was found."""
    document = answer.documents[rank.document]
    places = [f"words {rank.by_words} ({rank.words:.2f})"]
    if rank.meaning is not None:
        places.append(f"vectors {rank.by_meaning} ({rank.meaning:.2f})")
    line = f"{document.name}: {', '.join(places)}, fusion {rank.taken}"
    console.print(Text(line, style="dim"))
    for field, quotes in _quotes(answer, rank.document).items():
        whole = _passage(document.text(field), quotes, around=len(document.text(field)))
        print_hanging(console, f"{document.title or document.name}  ", whole, "green")


def print_source(answer: Answer, number: int, console: Console) -> bool:
    """One numbered source with the passages it gives; whether there is one of this number."""
    numbers = Layout(answer).numbers
    found = {n: identifier for identifier, n in numbers.items()}.get(number)
    if found is None:
        return False
    document = answer.documents[found]
    console.print(Text(f"[{number}] ", style="cyan") + Text(document.title or document.name))
    where = " · ".join(part for part in (document.name, document.source, document.url) if part)
    console.print(Text(where, style="dim"))
    for field, quotes in _quotes(answer, found).items():
        passage = _passage(document.text(field), quotes)
        print_hanging(console, f"{field.replace('_', ' ')}  ", passage, "green")
    return True


def _lines(layout: Layout) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The lines of an answer that rest on anything, each with its statements once."""
    for stop in layout.stops:
        yield f"{stop.name}: {stop.text}", tuple(dict.fromkeys(stop.statements))
    for sentence in layout.answer.sentences:
        if sentence in layout.sentences or sentence.intent in (TOPIC, GUIDELINE):
            yield sentence.text, tuple(dict.fromkeys(sentence.statements))
    for table in layout.tables:
        for row in table.rows:
            for line in row.lines:
                if line.statements:
                    label = row.label if row.kind == "disease" else ""
                    text = f"{label}: {line.text}" if label else line.text
                    yield text, tuple(dict.fromkeys(line.statements))


def _quoted(evidence: Evidence, layout: Layout) -> Text:
    """A source's number, its title and its words; that it denies the statement is said."""
    document = layout.answer.documents[evidence.document]
    line = Text(f"[{layout.numbers[evidence.document]}] ", style="cyan")
    line.append(f"{document.title or document.name}: ")
    if evidence.polarity < 0:
        line.append(f"{layout.words.texts['polarity']['denies']} ", style="red")
    return line.append(f"“{evidence.quote}”", style="italic")


def _as_stored(answer: Answer, statement: Statement) -> str:
    """A statement as the base holds it, and its belief."""
    language = answer.question.language
    subject = answer.entities[statement.subject].name(language)
    target = statement.object_entity
    object_words = answer.entities[target].name(language) if target else _value(statement)
    qualifiers = ", ".join(f"{name}={value}" for name, value in statement.qualifiers)
    more = f" ({qualifiers})" if qualifiers else ""
    belief = answer.beliefs.get(statement.id, 0.0)
    return f"{subject} —{statement.predicate}→ {object_words}{more}   belief {belief:.2f}"


def _value(statement: Statement) -> str:
    return str(getattr(statement.object, "value", ""))


def _weighed(evidence: Evidence, layout: Layout) -> Text:
    """A source's words, and what is made of them."""
    document = layout.answer.documents[evidence.document]
    verb = "affirms" if evidence.polarity > 0 else "denies"
    cites = f"  cites {', '.join(evidence.cites)}" if evidence.cites else ""
    line = Text(f"[{layout.numbers[evidence.document]}] ", style="cyan")
    line.append(f"{document.name} · {evidence.place.field} {verb}: ")
    line.append(f"“{evidence.quote}”", style="italic")
    made = f"  ({evidence.evidence_class}, strength {evidence.strength:g}){cites}"
    return line.append(made, style="dim")


def _quotes(answer: Answer, document: str) -> dict[str, list[tuple[int, int]]]:
    """Where a document is quoted, by field, in the order of its text."""
    found: dict[str, set[tuple[int, int]]] = {}
    for supported in answer.statements.values():
        for item in supported.evidence:
            if item.document == document:
                place = (item.place.start, item.place.end)
                found.setdefault(item.place.field, set()).add(place)
    return {field: sorted(places) for field, places in found.items()}


def _passage(text: str, quotes: list[tuple[int, int]], around: int = _AROUND) -> Text:
    """A text from a little before its first quote to a little after its last, quotes marked."""
    start = max(0, quotes[0][0] - around)
    end = max(end for _, end in quotes) + around
    marked = Text(text)
    for place in quotes:
        marked.stylize("black on yellow", *place)
    passage = Text("…" if start else "", style="dim") + marked[start:end]
    return passage + Text("…" if end < len(text) else "", style="dim")
