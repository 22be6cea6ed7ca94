"""Whether what somebody has is recorded as a side effect of what they take."""

from __future__ import annotations

from collections.abc import Iterable

from medweave.answering.draft import Draft
from medweave.model.inferred import Inferred
from medweave.model.question import FINDINGS, Mention, Question

_INTENTS = frozenset({"side_effect", "side_effect_of"})


def say_effects_of_what_is_taken(draft: Draft, question: Question, inferred: Inferred) -> None:
    """A finding that a drug which is taken may bring on, whatever is asked.

    Where side effects are asked for, they are answered as any property is.
    """
    if question.form.kind != "plain" or any(i.label in _INTENTS for i in question.intents):
        return
    findings = [
        mention
        for mention in question.of_concept(*FINDINGS)
        if mention.status != "absent" and mention.experiencer == "patient"
    ]
    for fact in inferred.facts.of("drug"):
        if fact.how != "supposed":
            for mention in findings:
                with draft.topic("side_effect", fact.entities[0]):
                    say_effect(draft, fact.entities, mention)


def say_effect(draft: Draft, drug: Iterable[str], finding: Mention) -> bool:
    """Say that a finding is recorded as a side effect of a drug, if it is; whether it is."""
    wording, entities = draft.wording, tuple(drug)
    terms = wording.knowledge.lexicon.terms
    found = [
        supported
        for entity in entities
        for supported in wording.knowledge.store.match(entity, "has_side_effect")
        if supported.affirmed
        if (effect := supported.statement.object_entity)
        and {effect, *(terms[effect].classes if effect in terms else ())} & {*finding.entities}
    ]
    if found:
        names = {"subject": wording.name(entities[0]), "other": wording.name(finding.entity)}
        clause = wording.recorded_clause("has_side_effect", **names)
        draft.add_sentence(wording.say("claims.noted", claim=clause), found)
    return bool(found)
