"""Answers to "what is it?": what leads or fits, what tells it apart; where many fit, questions."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from types import MappingProxyType

from medweave.answering.draft import Draft
from medweave.answering.properties import named_in
from medweave.model.answer import Candidate, Path, Taken
from medweave.model.edge import statement_number
from medweave.model.inferred import FEW, RARE, Differential, Ranked
from medweave.model.question import Question
from medweave.model.statement import SupportedStatement
from medweave.model.weighing import Point, WeighedDisease, Weighing

_MAX_PATHS = 12
_BESIDE = 2
"""Diseases that are weighed beside one that leads clearly."""
_TYPICAL = 3
"""Of a disease's findings, so many at least are typical: those its sources begin with."""
_MOST = 0.5
_NEAR = 0.2
"""The part of the best score from which a disease is weighed beside what the whole is told like."""
_APART = 3
"""Findings that would tell them apart, for each disease."""


def say_diagnosis(draft: Draft, question: Question, found: Differential, *, limit: int) -> None:
    """A ranked list; a leading disease is named only when it leads clearly, else those that fit."""
    present = [
        m for m in question.of_concept("symptom", "disease")
        if m.status == "present" and m.experiencer == "patient"
    ]  # fmt: skip
    _say_supposed(draft, question, asking=not (found.likened and found.clear))
    if not found.ranked:
        _say_no_disease(draft, [draft.wording.name(m.entity) for m in present])
        return
    for ranked in found.ranked[:limit]:
        _add_candidate(draft, ranked)
    if not (found.likened or any(ranked.findings for ranked in found.ranked[:limit])):
        words = draft.wording.join(_words(found.ranked[:limit]))
        draft.add_missing("by_words", words=words)
        draft.unmet += 1
        return
    if found.likened:
        _say_likened(draft, found)
    else:
        _say_by_findings(draft, question, found)
    if found.settling:
        names = draft.wording.either([draft.wording.name(entity) for entity in found.settling])
        draft.add_missing("settle", list=names)


def _say_by_findings(draft: Draft, question: Question, found: Differential) -> None:
    """What leads or fits by its findings; or that too many do."""
    alike = _alike(draft, found)
    if found.clear or len(alike) <= FEW:
        _say_few(draft, found, alike)
    else:
        _say_too_many(draft, found, alike)
        _say_unread(draft, question)


def _say_likened(draft: Draft, found: Differential) -> None:
    """What the whole is told like: the one that it surely is, or a few."""
    if found.clear:
        best = found.fitting[0]
        near = [ranked for ranked in found.fitting if ranked.score > _NEAR * best.score]
        weighed = near[: 1 + _BESIDE]
        _say_best(draft, best, told="told_")
    else:
        weighed = list(found.alike)
        names = draft.wording.join([draft.wording.name(one.entity) for one in weighed])
        stated = [s for one in weighed for s in _spoken_for(draft, one)]
        draft.add_sentence(draft.wording.say("diagnosis_told_alike", diseases=names), stated)
    _say_weighed(draft, found, weighed)


def _spoken_for(draft: Draft, ranked: Ranked) -> list[SupportedStatement]:
    """What joins a disease to what was told; where no finding does, what is typical of it."""
    return (
        _supported(draft, ranked.why) or list(_symptoms(draft, ranked.entity).values())[:_TYPICAL]
    )


def _say_supposed(draft: Draft, question: Question, *, asking: bool) -> None:
    """By which words findings are supposed; where `asking`, also which words may mean one."""
    for one in question.supposed:
        name = draft.wording.name(one.entities[0])
        if one.counts:
            text = draft.wording.say("taken.supposed", words=one.text, name=name)
            draft.taken.append(Taken(text, one.entities[0], how="supposed"))
        elif asking:
            draft.add_missing("supposed", words=one.text, name=name)


def _say_no_disease(draft: Draft, findings: list[str]) -> None:
    if findings:
        draft.add_missing("no_disease", findings=draft.wording.join(findings))
    elif not draft.sentences:
        draft.add_missing("no_findings")
    draft.unmet += 1


