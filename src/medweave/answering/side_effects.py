"""Whether what somebody has is recorded as a side effect of what they take."""

from __future__ import annotations

from collections.abc import Iterable

from medweave.answering.draft import Draft
from medweave.language.data import rule_in_any
from medweave.model.inferred import Inferred
from medweave.model.question import BY_HABIT, FINDINGS, SUBSTANCES, Mention, Question

_INTENTS = frozenset({"side_effect", "side_effect_of"})
_OF_EFFECTS = frozenset({"side_effect", "outlook"})
"""What who asks whether an effect passes is taken to ask for."""


def say_effects_of_what_is_taken(draft: Draft, question: Question, inferred: Inferred) -> None:
    """A finding that a drug which is taken may bring on, whatever is asked.

    Where side effects are asked for, they are answered as any property is.
    """
    if question.form.kind != "plain" or not question.labels.isdisjoint(_INTENTS):
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


def say_whether_it_passes(draft: Draft, question: Question) -> None:
    """That no source tells whether and when a side effect passes, to who asks for that; not beside
    advice on what passes."""
    advised = (dict(s.statement.qualifiers).get("aspect") for s in draft.statements.values())
    if "passing_effects" in advised:
        return
    claimed = question.form.relation
    of_effects = claimed == "side_effect" or (
        not claimed and not question.labels.isdisjoint(_OF_EFFECTS)
    )
    medicines = [
        m
        for m in question.of_concept(*SUBSTANCES)
        if m.entity not in BY_HABIT and m.role in ("taken", "asked")
    ]
    words = rule_in_any("passes", "understanding", "rules", "passing.yaml")
    if of_effects and medicines and words.search(question.text.lower()):
        draft.add_missing("passes")


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
