"""What tells danger signs: ours, its two readers alone, bare words, and nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from medweave.evaluation.items import Item, Ranked
from medweave.language.folding import lower
from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.model.question import DangerSign, Patient, Question
from medweave.understanding.danger.find import find_danger
from medweave.understanding.danger.model import DangerModel
from medweave.understanding.danger.table import danger_signs, danger_words, literal
from medweave.understanding.danger.table_reader import read_danger
from medweave.understanding.danger.training import DangerMessage, train_danger
from medweave.understanding.patient import read_patient

PRESENT, ASK, NONE = "present", "ask", "none"


class UnderstoodDanger:
    """What `medweave understand` makes of a message."""

    def __init__(self, understand: Callable[[str], Question]) -> None:
        self._understand = understand

    def rank(self, item: Item) -> Ranked:
        """The gravest status of any sign."""
        return _ranked(self._understand(item.text).danger or ())


class RuleDanger:
    """The checked table of signs alone."""

    def rank(self, item: Item) -> Ranked:
        """The gravest status of any sign."""
        language, patient = _read(item)
        return _ranked(read_danger(item.text, language, patient))


class BothDanger:
    """The table, and a learned reader beside it."""

    def __init__(self, model: DangerModel) -> None:
        self._model = model

    def rank(self, item: Item) -> Ranked:
        """The gravest status of any sign."""
        language, patient = _read(item)
        return _ranked(find_danger(item.text, language, patient, self._model))


class LearnedDanger:
    """The learned reader alone."""

    def __init__(self, model: DangerModel) -> None:
        self._model = model

    def rank(self, item: Item) -> Ranked:
        """Present where the message weighs enough."""
        weighed = self._model.weigh(literal(item.text, language_of(item.text)))
        label = PRESENT if weighed.raised else NONE
        return Ranked((label,), weighed.confidence if weighed.raised else 1 - weighed.confidence)


@lru_cache(maxsize=2)  # two systems learn from the same cases
def _trained(messages: tuple[DangerMessage, ...]) -> DangerModel:
    return train_danger(messages)


def trained_danger(cases: Sequence[Item]) -> DangerModel:
    """A learned reader of labelled messages. Raises `ConfigurationError`."""
    return _trained(tuple(DangerMessage(case.text, PRESENT in case.expected) for case in cases))


def _read(item: Item) -> tuple[str, Patient]:
    language = language_of(item.text)
    return language, read_patient(passage_of(item.text, language))


def _ranked(signs: Iterable[DangerSign]) -> Ranked:
    alarming = [sign for sign in signs if sign.grade != "soon"]  # who is to be seen in days is not
    status = {sign.status: sign for sign in reversed(alarming)}
    label = PRESENT if "present" in status else ASK if "ask" in status else NONE
    confidence = status[label].confidence if label in status else None
    return Ranked((label,), 1.0 if confidence is None else confidence)


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
        label = PRESENT if any(all(found & set(e) for e in way.findings) for way in ways) else NONE
        return Ranked((label,), 1.0)


class NeverDanger:
    """Nothing is ever in danger; of most messages that is true."""

    def rank(self, item: Item) -> Ranked:  # noqa: ARG002 - it looks at nothing
        """Always none."""
        return Ranked((NONE,), 1.0)