def _alike(draft: Draft, found: Differential) -> list[Ranked]:
    """Those that show as many findings as the best, and have nothing typical that is denied."""
    return [ranked for ranked in found.alike if not _telling(draft, ranked)]


def _say_few(draft: Draft, found: Differential, alike: list[Ranked]) -> None:
    """The one that leads, with a few beside it; or those that fit alike."""
    if found.clear:
        weighed = list(found.fitting[: 1 + _BESIDE])
        _say_best(draft, found.ranked[0])
    else:
        weighed = alike if len(alike) > 1 else list(found.near)
        _say_unclear(draft, weighed)
    _say_weighed(draft, found, weighed)


def _say_weighed(draft: Draft, found: Differential, weighed: list[Ranked]) -> None:
    """What speaks for each, and whether the first should be seen the same day."""
    draft.weighing = _weigh(draft, found, weighed)
    if found.same_day:
        draft.add_missing("same_day", disease=draft.wording.name(weighed[0].entity))


def _say_too_many(draft: Draft, found: Differential, alike: list[Ranked]) -> None:
    """That what was told is too little to name a disease, and what each question would speak for.

    A list of many that fit alike is no answer: its first are right by chance.
    """
    draft.unmet += 1
    wording = draft.wording
    spoken_for: dict[str, str] = {}
    for finding in found.settling:
        showing = (r.entity for r in alike if finding in _symptoms(draft, r.entity))
        first = next((entity for entity in showing if entity not in spoken_for), None)
        if first is not None:
            spoken_for[first] = finding
    weighed = [ranked for ranked in alike if ranked.entity in spoken_for]
    why = [s for ranked in weighed or alike[:FEW] for s in _supported(draft, ranked.why)]
    findings = wording.join([wording.object_name(s.statement) for s in why])
    draft.add_sentence(wording.say("diagnosis_many", findings=findings, n=len(alike)), why)
    draft.weighing = _weigh(draft, found, weighed, spoken_for)


def _say_unread(draft: Draft, question: Question) -> None:
    """What was told besides and not read as a finding."""
    if question.unread_clauses:
        words = draft.wording.join([f"“{clause}”" for clause in question.unread_clauses])
        draft.add_missing("unread_clauses", words=words)


def _weigh(
    draft: Draft,
    found: Differential,
    weighed: list[Ranked],
    spoken_for: Mapping[str, str] = MappingProxyType({}),
) -> Weighing:
    """What speaks for and against each, and what is recorded for it alone; first of all that by
    which it is `spoken_for`."""
    symptoms = [_symptoms(draft, ranked.entity) for ranked in weighed]
    spoken = {s.statement.object for r in weighed for s in _supported(draft, (*r.why, *r.against))}
    diseases = []
    for at, ranked in enumerate(weighed):
        others = {end for other in symptoms[:at] + symptoms[at + 1 :] for end in other}
        own = [end for end in symptoms[at] if end not in others and end not in spoken]
        asked = spoken_for.get(ranked.entity)
        first = [] if asked is None else [asked]
        also = [symptoms[at][end] for end in dict.fromkeys((*first, *own))]
        diseases.append(
            WeighedDisease(
                draft.wording.knowledge.entities.get(ranked.entity),
                _points(draft, _supported(draft, ranked.why)),
                _points(draft, _telling(draft, ranked)),
                _points(draft, also[:_APART]),
            )
        )
    entity = draft.wording.knowledge.entities.get
    apart = tuple(entity(finding) for finding in found.settling)
    return Weighing(tuple(diseases), found.clear, apart)


