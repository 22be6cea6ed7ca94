"""Which aspect of a medicine is asked about in words that no rule has, by what they mean.

"Will one tablet see me through the night?" has no word of how long a dose acts. The sentences that
ask are held against questions for each aspect over the vectors of an embedder, where one is
installed; what is less sure than `FROM` is read as nothing, and then nothing is poured out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

from medweave.language.data import shipped
from medweave.language.passage import Passage
from medweave.model.question import BY_HABIT, EVERYDAY, FINDINGS, SUBSTANCES, Aside, Mention
from medweave.ports import SentenceVectors
from medweave.understanding.conversation.wording import words
from medweave.understanding.descriptions.sentence_model import SentenceModel
from medweave.understanding.intents.find import is_question
from medweave.understanding.placeholders import NAME, with_placeholders
from medweave.understanding.sentence_vectors import vectors_by

FROM = 0.4
"""How sure an aspect must be: decision 464."""
READ = ("en", "zh")
"""The languages in which questions were written for it."""
_IN_STEPS = ("mechanism", "weakened")
"""What questions over a graph ask in steps, too: "in which processes do its targets take part".
Learned, so as to be told from the others."""
_MOST = 4
"""So many sentences of a text are read."""


def aspect_by_meaning(
    passage: Passage, mentions: Sequence[Mention], vectors: SentenceVectors | None
) -> Aside:
    """The aspect of the only medicine of a text that its questions mean; "" where none is sure."""
    drugs = [m for m in mentions if m.concept in SUBSTANCES and m.entity not in BY_HABIT]
    alone = len({m.entity for m in drugs}) == 1 and not any(m.concept in FINDINGS for m in mentions)
    if vectors is None or passage.language not in READ or not alone:
        return ""
    asked = _questions(passage, drugs)[:_MOST]
    made = vectors_by(
        lambda: shipped_aspects(passage.language).model, asked, passage.language, vectors
    )
    if made is None or not asked:
        return ""
    read = [one for one in shipped_aspects(passage.language).read(made) if one is not None]
    label, sure = max(read, key=lambda one: one[1], default=("", 0.0))
    is_aspect = label in EVERYDAY and label not in _IN_STEPS
    return cast(Aside, label) if sure >= FROM and is_aspect else ""


def _questions(passage: Passage, drugs: Sequence[Mention]) -> list[str]:
    """The sentences of a text that ask, or all where none does in so many words, with "this
    medicine" for the name."""
    text = with_placeholders(passage.text, drugs)
    cut = [s.strip() for s in text.replace("?", "?\n").replace("？", "？\n").splitlines()]
    asked = [s for s in cut if s and is_question(s, passage.language, ())] or cut
    this_medicine = words(passage.language)["this_medicine"]
    return [s.replace(NAME, this_medicine) for s in asked if s]


@cache
def shipped_aspects(language: str) -> SentenceModel:
    """The weights that ship for a language, read when they are first needed."""
    name = f"aspects.{language}.json"
    place = shipped("understanding", name)
    return SentenceModel.from_text(place.read_text("utf-8"), where=name)
