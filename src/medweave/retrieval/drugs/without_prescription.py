"""Lists of what is sold without a prescription, where that is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from medweave.model.material import Looked
from medweave.model.question import Question
from medweave.retrieval.drugs.list_wording import says
from medweave.vocabulary.commonly_used import bought

_OF_DRUGS = ("used_for", "used_to_prevent", "in_class", "contraindicated_in", "caution_in")


def only_sold_freely(question: Question, looked: Iterable[Looked]) -> list[Looked]:
    """What was looked up; where somebody asks what they can buy, the lists hold what is sold
    without a prescription in many countries. A list of none of that stays as it is: that nothing
    is sold for it is not known."""
    if not says(question, "bought"):
        return list(looked)
    return [_sold(item) for item in looked]


def _sold(item: Looked) -> Looked:
    if not (item.from_object and item.predicate in _OF_DRUGS):
        return item
    left = tuple(s for s in item.statements if s.statement.subject in bought())
    return replace(item, statements=left, sold_freely=True) if left else item
