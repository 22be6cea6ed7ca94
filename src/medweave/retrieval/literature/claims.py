"""A claim held against what papers say of two things: "is CFH associated with AMD?".

Yes is only what is recorded as it is claimed. What is recorded of the two things in another
relation stands beside it, as what it is.
"""

from __future__ import annotations

from dataclasses import replace

from medweave.model.material import Claimed, Focus
from medweave.model.question import Form, Mention, Question
from medweave.model.statement import SupportedStatement
from medweave.retrieval.claims import between, check
from medweave.retrieval.literature.listed import OF_PAPERS, may_ask_papers
from medweave.retrieval.literature.verbs import Verb, VerbQuestion, read_verb
from medweave.vocabulary.knowledge import Knowledge

_ANY = Verb((), 0, turned=False, claim="associate", any=True, either=True)
_RECORDED = (*OF_PAPERS, "has_symptom", "has_complication", "has_side_effect")
_RECORDED_TURNED = ("caused_by", "has_risk_factor")
"""By what else it is recorded that one thing goes with another; of the latter the object acts."""
_MAX_PAIRS = 6
_FALLBACK = ("aggravate", "improve", "affect", "associate", "show")
"""Claims that only papers answer: that nothing is recorded is told by these alone."""


def literature_claims(
    question: Question, claimed: tuple[Claimed, ...], knowledge: Knowledge
) -> tuple[Claimed, ...]:
    """What papers say of two things that a question names; of `claimed` where it found nothing.

    Nothing where they say nothing, unless it is a claim that only papers answer.
    """
    if not may_ask_papers(question):
        return ()
    read = read_verb(question)
    found = claimed or _claims(read, knowledge)
    if read.is_limited and any(claim.found for claim in found):
        return tuple(map(_without_a_yes, found))
    if not claimed:
        return found
    some = any(claim.found for claim in claimed)
    return () if some else _with_other_relations(claimed, knowledge)


def _without_a_yes(claim: Claimed) -> Claimed:
    """A claim of more than is recorded: what is recorded is told as what it is."""
    between_things = all(s.statement.object_entity is not None for s in claim.found)
    if not claim.found or not between_things:
        return claim
    return replace(claim, relation="", found=(), instead=None, otherwise=claim.found)


def _claims(read: VerbQuestion, knowledge: Knowledge) -> tuple[Claimed, ...]:
    """What is recorded of the two things that a question names on the sides of its verb."""
    first, second = read.ends
    pairs = [(a, b) for a in first for b in second if a.entity != b.entity][:_MAX_PAIRS]
    if not pairs or not (read.is_yes_no or read.is_how):
        return ()
    if read.is_how:
        found = [_in_any_relation("", a, b, knowledge, either=False) for a, b in pairs]
        return tuple(claim for claim in found if claim.otherwise)
    told = tuple(_held(read.verb or _ANY, a, b, knowledge) for a, b in pairs)
    return (
        told if any(c.found or c.otherwise for c in told) or _only_papers(read, knowledge) else ()
    )


def _held(verb: Verb, first: Mention, second: Mention, knowledge: Knowledge) -> Claimed:
    """One claim; the relation as it is claimed, else whatever else is recorded of the two."""
    if verb.any:
        claim = _in_any_relation(verb.claim, first, second, knowledge, either=verb.either)
        return replace(claim, found=claim.otherwise, otherwise=())
    form = Form("yes_no", relation=verb.claim, first=(first,), second=(second,))
    (claim,) = check(form, knowledge)
    return claim if claim.found else _with_other_relations((claim,), knowledge, always=True)[0]


def _with_other_relations(
    claimed: tuple[Claimed, ...], knowledge: Knowledge, *, always: bool = False
) -> tuple[Claimed, ...]:
    """Claims of which nothing is found, with what is recorded of their two things."""
    told = tuple(
        replace(claim, otherwise=_between(claim.first, claim.second, knowledge), instead=None)
        if claim.first and claim.second
        else claim
        for claim in claimed
    )
    return told if always or any(claim.otherwise for claim in told) else ()


def _in_any_relation(
    relation: str, first: Mention, second: Mention, knowledge: Knowledge, *, either: bool
) -> Claimed:
    """Two things with what is recorded of them."""
    a, b = Focus(first.entities), Focus(second.entities)
    return Claimed(relation, a, b, (), otherwise=_between(a, b, knowledge, either=either))


def _between(
    first: Focus, second: Focus, knowledge: Knowledge, *, either: bool = False
) -> tuple[SupportedStatement, ...]:
    """The statements from one thing to the other; the way back where there is none, or
    where `either` is asked for."""
    there = _acting(first, second, knowledge)
    back = _acting(second, first, knowledge) if either or not there else []
    return tuple({found.statement.id: found for found in (*there, *back)}.values())


def _acting(first: Focus, second: Focus, knowledge: Knowledge) -> list[SupportedStatement]:
    """What is recorded of one thing as acting on another."""
    return [
        *between(first, second, _RECORDED, knowledge),
        *between(second, first, _RECORDED_TURNED, knowledge),
    ]


def _only_papers(read: VerbQuestion, knowledge: Knowledge) -> bool:
    """Whether a claim is one of those that only papers answer, in a base that holds such."""
    verb = read.verb
    if verb is None or verb.claim not in _FALLBACK:
        return False
    return any(knowledge.store.match(None, one, limit=1) for one in verb.predicates)
