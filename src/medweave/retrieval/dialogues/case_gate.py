"""Whether past dialogues are looked for: what is asked of monographs alone is left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from medweave.model.inferred import Inferred
from medweave.model.material import Material
from medweave.model.question import FINDINGS, Question
from medweave.ports import StoreView

if TYPE_CHECKING:
    from medweave.vocabulary.dialogue_anchors import Anchor

_ELSE = ("disease", "symptom", "drug")
"""What monographs are about."""


class CasesWanted(NamedTuple):
    """That past dialogues are to be looked for, and how."""

    named: tuple[Anchor, ...]
    """Those that the question names as its context."""
    alone: bool
    """Whether the base holds dialogues and nothing else."""


def cases_wanted(
    question: Question, material: Material, inferred: Inferred, store: StoreView
) -> CasesWanted | None:
    """Past dialogues are looked for where the question names some, where somebody tells of
    findings of their own, where nothing else answers, and where there is nothing else.

    None where they are not: what measles is, no dialogue needs to say.
    """
    named = _named(question.text)
    alone = not any(store.count_mentioned_as(concept) for concept in _ELSE)
    reported = any(
        mention.status == "present"
        and mention.experiencer == "patient"
        and mention.concept in FINDINGS
        for mention in question.mentions
    )
    if named or alone or reported or not _answered(material, inferred):
        return CasesWanted(named, alone)
    return None


def _named(text: str) -> tuple[Anchor, ...]:
    if not any(map(str.isdigit, text)):  # every id has a digit
        return ()
    from medweave.vocabulary.dialogue_anchors import anchors_in

    return anchors_in(text)


def _answered(material: Material, inferred: Inferred) -> bool:
    """Whether what is not of dialogues says anything."""
    ranked = inferred.differential is not None and inferred.differential.ranked
    looked = any(item.statements for item in (*material.looked, *inferred.looked))
    reviewed = any(review.has_data for review in inferred.reviews)
    claimed = any(claim.found for claim in material.claimed)
    return bool(ranked or looked or reviewed or claimed or material.compared)
