"""The task `linking` with places: is what is linked at a place what the text says there?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from medweave.evaluation.data.bearers import Bearers, bearers_of
from medweave.evaluation.data.gold_mentions import gold_mentions
from medweave.evaluation.data.reading import read_data
from medweave.evaluation.data.texts import Texts
from medweave.evaluation.items import Found, Item
from medweave.evaluation.measures.classification import Measure
from medweave.evaluation.measures.mentions import Counted, Judged, Seen, counted, measures_of
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.result import Tables
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.systems.dictionary_links import DictionaryLinks
from medweave.vocabulary.knowledge import Knowledge

_Row = dict[str, Any]


def plan_mentions(
    path: Path,
    knowledge: Knowledge,
    *,
    texts: Path | None = None,
    seed: int = 0,
    sample: int = 0,
) -> Plan:
    """What is run: ours, and names as they are written. `texts` is a folder of data sets.

    Raises `ConfigurationError` and `SourceError` where the texts of the labels are not there; see
    `evaluation.data.texts`.
    """
    data = read_data(path, _maker(Texts(path, texts)), sample=sample)
    names = (n for item in data.items for m in item.mentions for n in (*m.names, *m.wider))
    bearers = bearers_of(names, knowledge)

    def measures(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
        return measures_of(_counted(items, outcomes, bearers))

    return Plan(
        "linking",
        data,
        {
            OURS: lambda _: DictionaryLinks(knowledge),
            "exact dictionary": lambda _: DictionaryLinks(knowledge, exactly=True),
        },
        measures,
        seed=seed,
        settings={"sample": sample, "texts": texts.name if texts else None},
        tables=_tables_of(bearers, lambda thing: knowledge.entities.get(thing).name("en")),
    )


def _maker(texts: Texts) -> Callable[[Mapping[str, Any], str], Item | str]:
    """Makes items of records; one with a source is called by it too."""

    def item(record: Mapping[str, Any], identifier: str) -> Item | str:
        whole = texts.complete(record)
        if isinstance(whole, str):
            return whole
        source = record.get("source")
        return mention_item(whole, f"{source} {identifier}" if source else identifier)

    return item


def mention_item(record: Mapping[str, Any], identifier: str) -> Item | str:
    """A text with its labelled mentions; without any, whatever is linked in it is wrong.

    >>> cough = {"start": 2, "end": 7, "concept": "finding", "names": ["cough"]}
    >>> mention_item({"text": "I cough", "mentions": [cough]}, "1").mentions[0].names
    ('cough',)
    """
    text = record.get("text")
    if not isinstance(text, str) or not text.strip():
        return "no text"
    mentions = gold_mentions(record, text)
    if isinstance(mentions, str):
        return mentions
    if not all(mention.names for mention in mentions):
        return "a mention without names"
    return Item(identifier, (), text, mentions=mentions)


def _counted(items: Sequence[Item], outcomes: Sequence[Outcome], bearers: Bearers) -> list[Counted]:
    return [counted(*pair, bearers) for pair in zip(items, outcomes, strict=True)]


def _tables_of(
    bearers: Bearers, name_of: Callable[[str], str]
) -> Callable[[Sequence[Item], Mapping[str, Sequence[Outcome]]], Tables]:
    def tables(items: Sequence[Item], outcomes: Mapping[str, Sequence[Outcome]]) -> Tables:
        counts = {name: _counted(items, some, bearers) for name, some in outcomes.items()}
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
