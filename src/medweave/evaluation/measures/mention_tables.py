"""Tables of links held against labelled mentions: by kind, by concept, and each that is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from medweave.evaluation.data.bearers import Bearers
from medweave.evaluation.items import Found, Item
from medweave.evaluation.measures.mentions import Counted, Judged, Seen, counted_all
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.result import Tables
from medweave.evaluation.runner import OURS, TablesOf

_Row = dict[str, Any]


def tables_of(bearers: Bearers, name_of: Callable[[str], str]) -> TablesOf:
    """What makes the tables of all systems; `name_of` says how a thing is called."""

    def tables(items: Sequence[Item], outcomes: Mapping[str, Sequence[Outcome]]) -> Tables:
        counts = {name: counted_all(items, some, bearers) for name, some in outcomes.items()}
        ours = list(zip(items, counts[OURS], strict=True))
        wrong = [(i, link) for i, some in ours for link in some.links if not link.right]
        drugs = [(i, link) for i, link in wrong if link.another_drug]
        return {
            "links_by_kind": list(_links(counts, "kind", lambda link: link.how)),
            "links_by_concept": list(_links(counts, "concept", lambda link: link.concept)),
            "mentions_by_concept": list(_mentions(counts)),
            "another_drug": [_wrong(item, link, name_of) for item, link in drugs],
            "missed": [
                _missed(item, seen, name_of)
                for item, some in ours
                for seen in some.mentions
                if seen.held_wider and not seen.found
            ],
            "wrong_links": [
                _wrong(item, link, name_of) for item, link in wrong if not link.another_drug
            ],
        }

    return tables


def _links(
    counts: Mapping[str, Sequence[Counted]], by: str, sort_of: Callable[[Found], str]
) -> Iterator[_Row]:
    """How many links of each sort there are, are right, and are a drug for another drug."""
    for system, items in counts.items():
        links = [link for item in items for link in item.links]
        sorts = Counter(sort_of(judged.link) for judged in links)
        for sort, n in sorted(sorts.items(), key=lambda pair: (-pair[1], pair[0])):
            some = [judged for judged in links if sort_of(judged.link) == sort]
            yield {
                "system": system,
                by: sort,
                "links": n,
                "right": sum(judged.right for judged in some),
                "another_drug": sum(judged.another_drug for judged in some),
            }


def _mentions(counts: Mapping[str, Sequence[Counted]]) -> Iterator[_Row]:
    """How many mentions of each concept there are, the base has, and are found."""
    for system, items in counts.items():
        mentions = [seen for item in items for seen in item.mentions]
        for concept in sorted({seen.mention.concept for seen in mentions}):
            some = [seen for seen in mentions if seen.mention.concept == concept]
            yield {
                "system": system,
                "concept": concept,
                "mentions": len(some),
                "base_has": sum(seen.held for seen in some),
                "found_strictly": sum(seen.held and seen.found_strictly for seen in some),
                "base_has_or_wider": sum(seen.held_wider for seen in some),
                "found": sum(seen.held_wider and seen.found for seen in some),
            }


def _missed(item: Item, seen: Seen, name_of: Callable[[str], str]) -> _Row:
    mention = seen.mention
    return {
        "id": item.id,
        "written": item.text[mention.start : mention.end],
        "names": ", ".join(mention.names),
        "wider": ", ".join(mention.wider),
        "linked": ", ".join(name_of(link.things[0]) for link in seen.links),
    }


def _wrong(item: Item, judged: Judged, name_of: Callable[[str], str]) -> _Row:
    link = judged.link
    return {
        "id": item.id,
        "written": item.text[link.start : link.end],
        "linked": name_of(link.things[0]),
        "concept": link.concept,
        "kind": link.how,
        "meant": "; ".join(mention.names[0] for mention in judged.meant),
    }
