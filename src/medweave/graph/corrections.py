"""What a person says that holds in the place of a statement, in names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from medweave.errors import StatementError
from medweave.graph.decisions import decisions
from medweave.language.segmentation import language_of
from medweave.language.stems import stem_texts
from medweave.model.entity import NameMention
from medweave.model.identifiers import local_curie
from medweave.model.statement import Literal, Statement
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.vocabulary import Predicate

_PARTS = ("subject", "predicate", "object")
_SHOWN = 5
_LONGEST = 200
"""Longer texts are no names."""


def corrected(
    about: Statement, correction: Mapping[str, str], knowledge: Knowledge, new: str = ""
) -> tuple[Statement, list[NameMention]]:
    """The statement that holds in the place of another, and the names of its ends.

    What nothing is called like is a new thing of the concept `new`; where that is '', it is
    refused. Raises `StatementError` for what cannot be, `VocabularyError` for an unknown concept.
    """
    for name, value in correction.items():
        if name not in _PARTS or not isinstance(value, str) or not value.strip():
            raise _refused(f"'{name}' is no part of a correction, or has no name", str(value))
    predicate, inverted = _predicate(correction.get("predicate", about.predicate), knowledge)
    first, second = ("object", "subject") if inverted else ("subject", "object")
    things = _Things(knowledge, new)
    subject = correction.get(first)
    entity = about.subject if subject is None else things.called(subject, predicate.domain)
    thing: str | Literal = about.object
    if (named := correction.get(second)) is not None:
        takes_text = predicate.takes_text
        thing = Literal(named, "en") if takes_text else things.called(named, predicate.range)
    if new and not things.made:
        raise _refused("nothing of it is new", new, "leave out `new`")
    same = predicate.name == about.predicate
    right = Statement(entity, predicate.name, thing, about.qualifiers if same else ())
    if right == about:
        raise _refused("the correction says what the statement says", words_of(about, knowledge))
    barred = {each.statement for each in decisions(knowledge.store) if each.bars}
    if right in barred:
        raise _refused("what it says was rejected", words_of(right, knowledge), "accept it first")
    return right, list(_named(right, knowledge, things.made))


def words_of(statement: Statement, knowledge: Knowledge) -> str:
    """A statement in English: "aspirin used for headache (line: first)"."""
    thing = statement.object
    value = str(thing.value) if isinstance(thing, Literal) else _name(thing, knowledge)
    relation = statement.predicate.replace("_", " ")
    more = ", ".join(f"{name}: {what}" for name, what in statement.qualifiers)
    told = f"{_name(statement.subject, knowledge)} {relation} {value}"
    return f"{told} ({more})" if more else told


def _name(entity: str, knowledge: Knowledge) -> str:
    return knowledge.entities.get(entity).name("en")


def _predicate(name: str, knowledge: Knowledge) -> tuple[Predicate, bool]:
    found = knowledge.vocabulary.find(name)
    if found is None:
        nearest = knowledge.vocabulary.nearest(name)
        remedy = f"the nearest is {nearest}" if nearest else "see the predicates in docs/reference"
        raise _refused("this relation is not known", name, remedy)
    return found.predicate, found.inverted


class _Things:
    """What a person means by names; what nothing is called like is made where that is asked for."""

    def __init__(self, knowledge: Knowledge, new: str) -> None:
        self._knowledge, self._new = knowledge, new
        self._family = knowledge.vocabulary.family(new) if new else ""
        self.made: dict[str, NameMention] = {}

    def called(self, name: str, allowed: tuple[str, ...]) -> str:
        """The one thing of a name that a relation takes."""
        knowledge = self._knowledge
        if name in knowledge.lexicon.terms or any(True for _ in knowledge.store.names([name])):
            return name
        named = knowledge.dictionary.names(name)
        fitting = [each for each in named if each.concept in allowed] or list(named)
        present = [each for each in fitting if each.present] or fitting
        found = list(dict.fromkeys(each.entity for each in present))
        if len(found) == 1:
            return found[0]
        if not found:
            return self._made(" ".join(name.split()), allowed)
        several = ", ".join(found[:_SHOWN])
        raise _refused("several things bear this name", name, f"give one of {several}")

    def _made(self, name: str, allowed: tuple[str, ...]) -> str:
        if not self._new or len(name) > _LONGEST:
            raise _refused("nothing of this name is known", name, self._instead(name, allowed))
        entity = local_curie(self._family, name)
        self.made[entity] = NameMention(entity, name, language_of(name), self._new)
        return entity

    def _instead(self, name: str, allowed: tuple[str, ...]) -> str:
        """What may have been meant, and how a thing is added that is truly new."""
        add = f"say what it is with `new`: {', '.join(allowed)}"
        near = list(islice(nearest_names(name, allowed, self._knowledge), _SHOWN))
        return (
            f"the nearest are {', '.join(near)}; or, of a new thing, {add}"
            if near
            else f"name a thing of the base; or, of a new one, {add}"
        )


def nearest_names(name: str, concepts: tuple[str, ...], knowledge: Knowledge) -> Iterator[str]:
    """Names of things of these concepts that may be meant by a name nothing has, the likeliest
    first: what stands in it or is misspelt in it, then what shares a word with it."""
    given = set[str]()
    for entity in _near(name, concepts, knowledge):
        called = knowledge.entities.get(entity).name(language_of(name))
        if called not in given:
            given.add(called)
            yield called


def _near(name: str, concepts: tuple[str, ...], knowledge: Knowledge) -> Iterator[str]:
    within = knowledge.dictionary.find(name)
    for match in sorted(within, key=lambda match: match.start - match.end):
        yield from (each.entity for each in match.named if each.concept in concepts)
    words = stem_texts(name)
    shared = knowledge.store.sharing_words(words, concepts, limit=_SHOWN)
    numbers = knowledge.store.identifiers(each.thing for each in shared)
    yield from (numbers[each.thing] for each in shared)


def _named(
    statement: Statement, knowledge: Knowledge, made: Mapping[str, NameMention]
) -> Iterator[NameMention]:
    """The names of a statement's ends, and whether its relation takes them."""
    predicate = knowledge.vocabulary.predicate(statement.predicate)
    concepts = []
    for identifier in (statement.subject, statement.object_entity):
        if identifier is None:
            concepts.append("text")
            continue
        if identifier in made:
            concepts.append(made[identifier].concept)
            yield made[identifier]
            continue
        entity = knowledge.entities.get(identifier)
        known = knowledge.dictionary.names(entity.name("en"))
        concept = next((e.concept for e in known if e.entity == identifier), entity.concept)
        concepts.append(concept)
        yield NameMention(identifier, entity.name("en"), "en", concept)
    if all(concepts):
        knowledge.vocabulary.check(concepts[0], predicate, concepts[1])


def _refused(what: str, where: str, remedy: str = "") -> StatementError:
    form = 'a correction is JSON such as {"object": "fever"}, in names'
    return StatementError(what, where=where, remedy=remedy or form)
