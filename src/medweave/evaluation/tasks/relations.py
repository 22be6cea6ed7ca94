"""The task `relations`: which of the things that a text names stand in which relation?

Relations that are found are held against labelled ones. Strictly, both ends must be the same: by
identifier where the text has such, else by a place that is exactly a labelled one. Of a text with
identifiers, what was found without one is no answer. `relaxed` takes any overlap of places as well.
`untyped` passes over which relation it is. Where labels keep to no direction, either is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from medweave.evaluation.data.reading import digest_of, evenly
from medweave.evaluation.items import Data, GoldMention, Item, Place, Related
from medweave.evaluation.measures.classification import Measure, harmonic, ratio
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.result import Tables
from medweave.evaluation.runner import Plan
from medweave.evaluation.systems.relation_readers import (
    given_things,
    learned_systems,
    related_things,
    rule_systems,
)
from medweave.evaluation.task import Request, register
from medweave.ontology.loading import ontology_in
from medweave.sources.abstracts.entities.lent_names import names_lent_by
from medweave.sources.abstracts.labelled.documents import LabelledDocument, labelled_documents
from medweave.sources.abstracts.readers import RuleReader

_SAME = {"": (False, False), "untyped_": (True, False),
         "relaxed_": (False, True), "untyped_relaxed_": (True, True)}  # fmt: skip
"""Of each kind of measure, whether the relation may be another, and places may merely overlap."""


class Text(NamedTuple):
    """What is labelled in a text, and how its labels are held against what is found."""

    gold: tuple[Related, ...]
    by_identifier: bool
    directed: bool


def labelled_relations(item: Item) -> Text:
    """The relations of a text, with all places of their ends."""
    document = item.document
    if document is None:
        return Text((), False, True)
    gold = tuple(related_things(document.relations, given_things(item)))
    return Text(gold, any(document.keys.values()), document.directed)


def measures_of(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
    """Precision, recall and F1, strict and relaxed, by relation and for any."""
    texts = [labelled_relations(item) for item in items]
    return {
        f"{kind}{name}": measure
        for kind, (untyped, relaxed) in _SAME.items()
        for name, measure in _measures(texts, outcomes, untyped, relaxed).items()
    }


def relations_by_predicate(
    items: Sequence[Item], outcomes: Mapping[str, Sequence[Outcome]]
) -> Iterator[dict[str, Any]]:
    """Precision, recall and F1 of each system on each relation."""
    texts = [labelled_relations(item) for item in items]
    everything = range(len(items))
    predicates = sorted({each.predicate for text in texts for each in text.gold})
    for system, some in outcomes.items():
        for name in predicates:
            of_name = [text._replace(gold=_called(text.gold, name)) for text in texts]
            found = [_called(outcome.related, name) for outcome in some]
            strict = _counted(of_name, found, untyped=False, relaxed=False)
            near = _counted(of_name, found, untyped=False, relaxed=True)["f1"]
            measured = {**strict, "relaxed_f1": near}
            yield {
                "system": system,
                "predicate": name,
                "labelled": sum(len(text.gold) for text in of_name),
                "found": sum(map(len, found)),
                **{kind: round(measure(everything), 4) for kind, measure in measured.items()},
            }


def _called(relations: Sequence[Related], predicate: str) -> tuple[Related, ...]:
    return tuple(each for each in relations if each.predicate == predicate)


def _measures(
    texts: Sequence[Text], outcomes: Sequence[Outcome], untyped: bool, relaxed: bool
) -> dict[str, Measure]:
    found = [outcome.related for outcome in outcomes]
    return _counted(texts, found, untyped=untyped, relaxed=relaxed)


def _counted(
    texts: Sequence[Text], found: Sequence[Sequence[Related]], *, untyped: bool, relaxed: bool
) -> dict[str, Measure]:
    """Precision over what is found, and recall over what is labelled."""
    right, told, seen = [], [], []
    for text, every in zip(texts, found, strict=True):
        same = _comparison(text, untyped=untyped, relaxed=relaxed)
        some = [each for each in every if each.identified or relaxed or not text.by_identifier]
        told.append(len(some))
        right.append(sum(any(same(each, gold) for gold in text.gold) for each in some))
        seen.append(sum(any(same(each, gold) for each in some) for gold in text.gold))
    precision = ratio(right, told)
    recall = ratio(seen, [len(text.gold) for text in texts])
    return {"f1": harmonic(precision, recall), "precision": precision, "recall": recall}


def _comparison(text: Text, *, untyped: bool, relaxed: bool) -> Callable[[Related, Related], bool]:
    def one(key: str, places: Sequence[Place], other: str, others: Sequence[Place]) -> bool:
        if text.by_identifier and key == other:
            return True
        if relaxed:
            return any(a < d and c < b for a, b in places for c, d in others)
        return not text.by_identifier and not set(places).isdisjoint(others)

    def ends(found: Related, gold: Related) -> bool:
        return one(found.subject, found.subject_places, gold.subject, gold.subject_places) and one(
            found.object, found.object_places, gold.object, gold.object_places
        )

    def same(found: Related, gold: Related) -> bool:
        if not untyped and found.predicate != gold.predicate:
            return False
        return ends(found, gold) or (not text.directed and ends(_turned(found), gold))

    return same


def _turned(relation: Related) -> Related:
    return Related(
        relation.object,
        relation.predicate,
        relation.subject,
        relation.object_places,
        relation.subject_places,
    )


def plan(request: Request) -> Plan:
    """What is run: rules alone, or what training texts teach beside the plain ways to join."""
    data = labelled_items(request.data, sample=request.sample)
    cases = labelled_items(request.train) if request.train else None
    rules = RuleReader.of(ontology_in(), names_lent_by(request.base.knowledge.dictionary))
    systems = learned_systems(rules) if request.learns else rule_systems(rules)

    def tables(items: Sequence[Item], outcomes: Mapping[str, Sequence[Outcome]]) -> Tables:
        return {"relations_by_predicate": list(relations_by_predicate(items, outcomes))}

    return request.plan("relations", data, systems, measures_of, cases=cases, tables=tables)


def labelled_items(path: Path, *, sample: int = 0) -> Data:
    """The documents of a file; what is broken is left out and counted.

    Raises `SourceError` where there is no document in it.
    """
    read = labelled_documents(path)
    left_out = Counter(each.reason for each in read.skipped)
    chosen = evenly(read.documents, sample)
    left_out["not in the sample"] = len(read.documents) - len(chosen)
    counts = {
        "relations": sum(len(each.relations) for each in chosen),
        "labels_left_out": sum(each.unreadable for each in chosen),
    }
    return Data(
        path.name,
        digest_of(path),
        len(read.documents) + len(read.skipped),
        tuple(_item(number, each) for number, each in enumerate(chosen, 1)),
        {reason: count for reason, count in left_out.items() if count},
        counts,
    )


def _item(number: int, document: LabelledDocument) -> Item:
    mentions = tuple(GoldMention(*span) for span in document.spans)
    return Item(document.id or str(number), (), document.text, mentions=mentions, document=document)


register("relations", plan, "train", "folds")
