"""Our classifiers of intents: trained on cases, or as they ship."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from medweave.errors import ConfigurationError
from medweave.evaluation.items import Item, Ranked
from medweave.model.question import Question
from medweave.understanding.intents.features import QuestionText
from medweave.understanding.intents.model import (
    NONE,
    SURE,
    IntentModel,
    LabelledQuestion,
    Method,
    train_intents,
)

Reader = Callable[[str], QuestionText]
"""A text with the names in it."""


class TrainedIntents:
    """One of our methods, trained on cases; see `understanding.intents.model`."""

    def __init__(
        self, cases: Sequence[Item], read: Reader, method: Method, *, seed: int = 0
    ) -> None:
        if not cases:
            raise ConfigurationError("no training cases", remedy="give them with --train FILE")
        questions = [LabelledQuestion(read(case.text), case.expected) for case in cases]
        self._model = ModelIntents(train_intents(questions, method=method, seed=seed), read)

    def rank(self, item: Item) -> Ranked:
        """Labels by probability."""
        return self._model.rank(item)


class ModelIntents:
    """A model as it is."""

    def __init__(self, model: IntentModel, read: Reader) -> None:
        self._model, self._read = model, read

    def rank(self, item: Item) -> Ranked:
        """Labels by probability; it abstains where none is more likely than not."""
        found = self._model.ranked(self._read(item.text))
        labels = tuple(intent.label for intent in found)
        answered = found[0].score >= SURE and found[0].label != NONE
        return Ranked(labels, found[0].score, answered=answered)


class UnderstoodIntents:
    """What `medweave understand` makes of a text: all steps, nothing trained on the data."""

    def __init__(self, understand: Callable[[str], Question]) -> None:
        self._understand = understand

    def rank(self, item: Item) -> Ranked:
        """The intents, the surest first; 'none' where it abstains."""
        found = sorted(self._understand(item.text).intents, key=lambda intent: -intent.score)
        if not found:
            return Ranked((NONE,), 0.0, answered=False)
        return Ranked(tuple(intent.label for intent in found), found[0].score)
