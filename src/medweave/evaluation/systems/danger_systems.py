"""What tells danger signs: ours, the same words looked for anywhere, and nothing."""

from __future__ import annotations

from collections.abc import Callable

from medweave.evaluation.items import Item, Ranked
from medweave.language.folding import lower
from medweave.language.segmentation import language_of
from medweave.model.question import Question
from medweave.understanding.danger_rules import danger_signs, danger_words

PRESENT, ASK, NONE = "present", "ask", "none"


class UnderstoodDanger:
    """What `medweave understand` makes of a message."""

    def __init__(self, understand: Callable[[str], Question]) -> None:
        self._understand = understand

    def rank(self, item: Item) -> Ranked:
        """The gravest status of any sign."""
        signs = self._understand(item.text).danger or ()
        status = {sign.status for sign in signs}
        said = PRESENT if "present" in status else ASK if "ask" in status else NONE
        return Ranked((said,), 1.0)


class KeywordDanger:
    """The same words wherever they stand: denied, past or supposed, of any age.

    >>> KeywordDanger().rank(Item("1", (), "He has no blue lips")).labels
    ('present',)
    """

    def rank(self, item: Item) -> Ranked:
        """Present where the words of all findings of a sign occur."""
        words = danger_words(language_of(item.text)).findings
        text = lower(item.text)
        found = {name for name, some in words.items() if any(e.search(text) for e in some)}
        ways = (way for sign in danger_signs() for way in sign.present)
        said = PRESENT if any(found.issuperset(way.findings) for way in ways) else NONE
        return Ranked((said,), 1.0)


class NeverDanger:
    """Nothing is ever in danger; of most messages that is true."""

    def rank(self, item: Item) -> Ranked:  # noqa: ARG002 - it looks at nothing
        """Always none."""
        return Ranked((NONE,), 1.0)
