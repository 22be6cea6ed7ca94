"""The task `entities`: where does a text name a disease, a chemical, …, whichever it is?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from medweave.evaluation.data.gold_mentions import mention_item
from medweave.evaluation.items import Item, Trainer
from medweave.evaluation.measures.classification import Measure
from medweave.evaluation.measures.spans import (
    measures_of,
    missed_spans,
    spans_by_class,
    wrong_spans,
)
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.result import Tables
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.systems.entity_dictionary import EntityDictionary
from medweave.evaluation.systems.learned_entities import LearnedEntities
from medweave.evaluation.systems.tagged_entities import TaggedEntities
from medweave.evaluation.systems.training_dictionary import TrainingDictionary
from medweave.evaluation.task import Request, register
from medweave.language.data import shipped_yaml
from medweave.ontology.loading import ontology_in
from medweave.sources.abstracts.entities.lent_names import names_lent_by
from medweave.sources.abstracts.labelled.iob import iob_rows, is_iob
from medweave.sources.abstracts.labelled.pubtator import is_pubtator, pubtator_rows
from medweave.sources.abstracts.readers import RuleReader
from medweave.sources.files.rows import Rows, read_rows


def plan(request: Request) -> Plan:
    """What is run: ours, names as they are written, and after training the names trained on."""
    data, cases = request.read(entity_item, _rows)
    knowledge = request.base.knowledge
    classes = sorted({m.concept for d in (data, cases) if d for i in d.items for m in i.mentions})
    concepts = classes_of_concepts(classes)
    plain = EntityDictionary(knowledge, concepts)
    exact = EntityDictionary(knowledge, concepts, exactly=True)
    reader = RuleReader.of(ontology_in(), names_lent_by(knowledge.dictionary))
    systems: dict[str, Trainer] = {OURS: lambda _: plain, "exact dictionary": lambda _: exact}
    if request.learns:
        systems = {
            OURS: lambda some: TaggedEntities(some, reader.entities),
            "medweave untrained": lambda _: plain,
            "base and training": lambda some: LearnedEntities(some, plain),
            "exact dictionary": lambda _: exact,
            "dictionary of training": TrainingDictionary,
        }

    def measures(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
        return measures_of(items, outcomes, classes)

    def tables(items: Sequence[Item], outcomes: Mapping[str, Sequence[Outcome]]) -> Tables:
        return {
            "spans_by_class": list(spans_by_class(items, outcomes, classes)),
            "missed": missed_spans(items, outcomes[OURS]),
            "wrong": wrong_spans(items, outcomes[OURS]),
        }

    of_class = {name: [c for c, of in concepts.items() if of == name] for name in classes}
    return request.plan(
        "entities",
        data,
        systems,
        measures,
        cases=cases,
        settings={"classes": of_class},
        tables=tables,
    )


def classes_of_concepts(classes: Iterable[str]) -> dict[str, str]:
    """Which class each of our concepts is, where labels have these classes: the nearest one.

    >>> classes_of_concepts(["chemical", "disease"])
    {'disease': 'disease', 'drug': 'chemical', 'drug_class': 'chemical', 'symptom': 'disease'}
    """
    known = _shipped_classes()
    ranked = sorted(
        (place, name, concept)
        for name in classes
        for place, concept in enumerate(known.get(name, [name]))
    )
    found: dict[str, str] = {}
    for _, name, concept in ranked:
        found.setdefault(concept, name)
    return dict(sorted(found.items()))


def _shipped_classes() -> Mapping[str, Sequence[str]]:
    return shipped_yaml("evaluation", "data", "entity_classes.yaml")


def entity_item(record: Mapping[str, Any], identifier: str) -> Item | str:
    """A text with the spans that are labelled in it, each with its class in lower case.

    >>> entity_item({"text": "flu", "mentions": [
    ...     {"start": 0, "end": 3, "concept": "Disease"}]}, "1").mentions[0].concept
    'disease'
    """
    item = mention_item(record, identifier)
    if isinstance(item, str):
        return item
    if not all(mention.concept for mention in item.mentions):
        return "a mention without a concept"
    lowered = tuple(replace(mention, concept=mention.concept.lower()) for mention in item.mentions)
    return replace(item, mentions=lowered)


def _rows(path: Path) -> Rows:
    """The records of a file; its first line tells its form."""
    if is_pubtator(path):
        return pubtator_rows(path)
    return (iob_rows if is_iob(path) else read_rows)(path)


register("entities", plan, "train", "folds")
