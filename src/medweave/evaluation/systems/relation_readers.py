"""Systems that tell how the things of a text are related: one part finds them, one joins them.

Ours is measured end to end, and on the things that were labelled. The baselines take the things
that training texts have named, or those that are labelled: `dictionary` joins what training texts
join, `same sentence` and `majority` what stands in one sentence or in one text, by the commonest
relation of their types, `patterns` what our rules join.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from medweave.evaluation.items import Item, Ranked, Related, Trainer
from medweave.evaluation.runner import OURS
from medweave.evaluation.systems.training_dictionary import TrainingDictionary
from medweave.sources.abstracts.entities.identifiers import LearnedIdentifiers
from medweave.sources.abstracts.entities.spans import Span
from medweave.sources.abstracts.labelled.documents import LabelledDocument
from medweave.sources.abstracts.readers import LearnedReader, RuleReader
from medweave.sources.abstracts.relations.learner import Relation
from medweave.sources.abstracts.relations.rules import best_rule
from medweave.sources.abstracts.relations.things import Pair, ReadText, ThingInText

GIVEN = "labelled things"
"""In the name of a system that is told which things a text names."""

Finder = Callable[[Item], ReadText]
"""Finds the things of a text."""
Joiner = Callable[[ReadText], Iterable[Relation]]
"""Says which of them are related."""


class RelationSystem:
    """One way to find things, and one to join them."""

    def __init__(
        self, find: Finder, join: Joiner, identifiers: frozenset[str] | None = None
    ) -> None:
        self._find, self._join, self._identifiers = find, join, identifiers

    def rank(self, item: Item) -> Ranked:
        """No labels, but what is related."""
        read = self._find(item)
        related = tuple(related_things(self._join(read), read, self._identifiers))
        return Ranked(recognised=bool(read.things), related=related)


def related_things(
    relations: Iterable[Relation], read: ReadText, identifiers: frozenset[str] | None = None
) -> Iterator[Related]:
    """Relations with all places where their ends are named, each relation once.

    Of things that were labelled each has what it is labelled with; of others the identifiers are
    told.
    """
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for thing in read.things:
        places[thing.key] += [(mention.start, mention.end) for mention in thing.mentions]
    for each in sorted(set(relations)):
        first, second = (tuple(sorted(places[key])) for key in (each.subject, each.object))
        identified = identifiers is None or {each.subject, each.object} <= identifiers
        yield Related(*each, first, second, identified)


def given_things(item: Item) -> ReadText:
    """The things of a text as they are labelled."""
    document = _document(item)
    return ReadText.of(document.text, document.spans, document.key)


def rule_systems(rules: RuleReader) -> dict[str, Trainer]:
    """What rules find in a text, and what they join of the labelled things; nothing is learned."""

    def named(item: Item) -> ReadText:
        return ReadText.of(item.text, rules.entities(item.text))

    return {
        OURS: lambda _: RelationSystem(named, joined_by_rules),
        f"{OURS}, {GIVEN}": lambda _: RelationSystem(given_things, joined_by_rules),
    }


def learned_systems(rules: RuleReader) -> dict[str, Trainer]:
    """Ours and the baselines, end to end and on labelled things; cases are learned once."""
    latest: list[_Learned] = []

    def learned(cases: Sequence[Item]) -> _Learned:
        if not latest or latest[0].cases != tuple(cases):
            latest[:] = [_Learned(cases, rules)]
        return latest[0]

    def found(join: Callable[[_Learned], Joiner], find: Callable[[_Learned], Finder]) -> Trainer:
        def trained(cases: Sequence[Item]) -> RelationSystem:
            it = learned(cases)
            return RelationSystem(find(it), join(it), it.identifiers.all)

        return trained

    def given(join: Callable[[_Learned], Joiner]) -> Trainer:
        return lambda cases: RelationSystem(given_things, join(learned(cases)))

    systems = {OURS: found(lambda it: it.joined_by_model, lambda it: it.tagged)}
    systems[f"{OURS}, {GIVEN}"] = given(lambda it: it.joined_by_model)
    joiners: dict[str, Callable[[_Learned], Joiner]] = {
        "dictionary": lambda it: it.joined_in_training,
        "same sentence": lambda it: it.joined_in_sentences,
        "patterns": lambda it: it.joined_by_patterns,
        "majority": lambda it: it.joined_in_text,
    }
    for name, join in joiners.items():
        systems[name] = found(join, lambda it: it.looked_up)
        systems[f"{name}, {GIVEN}"] = given(join)
    return systems


class _Learned:
    """What training texts teach to all systems."""

    def __init__(self, cases: Sequence[Item], rules: RuleReader) -> None:
        self.cases = tuple(cases)
        self._rules = rules
        self._documents = [_document(case) for case in cases]
        self._dictionary = TrainingDictionary(cases)
        self.identifiers = LearnedIdentifiers.learn(self._documents)
        self._joined = {
            (relation.subject, relation.object): relation.predicate
            for document in self._documents
            for relation in sorted(document.relations)
        }

    @cached_property
    def _reader(self) -> LearnedReader:
        return LearnedReader.learn(self._documents, self._rules.names)

    @cached_property
    def _commonest(self) -> Mapping[tuple[str, str], str]:
        """The commonest relation of two types, of the pairs of types that are related at all."""
        votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for document in self._documents:
            types = {thing.key: thing.type for thing in document.related().read.things}
            for subject, predicate, object_ in sorted(document.relations):
                if subject in types and object_ in types:
                    votes[types[subject], types[object_]][predicate] += 1
        return {types: some.most_common(1)[0][0] for types, some in votes.items()}

    @cached_property
    def _of_rules(self) -> Mapping[str, str]:
        """What a relation of the rules is called in the training texts."""
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for document in self._documents:
            labels = {(each.subject, each.object): each.predicate for each in document.relations}
            read = ReadText.of(document.text, document.spans, document.key)
            for found in joined_by_rules(read, typed=False):
                label = labels.get((found.subject, found.object))
                votes[found.predicate].update([label] if label else [])
        return {name: some.most_common(1)[0][0] for name, some in votes.items() if some}

    def tagged(self, item: Item) -> ReadText:
        """The things that the tagger finds."""
        return self._read(item.text, self._reader.entities(item.text))

    def looked_up(self, item: Item) -> ReadText:
        """The things that training texts have named."""
        found = self._dictionary.rank(item).found
        return self._read(item.text, [Span(f.start, f.end, f.concept) for f in found])

    def _read(self, text: str, spans: Sequence[Span]) -> ReadText:
        return ReadText.of(text, spans, self.identifiers.keys(text, spans).__getitem__)

    def joined_by_model(self, read: ReadText) -> Iterator[Relation]:
        """What the learned model joins."""
        learner = self._reader.learner
        yield from (found.relation for found in (learner.find(read) if learner else ()))

    def joined_in_training(self, read: ReadText) -> Iterator[Relation]:
        """The pairs that some training text relates."""
        for first, second in _directed(read.pairs()):
            predicate = self._joined.get((first.key, second.key))
            if predicate:
                yield Relation(first.key, predicate, second.key)

    def joined_in_text(self, read: ReadText) -> Iterator[Relation]:
        """All pairs of types that are related at all."""
        return self._of_types(read.pairs())

    def joined_in_sentences(self, read: ReadText) -> Iterator[Relation]:
        """Those of them that stand in one sentence."""
        return self._of_types(pair for pair in read.pairs() if read.together(pair))

    def joined_by_patterns(self, read: ReadText) -> Iterator[Relation]:
        """What our rules join, whatever the types, as training texts call it."""
        for found in joined_by_rules(read, typed=False):
            label = self._of_rules.get(found.predicate)
            if label:
                yield Relation(found.subject, label, found.object)

    def _of_types(self, pairs: Iterable[Pair]) -> Iterator[Relation]:
        for first, second in _directed(pairs):
            predicate = self._commonest.get((first.type, second.type))
            if predicate:
                yield Relation(first.key, predicate, second.key)


def joined_by_rules(read: ReadText, typed: bool = True) -> Iterator[Relation]:
    """What a rule joins in a sentence; without types, whatever types a rule asks for."""
    for pair in read.pairs():
        for one, other in read.together(pair):
            left, right = sorted((one, other))
            start = read.sentence_spans[read.sentence(left.start)][0]
            before, between = read.text[start : left.start], read.text[left.end : right.start]
            rule = best_rule(before.lower(), between.lower(), left, right, typed=typed)
            if rule:
                keys = (pair.first.key, pair.second.key)
                keys = keys if (left == one) != rule.backward else keys[::-1]
                yield Relation(keys[0], rule.predicate, keys[1])


def _directed(pairs: Iterable[Pair]) -> Iterator[tuple[ThingInText, ThingInText]]:
    for pair in pairs:
        yield pair.first, pair.second
        yield pair.second, pair.first


def _document(item: Item) -> LabelledDocument:
    if item.document is None:
        raise ValueError("an item of this task has a labelled document")
    return item.document
