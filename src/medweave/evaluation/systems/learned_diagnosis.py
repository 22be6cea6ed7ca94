"""Ours where there are cases to learn from: a linear model over words and recognised findings.

The same model as for intents (`understanding.linear`), with the n-grams of the text, the findings
that the base recognises in it, present or absent, and all coded facts as features.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from medweave.errors import ConfigurationError
from medweave.evaluation.items import Item, Ranked
from medweave.understanding.intents.calibration import Calibration
from medweave.understanding.intents.features import QuestionText, gram_features
from medweave.understanding.intents.linear import train_linear


class LearnedDiagnosis:
    """Fitted to cases; `findings` gives what is recognised in an item."""

    def __init__(self, cases: Sequence[Item], findings: Callable[[Item], Iterable[str]]) -> None:
        if not cases:
            raise ConfigurationError("no training cases", remedy="give them with --train FILE")
        self._findings = findings
        self._model = train_linear([([self._grams(case)], case.expected) for case in cases])

    def _grams(self, item: Item) -> Counter[str]:
        grams = gram_features(QuestionText(item.text)) if item.text else Counter[str]()
        grams.update(f"= {fact}" for fact in sorted((*item.facts, *self._findings(item))))
        return grams

    def rank(self, item: Item) -> Ranked:
        """Labels by score; how sure it is, is the logistic of the best."""
        scores = self._model.scores(self._grams(item))
        pairs = sorted(zip(scores, self._model.labels, strict=True), key=lambda p: (-p[0], p[1]))
        sure = Calibration().probabilities([pairs[0][0]])[0]
        return Ranked(tuple(label for _, label in pairs), sure)
