"""What a guideline needs to be at hand, by what people call it."""

from __future__ import annotations

from collections.abc import Iterator

from medweave.errors import FindingsError
from medweave.guideline.logic.graph import Graph
from medweave.model.identifiers import normalise_name

_NAMED = 5


def resource_named(graph: Graph, name: str) -> str:
    """The resource or drug that is meant, as the guideline calls it: by its own name, by that of
    the only question it is needed for ("SpO2"), or by words of its name ("PCR").

    Raises `FindingsError` where the guideline needs no such thing, or several are called so.
    """
    known = {normalise_name(each): each for each in resources_of(graph)}
    name_key = normalise_name(name.replace("_", " "))
    if name_key in known:
        return known[name_key]
    observations = {
        resource
        for each in graph.observations.values()
        if len(each.resources) == 1
        and name_key in {normalise_name(n) for n in (each.id, each.label, *each.aliases)}
        for resource in each.resources
    }
    words = set(name_key.split())
    found = sorted(observations or {own for key, own in known.items() if words <= set(key.split())})
    if len(found) == 1:
        return found[0]
    if found:
        raise FindingsError(
            f"'{name}' may be any of {', '.join(found[:_NAMED])}", where=name, remedy="name one"
        )
    raise FindingsError(
        f"nothing in the guideline needs '{name}'",
        where=name,
        remedy=f"it needs {', '.join(sorted(known.values()))}" if known else "leave it out",
    )


def resources_of(graph: Graph) -> Iterator[str]:
    """All that a guideline needs to be at hand; a thing may come more than once."""
    for observation in graph.observations.values():
        yield from observation.resources
    for each in graph.guideline.classifications:
        for step in each.treatments:
            yield from step.resources
            if step.drug:
                yield step.drug.replace("_", " ")
