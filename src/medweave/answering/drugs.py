"""Answers about drugs with the person in view: what stops them, what must be asked first."""

from __future__ import annotations

from medweave.answering.draft import Draft
from medweave.answering.wording import Wording
from medweave.model.answer import Stop
from medweave.model.inferred import DrugReview, Inferred, StopFinding
from medweave.model.material import Material
from medweave.model.question import Patient, Question
from medweave.model.statement import SupportedStatement

_WITH_PERSON = ("contraindication", "interaction")
_REASONS = ("contraindicated_in", "caution_in", "interacts_with")


def say_drugs(draft: Draft, question: Question, material: Material, inferred: Inferred) -> None:
    """Report the stops of every drug in sight; answer for those the question asks about."""
    labels = {intent.label for intent in question.intents}
    asked = {focus.entity for focus in material.asked_drugs}
    for review in inferred.reviews:
        direct = review.drug.entity in asked
        _report_stops(draft, review, every_doubt=direct)
        if direct and labels & set(_WITH_PERSON):
            if "contraindication" in labels:
                _say_review(draft, review, about_somebody=question.patient != Patient())
                _say_uses(draft, question, review)
            else:
                _say_interactions(draft, review)
    if "interaction" in labels:
        _say_no_interaction(draft, material, inferred)
    _say_silence(draft, inferred)


def _say_interactions(draft: Draft, review: DrugReview) -> None:
    """What a drug interacts with: what was named first, then all else that is recorded."""
    found = [f for f in review.findings if f.topic == "drugs"]
    _say_findings(draft, "stop_interaction", review, [f for f in found if f.holds])
    _say_findings(draft, "asks.interacts_with", review, [f for f in found if not f.holds])


def _say_no_interaction(draft: Draft, material: Material, inferred: Inferred) -> None:
    """Two drugs asked about together, and nothing recorded: said, because silence is not safety."""
    together = any(f.topic == "drugs" and f.holds for r in inferred.reviews for f in r.findings)
    names = [draft.wording.name(focus.entity) for focus in material.asked_drugs]
    if len(names) > 1 and not together:
        draft.add_missing("no_interaction", drugs=draft.wording.join(names))


def _say_silence(draft: Draft, inferred: Inferred) -> None:
    """A base that names no contraindication of a drug says so: silence is not safety."""
    silent = [draft.wording.name(r.drug.entity) for r in inferred.reviews if not r.has_data]
    if silent:
        draft.add_missing("no_contraindications", drug=draft.wording.join(silent))


def _report_stops(draft: Draft, review: DrugReview, *, every_doubt: bool) -> None:
    """One stop for each topic: what applies, and what must be asked.

    For a drug that is only listed, doubts that the person did not touch are reported where they
    are hard; cautions are told to those who ask about the drug itself.
    """
    grouped: dict[tuple[bool, str, bool], list[StopFinding]] = {}
    for finding in review.findings:
        if finding.holds or finding.touched or every_doubt or finding.hard:
            key = (finding.holds is not True, finding.topic, not finding.hard)
            grouped.setdefault(key, []).append(finding)
    for (open_, _, soft), findings in sorted(grouped.items(), key=lambda pair: pair[0]):
        supported = [finding.supported for finding in findings]
        through = [identifier for finding in findings for identifier in finding.through]
        supported += draft.wording.knowledge.store.statements(dict.fromkeys(through))
        draft.stops.append(
            Stop(
                entity=draft.wording.knowledge.entities.get(review.drug.entity),
                status="ask" if open_ or soft else "applies",
                reason=_reason(draft.wording, review, findings),
                statements=draft.rest_on(supported),
                hard=not soft,
            )
        )


def _condition(wording: Wording, finding: StopFinding) -> str:
    statement = finding.supported.statement
    if finding.topic == "drugs" and statement.object == finding.about:
        return wording.condition(statement, other=statement.subject)
    return wording.condition(statement)


def _reason(wording: Wording, review: DrugReview, findings: list[StopFinding]) -> str:
    """The conditions of one kind in words, said once for the drug and once for each class."""
    parts: dict[tuple[str, str], list[str]] = {}
    for finding in findings:
        predicate = finding.supported.statement.predicate
        key = predicate if predicate in _REASONS else "allergy"
        condition = (
            wording.name(finding.about) if key == "allergy" else _condition(wording, finding)
        )
        parts.setdefault((key, finding.about), []).append(condition)
    said = []
    for (key, about), conditions in parts.items():
        listed = wording.join(conditions, limit=len(conditions))
        reason = wording.say(f"stop_reason.{key}", condition=listed)
        if about not in review.drug.entities and key != "allergy":
            reason = wording.say(
                "stop_reason.through", reason=reason, **{"class": wording.name(about)}
            )
        said.append(reason)
    return "; ".join(said)


