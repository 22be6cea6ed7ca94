"""Looking up what a base says of a thing: one intent, one predicate, one direction."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from medweave.language.data import rule_in_any, shipped_yaml
from medweave.model.entity import Entity
from medweave.model.material import Focus
from medweave.model.question import Mention
from medweave.model.statement import Literal, SupportedStatement
from medweave.vocabulary.knowledge import Knowledge


@dataclass(frozen=True, slots=True)
class Property:
    """A predicate, read from its subject or from its object."""

    predicate: str
    from_object: bool = False
    concepts: tuple[str, ...] = ()
    """What stands at the other end must be one of these, if any are given."""


PROPERTIES: dict[str, tuple[Property, ...]] = {
    "symptom": (Property("has_symptom"), Property("clinical_picture")),
    "complication": (Property("has_complication"),),
    "cause": (Property("caused_by"), Property("has_risk_factor"), Property("causes_in_words")),
    "treatment": (Property("treatment_advice"), Property("used_for", from_object=True)),
    "drug": (Property("used_for", from_object=True, concepts=("drug", "drug_class")),),
    "avoid": (
        Property("contraindicated_in", from_object=True),
        Property("caution_in", from_object=True),
    ),
    "shown_by": (
        Property("has_symptom", from_object=True, concepts=("disease",)),
        Property("has_complication", from_object=True, concepts=("disease",)),
    ),
    "side_effect_of": (Property("has_side_effect", from_object=True),),
    "prevention": (Property("prevention_advice"), Property("used_to_prevent", from_object=True)),
    "diet": (Property("before_tests_advice"), Property("diet_advice")),
    "test": (Property("has_test"), Property("before_tests_advice")),
    "indication": (Property("used_for"), Property("used_to_prevent")),
    "contraindication": (Property("contraindicated_in"), Property("caution_in")),
    "interaction": (Property("interacts_with"), Property("interacts_with", from_object=True)),
    "side_effect": (Property("has_side_effect"),),
    "dose": (Property("use_advice"),),
    "outlook": (Property("outlook"),),
    "urgent_care": (Property("urgent_care_advice"),),
    "description": (Property("described_as"),),
    "class": (Property("in_class"),),
}
"""What each intent is looked up by, in the order in which an answer says it."""


def look_up(
    entities: Iterable[str], what: Property, knowledge: Knowledge
) -> list[SupportedStatement]:
    """The statements of one property of a thing, given all entities that bear its name.

    The best-supported come first: by strength, then by how many documents affirm, then as stored.
    """
    found: dict[str, SupportedStatement] = {}
    entities, name = tuple(entities), what.predicate
    knowledge.store.expect(
        [(None, name, one) if what.from_object else (one, name, None) for one in entities]
    )
    for entity in entities:
        if what.from_object:
            matched = knowledge.store.match(None, what.predicate, entity)
        else:
            matched = knowledge.store.match(entity, what.predicate)
        if what.concepts:
            matched = _of_concepts(matched, what.concepts, knowledge)
        found.update((supported.statement.id, supported) for supported in matched)
    texts = knowledge.vocabulary.predicate(what.predicate).takes_text
    return sorted(found.values(), key=attrgetter("place") if texts else _support)


def members(mention: Mention, knowledge: Knowledge) -> list[Focus]:
    """A thing; of a class of drugs, the members that the base holds, if there are any."""
    own = Focus(mention.entities)
    if mention.concept != "drug_class":
        return [own]
    return class_members(mention.entities, knowledge) or [own]


def class_members(classes: tuple[str, ...], knowledge: Knowledge) -> list[Focus]:
    """The drugs of the base that belong to one of these classes, or to a class within them."""
    within = {name for entity in classes for name in knowledge.same(entity)}
    within |= knowledge.lexicon.narrower(within, concept="drug_class")
    knowledge.store.expect([(None, "in_class", entity) for entity in sorted(within)])
    found = {
        supported.statement.subject
        for entity in within
        for supported in knowledge.store.match(None, "in_class", entity)
        if supported.affirmed
    }
    found |= knowledge.holds(knowledge.lexicon.directly_below(within))
    concepts = knowledge.entities.all(found)
    drugs = sorted(name for name in found if concepts[name].concept == "drug")
    return [Focus(same) for same in knowledge.alike(drugs).values()]


def stated_classes(drugs: Iterable[str], knowledge: Knowledge) -> tuple[str, ...]:
    """The classes that a base states of drugs, each once."""
    found = (s.statement.object_entity for d in drugs for s in knowledge.store.match(d, "in_class"))
    return tuple(dict.fromkeys(one for one in found if one))


def only_member(classes: tuple[str, ...], knowledge: Knowledge) -> tuple[str, ...]:
    """The only member of a class: iron tablets are ferrous sulfate."""
    single = [focus.entities for focus in class_members(classes, knowledge)]
    return single[0] if len(single) == 1 else ()


def listed_members(wanted: Mention, knowledge: Knowledge) -> list[Focus]:
    """The drugs that a list asked for by a word for a class holds: of "painkillers", NSAIDs too.

    What a class means to whoever is allergic to it, or takes it, is not as wide.
    """
    also = everyday_classes(wanted)
    single = [Focus(knowledge.same(name)) for name in sorted(knowledge.holds(also))
              if knowledge.entities.get(name).concept == "drug"]  # fmt: skip
    found = [*class_members((*wanted.entities, *also), knowledge), *single]
    return list({focus.entity: focus for focus in found}.values())


def class_in_everyday_words(drug: Mention, knowledge: Knowledge) -> str | None:
    """The class by whose everyday word people ask for a drug: "painkillers" for ibuprofen; the
    widest that it is of where there is none; None where it is of none."""
    wider = kinds_above(drug.entities, knowledge)
    own = {*drug.entities, *wider}
    words = (entry["class"] for entry in _everyday_classes() if own.intersection(entry["also"]))
    held = [name for name in wider if name in knowledge.lexicon.terms and name not in drug.entities]
    return next(words, held[-1] if held else None)


def everyday_classes(wanted: Mention) -> tuple[str, ...]:
    """What an everyday word for a class holds beside its members: classes, or single drugs."""
    found = (entry["also"] for entry in _everyday_classes() if _is_intended(entry, wanted))
    return tuple(next(found, ()))


def _is_intended(everyday: dict[str, Any], wanted: Mention) -> bool:
    written = re.search(everyday.get("written", ""), wanted.text.lower()) is not None
    return everyday["class"] in wanted.entities and written


def _everyday_classes() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = shipped_yaml("retrieval", "everyday_classes.yaml")["lists"]
    return found


def speaking_of_food(texts: list[SupportedStatement]) -> list[SupportedStatement]:
    """The sentences that speak of what is eaten or drunk."""
    of_food = rule_in_any("of_food", "retrieval", "cues.yaml")
    said = [s for s in texts if isinstance(s.statement.object, Literal)]
    return [s for s in said if of_food.search(s.statement.text.lower())]


def kinds_below(things: tuple[str, ...], knowledge: Knowledge) -> list[Focus]:
    """The kinds of a thing that the base holds."""
    same = {name for entity in things for name in knowledge.same(entity)}
    found = {
        supported.statement.subject
        for entity in same
        for supported in knowledge.store.match(None, "kind_of", entity)
        if supported.affirmed
    }
    own = knowledge.lexicon.directly_below(same)
    found |= knowledge.holds(own)
    if own and not found - same:  # a base may know kinds by identifiers of its own alone
        alike = knowledge.alike(own)
        held = knowledge.holds(one for some in alike.values() for one in some)
        found |= {kind for kind in own if held.intersection(alike[kind])}
    return [Focus(knowledge.same(kind)) for kind in sorted(found - same)]


def documented_kinds(things: tuple[str, ...], knowledge: Knowledge) -> list[Focus]:
    """The kinds of a thing that the base describes: of arthritis gout, not "severe arthritis"."""
    described = partial(knowledge.store.match, predicate="described_as", limit=1)
    kinds = kinds_below(things, knowledge)
    return [kind for kind in kinds if any(described(entity) for entity in kind.entities)]


def kinds_above(things: tuple[str, ...], knowledge: Knowledge) -> list[str]:
    """What a thing is a kind of, the nearest first."""
    found = [name for entity in things for name in knowledge.same(entity)]
    for name in found:  # it grows
        term = knowledge.lexicon.terms.get(name)
        above = {s.statement.object_entity for s in knowledge.store.match(name, "kind_of")}
        wider = sorted({a for a in above if a} | set(term.classes if term else ()))
        found += [same for a in wider for same in knowledge.same(a) if same not in found]
    return found


def wider_diseases(things: Sequence[str], knowledge: Knowledge) -> frozenset[str]:
    """The diseases that things are kinds of, directly: a stomach ulcer is a peptic ulcer."""
    own = [name for entity in things for name in knowledge.same(entity)]
    above: set[str] = set()
    for name in own:
        term = knowledge.lexicon.terms.get(name)
        recorded = (s.statement.object_entity for s in knowledge.store.match(name, "kind_of"))
        above.update(filter(None, recorded), term.classes if term else ())
    wider = {same for entity in above for same in knowledge.same(entity)} - set(own)
    found = knowledge.entities.all(sorted(wider))
    return frozenset(one for one, entity in found.items() if entity.concept == "disease")


def is_kind_of(thing: Entity, wider: Sequence[str], knowledge: Knowledge) -> bool:
    """Whether a thing is a kind or a member of another: as recorded, as the lexicon has it, or as
    its name ends ("lung cancer" is a cancer)."""
    own = knowledge.same(thing.id)
    classes = tuple(
        supported.statement.object_entity
        for one in own
        for supported in knowledge.store.match(one, "in_class")
        if supported.affirmed and supported.statement.object_entity
    )
    wanted = {same for entity in wider for same in knowledge.same(entity)}
    wanted |= knowledge.lexicon.narrower(wanted)
    if wanted.intersection((*own, *classes, *kinds_above((*own, *classes), knowledge))):
        return True
    called = tuple(f" {knowledge.entities.get(entity).name().lower()}" for entity in wider)
    return thing.name().lower().endswith(called)


def _of_concepts(
    matched: list[SupportedStatement], concepts: tuple[str, ...], knowledge: Knowledge
) -> list[SupportedStatement]:
    """Those whose subject is of one of these concepts."""
    subjects = knowledge.entities.all(supported.statement.subject for supported in matched)
    return [s for s in matched if subjects[s.statement.subject].concept in concepts]


def _support(supported: SupportedStatement) -> tuple[float, int, int]:
    affirmed = supported.affirmed
    strength = max((item.strength for item in affirmed), default=0.0)
    start = min((item.place.start for item in affirmed), default=0)
    return (-strength, -len({item.document for item in affirmed}), start)
