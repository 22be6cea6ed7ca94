"""An ontology in a terminal: its types, then its relations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from medweave.model.ontology import OntologyPredicate

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.model.ontology import Ontology


def print_ontology(ontology: Ontology, console: Console) -> None:
    """Each entry by its term, with what it means and an example."""
    console.print(Text(f"{ontology.id} {ontology.version}", style="bold"))
    for entry in ontology.entries:
        ends = _ends(entry) if isinstance(entry, OntologyPredicate) else ""
        console.print(Text(entry.term, style="green") + Text(ends))
        example = f"  e.g. {'; '.join(entry.examples)}" if entry.examples else ""
        if entry.definition or example:
            console.print(Text(f"  {entry.definition}") + Text(example, style="dim"))


def _ends(relation: OntologyPredicate) -> str:
    if not relation.domain and not relation.range:
        return ""
    return f"  {' | '.join(relation.domain) or 'any'} → {' | '.join(relation.range) or 'any'}"
