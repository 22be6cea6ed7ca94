"""A thing of the base, or a document of it, in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from medweave.errors import NotFoundError
from medweave.faces.texts import page_texts
from medweave.model.document import PLACE
from medweave.model.passage import passage_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from medweave.knowledge_base import KnowledgeBase
    from medweave.model.document import Document
    from medweave.model.entity_card import EntityCard
    from medweave.model.passage import Passage

_SHOWN = 70
"""Characters of a passage that are shown in a list."""


def print_named(base: KnowledgeBase, name: str, console: Console) -> None:
    """The thing of a name, else the documents: past cases and records. Raises `NotFoundError`."""
    try:
        card = base.show(name)
    except NotFoundError:
        documents = base.documents_called(name)
        if not documents:
            raise
        passages = [passage_of(document) for document in documents]
        if len(documents) > 1 and all(passages):
            print_passages(list(zip(documents, filter(None, passages), strict=True)), console)
            return
        for document in documents:
            print_document(document, console)
        return
    print_card(card, console)


def print_passages(parts: Sequence[tuple[Document, Passage]], console: Console) -> None:
    """The passages of a text, a line each: what it is cited as, and how it begins."""
    for document, passage in parts:
        begins = " ".join(passage.text.split())
        more = "…" if len(begins) > _SHOWN else ""
        line = Text(passage.name, style="bold") + Text(f"  {document.title}: ", style="green")
        console.print(line + Text(f"{begins[:_SHOWN]}{more}"))
    console.print(Text(" · ".join({document.source: None for document, _ in parts}), style="dim"))


def print_document(document: Document, console: Console) -> None:
    """A record as it was read; a past case as it was talked, turn by turn."""
    texts = page_texts(document.language)["document"]
    turns = [(field, text) for field, text in document.fields if field.startswith("turn ")]
    about = [(field, text) for field, text in document.fields if not field.startswith("turn ")]
    head = Text(document.name, style="bold")
    if not turns:
        head += Text(f"  {document.title}")
    console.print(head)
    for field, text in turns:
        speaker = field.rpartition(" ")[2]
        console.print(
            Text(f"{texts['speakers'].get(speaker, speaker)}: ", style="bold") + Text(text)
        )
    for field, text in about:
        if field != PLACE:
            console.print(Text(f"{field.replace('_', ' ')}: ", style="green") + Text(text))
    place = _place(passage_of(document), texts["place"])
    where = " · ".join(part for part in (place, document.source, document.url) if part)
    console.print(Text(where, style="dim"))
    if turns:
        console.print(Text(texts["said_to_others"], style="dim"))


def _place(passage: Passage | None, texts: dict[str, str]) -> str:
    """Where a passage stands in its text; '' for any other document."""
    if passage is None:
        return ""
    characters = texts["characters"].format(
        start=passage.start + 1, end=passage.end, whole=passage.whole
    )
    page = texts["page"].format(page=passage.page) if passage.page else ""
    return " · ".join(part for part in (page, characters) if part)


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
        text = other if target else str(getattr(statement.object, "value", ""))
        if statement.qualifiers:
            text += f" ({', '.join(f'{name}={value}' for name, value in statement.qualifiers)})"
        conflict = " (sources disagree)" if found.conflicting else ""
        denied = " (denied)" if not found.affirmed else ""
        label = f"is {statement.predicate} of" if inward else statement.predicate
        groups.setdefault(label, []).append(f"{text}{conflict}{denied}")
    for predicate, rows in groups.items():
        console.print(Text(f"  {predicate}: ", style="green") + Text("; ".join(rows)))
    console.print(Text(f"from {len(card.documents)} documents", style="dim"))
    for line in card.heard.missing:
        console.print(Text(line, style="yellow"))


def _name_lines(card: EntityCard) -> list[str]:
    sources: dict[str, dict[str, None]] = {}
    for mention, document in card.named_by:
        name = card.documents[document].name
        sources.setdefault(mention.name, {})[name] = None
    known = [name for names in card.entity.names.values() for name in names]
    from_lexicon = [name for name in known if name not in sources]
    lines = [f"{name}: {', '.join(where)}" for name, where in sources.items()]
    return [*lines, *(f"{name}: the lexicon" for name in from_lexicon)]
