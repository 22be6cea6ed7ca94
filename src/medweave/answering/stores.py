"""An answer out of several stores says which of them were not heard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from medweave.answering.wording import phrases
from medweave.model.answer import Answer, Heard, StoreAnswer


def with_stores(answer: Answer, stores: Sequence[StoreAnswer]) -> Answer:
    """An answer with what became of each store. Where one was not heard, nothing is answered whole:
    it may be the one that holds what speaks against a drug."""
    missing = not_heard(stores, answer.question.language)
    partial = bool(missing) and answer.status == "answered"
    return replace(
        answer,
        stores=tuple(stores),
        status="partial" if partial else answer.status,
        missing=(*missing, *answer.missing),
        others=tuple(with_stores(other, stores) for other in answer.others),
    )


def not_heard(stores: Sequence[StoreAnswer], language: str = "en") -> tuple[str, ...]:
    """A sentence for each store that was not heard: what it is called, and why."""
    words: dict[str, str] = phrases(language)["missing"]
    return tuple(
        words[f"store_{store.status}"].format(name=store.name, why=store.message)
        for store in stores
        if store.status != "answered"
    )


def heard_of(stores: Sequence[StoreAnswer], language: str = "en") -> Heard:
    """What is told beside whatever was put together from several stores."""
    return Heard(tuple(stores), not_heard(stores, language))
