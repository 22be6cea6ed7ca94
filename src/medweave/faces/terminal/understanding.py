"""How a text is understood, on a terminal: every status is a word, and colour only helps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.text import Text

from medweave.faces.texts import Words
from medweave.faces.texts.person import known, unknown
from medweave.model.configuration import OUR_INTENTS
from medweave.model.question import FINDINGS

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.model.answer import Answer
    from medweave.model.question import Intent, Mention, Question
    from medweave.model.value import Value

_STYLES = {"present": "bold", "absent": "red", "unknown": "yellow", "hypothetical": "magenta"}
_GAP = 2
_DANGER = {"present": "bold red", "learned": "red", "ask": "magenta"}


def print_question(question: Question, console: Console) -> None:
    """Danger signs, mentions, values, contradictions, what is asked, and what is said of whom."""
    words = Words(question)
    texts = words.texts["understanding"]
    for sign in question.danger or ():
        quoted = words.join(f"“{word}”" for word in sign.words)
        how = "learned" if sign.how == "learned" else sign.status
        label = Text(f"{texts['danger'][how]} ", style=_DANGER[how])
        console.print(Text.assemble(label, f"{sign.name}  ", (quoted, "dim")))
    rows = [list(_mention(mention, words, texts)) for mention in question.mentions]
    rows += [list(_value(value, question)) for value in question.values]
    _print_rows(rows, console)
    for contradiction in question.contradictions:
        _line(words.texts["contradictions"], contradiction, console, "bold yellow")
    _line(words.texts["asks_for"], _intents_line(question, words, texts), console)
    facts = words.join(known(question.patient, words))
    _line(words.texts["person"], facts or texts["nobody"], console)


def print_person(answer: Answer, console: Console) -> None:
    """What is known of the person: from this question, and from those before it."""
    words = Words(answer.question, answer.entities)
    facts = dict.fromkeys(known(answer.question.patient, words))
    for fact in answer.taken:
        facts.setdefault(fact.text, None)
    listed = words.join(facts) or str(words.texts["understanding"]["nobody"])
    _line(words.texts["person"], listed, console)
    not_stated = words.join(unknown(answer.question.patient, words.texts["topics"]))
    if not_stated:
        console.print(Text(words.texts["not_said"].format(list=not_stated), style="dim"))


def print_line(number: int, question: Question, console: Console) -> None:
    """One of many texts, with its number and itself above how it is understood."""
    label = Words(question).texts["understanding"]["line"].format(n=number)
    console.print(Text.assemble((f"{label}: ", "cyan"), _marked(question)))
    print_question(question, console)
    console.print()


def _marked(question: Question) -> Text:
    """The text with what was found in it set off."""
    shown = Text(question.text.strip("\n"))
    ahead = len(question.text) - len(question.text.lstrip("\n"))
    for mention in question.mentions:
        style = f"underline {_STYLES[mention.status]}"
        shown.stylize(style, mention.start - ahead, mention.end - ahead)
    return shown


def _line(label: str, text: str, console: Console, style: str = "cyan") -> None:
    console.print(Text.assemble((f"{label}: ", style), text))


def _print_rows(rows: list[list[Text]], console: Console) -> None:
    """Rows in columns; nothing is cut, and no line ends in blanks."""
    widths = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        line = Text()
        for cell, width in zip(row, widths, strict=True):
            line.append_text(cell)
            line.append(" " * (width - cell.cell_len + _GAP * (width > 0)))
        line.rstrip()
        console.print(line)


def _mention(mention: Mention, words: Words, texts: dict[str, Any]) -> Iterator[Text]:
    """Status, the words of the text, what they are linked to and how, and what is special."""
    style = _STYLES[mention.status]
    yield Text(texts["status"][mention.status], style=style)
    yield Text(_one_line(mention.text), style=style)
    yield Text("→")
    yield Text.assemble(mention.name, (f" ({words.concept(mention.concept)})", "dim"))
    link = texts["links"].get(mention.link.how, mention.link.how)
    yield Text(f"{link} {mention.link.score:.2f}", style="dim")
    yield Text(words.join(_remarks(mention, words, texts)), style="yellow")


def _remarks(mention: Mention, words: Words, texts: dict[str, Any]) -> Iterator[str]:
    if mention.link.read_as:
        yield f"“{mention.link.read_as}”"
    if mention.experiencer == "other":
        yield words.texts["other_person"]
    if mention.temporality == "historical":
        yield words.texts["historical"]
    if mention.asked:
        yield texts["asked"]
    elif mention.doubted and mention.concept in FINDINGS:
        yield texts["doubted"]


def _value(value: Value, question: Question) -> Iterator[Text]:
    """As a row of the table of mentions."""
    written = question.text[value.start : value.end]
    yield Text(value.quantity, style="blue")
    yield Text(_one_line(written))
    yield Text("→")
    yield Text(f"{value.bound}{value.value:g} {value.unit}".strip())
    yield Text(value.threshold.finding if value.threshold else "", style="bold")
    yield Text("")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _intents_line(question: Question, words: Words, texts: dict[str, Any]) -> str:
    """The intents with how likely each is, and the form where it is not plain."""
    asked = [_intent(intent, words, texts) for intent in question.intents]
    form = texts["forms"].get(question.form.kind)
    listed = words.join(asked) or str(texts["nothing"])
    return f"{listed} ({form})" if form else listed


def _intent(intent: Intent, words: Words, texts: dict[str, Any]) -> str:
    """With a remark where it is asked, and nothing here answers it."""
    line = f"{words.plain('intents', intent.label)} {intent.score:.2f}"
    return line if intent.label in OUR_INTENTS else f"{line} ({texts['not_ours']})"
