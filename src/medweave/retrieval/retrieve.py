"""Everything a base holds that bears on a question."""

from __future__ import annotations

from dataclasses import replace

from medweave.language.segmentation import index_terms, stop_names
from medweave.model.material import Focus, Looked, Material
from medweave.model.question import FINDINGS, SUBSTANCES, Mention, Question
from medweave.model.statement import EvidenceClass, SupportedStatement
from medweave.retrieval.claims import check
from medweave.retrieval.comparing import compare, intents_covered
from medweave.retrieval.lookup import (
    PROPERTIES,
    kinds_above,
    kinds_below,
    listed_members,
    look_up,
    members,
)
from medweave.retrieval.requested_lists import purposes, requested_class
from medweave.vocabulary.knowledge import Knowledge

_OF_SUBSTANCES = frozenset({"indication", "contraindication", "interaction", "side_effect", "dose"})
_LISTS = ("drug", "treatment")
"""Intents that ask for a list of drugs: those the person cannot take are not what is asked for."""
_OF_A_SYMPTOM = {"cause": "shown_by"}
"""Where nothing is recorded of a symptom itself, the causes of it are the diseases that have it."""
_KINDS = 5
"""So many kinds of a thing are answered for, where nothing is recorded of itself."""
_CLOSEST = 3
_NOT_READING: tuple[EvidenceClass, ...] = ("dialogue",)
"""What people said of themselves is no document to point others to."""


def retrieve(question: Question, knowledge: Knowledge) -> Material:
    """Look up what the intents ask for, and the drugs at issue."""
    claimed = check(question.form, knowledge)
    answered = question.form.covers if claimed else intents_covered(question.form)
    labels = [intent.label for intent in question.intents if intent.label not in answered]
    drugs = asked_drugs(question, knowledge)
    out = _left_out(question.form.left_out, knowledge)
    looked = [
        _without(item, out)
        for label in labels
        for focus in _foci(label, question, drugs)
        for item in _of_kinds(label, focus, knowledge)
    ]
    if wanted := requested_class(question):
        looked = _of_class(looked, wanted, knowledge)
        lists = [label for label in labels if label in _LISTS]
        if lists and not any(item.of_class for item in looked):
            looked = _for_another(question, lists, wanted, knowledge) or looked
        if lists and not any(item.of_class for item in looked):
            members_of = _members_of(wanted, knowledge)
            wanted_for = {e for mention in purposes(question) for e in mention.entities}
            if not wanted_for or _speaks_against(wanted_for, members_of, knowledge):
                looked = [members_of]
    return Material(
        tuple(looked),
        drugs,
        claimed=claimed,
        compared=compare(question, knowledge),
        closest=() if question.mentions else _closest(question, knowledge),
    )


def _look_up(label: str, focus: Focus, knowledge: Knowledge) -> list[Looked]:
    return [
        Looked(label, focus, what.predicate, what.from_object, tuple(found))
        for what in PROPERTIES.get(label, ())
        for found in [look_up(focus.entities, what, knowledge)]
    ]


def _of_kinds(label: str, focus: Focus, knowledge: Knowledge) -> list[Looked]:
    """What is recorded of a thing; of its kinds, where nothing is recorded of itself."""
    if label in ("avoid", "side_effect_of"):
        focus = _whole_family(focus, knowledge, above=label == "avoid")
    own = _look_up(label, focus, knowledge)
    if any(item.statements for item in own):
        return own
    if label in _OF_A_SYMPTOM and knowledge.entities.get(focus.entity).concept == "symptom":
        own = _look_up(_OF_A_SYMPTOM[label], focus, knowledge)
    kinds = [
        item
        for kind in kinds_below(focus.entities, knowledge)[:_KINDS]
        for item in _look_up(label, kind, knowledge)
        if item.statements
    ]
    return kinds or own


def _whole_family(focus: Focus, knowledge: Knowledge, *, above: bool) -> Focus:
    """A condition with its kinds, and with what it is a kind of where what is said of that holds of
    it, too: what is against a kidney disease is against kidney failure."""
    wider = kinds_above(focus.entities, knowledge) if above else ()
    kinds = (kind for below in kinds_below(focus.entities, knowledge) for kind in below.entities)
    return Focus(tuple(dict.fromkeys((*focus.entities, *wider, *kinds))))


def _of_class(looked: list[Looked], wanted: Mention, knowledge: Knowledge) -> list[Looked]:
    """Lists of drugs narrowed to the class that is wanted, where any drug of them is of it."""
    belongs = {e for focus in listed_members(wanted, knowledge) for e in focus.entities}
    found = []
    for item in looked:
        if not (item.from_object and item.predicate in ("used_for", "used_to_prevent")):
            found.append(item)
            continue
        within = tuple(s for s in item.statements if s.statement.subject in belongs)
        if within:
            found.append(replace(item, statements=within, of_class=wanted.entity))
    narrowed = any(item.of_class for item in found)
    return found if narrowed else looked


