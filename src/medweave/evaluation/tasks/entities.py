"""The task `entities`: where does a text name a disease, a chemical, …, whichever it is?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from medweave.evaluation.data.gold_mentions import mention_item
from medweave.evaluation.items import Found, GoldMention, Item, Ranked, Trainer
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
from medweave.evaluation.systems.training_dictionary import WORD, TrainingDictionary
from medweave.evaluation.task import Request, register
from medweave.language.data import shipped_yaml
from medweave.language.folding import name_key
from medweave.ontology.loading import ontology_in
from medweave.sources.abstracts.entities.lent_names import names_lent_by
from medweave.sources.abstracts.entities.spans import Labelled, Span
from medweave.sources.abstracts.entities.tagger import EntityTagger, Teller
from medweave.sources.abstracts.labelled.iob import iob_rows, is_iob
from medweave.sources.abstracts.labelled.pubtator import is_pubtator, pubtator_rows
from medweave.sources.abstracts.readers import RuleReader
from medweave.sources.files.rows import Rows, read_rows
from medweave.vocabulary.knowledge import Knowledge

_ABBREVIATION = 5
"""A form in capitals of at most so many characters is found in capitals only."""
_NONE = ""
"""The class of what goes unlabelled."""


class LearnedEntities:
    """Entities by the base and by what training texts have labelled, as far as these bear both out.

    A form that training texts hold is of the class that it has there most often, and none where it
    mostly goes unlabelled; of any other form the base tells. The longest form wins, and of one
    stretch what was learned.
    """

    def __init__(self, cases: Sequence[Item], base: EntityDictionary) -> None:
        self._base = base
        forms = [c.text[m.start : m.end] for c in cases for m in c.mentions]
        self._longest = max((len(_words(form)) for form in forms), default=0)
        self._known = frozenset(map(_key, forms))
        self._first = frozenset(
            name_key(form[start:end]) for form in forms for start, end in _words(form)[:1]
        )
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for case in cases:
            for key, name in self._labelled(case):
                votes[key][name] += 1
        self._classes = {key: _most(some) for key, some in votes.items()}

    def rank(self, item: Item) -> Ranked:
        """No labels, but what stands where."""
        found: list[Found] = []
        taken = bytearray(len(item.text))
        for one in sorted(self._spans(item.text), key=lambda f: (f.start - f.end, f.start)):
            key = _key(item.text[one.start : one.end])
            name = self._classes.get(key, one.concept)
            if name != _NONE and not any(taken[one.start : one.end]):
                taken[one.start : one.end] = b"\x01" * (one.end - one.start)
                how = "trained" if key in self._classes else one.how
                found.append(Found(one.start, one.end, name, how))
        found.sort(key=lambda one: one.start)
        return Ranked(recognised=bool(found), found=tuple(found))

    def _labelled(self, case: Item) -> Iterator[tuple[str, str]]:
        """The forms of a training text with their classes; parts of longer ones tell nothing."""
        labelled = {(m.start, m.end): m.concept for m in case.mentions}
        spans = {(one.start, one.end) for one in self._spans(case.text)} | set(labelled)
        for start, end in spans:
            name = labelled.get((start, end), _NONE)
            if name != _NONE or not _is_part(start, end, case.mentions):
                yield _key(case.text[start:end]), name

    def _spans(self, text: str) -> Iterator[Found]:
        """All that may be named in a text, by the base or by a form that was labelled."""
        yield from self._base.find(text)
        words = _words(text)
        for at, (start, first_end) in enumerate(words):
            if name_key(text[start:first_end]) not in self._first:
                continue
            for _, end in words[at : at + self._longest]:
                if _key(text[start:end]) in self._known:
                    yield Found(start, end, _NONE)


def _words(text: str) -> list[tuple[int, int]]:
    """Where words and signs stand; a hyphen is neither, so that no span begins or ends with it."""
    return [match.span() for match in WORD.finditer(text) if name_key(match[0])]


def _key(form: str) -> str:
    return form if len(form) <= _ABBREVIATION and form.isupper() else name_key(form)


def _most(votes: Counter[str]) -> str:
    """What most say; of as many, that it is labelled."""
    return max(sorted(votes), key=lambda name: (votes[name], name != _NONE))


def _is_part(start: int, end: int, mentions: Sequence[GoldMention]) -> bool:
    return any(m.start <= start and end <= m.end for m in mentions)


class TaggedEntities:
    """What the tagger finds after some labelled texts, with what a teller knows of any text."""

    def __init__(self, cases: Sequence[Item], teller: Teller) -> None:
        labelled = [
            Labelled(case.text, [Span(m.start, m.end, m.concept) for m in case.mentions])
            for case in cases
        ]
        self._tagger = EntityTagger.learn(labelled, teller)

    def rank(self, item: Item) -> Ranked:
        """No labels, but what stands where."""
        spans = self._tagger.find(item.text)
        found = tuple(Found(span.start, span.end, span.type, "trained") for span in spans)
        return Ranked(recognised=bool(found), found=found)


class EntityDictionary:
    """What the dictionary finds that is of a class; `exactly`: only names as they are written."""

    def __init__(
        self, knowledge: Knowledge, classes: Mapping[str, str], *, exactly: bool = False
    ) -> None:
        """`classes` says of which class a concept is; other concepts are none."""
        self._dictionary, self._exactly = knowledge.dictionary, exactly
        self._classes = classes

    def find(self, text: str) -> Iterator[Found]:
        """The spans of a text that name something of a class."""
        for match in self._dictionary.find(text, exactly=self._exactly):
            named = (self._classes.get(named.concept) for named in match.named)
            name = next(filter(None, named), None)
            if name:
                yield Found(match.start, match.end, name, match.link.how)

    def rank(self, item: Item) -> Ranked:
        """No labels, but what stands where."""
        found = tuple(self.find(item.text))
        return Ranked(recognised=bool(found), found=found)


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
