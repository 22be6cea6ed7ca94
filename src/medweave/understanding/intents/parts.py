"""Which part of a question asks what of which disease.

"The symptoms of a cold and the treatment of asthma" asks two things, not four.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from medweave.language.data import rule_in_any
from medweave.model.question import Intent, Mention
from medweave.understanding.intents.find import find_intents
from medweave.understanding.intents.model import IntentModel
from medweave.understanding.rule_files import INTENT_RULES


def bound_intents(
    text: str,
    language: str,
    mentions: tuple[Mention, ...],
    intents: tuple[Intent, ...],
    model: IntentModel | None = None,
) -> tuple[tuple[str, str], ...]:
    """(intent, disease) pairs where each disease stands in a part that asks something of its own.

    Empty where there is one disease or one intent, where a part asks nothing, or where all ask
    the same.
    """
    diseases = [m for m in mentions if m.concept == "disease"]
    cuts = [_cut(text, before, after) for before, after in pairwise(diseases)]
    labels = {intent.label for intent in intents}
    if not cuts or None in cuts or len(labels) == 1:  # a single intent is the same in all parts
        return ()
    edges = [0, *(cut for cut in cuts if cut is not None), len(text)]
    asked = [
        labels
        & set(_intent_in_words(text[start:end], language, _inside(mentions, start, end), model))
        for start, end in pairwise(edges)
    ]
    if not all(asked) or all(some == asked[0] for some in asked):
        return ()
    return tuple(
        (label, disease.entity)
        for disease, some in zip(diseases, asked, strict=True)
        for label in sorted(some)
    )


def _cut(text: str, before: Mention, after: Mention) -> int | None:
    """Where the part of the first ends: right behind the first joining word between the two."""
    found = rule_in_any("cuts", *INTENT_RULES).search(text.lower(), before.end, after.start)
    return found.end() if found else None


def _inside(mentions: tuple[Mention, ...], start: int, end: int) -> tuple[Mention, ...]:
    """What is named in a part of the text, by its places in that part."""
    return tuple(
        replace(m, start=m.start - start, end=m.end - start)
        for m in mentions
        if start <= m.start and m.end <= end
    )


def _intent_in_words(
    part: str, language: str, mentions: tuple[Mention, ...], model: IntentModel | None
) -> list[str]:
    """What a part of a text asks for in words."""
    return [i.label for i in find_intents(part, language, mentions, model) if i.sure]
