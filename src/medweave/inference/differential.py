"""Which diseases fit the findings: ranking, what speaks against, and what would settle it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log

from medweave.inference.path_ranking import Edge, edges_of, rank
from medweave.model.inferred import Differential, Ranked
from medweave.model.statement import SupportedStatement

MARGIN = 0.03
"""How far the best must lead the second, as a share of the best, for an answer to name it."""
FINDINGS_NEEDED = 2
"""Findings that must join the best to the question: one alone names nothing."""
ABSENT_PENALTY = 0.5
"""What remains of a score when a main symptom (strength 1) is said to be absent."""
DAMPING = 0.3
"""How far the walk wanders from the findings. Measured: document K's 0.85 puts what is central in
the base before what fits (decision 0009)."""
_SETTLING = 3


def differential(
    statements: Iterable[SupportedStatement],
    present: tuple[str, ...],
    absent: tuple[str, ...],
    diseases: frozenset[str],
    *,
    total_diseases: int,
) -> Differential:
    """Diseases ranked by the findings that are present.

    `diseases` says which things of the sub-graph are diseases; a disease that is itself a finding
    is not offered as its own explanation. Findings that few diseases have weigh more (inverse
    document frequency).
    """
    supported = list(statements)
    edges = edges_of(supported)
    sizes = _sizes(edges)
    scores = rank(edges, _seeds(edges, sizes, present, diseases, total_diseases), alpha=DAMPING)
    direct = _direct(edges, diseases)
    found = [
        _ranked(disease, scores[disease], direct.get(disease, {}), present, absent)
        for disease in sorted(scores)
        if disease in diseases and disease not in present
    ]
    ranked = tuple(
        sorted((r for r in found if r.why), key=lambda r: (r.ruled_out, -r.score, r.entity))
    )
    open_ = tuple(r for r in ranked if not r.ruled_out)
    margin = _margin(open_)
    known = frozenset((*present, *absent))
    clear = bool(open_) and margin >= MARGIN and len(open_[0].why) >= FINDINGS_NEEDED
    return Differential(ranked, margin, clear, _settling(open_, direct, known, supported))


def _sizes(edges: list[Edge]) -> dict[str, float]:
    """The total weight of the edges at each thing."""
    sizes: dict[str, float] = {}
    for edge in edges:
        for end in (edge.source, edge.target):
            sizes[end] = sizes.get(end, 0.0) + edge.weight
    return sizes


def _seeds(
    edges: list[Edge],
    sizes: Mapping[str, float],
    present: tuple[str, ...],
    diseases: frozenset[str],
    total: int,
) -> dict[str, float]:
    """Restart weights: idf times size, because each step divides by the size again.

    So the first step gives every disease the idf votes of the findings it has.
    """
    touching: dict[str, set[str]] = {finding: set() for finding in present}
    for edge in edges:
        if edge.target in touching and edge.source in diseases:
            touching[edge.target].add(edge.source)
    weights = {
        finding: log(1 + total / len(joined)) * sizes[finding]
        for finding, joined in touching.items()
        if joined
    }
    whole = sum(weights.values())
    return {finding: weight / whole for finding, weight in weights.items()}


def _direct(edges: list[Edge], diseases: frozenset[str]) -> dict[str, dict[str, Edge]]:
    """For each disease, the edge to each thing it shows."""
    found: dict[str, dict[str, Edge]] = {}
    for edge in edges:
        if edge.source in diseases:
            kept = found.setdefault(edge.source, {})
            if edge.target not in kept or kept[edge.target].weight < edge.weight:
                kept[edge.target] = edge
    return found


def _ranked(
    disease: str,
    score: float,
    shows: Mapping[str, Edge],
    present: tuple[str, ...],
    absent: tuple[str, ...],
) -> Ranked:
    against = [shows[finding] for finding in absent if finding in shows]
    for edge in against:
        score *= 1 - (1 - ABSENT_PENALTY) * edge.weight
    why = tuple(shows[finding].statement for finding in present if finding in shows)
    denied = tuple(edge.statement for edge in against)
    return Ranked(disease, score, why, denied, ruled_out=disease in absent)


def _margin(ranked: tuple[Ranked, ...]) -> float:
    if not ranked or ranked[0].score <= 0:
        return 0.0
    second = ranked[1].score if len(ranked) > 1 else 0.0
    return (ranked[0].score - second) / ranked[0].score


def _settling(
    ranked: tuple[Ranked, ...],
    direct: Mapping[str, Mapping[str, Edge]],
    known: frozenset[str],
    supported: list[SupportedStatement],
) -> tuple[str, ...]:
    """Findings not yet spoken of that only one of the two leading diseases shows.

    Those that sources name first come first: monographs begin with what is typical.
    """
    if len(ranked) < 2:  # noqa: PLR2004 - two are needed to differ
        return ()
    first, second = (direct.get(r.entity, {}) for r in ranked[:2])
    symptoms = {s.statement.id for s in supported if s.statement.predicate == "has_symptom"}
    differing = [
        edge
        for one, other in ((first, second), (second, first))
        for finding, edge in one.items()
        if finding not in other and finding not in known and edge.statement in symptoms
    ]
    early = {s.statement.id: min(e.place.start for e in s.evidence) for s in supported}
    ordered = sorted(differing, key=lambda edge: (early[edge.statement], edge.target))
    return tuple(dict.fromkeys(edge.target for edge in ordered))[:_SETTLING]
