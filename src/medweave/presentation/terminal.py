"""Answers, reports and things in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from medweave.model.cases import TOPIC
from medweave.presentation.texts import Words, page_texts

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.app import EntityCard
    from medweave.graph.builder import BuildPlan, BuildReport
    from medweave.graph.duplicates import Duplicates
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
        from medweave.presentation.similar import print_cases

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
            console.print(Text(f"{label} ", style="bold red") + Text(sign.text, style="bold"))
    if answer.emergency:
        console.print(Text(answer.emergency, style="bold red"))


def source_numbers(answer: Answer) -> dict[str, int]:
    """Evidence by identifier, numbered in the order in which sentences use it."""
    ordered: dict[str, None] = {}
    for sentence in answer.sentences:
        for statement in sentence.statements:
            ordered.update((item.id, None) for item in answer.evidence_of(statement))
    for found in answer.statements.values():
        ordered.update((item.id, None) for item in found.evidence)
    return {identifier: number for number, identifier in enumerate(ordered, 1)}


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


def print_card(card: EntityCard, console: Console) -> None:
    """A thing: names, concept, and its statements by predicate."""
    names = "; ".join(f"{language}: {', '.join(n)}" for language, n in card.entity.names.items())
    console.print(Text(card.entity.name(), style="bold") + Text(f"  {card.entity.concept}"))
    console.print(Text(f"{card.entity.id}   {names}", style="dim"))
    for line in _name_lines(card):
        console.print(Text(f"  named {line}", style="dim"))
    if card.entity.xrefs:
        console.print(Text("also " + ", ".join(card.entity.xrefs), style="dim"))
    groups: dict[str, list[str]] = {}
    for found in card.statements:
        statement = found.statement
        inward = statement.subject != card.entity.id
        target = statement.object_entity
        other = card.entities[statement.subject if inward or target is None else target].name()
        said = other if target else str(getattr(statement.object, "value", ""))
        if statement.qualifiers:
            said += f" ({', '.join(f'{name}={value}' for name, value in statement.qualifiers)})"
        conflict = " (sources disagree)" if found.conflicting else ""
        denied = " (denied)" if not found.affirmed else ""
        label = f"is {statement.predicate} of" if inward else statement.predicate
        groups.setdefault(label, []).append(f"{said}{conflict}{denied}")
    for predicate, said_list in groups.items():
        console.print(Text(f"  {predicate}: ", style="green") + Text("; ".join(said_list)))
    console.print(Text(f"from {len(card.documents)} documents", style="dim"))


def _name_lines(card: EntityCard) -> list[str]:
    """Each name with where it comes from."""
    sources: dict[str, dict[str, None]] = {}
    for mention, document in card.named_by:
        name = card.documents[document].name
        sources.setdefault(mention.name, {})[name] = None
    known = [name for names in card.entity.names.values() for name in names]
    from_lexicon = [name for name in known if name not in sources]
    lines = [f"{name}: {', '.join(where)}" for name, where in sources.items()]
    return [*lines, *(f"{name}: the lexicon" for name in from_lexicon)]


def print_duplicates(found: Duplicates, console: Console) -> None:
    """Each kind of finding with its most mentioned examples."""
    for name, says in _DUPLICATES.items():
        kind = getattr(found, name)
        console.print(Text(f"{kind.count} {says}", style="bold"))
        for example in kind.examples[:_MAX_SHOWN]:
            names, entities = " = ".join(example.names[:6]), ", ".join(example.entities[:6])
            concepts = ", ".join(example.concepts)
            console.print(Text(f"  {names}") + Text(f"  {concepts}: {entities}", style="dim"))


_DUPLICATES = {
    "taken_together": "names with several identifiers, taken for one thing",
    "kept_apart": "names of things whose identifiers or main names differ, kept apart",
    "several_concepts": "things that sources hold for several kinds of thing",
    "several_families": "names of things of different families, kept apart",
    "spelled_alike": "groups of names that may only be spelled differently, kept apart",
}


def print_report(report: BuildReport, console: Console) -> None:
    """What a build read, made and left out."""
    console.print(
        f"{report.documents} documents read ({report.unchanged} unchanged,"
        f" {report.removed} removed), "
        f"{report.statements} statements made in {report.seconds:.1f} s; the base now holds "
        f"{report.base.documents} documents, {report.base.statements} statements, "
        f"{report.base.entities} things."
    )
    if report.masked:
        kinds = (f"{kind.replace('_', ' ')} {count}" for kind, count in report.masked.items())
        console.print(f"masked as personal data: {', '.join(kinds)}")
    if report.model:
        told = report.model
        console.print(
            f"read by {told['id']}: {told['read']:,} dialogues ({told['unchanged']:,} unchanged,"
            f" {told['by_rules']:,} left to rules, {told['dropped_answers']:,} answers dropped);"
            f" {told['input_tokens'] + told['output_tokens']:,} tokens",
            markup=False,
        )
    for item in report.skipped[:_MAX_SHOWN]:
        where = f"{item.file} line {item.line}" if item.line else item.file  # 0: the whole file
        console.print(Text(f"skipped {where}: {item.reason}", style="yellow"))
    if len(report.skipped) > _MAX_SHOWN:
        console.print(f"[yellow]and {len(report.skipped) - _MAX_SHOWN} more skipped; see --json[/]")


def print_plan(plan: BuildPlan, console: Console) -> None:
    """What a build would do, source by source."""
    for found in plan:
        numbers = (
            f"{found.new} new, {found.changed} changed, {found.unchanged} unchanged,"
            f" {found.removed} to be removed, {len(found.skipped)} skipped"
        )
        console.print(Text(f"{found.source}: {numbers}"))


def print_statistics(counts: dict[str, Any], console: Console) -> None:
    """The numbers of a base."""
    for name, value in counts.items():
        if name == "topology":
            _print_topology(value, console)
            continue
        if isinstance(value, dict):
            shown = ", ".join(f"{key} {number}" for key, number in value.items())
        else:
            shown = ", ".join(value) if isinstance(value, list) else str(value)
        console.print(Text(f"{name}: ", style="bold") + Text(shown))


def _print_topology(found: dict[str, Any], console: Console) -> None:
    """Document K's table 3, and the same for each concept."""
    said = (
        f"{found['nodes']:,} nodes ({found['isolated']:,} that no edge touches), "
        f"{found['edges']:,} edges, "
        f"{found['average_neighbours']:.2f} neighbours on average (2E/N), "
        f"density {found['density']:.2e} (2E/(N(N-1)))"
    )
    console.print(Text("topology: ", style="bold") + Text(said))
    table = Table(box=None, pad_edge=False)
    table.add_column("concept")
    for heading in ("nodes", "isolated", "edges touching", "average degree"):
        table.add_column(heading, justify="right")
    for name, part in found["concepts"].items():
        counted = (f"{part[key]:,}" for key in ("nodes", "isolated", "edges"))
        table.add_row(name, *counted, f"{part['average_degree']:.2f}")
    console.print(table)
