"""An answer out of several stores says which of them were not heard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from medweave.answering.wording import phrases
from medweave.model.answer import Answer, StoreAnswer


def with_stores(answer: Answer, stores: Sequence[StoreAnswer]) -> Answer:
    """An answer with what became of each store. Where one was not heard, nothing is answered whole:
    it may be the one that holds what speaks against a drug."""
    lost = [store for store in stores if store.status != "answered"]
    words: dict[str, str] = phrases(answer.question.language)["missing"]
    missing = tuple(
        words[f"store_{store.status}"].format(name=store.name, why=store.message) for store in lost
    )
    partial = bool(lost) and answer.status == "answered"
    return replace(
        answer,
        stores=tuple(stores),
        status="partial" if partial else answer.status,
        missing=(*missing, *answer.missing),
        others=tuple(with_stores(other, stores) for other in answer.others),
    )
