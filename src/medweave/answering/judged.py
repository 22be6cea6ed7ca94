"""Medicines that are each judged, and of which no stop tells: none is passed over in silence."""

from __future__ import annotations

from collections.abc import Iterable

from medweave.answering.draft import Draft
from medweave.model.inferred import DrugReview


def say_what_is_not_stopped(draft: Draft, reviews: Iterable[DrugReview]) -> None:
    """The medicines of which nothing that is recorded speaks against them here."""
    left = [
        draft.wording.name(review.drug.entity)
        for review in reviews
        if review.has_data and not (review.excluded or review.needs_care)
    ]
    if left:
        draft.add_direct("not_stopped", drugs=draft.wording.join(left))