def _for_another(
    question: Question, labels: list[str], wanted: Mention, knowledge: Knowledge
) -> list[Looked]:
    """Drugs of the class for whatever condition of the question it has any: "with gout, which
    blood pressure tablet" wants none for gout."""
    named = [m for m in question.of_concept(*FINDINGS) if m.status != "absent"]
    looked = [
        item
        for label in labels
        for mention in named
        for item in _look_up(label, Focus(mention.entities), knowledge)
    ]
    found = _of_class(looked, wanted, knowledge)
    return [item for item in found if item.of_class]


def _members_of(wanted: Mention, knowledge: Knowledge) -> Looked:
    """The drugs of a class, where it is not said what for: each with what says that it is one."""
    found = [
        supported
        for member in listed_members(wanted, knowledge)
        for entity in member.entities
        for supported in knowledge.store.match(entity, "in_class", limit=1)
        if supported.affirmed
    ]
    return Looked("drug", Focus(wanted.entities), "in_class", True, tuple(found))


def _speaks_against(conditions: set[str], listed: Looked, knowledge: Knowledge) -> bool:
    """Whether a condition is no purpose of drugs, but speaks against one: "ulcer, which NSAID?"."""
    match, terms = knowledge.store.match, knowledge.lexicon.terms
    wider = {above for name in conditions if name in terms for above in terms[name].classes}
    return any(
        match(supported.statement.subject, predicate, condition, limit=1)
        for supported in listed.statements
        for predicate in ("contraindicated_in", "caution_in")
        for condition in conditions | wider
    )


def _without(looked: Looked, out: frozenset[str]) -> Looked:
    """What was looked up without what the question names to leave out, which is kept apart."""
    if not out:
        return looked
    apart = tuple(s for s in looked.statements if _other_end(looked, s) in out)
    kept = tuple(s for s in looked.statements if _other_end(looked, s) not in out)
    return replace(looked, statements=kept, left_out=apart)


def _left_out(mentions: tuple[Mention, ...], knowledge: Knowledge) -> frozenset[str]:
    """Everything that is named to be left out; of a class of drugs, its members too."""
    things = {entity for mention in mentions for entity in mention.entities}
    things |= {e for mention in mentions for focus in members(mention, knowledge)
               for e in focus.entities}  # fmt: skip
    return frozenset(same for some in knowledge.alike(things).values() for same in some)


def _other_end(looked: Looked, supported: SupportedStatement) -> str | None:
    statement = supported.statement
    return statement.subject if looked.from_object else statement.object_entity


def asked_drugs(question: Question, knowledge: Knowledge) -> tuple[Focus, ...]:
    """The drugs a question asks about, without those the person takes or is allergic to.

    A class of which the base says nothing itself is opened into the members the base knows.
    """
    aside = {*question.patient.drugs, *question.patient.allergies}
    aside |= {m.entity for m in question.mentions if m.role in ("taken", "allergy", "past")}
    aside |= {m.entity for m in question.form.left_out}
    mentions = question.of_concept(*SUBSTANCES)
    compared = question.form.compared
    lists = any(intent.label in _LISTS for intent in question.intents)
    if lists and all(m.entity in aside and m not in compared for m in mentions):
        return ()
    asked = (
        [m for m in mentions if m.entity not in aside or m in compared or m.link.how == "stem"]
        or [m for m in mentions if m.role not in ("taken", "past")]
        or list(mentions)
    )
    foci: list[Focus] = []
    for mention in asked:
        if lists and mention.concept == "drug_class" and mention not in compared:
            continue  # "antibiotics for X" asks for a list of drugs, not about each antibiotic
        by_stem = mention.link.how == "stem"  # an unknown drug stands for itself, not for its class
        for focus in [Focus(mention.entities)] if by_stem else members(mention, knowledge):
            if not any(set(focus.entities) & set(other.entities) for other in foci):
                foci.append(focus)
    return tuple(foci)


def _foci(label: str, question: Question, drugs: tuple[Focus, ...]) -> list[Focus]:
    """What an intent is about: diseases before symptoms; nothing that is denied."""
    if label in _OF_SUBSTANCES:
        return list(drugs)
    if label == "description":
        chosen = question.mentions
    elif label in _LISTS and purposes(question):
        chosen = purposes(question)
    elif label in _LISTS and requested_class(question):
        chosen = question.of_concept("disease", "symptom")
    elif label == "avoid":
        chosen = question.of_concept("disease", "population") or question.of_concept("symptom")
    else:
        chosen = question.of_concept("disease") or question.of_concept("symptom")
    out = question.form.left_out if question.form.kind == "what_else" else ()
    named = [m for m in chosen if m.status != "absent" or label == "avoid"]
    if label != "avoid":
        named = [m for m in named if m.concept != "population"]
    bound = {entity for intent, entity in question.bound if intent == label}
    named = [m for m in named if not bound or m.entity in bound]
    named = [m for m in named if m not in out] or named
    return [Focus(m.entities) for m in {m.entity: m for m in named}.values()]


def _closest(question: Question, knowledge: Knowledge) -> tuple[str, ...]:
    words = [word for word in index_terms(question.text) if word not in stop_names()]
    hits = knowledge.store.search_text(" ".join(words), limit=_CLOSEST, without=_NOT_READING)
    titles = {d.id: d.title for d in knowledge.store.documents([hit.document for hit in hits])}
    named = dict.fromkeys(titles[hit.document] for hit in hits)
    return tuple(title for title in named if set(words) & set(index_terms(title)))
