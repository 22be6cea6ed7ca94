"""What each document contributes, put together out of the parts of a base."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from medweave.model.document import Document, Extraction
from medweave.model.entity import NameMention
from medweave.model.statement import Activity, Evidence, Statement

UNKNOWN = Activity("unknown", "0")
"""The run that made a document of which nobody knows by what it was read."""


def contributions_from(
    documents: Iterable[Document],
    build_keys: Mapping[str, str],
    statements: Iterable[Statement],
    evidence: Iterable[Evidence],
    *,
    names: Iterable[tuple[NameMention, str]],
    activities: Iterable[Activity],
) -> list[Extraction]:
    """Each of these documents as a store takes it; parts of others are left out.

    `names` are mentions with the ids of their documents.
    """
    by_id = {each.id: each for each in statements}
    runs = {activity.id: activity for activity in activities}
    items: dict[str, list[Evidence]] = defaultdict(list)
    for item in evidence:
        items[item.document].append(item)
    mentions: dict[str, list[NameMention]] = defaultdict(list)
    for mention, identifier in names:
        mentions[identifier].append(mention)
    return [
        Extraction(
            document,
            build_keys.get(document.id, ""),
            tuple(by_id[each] for each in dict.fromkeys(i.statement for i in items[document.id])),
            tuple(items[document.id]),
            tuple(mentions[document.id]),
            next((runs[i.activity] for i in items[document.id] if i.activity in runs), UNKNOWN),
        )
        for document in documents
    ]
