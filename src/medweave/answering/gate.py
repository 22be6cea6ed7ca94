"""The claim gate: nothing is said that rests on nothing."""

from __future__ import annotations

from medweave.answering.draft import Draft


def supported_only(draft: Draft) -> bool:
    """Take out every sentence without a statement that has evidence; whether none had to go."""
    supported = [
        sentence
        for sentence in draft.sentences
        if sentence.statements
        and all(draft.statements[identifier].evidence for identifier in sentence.statements)
    ]
    whole = len(supported) == len(draft.sentences)
    draft.sentences[:] = supported
    return whole
