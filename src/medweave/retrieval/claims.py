"""Holding a claim against the base: "is a cough a symptom of pneumonia?".

A claim is looked up as it is made; then of kinds of what it names (bleeding in the stomach is
bleeding), because a record of a kind is one of the thing. Never the other way round, but for harm:
what is recorded to bring on peptic ulcers is not silent on a stomach ulcer, which is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from medweave.model.material import Claimed, Focus, Looked
from medweave.model.question import Form, Mention
from medweave.model.statement import SupportedStatement
from medweave.retrieval.lookup import PROPERTIES, Property, look_up, wider_diseases
from medweave.vocabulary.knowledge import Knowledge

_MAX_CLAIMS = 6
_MAX_KINDS = 200
"""Kinds of one thing that are looked at; a hub of a large base has more, and is asked for."""
_DOWNWARD = ("kind_of", "in_class")


@dataclass(frozen=True, slots=True)
class _Way:
    """One way of recording a claim: its predicate, and whether `second` is the subject."""

    predicate: str
    turned: bool = False


_WAYS: dict[str, tuple[_Way, ...]] = {
    "symptom": (_Way("has_symptom", turned=True), _Way("shows", turned=True)),
    "complication": (_Way("has_complication", turned=True), _Way("leads_to", turned=True)),
    "side_effect": (_Way("has_side_effect", turned=True), _Way("leads_to", turned=True)),
    "risk": (
        _Way("has_risk_factor", turned=True),
        _Way("caused_by", turned=True),
        _Way("leads_to"),
    ),
    "cause": (
        _Way("has_side_effect"),
        _Way("has_symptom"),
        _Way("has_complication"),
        _Way("caused_by", turned=True),
        _Way("has_risk_factor", turned=True),
        _Way("leads_to"),
    ),
    "aggravate": (_Way("aggravates"),),
    "improve": (_Way("improves"),),
    "show": (_Way("shows"), _Way("has_symptom")),
    "use": (_Way("used_for"), _Way("used_to_prevent")),
    "prevent": (_Way("used_to_prevent"), _Way("protects_from")),
    "test": (_Way("has_test", turned=True), _Way("indicates")),
    "class": (_Way("in_class"),),
    "kind": (_Way("kind_of"),),
    "associate": tuple(
        _Way(predicate, turned)
        for predicate in (
            "caused_by",
            "has_risk_factor",
            "has_complication",
            "leads_to",
            "has_symptom",
            "kind_of",
        )
        for turned in (True, False)
    ),
}
"""By relation; the first way also says what is recorded where the claim is not."""


_TEXTS = {
    "use": (Property("treatment_advice"), Property("described_as")),
    "prevent": (Property("prevention_advice"), Property("described_as")),
}
"""Where a disease's texts may speak of a drug that is not recorded for it."""
_CONVEYED = (*PROPERTIES["description"], *PROPERTIES["outlook"], *PROPERTIES["prevention"])
_IN_WORDS = {
    "vaccine": PROPERTIES["prevention"],
    "contagion": _CONVEYED,
    "heredity": (*PROPERTIES["description"], *PROPERTIES["outlook"]),
}
"""Where sources may say in words what no record says."""
_AGAINST = ("contraindicated_in", "caution_in")
"""Where a drug is not recorded to bring something on, that it is no drug for who has it is told."""
_HARM = "has_side_effect"
_EXACT = ("class", "kind")
"""Relations that do not hold of a thing because they hold of a kind of it."""


def check(form: Form, knowledge: Knowledge) -> tuple[Claimed, ...]:
    """What the base holds on each claim of a question; nothing where it makes none."""
    if form.exists:
        return tuple(_in_words(form, m, knowledge) for m in form.second if form.words)
    ways = _WAYS.get(form.relation, ())
    if not ways:
        return ()
    firsts = _foci(form.first)
    seconds = _foci(form.second)
    pairs = dict.fromkeys((first, second) for first in firsts for second in seconds)
    return tuple(
        _checked(form.relation, ways, first, second, knowledge)
        for first, second in list(pairs)[:_MAX_CLAIMS]
    )


def _foci(mentions: tuple[Mention, ...]) -> list[Focus | None]:
    """One end of a claim; None stands for what is not known."""
    return [Focus(mention.entities) for mention in mentions] or [None]


def _in_words(form: Form, mention: Mention, knowledge: Knowledge) -> Claimed:
    """What sources say in words that the question's word fits, as of vaccines."""
    focus = Focus(mention.entities)
    found = _fitting("|".join(form.words), _IN_WORDS[form.relation], focus, knowledge)
    return Claimed(form.relation, None, focus, found)


def _fitting(
    pattern: str, properties: tuple[Property, ...], focus: Focus, knowledge: Knowledge
) -> tuple[SupportedStatement, ...]:
    """The statements of some properties whose words fit a pattern."""
    fits = re.compile(pattern, re.IGNORECASE).search
    return tuple(
        supported
        for what in properties
        for supported in look_up(focus.entities, what, knowledge)
        if supported.affirmed and fits(_statement_text(supported, knowledge))
    )


def mentioned(
    relation: str, first: Focus, second: Focus, knowledge: Knowledge
) -> tuple[SupportedStatement, ...]:
    """Where no record says what a drug is used for, what texts on the disease say of the drug."""
    written = knowledge.entities.names_as_pattern(first.entities)
    return _fitting(written, _TEXTS[relation], second, knowledge) if written else ()


