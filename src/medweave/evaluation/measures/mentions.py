"""Links held against labelled mentions: which of either are right, item by item.

A link is right where it overlaps a mention and is linked to something that bears one of its names,
or a wider one. A mention is found where such a link overlaps it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from medweave.evaluation.data.bearers import Bearers
from medweave.evaluation.items import Found, GoldMention, Item
from medweave.evaluation.measures.classification import Measure, harmonic, ratio, share_of
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.result import Tables
from medweave.evaluation.runner import OURS, TablesOf
from medweave.model.question import FINDINGS, SUBSTANCES

_Row = dict[str, Any]
_CLINICAL = (*FINDINGS, *SUBSTANCES, "test", "treatment")
"""The concepts of what a clinician would write into a record."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A mention, and whether it was found."""

    mention: GoldMention
    held: bool
    """Whether the base has what it names."""
    held_wider: bool
    """Whether the base has that, or something wider."""
    found_strictly: bool
    """By one of its own names."""
    found: bool
    """By one of these, or a wider one."""
    links: tuple[Found, ...]
    """All links that overlap it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A link, and whether it is right."""

    link: Found
    right: bool
    gold: tuple[GoldMention, ...]
    """The mentions that it overlaps."""

    @property
    def another_drug(self) -> bool:
        """Whether a drug is taken for another drug."""
        drug_labelled = any(mention.concept in SUBSTANCES for mention in self.gold)
        return not self.right and drug_labelled and self.link.concept in SUBSTANCES


@dataclass(frozen=True, slots=True)
class Counted:
    """One system on one item."""

    mentions: tuple[Seen, ...]
    links: tuple[Judged, ...]


def counted(item: Item, outcome: Outcome, bearers: Bearers) -> Counted:
    """Hold the links of one system against the mentions of an item."""
    mentions = tuple(_seen(mention, outcome.found, bearers) for mention in item.mentions)
    links = tuple(_judged(link, item.mentions, bearers) for link in outcome.found)
    return Counted(mentions, links)


def counted_all(
    items: Sequence[Item], outcomes: Sequence[Outcome], bearers: Bearers
) -> list[Counted]:
    """All items of one system."""
    return [counted(*pair, bearers) for pair in zip(items, outcomes, strict=True)]


def _seen(mention: GoldMention, links: Sequence[Found], bearers: Bearers) -> Seen:
    near = tuple(link for link in links if _overlap(link, mention))
    own, either = mention.names, mention.names + mention.wider
    return Seen(
        mention,
        bearers.held(own),
        bearers.held(either),
        any(_is_one(link, own, bearers) for link in near),
        any(_is_one(link, either, bearers) for link in near),
        near,
    )


def _judged(link: Found, mentions: Sequence[GoldMention], bearers: Bearers) -> Judged:
    overlapping = tuple(mention for mention in mentions if _overlap(link, mention))
    right = any(_is_one(link, (*m.names, *m.wider), bearers) for m in overlapping)
    return Judged(link, right, overlapping)


def _overlap(link: Found, mention: GoldMention) -> bool:
    return link.start < mention.end and mention.start < link.end


def _is_one(link: Found, names: Sequence[str], bearers: Bearers) -> bool:
    return not bearers.of(names).isdisjoint(link.things)


def measures_of(items: Sequence[Counted]) -> dict[str, Measure]:
    """Precision over links, recall over mentions, and how often nothing at all is linked.

    `recall` is over the mentions of which the base has one of the names, or a wider one;
    `recall_strict` over those of which it has one of the names, found by such a one;
    `recall_of_all` and `recall_of_all_strict` are over all mentions. `f1` is of `precision` and
    `recall`, `f1_of_all` of `precision` and `recall_of_all`. `nothing_linked` is of the items with
    a mention of which the base has one of the names. `clinical_precision` is over the links that
    are not to persons, parts of the body, organisms and the like.
    """
    held = _how_many(items, lambda seen: seen.held_wider)
    held_strictly = _how_many(items, lambda seen: seen.held)
    every = _how_many(items, lambda _: True)
    precision = _precision(items, lambda _: True)
    recall = ratio(_how_many(items, lambda seen: seen.held_wider and seen.found), held)
    strictly = ratio(
        _how_many(items, lambda seen: seen.held and seen.found_strictly), held_strictly
    )
    of_all = ratio(_how_many(items, lambda seen: seen.found), every)
    return {
        "f1": harmonic(precision, recall),
        "precision": precision,
        "clinical_precision": _precision(items, lambda link: link.concept in _CLINICAL),
        "recall": recall,
        "recall_strict": strictly,
        "f1_of_all": harmonic(precision, of_all),
        "recall_of_all": of_all,
        "recall_of_all_strict": ratio(_how_many(items, lambda seen: seen.found_strictly), every),
        "nothing_linked": share_of(
            [not item.links for item in items], [count > 0 for count in held_strictly]
        ),
    }


def _precision(items: Sequence[Counted], accepts: Callable[[Found], bool]) -> Measure:
    """The share of links of this sort that are right."""
    links = [[judged for judged in item.links if accepts(judged.link)] for item in items]
    return ratio([sum(judged.right for judged in some) for some in links], list(map(len, links)))


def _how_many(items: Sequence[Counted], accepts: Callable[[Seen], bool]) -> list[int]:
    return [sum(map(accepts, item.mentions)) for item in items]


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
        "meant": "; ".join(mention.names[0] for mention in judged.gold),
    }
