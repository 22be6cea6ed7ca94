"""Lists of drugs of which a class is asked for: "which antibiotic for a cold?"."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from medweave.language.data import rule_in
from medweave.model.material import Focus, Looked
from medweave.model.question import BREASTFEEDING, FINDINGS, PREGNANCY, Mention, Question
from medweave.model.statement import SupportedStatement
from medweave.retrieval.claims import mentioned
from medweave.retrieval.drugs.purposes import bringing_on, purposes, requested_class
from medweave.retrieval.lookup import (
    PROPERTIES,
    kinds_above,
    listed_members,
    look_up,
    stated_classes,
)
from medweave.vocabulary.knowledge import Knowledge

LISTS = ("drug", "treatment")
"""Intents that ask for a list of drugs: those the person cannot take are not what is asked for."""
_USES = ("used_for", "used_to_prevent")
_LISTED_BY = ("in_class", "used_for")
"""What a member of a class is listed by, in this order."""
_AGAINST = ("contraindicated_in", "caution_in", "interacts_with")
_OF_DRUGS = (*_USES, "contraindicated_in", "caution_in", "has_side_effect")


def of_requested_class(
    question: Question, labels: list[str], looked: list[Looked], knowledge: Knowledge
) -> list[Looked]:
    """What was looked up, with lists of drugs narrowed to the class that is asked for.

    The whole class where what is named speaks against some of it ("which painkiller with dengue"),
    or nothing is named. Where none of it is recorded for what is named: those for another condition
    that is named; else what sources say of it in words.
    """
    wanted = requested_class(question)
    if wanted is None:
        return looked
    members = _members(wanted, knowledge)
    narrowed = [_narrowed(item, wanted, members) for item in looked]
    whole = _whole_class(wanted, question.form.left_out, knowledge)
    lists = [label for label in labels if label in LISTS]
    if not lists:
        return narrowed
    others = [item for item in narrowed if item.intent not in LISTS]
    found = _filled(narrowed)
    if not purposes(question) and _speaks_against(_named(question), whole, knowledge):
        uses = [item for item in found if item.predicate in _USES]
        free = any(not _speaks_against([item.focus], whole, knowledge) for item in uses)
        met = _others_that_meet(question, found, whole, knowledge, hard_alone=True)
        return [*found, *met, *others] if free else [whole]
    if not found:
        uses = _uses_for(lists, _named(question), knowledge)
        found = _filled(_narrowed(item, wanted, members) for item in uses)
    elif _eases_a_symptom(question):
        found += _others_that_meet(question, found, whole, knowledge)
    if not found:
        wanted_for = [Focus(mention.entities) for mention in purposes(question)]
        if not wanted_for or _speaks_against(wanted_for, whole, knowledge):
            return [whole, *others]
        found = [i for f in wanted_for for i in _in_words(lists[0], f, wanted, knowledge)]
        if _eases_a_symptom(question):
            found.append(whole)
    return [*found, *others]


def without_unwanted(
    question: Question, looked: list[Looked], knowledge: Knowledge
) -> list[Looked]:
    """What was looked up; where a drug is wanted that does not bring something on, the lists hold
    none that is recorded to, and none of whose side effects nothing is recorded. One of which a
    source says that it does so little or to few stays, with these words."""
    if not bringing_on(question):
        return looked
    effects = (s for item in looked if item.intent == "side_effect_of" for s in item.statements)
    unwanted = {supported.statement.subject for supported in effects if supported.affirmed}
    match = knowledge.store.match
    found_for = {
        e for item in looked if item.intent == "side_effect_of" for e in item.focus.entities
    }

    def brings_on(drug: str) -> bool:
        """Whether it is recorded to: as a side effect, or by who had it of the drug and must not
        have it again."""
        against = (s.statement.object_entity or "" for s in match(drug, "contraindicated_in"))
        caused = tuple(f"{entity}_caused_by_" for entity in found_for)
        return drug in unwanted or any(entity.startswith(caused) for entity in against)

    lists = [item for item in looked if item.intent in LISTS and item.from_object]
    listed = dict.fromkeys(s.statement.subject for item in lists for s in item.statements)
    little = {
        drug: said
        for drug in listed
        if brings_on(drug) and (said := _that_it_does_little(drug, found_for, question, knowledge))
    }

    def spared(item: Looked) -> Looked:
        """A list of the drugs that are left of one."""
        left = [
            supported
            for supported in item.statements
            if (supported.statement.subject in little or not brings_on(supported.statement.subject))
            and match(supported.statement.subject, "has_side_effect", limit=1)
        ]
        return replace(item, statements=tuple(left))

    fewer = {id(item): spared(item) for item in lists}
    found = [fewer.get(id(item), item) for item in looked]
    found = [item for item in found if item.statements or item not in fewer.values()]
    told = [
        Looked("description", Focus((drug,)), "described_as", from_object=False, statements=said)
        for drug, said in little.items()
    ]
    return [*found, *told]


def _that_it_does_little(
    drug: str, effects: Collection[str], question: Question, knowledge: Knowledge
) -> tuple[SupportedStatement, ...]:
    """What sources say of a drug by which it brings on one of these little, or to few."""
    return tuple(
        supported
        for supported in knowledge.store.match(drug, "described_as")
        if supported.statement.language == question.language
        and _says_little(supported.statement.text, effects, question.language, knowledge)
    )


def _says_little(text: str, effects: Collection[str], language: str, knowledge: Knowledge) -> bool:
    """Whether a name of one of these stands behind a word for little, and the sentence goes on to
    no more of it."""
    pattern = rule_in(language, "little", "retrieval", "drugs", "little.yaml")
    named = [
        match.start
        for match in knowledge.dictionary.find(text)
        if any(each.entity in effects for each in match.named)
    ]
    return bool(named) and all(pattern.search(text[:start].lower()) for start in named)


def _eases_a_symptom(question: Question) -> bool:
    """Whether a class is wanted for a symptom by somebody of whom more is told: what stops a member
    is said though none is recorded for the symptom."""
    wanted = purposes(question)
    told = [m for m in question.of_concept(*FINDINGS) if m.status != "absent" and m not in wanted]
    patient = question.patient
    known = told or patient.drugs or patient.pregnant or patient.breastfeeding
    known = known or patient.allergies
    return bool(known) and all(mention.concept == "symptom" for mention in wanted)


def _others_that_meet(
    question: Question,
    found: list[Looked],
    whole: Looked,
    knowledge: Knowledge,
    *,
    hard_alone: bool = False,
) -> list[Looked]:
    """The members of a class that something told of the person meets, itself or as what it is a
    kind of, and that are not recorded for the symptom itself: who asks for a painkiller may have
    them at home."""
    listed = {s.statement.subject for item in found for s in item.statements}
    patient = question.patient
    eased = {item.focus.entity for item in found}
    had = (focus for focus in _named(question) if focus.entity not in eased)
    told = {*_wider([entity for focus in had for entity in focus.entities], knowledge)}
    told |= {*_wider(patient.drugs, knowledge)}
    told |= {PREGNANCY} if patient.pregnant else set()
    told |= {BREASTFEEDING} if patient.breastfeeding else set()
    match = knowledge.store.match

    def meets(drug: str) -> bool:
        names = _wider([drug], knowledge)
        against = (s for p in _AGAINST for n in names for s in match(n, p))
        ends = {s.statement.object_entity for s in against if _excludes(s) or not hard_alone}
        return not told.isdisjoint(ends)

    rest = [s for s in whole.statements if s.statement.subject not in listed]
    met = tuple(s for s in rest if meets(s.statement.subject))
    return [replace(whole, statements=met)] if met else []


def _excludes(supported: SupportedStatement) -> bool:
    """Whether it excludes a drug where it holds, and does not only call for care."""
    statement = supported.statement
    grade = statement.qualifier("severity")
    return statement.predicate == "contraindicated_in" or grade in ("contraindicated", "avoid")


def _wider(things: Iterable[str], knowledge: Knowledge) -> list[str]:
    """Things with what they are a kind of, and drugs with their classes."""
    own = tuple(things)
    return kinds_above(tuple(dict.fromkeys((*own, *stated_classes(own, knowledge)))), knowledge)


def _members(wanted: Mention, knowledge: Knowledge) -> set[str]:
    """A class by all its names, and the drugs of it."""
    drugs = {entity for focus in listed_members(wanted, knowledge) for entity in focus.entities}
    return drugs | {same for entity in wanted.entities for same in knowledge.same(entity)}


def _narrowed(item: Looked, wanted: Mention, members: set[str]) -> Looked:
    """Of a list of drugs, the members alone."""
    if not (item.from_object and item.predicate in _OF_DRUGS):
        return item
    within = tuple(s for s in item.statements if s.statement.subject in members)
    return replace(item, statements=within, of_class=wanted.entity)


def _filled(looked: Iterable[Looked]) -> list[Looked]:
    """The lists for uses that hold any member of the class, with what is said in words."""
    items = [item for item in looked if item.intent in LISTS]
    uses = [item for item in items if item.predicate in _USES and item.statements]
    words = [item for item in items if item.predicate not in _USES]
    return [*words, *uses] if uses else []


def _named(question: Question) -> list[Focus]:
    """The conditions that a question names, whatever for."""
    named = (m for m in question.of_concept(*FINDINGS) if m.status != "absent")
    return [Focus(m.entities) for m in named if m not in bringing_on(question)]


def _uses_for(labels: list[str], foci: list[Focus], knowledge: Knowledge) -> list[Looked]:
    return [
        Looked(label, focus, what.predicate, True, tuple(look_up(focus.entities, what, knowledge)))
        for label in labels
        for focus in foci
        for what in PROPERTIES[label]
        if what.from_object
    ]


def _whole_class(wanted: Mention, left_out: Iterable[Mention], knowledge: Knowledge) -> Looked:
    """The drugs of a class, where it is not said what for: each with what says that it is one.

    Not those that are named to be left out.
    """
    out = {same for m in left_out for entity in m.entities for same in knowledge.same(entity)}
    members = [m for m in listed_members(wanted, knowledge) if out.isdisjoint(m.entities)]
    entities = [entity for member in members for entity in member.entities]
    for predicate in _LISTED_BY:
        knowledge.store.expect([(entity, predicate, None) for entity in entities])
        entities = [e for e in entities if not knowledge.store.match(e, predicate)]
    found = (_of_class(member, knowledge) for member in members)
    return Looked(
        "drug", Focus(wanted.entities), "in_class", True, tuple(s for s in found if s is not None)
    )


def _of_class(member: Focus, knowledge: Knowledge) -> SupportedStatement | None:
    """What a member is listed by: that it is one, or where only its name tells that, a use."""
    return next(
        (
            supported
            for predicate in _LISTED_BY
            for entity in member.entities
            for supported in knowledge.store.match(entity, predicate, limit=1)
            if supported.affirmed
        ),
        None,
    )


def _speaks_against(conditions: list[Focus], listed: Looked, knowledge: Knowledge) -> bool:
    """Whether a condition is no purpose of drugs, but speaks against one: "ulcer, which NSAID?".

    Of an umbrella name ("a heart condition") any kind may be meant.
    """
    match, terms = knowledge.store.match, knowledge.lexicon.terms
    named = {entity for focus in conditions for entity in focus.entities}
    named |= {above for name in named if name in terms for above in terms[name].classes}
    kinds = {
        entity for focus in conditions for entity in knowledge.lexicon.narrower(focus.entities)
    }
    return any(
        not (named | kinds).isdisjoint(supported.statement.entities)
        for member in {s.statement.subject for s in listed.statements}
        for predicate in ("contraindicated_in", "caution_in")
        for supported in match(member, predicate)
    )


def _in_words(label: str, focus: Focus, wanted: Mention, knowledge: Knowledge) -> list[Looked]:
    """That none of a class is recorded for a condition, and what sources say of it in words."""
    texts: dict[str, list[SupportedStatement]] = {}
    for supported in mentioned("use", Focus(wanted.entities), focus, knowledge):
        texts.setdefault(supported.statement.predicate, []).append(supported)
    looked = [Looked(label, focus, name, False, tuple(found)) for name, found in texts.items()]
    return [*looked, Looked(label, focus, "used_for", True, (), of_class=wanted.entity)]
