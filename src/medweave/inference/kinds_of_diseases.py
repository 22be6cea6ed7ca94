"""A disease and its kinds in one ranking: the kind is told, and not what it is a kind of."""

from __future__ import annotations

from dataclasses import replace

from medweave.inference.safety.lineage import lineages_in
from medweave.model.inferred import Ranked
from medweave.vocabulary.knowledge import Knowledge

_LOOKED_AT = 12
"""So many of a ranking are looked at, the best."""


def behind_their_kinds(ranked: tuple[Ranked, ...], knowledge: Knowledge) -> tuple[Ranked, ...]:
    """The ranking with each disease behind a kind of it that shows as many of the findings.

    Gout is arthritis: "arthritis or gout" tells nobody more than "gout".
    """
    best = [one for one in ranked[:_LOOKED_AT] if one.findings and not one.ruled_out]
    lineages = lineages_in(knowledge)
    lineages.expect_conditions(one.entity for one in best)
    above = {one.entity: lineages.of_condition(one.entity) for one in best}
    order = {one.entity: one for one in ranked}
    for wide in best:
        same = set(knowledge.same(wide.entity))
        kind = next(
            (
                one
                for one in best
                if one.entity not in same
                and same & (above[one.entity] - set(knowledge.same(one.entity)))
                and one.findings >= wide.findings
            ),
            None,
        )
        if kind is not None:
            score = min(wide.score, kind.score)
            order[wide.entity] = replace(wide, wider=True, score=score)
    return tuple(sorted(order.values(), key=lambda one: (one.ruled_out, -one.score, one.wider)))