def _statement_text(supported: SupportedStatement, knowledge: Knowledge) -> str:
    """The text of a statement, or all names of its subject."""
    if supported.statement.object_entity is None:
        return supported.statement.text
    return " ".join(knowledge.entities.get(supported.statement.subject).all_names())


def _checked(
    relation: str,
    ways: tuple[_Way, ...],
    first: Focus | None,
    second: Focus | None,
    knowledge: Knowledge,
) -> Claimed:
    found: dict[str, SupportedStatement] = {}
    for firsts, seconds in _widened(relation, first, second, knowledge) if first and second else ():
        forward = [(one, way.predicate, None) for way in ways if not way.turned for one in firsts]
        backward = [(one, way.predicate, None) for way in ways if way.turned for one in seconds]
        knowledge.store.expect([*forward, *backward])
        for way in ways:
            ends = (seconds, firsts) if way.turned else (firsts, seconds)
            for supported in _between(*ends, way.predicate, knowledge):
                found[supported.statement.id] = supported
        if found:
            break
    narrower = None
    if not found and first and second:
        for way in (way for way in ways if way.predicate == _HARM):
            drug, effect = (second, first) if way.turned else (first, second)
            found = {s.statement.id: s for s in _of_wider(drug, effect, knowledge)}
            narrower = effect if found else None
    if not found and first and second and relation in _TEXTS:
        said = mentioned(relation, first, second, knowledge)
        found = {supported.statement.id: supported for supported in said}
    instead = None if found else _instead(relation, ways, first, second, knowledge)
    against: tuple[SupportedStatement, ...] = ()
    if relation == "side_effect" and not found and first and second:
        against = tuple(between(second, first, _AGAINST, knowledge))
    held = tuple(found.values())
    return Claimed(relation, first, second, held, instead, narrower, against)


def _widened(
    relation: str, first: Focus, second: Focus, knowledge: Knowledge
) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """The ends as named, then with kinds of the second, of the first, of both."""
    a, b = (_alike(focus.entities, knowledge) for focus in (first, second))
    yield a, b
    more_b = _kinds(b, knowledge)
    yield a, more_b
    if relation in _EXACT:
        return
    more_a = _kinds(a, knowledge)
    yield more_a, b
    yield more_a, more_b


def _of_wider(drug: Focus, effect: Focus, knowledge: Knowledge) -> Iterator[SupportedStatement]:
    """That a drug brings on what the effect in question is a kind of: a disease that is recorded
    as such, and no symptom ("pain" says nothing of pain in the chest)."""
    subjects = _alike(drug.entities, knowledge)
    held = [s for e in sorted(subjects) for s in knowledge.store.match(e, _HARM)]
    wider = wider_diseases(effect.entities, knowledge) if held else frozenset()
    yield from (s for s in held if s.affirmed and s.statement.object_entity in wider)


def _alike(entities: Iterable[str], knowledge: Knowledge) -> frozenset[str]:
    return frozenset(same for some in knowledge.alike(entities).values() for same in some)


def _kinds(things: frozenset[str], knowledge: Knowledge) -> frozenset[str]:
    """Things and all their kinds that the base or the lexicon knows of."""
    reached = set(things)
    frontier = sorted(things)
    while frontier and len(reached) < _MAX_KINDS:
        current = frontier.pop(0)
        asked = [(None, down, one) for one in (current, *frontier) for down in _DOWNWARD]
        knowledge.store.expect(asked)
        below = {
            supported.statement.subject
            for predicate in _DOWNWARD
            for supported in knowledge.store.match(None, predicate, current, limit=_MAX_KINDS)
            if supported.affirmed
        }
        below |= knowledge.lexicon.narrower([current])
        new = sorted(_alike(below, knowledge) - reached)
        reached |= set(new)
        frontier += new
    return frozenset(reached)


def between(
    first: Focus, second: Focus, predicates: Iterable[str], knowledge: Knowledge
) -> Iterator[SupportedStatement]:
    """The statements of these predicates from one thing to another, whatever names they bear."""
    subjects, objects = (_alike(focus.entities, knowledge) for focus in (first, second))
    predicates = tuple(predicates)
    knowledge.store.expect([(one, p, None) for one in sorted(subjects) for p in predicates])
    for predicate in predicates:
        yield from _between(subjects, objects, predicate, knowledge)


def _between(
    subjects: frozenset[str], objects: frozenset[str], predicate: str, knowledge: Knowledge
) -> Iterator[SupportedStatement]:
    for subject in sorted(subjects):
        for supported in knowledge.store.match(subject, predicate):
            if supported.statement.object_entity in objects:
                yield supported


def _instead(
    relation: str,
    ways: tuple[_Way, ...],
    first: Focus | None,
    second: Focus | None,
    knowledge: Knowledge,
) -> Looked | None:
    """The first property of the claim's subject of which anything is recorded."""
    for way in ways:
        focus = second if way.turned else first
        found = look_up(focus.entities, Property(way.predicate), knowledge) if focus else []
        if focus and found:
            return Looked(relation, focus, way.predicate, False, tuple(found))
    return None
