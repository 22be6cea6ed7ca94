"""A disease and its kinds in one ranking: the kind is told, and not what it is a kind of."""

from __future__ import annotations

from dataclasses import replace

from medweave.inference.safety.lineage import lineages_in
from medweave.model.inferred import Ranked
from medweave.vocabulary.knowledge import Knowledge

_LOOKED_AT = 12
"""So many of a ranking are looked at, the best."""


def behind_their_kinds(ranked: tuple[Ranked, ...], knowledge: Knowledge) -> tuple[Ranked, ...]:
    """The ranking with each disease behind the best of its kinds, where that shows as many findings.

    Gout is arthritis: "arthritis or gout" tells nobody more than "gout".
    """
    best = [one for one in ranked[:_LOOKED_AT] if one.findings and not one.ruled_out]
    lineages = lineages_in(knowledge)
    above = {one.entity: lineages.of_condition(one.entity) for one in best}
    order = list(ranked)
    for wide in best:
        same = set(knowledge.same(wide.entity))
        kinds = [
            kind
            for kind in best
            if kind.entity not in same
            and same & (above[kind.entity] - set(knowledge.same(kind.entity)))
            and kind.findings >= wide.findings
        ]
        if kinds:
            order.remove(wide)
            behind = max(order.index(kinds[0]), 0) + 1
            score = min(wide.score, kinds[0].score)
            order.insert(behind, replace(wide, wider=True, score=score))
    return tuple(order)
