"""What follows where it was learned what a question asks: its intents, and the aspect of a medicine
that it is about.

Rules know what they were written for; of questions of other hands they read a third rightly, and
what was learned two thirds (decision 500). So what was learned decides where it is sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from medweave.model.question import BY_HABIT, SUBSTANCES, Aside, Asked, Intent, Mention
from medweave.understanding.asked.reading import answered

DECIDES = 0.6
"""From this certainty on it decides, whatever rules read."""
SUPPOSED = 0.4
"""From this certainty on it decides where rules are sure of nothing."""
SURE_OF_RULES = 0.8
"""From this chance on an intent that rules and the model of intents found is sure."""
PAIR = "pair"
_TWO = 2
_WITHOUT_A_NAME = ("missed_dose", "vomited", "doubled", "refused", "storage", "onset", "lasting",
                   "monitoring", "run_out", "restart", "dose_form")  # fmt: skip
"""Aspects of a medicine that is not named, too."""


def as_learned(
    intents: tuple[Intent, ...], asked: Asked, mentions: Sequence[Mention]
) -> tuple[Intent, ...]:
    """The intents, where it was learned what is asked. Those that rules are sure of stay, where one
    of them is that, or is answered alike."""
    label = answered().intents.get(asked.label)
    if label is None or not decides(asked, intents):
        return intents
    if asked.label == PAIR and len({m.entity for m in _medicines(mentions)}) < _TWO:
        label = "contraindication"  # what it meets was told before
    alike = {label}.union(*(some for some in answered().alike if label in some))
    if any(intent.sure and intent.label in alike for intent in intents):
        return intents
    return (Intent(label, asked.certainty),)


def decides(asked: Asked, intents: Sequence[Intent]) -> bool:
    """Whether what was learned decides against what rules found."""
    unsure = all(intent.score < SURE_OF_RULES for intent in intents)
    return asked.certainty >= (SUPPOSED if unsure else DECIDES)


def aspect_of(asked: Asked, mentions: Sequence[Mention]) -> Aside:
    """The aspect that was learned to be asked about; "" where nothing is named that has it."""
    aspect = cast(Aside, answered().aspects.get(asked.label, ""))
    named = any(m.entity not in BY_HABIT for m in _medicines(mentions))
    return aspect if named or aspect in _WITHOUT_A_NAME else ""


def _medicines(mentions: Sequence[Mention]) -> list[Mention]:
    return [m for m in mentions if m.concept in SUBSTANCES]
