"""Answers that are looked up: one sentence for each property of each thing asked about."""

from __future__ import annotations

from dataclasses import replace

from medweave.answering.draft import Draft
from medweave.answering.wording import MAX_LISTED
from medweave.model.answer import Candidate
from medweave.model.inferred import DrugReview, Inferred
from medweave.model.material import Looked
from medweave.model.statement import Literal, SupportedStatement

_BY_DRUGS = ("contraindication", "interaction")
_DRUG_LISTS = ("used_for", "used_to_prevent")
_MAX_TEXTS = 6


def say_properties(draft: Draft, looked: tuple[Looked, ...], inferred: Inferred) -> None:
    """Say what was looked up, and what was not found.

    Contraindications and interactions are said with the person in view, elsewhere.
    """
    reviews = {entity: review for review in inferred.reviews for entity in review.drug.entities}
    groups: dict[tuple[str, str], list[Looked]] = {}
    before = len(draft.candidates)
    for item in looked:
        if item.intent not in _BY_DRUGS:
            groups.setdefault((item.intent, item.focus.entity), []).append(item)
    for items in groups.values():
        said = [_say(draft, item, reviews) for item in items]
        if not any(said):
            _say_nothing(draft, items[0])
    if any(item.scores for item in looked):
        draft.candidates[before:] = sorted(draft.candidates[before:], key=lambda c: -c.score)


def _say_nothing(draft: Draft, item: Looked) -> None:
    wording = draft.wording
    key = item.predicate + ("_object" if item.from_object else "")
    label = wording.say(f"properties.{key}")
    draft.add_missing("no_property", property=label, subject=wording.name(item.focus.entity))
    draft.unmet += 1


def _say(draft: Draft, item: Looked, reviews: dict[str, DrugReview]) -> bool:
    affirmed = [s for s in item.statements if s.affirmed]
    denied = [s for s in item.statements if s.denied and not s.affirmed]
    if draft.wording.knowledge.vocabulary.predicate(item.predicate).takes_text:
        return _say_texts(draft, affirmed)
    if item.from_object and item.predicate in _DRUG_LISTS:
        said = _say_drugs(draft, item, affirmed, reviews)
    else:
        said = _say_list(draft, item, affirmed)
    if denied:
        names = [_other_name(draft, item, s) for s in denied]
        subject = draft.wording.name(item.focus.entity)
        text = draft.wording.say("denied", subject=subject, list=draft.wording.join(names))
        draft.add_sentence(text, denied)
    draft.rest_on(s for s in item.statements if s.conflicting)
    return said or bool(denied)


def _say_texts(draft: Draft, affirmed: list[SupportedStatement]) -> bool:
    """Text that a source says is quoted whole, the question's language first."""
    language = draft.wording.language
    fitting = [s for s in affirmed if _language(s) == language] or affirmed
    for supported in fitting[:_MAX_TEXTS]:
        draft.add_sentence(draft.wording.object_name(supported.statement), [supported])
    return bool(fitting)


def _language(supported: SupportedStatement) -> str:
    literal = supported.statement.object
    return literal.language if isinstance(literal, Literal) else ""


def _say_list(draft: Draft, item: Looked, affirmed: list[SupportedStatement]) -> bool:
    if not affirmed:
        return False
    wording = draft.wording
    names = [_other_name(draft, item, s) for s in affirmed]
    subject = wording.name(item.focus.entity)
    key = item.predicate + ("_object" if item.from_object else "")
    text = wording.say(f"asks.{key}", subject=subject, list=wording.join(names))
    draft.add_sentence(text, _said(names, affirmed))
    return True


def _said(names: list[str], affirmed: list[SupportedStatement]) -> list[SupportedStatement]:
    """Only the statements whose names fit into the sentence."""
    shown = set(list(dict.fromkeys(names))[:MAX_LISTED])
    return [s for name, s in zip(names, affirmed, strict=True) if name in shown]


def _other_name(draft: Draft, item: Looked, supported: SupportedStatement) -> str:
    statement = supported.statement
    wording = draft.wording
    name = wording.name(statement.subject) if item.from_object else wording.object_name(statement)
    against = wording.knowledge.vocabulary.predicate(item.predicate).valence < 0
    if against and item.from_object and statement.qualifiers:
        return f"{name} ({wording.condition(statement)})"  # a condition is never dropped
    return wording.used(statement, name)


def _say_drugs(
    draft: Draft, item: Looked, affirmed: list[SupportedStatement], reviews: dict[str, DrugReview]
) -> bool:
    """Drugs recorded for a disease: those that are stopped for this person are never offered."""
    offered = [s for s in affirmed if not _excluded(s, reviews)]
    concept = draft.wording.knowledge.entities.get(item.focus.entity).concept
    if affirmed and (item.through or concept == "symptom"):
        draft.add_missing("not_from_symptoms")
    if affirmed and item.through:
        _say_way(draft, item)
    if item.through or concept != "symptom":
        for supported in affirmed:
            _add_candidate(draft, item, supported, excluded=_excluded(supported, reviews))
    names = [_other_name(draft, item, s) for s in offered or affirmed]
    subject = draft.wording.name(item.focus.entity)
    if affirmed and not offered:
        listed = draft.wording.join(names)
        text = draft.wording.say("all_stopped", subject=subject, list=listed)
        draft.add_sentence(text, _said(names, affirmed))
    if offered:
        text = draft.wording.say(
            f"asks.{item.predicate}_object", subject=subject, list=draft.wording.join(names)
        )
        draft.add_sentence(text, _said(names, offered))
    return bool(affirmed)


def _say_way(draft: Draft, item: Looked) -> None:
    """How the findings lead to a disease that the question does not name."""
    wording = draft.wording
    findings = wording.join([wording.object_name(s.statement) for s in item.through])
    disease = wording.name(item.focus.entity)
    said = wording.say("by_way_of", disease=disease, findings=findings)
    draft.add_sentence(said, item.through)


def _excluded(supported: SupportedStatement, reviews: dict[str, DrugReview]) -> bool:
    review = reviews.get(supported.statement.subject)
    return review is not None and review.excluded


def _add_candidate(
    draft: Draft, looked: Looked, supported: SupportedStatement, *, excluded: bool
) -> None:
    drug = draft.wording.knowledge.entities.get(supported.statement.subject)
    known = next((n for n, c in enumerate(draft.candidates) if c.entity.id == drug.id), None)
    if known is not None and not looked.through:
        return
    why = draft.rest_on([*looked.through, supported])
    if known is not None:  # several diseases lead to it
        candidate = draft.candidates[known]
        draft.candidates[known] = replace(candidate, why=(*candidate.why, *why))
        return
    stated = max(item.strength * item.confidence for item in supported.affirmed)
    score = looked.scores.get(drug.id, stated)
    draft.candidates.append(Candidate(drug, score, "excluded" if excluded else "possible", why))
