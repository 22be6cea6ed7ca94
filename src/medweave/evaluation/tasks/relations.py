"""The task `relations`: which of the things that a text names stand in which relation?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from medweave.evaluation.data.reading import digest_of, evenly
from medweave.evaluation.items import Data, GoldMention, Item
from medweave.evaluation.measures.relations import measures_of, relations_by_predicate
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.result import Tables
from medweave.evaluation.runner import Plan
from medweave.evaluation.systems.relation_readers import learned_systems, rule_systems
from medweave.evaluation.task import Request, register
from medweave.ontology.loading import ontology_in
from medweave.sources.abstracts.entities.lent_names import names_lent_by
from medweave.sources.abstracts.labelled.documents import LabelledDocument, labelled_documents
from medweave.sources.abstracts.readers import RuleReader


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
