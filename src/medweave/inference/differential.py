"""Which diseases fit the findings: ranking, what speaks against, and what would settle it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import nsmallest
from math import log

from medweave.inference.local_push import Reached, push, read
from medweave.model.edge import Edge, thing_number
from medweave.model.inferred import Differential, Ranked
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.vocabulary import Predicate

MARGIN = 0.03
"""How far the best must lead the second, as a share of the best, for an answer to name it."""
FINDINGS_NEEDED = 2
"""Findings that must join the best to the question: one alone names nothing."""
ABSENT_PENALTY = 0.5
"""What remains of a score when a main symptom (strength 1) is said to be absent."""
DAMPING = 0.3
"""How far the walk wanders from the findings. Measured: document K's 0.85 puts what is central in
the base before what fits (decision 0009)."""
RANKED = 50
"""So many diseases are looked at more closely, the best by score."""
MOST_DISEASES = 10_000
"""So many diseases are read of one finding; more than that, and it tells them apart no longer."""
_SETTLING = 3


def differential(
    present: tuple[tuple[str, ...], ...], absent: tuple[tuple[str, ...], ...], knowledge: Knowledge
) -> Differential:
    """Diseases ranked by the findings that are present.

    A finding is given by all entities that it may be. A disease that is itself a finding is not
    offered as its own explanation. Findings that few diseases have weigh more (inverse document
    frequency).
    """
    findings = _Findings.of(present, absent)
    reached = _walk(findings, knowledge)
    shown = _shown(reached, findings)
    diseases = _diseases(reached.scores, shown, findings, knowledge)
    found = [_ranked(disease, reached.scores, shown, findings) for disease in diseases]
    ranked = tuple(sorted(found, key=lambda r: (r.ruled_out, -r.score, r.entity)))
    open_ = tuple(r for r in ranked if not r.ruled_out)
    margin = _margin(open_)
    clear = bool(open_) and margin >= MARGIN and open_[0].findings >= FINDINGS_NEEDED
    leading = [_disease_of(r, diseases) for r in open_[:2]]
    return Differential(ranked, margin, clear, _settling(leading, findings, knowledge))


def _walk(findings: _Findings, knowledge: Knowledge) -> Reached:
    """The scores of everything the findings lead to."""
    predicates = _walked(knowledge)

    def edges_of(things: Iterable[int]) -> list[Edge]:
        return knowledge.store.edges(things, predicates, cap=MOST_DISEASES)

    def degrees_of(things: Iterable[int]) -> dict[int, int]:
        return knowledge.store.degrees(things, predicates)

    reached = Reached()
    read(edges_of, (*findings.present, *findings.absent), reached)
    seeds = _seeds(reached, findings, knowledge.mentioned_as("disease"))
    return push(edges_of, seeds, alpha=DAMPING, degrees_of=degrees_of, reached=reached)


@dataclass(frozen=True, slots=True)
class _Findings:
    """What is present and absent, by number; which numbers are one and the same finding."""

    present: tuple[int, ...]
    absent: tuple[int, ...]
    finding: Mapping[int, int]

    @classmethod
    def of(
        cls, present: tuple[tuple[str, ...], ...], absent: tuple[tuple[str, ...], ...]
    ) -> _Findings:
        numbered = [
            [tuple(map(thing_number, names)) for names in some] for some in (present, absent)
        ]
        finding: dict[int, int] = {}
        for names in (*numbered[0], *numbered[1]):
            known = next((finding[n] for n in names if n in finding), names[0])
            for n in names:
                finding.setdefault(n, known)
        flat = [tuple(dict.fromkeys(n for names in some for n in names)) for some in numbered]
        return cls(flat[0], flat[1], finding)


def _walked(knowledge: Knowledge) -> list[str]:
    """The predicates that join diseases to what shows of them."""
    vocabulary = knowledge.vocabulary
    return [
        name
        for name in vocabulary.of_valence(1)
        if _joins_diseases_to_findings(vocabulary.predicate(name))
    ]


def _joins_diseases_to_findings(predicate: Predicate) -> bool:
    return "disease" in predicate.domain and not {"disease", "symptom"}.isdisjoint(predicate.range)


def _seeds(reached: Reached, findings: _Findings, total: int) -> dict[int, float]:
    """Restart weights: idf times size, because each step divides by the size again.

    So the first step gives every disease the idf votes of the findings it has.
    """
    weights = {}
    for finding in findings.present:
        edges = reached.edges(finding)
        having = {edge.subject for edge in edges if edge.object == finding}
        if having:
            idf = log(1 + max(total, len(having)) / len(having))
            weights[finding] = idf * reached.around[finding].size
    whole = sum(weights.values())
    return {finding: weight / whole for finding, weight in weights.items()}


@dataclass(frozen=True, slots=True)
class _Disease:
    """One disease, by whatever identifiers, the best-scored first."""

    entities: tuple[str, ...]
    numbers: tuple[int, ...]


_Shown = Mapping[int, Mapping[int, list[Edge]]]
"""By finding and disease, the edges that say so."""


def _shown(reached: Reached, findings: _Findings) -> _Shown:
    shown: dict[int, dict[int, list[Edge]]] = {}
    for finding in (*findings.present, *findings.absent):
        by_disease = shown.setdefault(finding, {})
        for edge in reached.edges(finding):
            if edge.object == finding:
                by_disease.setdefault(edge.subject, []).append(edge)
    return shown


def _diseases(
    scores: Mapping[int, float], shown: _Shown, findings: _Findings, knowledge: Knowledge
) -> list[_Disease]:
    """The diseases that show any of the findings, the best-scored first, each thing once."""
    showing = {thing for f in findings.present for thing in shown[f]}.difference(findings.present)
    # Twice as many as are wanted, because not all of them are diseases.
    best = nsmallest(2 * RANKED, showing, key=lambda thing: (-scores.get(thing, 0.0), thing))
    names = knowledge.store.identifiers(best)
    resolved = knowledge.entities.all([names[thing] for thing in best])
    diseases = [entity for entity in resolved if "disease" in resolved[entity].concepts]
    groups: list[list[str]] = []
    for entity, same in knowledge.alike(diseases[:RANKED]).items():
        group = next((g for g in groups if not set(g).isdisjoint(same)), None)
        if group is None:
            groups.append([entity])
        else:
            group.append(entity)
    return [_Disease(tuple(g), tuple(map(thing_number, g))) for g in groups]


def _shows(disease: _Disease, finding: int, shown: _Shown) -> list[Edge]:
    """The edges by which a disease shows a finding, the strongest first."""
    found = [edge for number in disease.numbers for edge in shown[finding].get(number, ())]
    return sorted(found, key=lambda edge: (-edge.weight, edge.statement))


def _ranked(
    disease: _Disease, scores: Mapping[int, float], shown: _Shown, findings: _Findings
) -> Ranked:
    score = sum(scores.get(number, 0.0) for number in disease.numbers)
    against = [edge for f in findings.absent for edge in _shows(disease, f, shown)[:1]]
    for edge in against:
        score *= 1 - (1 - ABSENT_PENALTY) * edge.weight
    why = [edge for f in findings.present for edge in _shows(disease, f, shown)]
    return Ranked(
        disease.entities[0],
        score,
        tuple(edge.statement for edge in why),
        tuple(edge.statement for edge in against),
        findings=len({findings.finding[edge.object] for edge in why}),
        ruled_out=not set(disease.numbers).isdisjoint(findings.absent),
    )


def _disease_of(ranked: Ranked, diseases: list[_Disease]) -> _Disease:
    return next(disease for disease in diseases if disease.entities[0] == ranked.entity)


def _margin(ranked: tuple[Ranked, ...]) -> float:
    if not ranked or ranked[0].score <= 0:
        return 0.0
    second = ranked[1].score if len(ranked) > 1 else 0.0
    return (ranked[0].score - second) / ranked[0].score


def _settling(
    leading: list[_Disease], findings: _Findings, knowledge: Knowledge
) -> tuple[str, ...]:
    """Findings not yet spoken of that only one of the two leading diseases shows.

    Those that sources name first come first: monographs begin with what is typical.
    """
    if len(leading) < 2:  # noqa: PLR2004 - two are needed to differ
        return ()
    first, second = (_symptoms(disease, knowledge) for disease in leading)
    known = set(findings.finding)
    differing = {
        symptom: place
        for one, other in ((first, second), (second, first))
        for symptom, place in one.items()
        if symptom not in other and thing_number(symptom) not in known
    }
    return tuple(sorted(differing, key=lambda s: (differing[s], s)))[:_SETTLING]


def _symptoms(disease: _Disease, knowledge: Knowledge) -> dict[str, int]:
    """What a disease shows, and how early its sources say so."""
    return {
        supported.statement.object_entity: min(item.place.start for item in supported.affirmed)
        for entity in disease.entities
        for supported in knowledge.store.match(entity, "has_symptom")
        if supported.affirmed and supported.statement.object_entity is not None
    }
