"""What was read in abstracts, in a terminal: each with what it says, sentence by sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from medweave.faces.texts.visible import visible

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.sources.abstracts.extracted import ReadAbstract, Relation
    from medweave.sources.abstracts.reading_many import ReadAbstracts


def print_extracted(found: ReadAbstracts, console: Console) -> None:
    """Each abstract with its relations; then what could not be read."""
    for read in found.documents:
        console.print(Text(visible(f"{read.id}  {read.title}"), style="bold"))
        console.print(Text(f"  {len(read.entities)} names, {len(read.relations)} relations"))
        for relation in read.relations:
            console.print(Text(visible(f"  {_relation_line(relation, read)}")))
    told = found.by_model
    if told:
        used = told.model.usage
        console.print(Text(f"{told.model.id}: {used.requests:,} requests, {used.cached:,} replies"
                           f" kept from before, {used.tokens:,} tokens"))  # fmt: skip
        if told.left:
            console.print(Text(f"{len(told.left):,} documents are left for the next run"))
    for skipped in found.skipped:
        console.print(Text(visible(f"{skipped.file}:{skipped.line}: {skipped.reason}")))


def _relation_line(relation: Relation, read: ReadAbstract) -> str:
    subject, object_ = read.entities[relation.subject], read.entities[relation.object]
    denied = "not " if relation.polarity < 0 else ""
    hedged = "" if relation.strength == 1 else f"  (said with {relation.strength:g} of certainty)"
    return f"{subject.text} — {denied}{relation.predicate} → {object_.text}{hedged}"
