"""Drugs where only symptoms are named: from symptoms to diseases to drugs.

Document K ranks drugs in the same walk as diseases. Here the walk ends at diseases, as in a
diagnosis, and takes one step more, from the best of them to the drugs recorded for them: a disease
shares out its score by the weights of these edges, and a drug's score is all that it is handed. So
every drug comes with the statements that lead to it. One symptom leads to no disease: a headache
is no ground to list what is recorded for pre-eclampsia. Whoever calls this holds the drugs against
the person: what is ranked high may still be stopped.
"""

from __future__ import annotations

from collections.abc import Iterable

from medweave.inference.differential import LEAST_FINDINGS
from medweave.model.edge import edge_of
from medweave.model.inferred import Differential, Ranked
from medweave.model.material import Focus, Looked
from medweave.model.statement import SupportedStatement
from medweave.vocabulary.knowledge import Knowledge

DISEASES = 3
"""The drugs of so many diseases are shown, the best by score."""
_DRUGS = ("drug", "drug_class")
_USE = "used_for"


def drugs_from_symptoms(found: Differential, knowledge: Knowledge) -> tuple[Looked, ...]:
    """For each of the best diseases, the drugs recorded for it, the best-scored first.

    Only diseases that show `LEAST_FINDINGS` of the findings are looked at.
    """
    shown = [r for r in found.ranked if r.by_name >= LEAST_FINDINGS and not r.ruled_out]
    best = [r for r in shown if r.score > 0][:DISEASES]
    recorded = {r.entity: _recorded(knowledge.same(r.entity), knowledge) for r in best}
    scores: dict[str, float] = {}
    for disease in best:
        for drug, share in _shares(recorded[disease.entity]).items():
            scores[drug] = scores.get(drug, 0.0) + disease.score * share
    return tuple(_looked(d, recorded[d.entity], scores, knowledge) for d in best)


def _recorded(names: Iterable[str], knowledge: Knowledge) -> list[SupportedStatement]:
    """The statements that a drug is used for a thing, which bears these names."""
    found = [s for name in names for s in knowledge.store.match(None, _USE, name)]
    drugs = knowledge.entities.all(s.statement.subject for s in found)
    return [s for s in found if drugs[s.statement.subject].concept in _DRUGS]


def _shares(recorded: Iterable[SupportedStatement]) -> dict[str, float]:
    """What a disease hands each of its drugs, of 1."""
    weights: dict[str, float] = {}
    for supported in recorded:
        edge = edge_of(supported)
        if edge is not None and edge.weight > 0:
            drug = supported.statement.subject
            weights[drug] = weights.get(drug, 0.0) + edge.weight
    whole = sum(weights.values())
    return {drug: weight / whole for drug, weight in weights.items()}


def _looked(
    disease: Ranked,
    recorded: Iterable[SupportedStatement],
    scores: dict[str, float],
    knowledge: Knowledge,
) -> Looked:
    ordered = sorted(recorded, key=lambda s: -scores.get(s.statement.subject, 0.0))
    through = knowledge.store.statements(disease.why)
    focus = Focus(knowledge.same(disease.entity))
    return Looked("drug", focus, _USE, True, tuple(ordered), scores, tuple(through))