def _say_review(draft: Draft, review: DrugReview, *, about_somebody: bool) -> None:
    """What applies first; then what depends on something unsaid; nothing is left out as unknown."""
    findings = review.findings
    applies = [
        f
        for f in findings
        if f.holds and f.hard and f.supported.statement.predicate == "contraindicated_in"
    ]
    interacts = [f for f in findings if f.holds and f.topic == "drugs"]
    cautions = [f for f in findings if f.holds and not f.hard]
    touched = [f for f in findings if f.holds is None and f.touched]
    others = [f for f in findings if f.holds is None and not f.touched]
    said_of_person = [*applies, *interacts, *cautions, *touched]
    _say_findings(draft, "stop_applies", review, applies)
    _say_inherited_allergy(draft, review)
    _say_findings(draft, "stop_interaction", review, interacts)
    _say_findings(draft, "stop_caution", review, cautions)
    _say_findings(draft, "stop_depends", review, [f for f in touched if f.hard and _is_stated(f)])
    _say_findings(draft, "caution_depends", review, [f for f in touched if not f.hard])
    if not applies:
        plain = bool(said_of_person) or not about_somebody
        _say_others(draft, review, others, plain=plain, brief=bool(said_of_person))
    topics = dict.fromkeys(f.topic for f in (touched or others) if f.hard or f.touched)
    if topics and not applies:
        named = [draft.wording.say(f"topics.{topic}") for topic in topics]
        draft.add_missing("person", list=draft.wording.join(named))


def _is_stated(finding: StopFinding) -> bool:
    """Whether the base states the stop itself; an allergy may also be inherited from a class."""
    return finding.supported.statement.predicate in _REASONS


def _say_inherited_allergy(draft: Draft, review: DrugReview) -> None:
    """An allergy to a class or ingredient, said where the base says that the drug belongs to it."""
    wording = draft.wording
    for finding in review.findings:
        if (
            finding.topic == "allergy"
            and finding.holds
            and finding.through
            and (finding.supported.statement.predicate not in _REASONS)
        ):
            drug, allergen = wording.name(review.drug.entity), wording.name(finding.about)
            through = wording.knowledge.store.statements(finding.through)
            draft.add_sentence(wording.say("stop_allergy", drug=drug, allergen=allergen), through)


def _say_others(
    draft: Draft, review: DrugReview, others: list[StopFinding], *, plain: bool, brief: bool
) -> None:
    """What nothing was said about: for somebody it decides, otherwise it is a list."""
    hard = [f for f in others if f.hard and f.topic != "drugs"]
    key = "asks.contraindicated_in" if plain else "stop_depends"
    _say_findings(draft, key, review, hard)
    if not brief:
        _say_findings(draft, "caution_depends", review, [f for f in others if not f.hard])
        _say_findings(
            draft, "asks.interacts_with", review, [f for f in others if f.topic == "drugs"]
        )


def _say_findings(draft: Draft, key: str, review: DrugReview, findings: list[StopFinding]) -> None:
    if not findings:
        return
    wording = draft.wording
    drug = wording.name(review.drug.entity)
    conditions = [_condition(wording, f) for f in findings]
    said = wording.join(conditions, limit=len(conditions))
    text = wording.say(key, drug=drug, subject=drug, conditions=said, list=said)
    through = dict.fromkeys(i for f in findings for i in f.through)
    supported = [f.supported for f in findings]
    draft.add_sentence(text, [*supported, *wording.knowledge.store.statements(through)])


def _say_uses(draft: Draft, question: Question, review: DrugReview) -> None:
    """Uses that concern this person: what they ask it for, and uses in pregnancy if pregnant."""
    wording = draft.wording
    store = wording.knowledge.store
    uses = [
        supported
        for entity in review.drug.entities
        for predicate in ("used_for", "used_to_prevent")
        for supported in store.match(entity, predicate)
        if supported.affirmed
    ]
    if question.patient.pregnant:
        _say_use(draft, review, [s for s in uses if s.statement.qualifier("pregnancy")])
    if review.excluded:
        return
    for mention in question.of_concept("disease", "symptom"):
        if mention.status == "absent":
            continue
        fitting = [s for s in uses if s.statement.object in mention.entities]
        drug, disease = wording.name(review.drug.entity), wording.name(mention.entity)
        if fitting:
            text = wording.say("purpose_recorded", drug=drug, disease=disease)
            draft.add_sentence(text, fitting)
        else:
            draft.add_missing("no_use", drug=drug, disease=disease)


def _say_use(draft: Draft, review: DrugReview, uses: list[SupportedStatement]) -> None:
    if not uses:
        return
    wording = draft.wording
    said = [wording.used(s.statement, wording.object_name(s.statement)) for s in uses]
    drug = wording.name(review.drug.entity)
    draft.add_sentence(wording.say("use_here", drug=drug, conditions=wording.join(said)), uses)