def _telling(draft: Draft, ranked: Ranked) -> list[SupportedStatement]:
    """What is denied and speaks against a disease: what most have who have it, by its frequency or
    by where sources begin. A bladder infection without a fever is none the less one."""
    if not ranked.against:
        return []
    recorded = list(_symptoms(draft, ranked.entity))
    typical = set(recorded[: max(_TYPICAL, len(recorded) // 3)])
    return [
        s
        for s in _supported(draft, ranked.against)
        if str(s.statement.object) in typical or _often(s)
    ]


def _often(supported: SupportedStatement) -> bool:
    """Whether a frequency is recorded, and it is that of most."""
    strength = max((item.strength for item in supported.affirmed), default=0.0)
    return _MOST <= strength < 1


def _points(draft: Draft, found: list[SupportedStatement]) -> tuple[Point, ...]:
    draft.rest_on(found)
    entity = draft.wording.knowledge.entities.get
    points = {
        end: Point(entity(end), s.statement.id)
        for s in found
        if (end := s.statement.object_entity) is not None
    }
    return tuple(points.values())


def _symptoms(draft: Draft, disease: str) -> dict[str, SupportedStatement]:
    """What is recorded for a disease, what is typical first."""
    recorded = draft.wording.knowledge.store.match(disease, "has_symptom")
    affirmed = sorted((s for s in recorded if s.affirmed), key=attrgetter("first_affirmed"))
    return {str(s.statement.object): s for s in affirmed}


def _supported(draft: Draft, numbers: tuple[int, ...]) -> list[SupportedStatement]:
    return draft.wording.knowledge.store.statements(numbers)


def _words(some: tuple[Ranked, ...]) -> list[str]:
    """The words of the question that lead to these, as they were written."""
    return list(dict.fromkeys(f"“{shared.word.text}”" for r in some for shared in r.words))


def _add_candidate(draft: Draft, ranked: Ranked) -> None:
    why = _supported(draft, (*ranked.why, *(shared.statement for shared in ranked.words)))
    common = _supported(draft, ranked.how_common)
    identifiers = {statement_number(s.statement.id): s.statement.id for s in why}
    draft.candidates.append(
        Candidate(
            entity=draft.wording.knowledge.entities.get(ranked.entity),
            score=ranked.score,
            status="excluded" if ranked.ruled_out else "possible",
            why=draft.rest_on(why),
            words=tuple((s.word.text, identifiers[s.statement]) for s in ranked.words),
            how_common=draft.rest_on(common),
        )
    )
    for supported in why:
        if len(draft.paths) < _MAX_PATHS:
            finding = str(supported.statement.object)
            draft.paths.append(Path(finding, ranked.entity, (supported.statement.id,)))


def _say_best(draft: Draft, best: Ranked, *, told: str = "") -> None:
    wording = draft.wording
    disease = wording.name(best.entity)
    why = _spoken_for(draft, best)
    findings = wording.join([wording.object_name(s.statement) for s in why])
    key = f"diagnosis_{told}best" if best.findings else "diagnosis_told_only"
    draft.add_sentence(wording.say(key, disease=disease, findings=findings), why)
    against = _telling(draft, best)
    if against:
        names = wording.join([wording.object_name(s.statement) for s in against])
        sentence = wording.say("diagnosis_against", disease=disease, list=names)
        draft.add_sentence(sentence, against)
    symptoms = list(_symptoms(draft, best.entity).values())
    if symptoms:
        listed = [wording.object_name(s.statement) for s in symptoms]
        sentence = wording.say("diagnosis_symptoms", disease=disease, list=wording.join(listed))
        draft.add_sentence(sentence, named_in(listed, symptoms))


def _say_unclear(draft: Draft, weighed: list[Ranked]) -> None:
    """That several fit is the answer, with what they have in common."""
    draft.unmet += 1
    wording = draft.wording
    why = [s for ranked in weighed for s in _supported(draft, ranked.why)]
    findings = wording.join([wording.object_name(s.statement) for s in why])
    names = wording.join([wording.name(ranked.entity) for ranked in weighed])
    rare = len(why) == 1 and all(ranked.rarity >= RARE for ranked in weighed)
    one = "diagnosis_one_rare" if rare else "diagnosis_one"
    key = one if len(weighed) == 1 else "diagnosis_alike"
    draft.add_sentence(wording.say(key, diseases=names, findings=findings), why)
