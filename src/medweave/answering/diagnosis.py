"""Answers to "what is it?": the ranked list, what leads if anything does, what would settle it."""

from __future__ import annotations

from medweave.answering.draft import Draft
from medweave.answering.properties import named_in
from medweave.model.answer import Candidate, Path
from medweave.model.edge import statement_number
from medweave.model.inferred import Differential, Ranked
from medweave.model.question import Question
from medweave.model.statement import SupportedStatement

_MAX_PATHS = 12


def say_diagnosis(draft: Draft, question: Question, found: Differential, *, limit: int) -> None:
    """Always a ranked list; a leading disease is named only when it leads clearly."""
    wording = draft.wording
    present = [
        m for m in question.of_concept("symptom", "disease")
        if m.status == "present" and m.experiencer == "patient"
    ]  # fmt: skip
    if not found.ranked and not present:
        draft.add_missing("no_findings")
        draft.unmet += 1
        return
    if not found.ranked:
        names = wording.join([wording.name(m.entity) for m in present])
        draft.add_missing("no_disease", findings=names)
        draft.unmet += 1
        return
    for ranked in found.ranked[:limit]:
        _add_candidate(draft, ranked)
    if not any(ranked.findings for ranked in found.ranked[:limit]):
        draft.add_missing("by_words", words=wording.join(_words(found.ranked[:limit])))
    draft.unlisted += len(found.ranked[limit:])
    if found.clear:
        _say_best(draft, found.ranked[0])
    else:
        _say_unclear(draft, found)
    if found.settling:
        names = wording.join([wording.name(entity) for entity in found.settling])
        draft.add_missing("settle", list=names)


def _supported(draft: Draft, numbers: tuple[int, ...]) -> list[SupportedStatement]:
    return draft.wording.knowledge.store.statements(numbers)


def _words(some: tuple[Ranked, ...]) -> list[str]:
    """The words of the question that lead to these, as they were written."""
    return list(dict.fromkeys(f"“{shared.word.text}”" for r in some for shared in r.words))


def _add_candidate(draft: Draft, ranked: Ranked) -> None:
    why = _supported(draft, (*ranked.why, *(shared.statement for shared in ranked.words)))
    identifiers = {statement_number(s.statement.id): s.statement.id for s in why}
    draft.candidates.append(
        Candidate(
            entity=draft.wording.knowledge.entities.get(ranked.entity),
            score=ranked.score,
            status="excluded" if ranked.ruled_out else "possible",
            why=draft.rest_on(why),
            words=tuple((s.word.text, identifiers[s.statement]) for s in ranked.words),
        )
    )
    for supported in why:
        if len(draft.paths) < _MAX_PATHS:
            finding = str(supported.statement.object)
            draft.paths.append(Path(finding, ranked.entity, (supported.statement.id,)))


def _say_best(draft: Draft, best: Ranked) -> None:
    wording = draft.wording
    disease = wording.name(best.entity)
    why = _supported(draft, best.why)
    findings = wording.join([wording.object_name(s.statement) for s in why])
    draft.add_sentence(wording.say("diagnosis_best", disease=disease, findings=findings), why)
    against = _supported(draft, best.against)
    if against:
        names = wording.join([wording.object_name(s.statement) for s in against])
        said = wording.say("diagnosis_against", disease=disease, list=names)
        draft.add_sentence(said, against)
    recorded = wording.knowledge.store.match(best.entity, "has_symptom")
    symptoms = sorted((s for s in recorded if s.affirmed), key=_first_place)
    if symptoms:
        listed = [wording.object_name(s.statement) for s in symptoms]
        said = wording.say("diagnosis_symptoms", disease=disease, list=wording.join(listed))
        draft.add_sentence(said, named_in(listed, symptoms))


def _first_place(supported: SupportedStatement) -> int:
    """Monographs begin with what is typical."""
    return min(item.place.start for item in supported.affirmed)


def _say_unclear(draft: Draft, found: Differential) -> None:
    draft.unmet += 1
    open_ = [ranked for ranked in found.ranked if not ranked.ruled_out]
    if len(open_) > 1:
        first, second = (draft.wording.name(ranked.entity) for ranked in open_[:2])
        draft.add_missing("unclear", first=first, second=second)
