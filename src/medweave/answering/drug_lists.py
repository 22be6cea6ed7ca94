"""Drugs recorded for something, grouped by what is known of this person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from medweave.answering.draft import Draft
from medweave.answering.safety import by_the_pair, condition_of, grounds
from medweave.answering.wording import Wording
from medweave.model.drug_list import DrugGroup, DrugList, DrugStanding, ListedDrug
from medweave.model.inferred import DrugReview, StopFinding
from medweave.model.statement import TREATMENT_LINES, SupportedStatement, treatment_line
from medweave.vocabulary.commonly_used import place_in_use

_NAMED = 3
"""Further reasons are left to the stops."""


def list_drugs(
    draft: Draft,
    about: str,
    recorded: list[SupportedStatement],
    reviews: Mapping[str, DrugReview],
    of_class: str = "",
) -> None:
    """Add a list of the drugs recorded for a thing, each once: first choices first, then what most
    people meet."""
    entities = draft.wording.knowledge.entities
    is_class = entities.get(about).concept == "drug_class"  # what its members are for is not asked
    groups: dict[DrugStanding, list[ListedDrug]] = {name: [] for name in get_args(DrugStanding)}
    by_drug: dict[str, list[SupportedStatement]] = {}
    for supported in recorded:
        by_drug.setdefault(supported.statement.subject, []).append(supported)
    for drug, statements in by_drug.items():
        review = reviews.get(drug)
        standing = standing_of(review)
        by_name = is_class and all(found.statement.predicate == "used_for" for found in statements)
        if by_name and standing == "not_stopped":
            standing = "no_data"  # nothing of its own is recorded, and little of a whole class
        findings = _reasons(review, standing)
        groups[standing].append(
            ListedDrug(
                entities.get(drug),
                draft.rest_on(statements),
                reason_in_short(draft.wording, findings),
                grounds(draft, findings),
                "" if is_class else treatment_line(found.statement for found in statements),
            )
        )
    for some in groups.values():
        some.sort(key=lambda one: (TREATMENT_LINES.index(one.line), place_in_use(one.entity.id)))
    found = tuple(DrugGroup(name, tuple(drugs)) for name, drugs in groups.items() if drugs)
    wanted = entities.get(of_class) if of_class else None
    listed = DrugList(entities.get(about), found, wanted)
    if listed not in draft.drugs:  # a disease and its kind have one list
        draft.drugs.append(listed)


def standing_of(review: DrugReview | None) -> DrugStanding:
    """What is known of a drug for this person; silence is not safety."""
    if review is None:
        return "no_data"
    if review.excluded:
        return "stopped"
    if review.needs_care:
        return "with_care"
    return "not_stopped" if review.has_data else "no_data"


def _reasons(review: DrugReview | None, standing: DrugStanding) -> list[StopFinding]:
    if review is None or standing not in ("stopped", "with_care"):
        return []
    met = [f for f in review.findings if f.holds or f.touched]
    if standing == "with_care":
        return met
    return [f for f in met if f.hard and (f.holds or f.likely)]


def reason_in_short(wording: Wording, findings: list[StopFinding]) -> str:
    """The conditions alone: "peptic ulcer", "with warfarin", "allergy to penicillins"."""
    reasons = []
    for finding in by_the_pair(wording, findings):
        if finding.topic == "allergy" and finding.facts:
            allergen = wording.name(finding.facts[0].entities[0])
            reasons.append(wording.say("conditions.allergy", name=allergen))
        elif finding.topic == "drugs":
            other = finding.facts[0].entities[0] if finding.holds else ""
            name = wording.name(other) if other else condition_of(wording, finding)
            reasons.append(wording.say("drug_list.with", name=name))
        else:
            reasons.append(condition_of(wording, finding))
    return wording.join(reasons, limit=_NAMED)
