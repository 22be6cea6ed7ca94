"""Alcohol that a text asks about without naming it: "can he drink at all", 能抿两口白的不."""

from __future__ import annotations

from medweave.language.passage import Passage
from medweave.model.question import ALCOHOL, SUBSTANCES, Asked, Mention
from medweave.understanding.asked.deciding import DECIDES_ALONE
from medweave.vocabulary.knowledge import Knowledge

_NAME = "alcohol"


def with_alcohol(
    passage: Passage, mentions: tuple[Mention, ...], asked: Asked, knowledge: Knowledge
) -> tuple[Mention, ...]:
    """The mentions, with alcohol where that is surely asked about beside a medicine: in the longest
    stretch of the text without a name."""
    medicines = [m for m in mentions if m.concept in SUBSTANCES]
    known = knowledge.dictionary.names(_NAME)
    sure = asked.label == _NAME and asked.certainty >= DECIDES_ALONE
    if not (sure and medicines and known) or any(m.entity == ALCOHOL for m in medicines):
        return mentions
    start, end = _longest_gap(passage.text, mentions)
    first, text = known[0], passage.text[start:end]
    drunk = Mention(start, end, text, first.entity, first.name, first.concept, role="asked")
    return tuple(sorted((*mentions, drunk), key=lambda m: m.start))


def _longest_gap(text: str, mentions: tuple[Mention, ...]) -> tuple[int, int]:
    begins = [0, *(m.end for m in mentions)]
    ends = [*(m.start for m in mentions), len(text)]
    gaps = [(end - start, start) for start, end in zip(begins, ends, strict=True)]
    length, start = max(gaps)
    gap = text[start : start + length]
    start += len(gap) - len(gap.lstrip())
    return start, start + len(gap.strip())
