"""Which sign of the table a message in danger is told like, by messages that were learned from.

What is only like danger has no name, and nothing can be said of it but that help may be needed. A
message that is made of several ordinary signs is told like others of its kind: where that is sure
enough it bears the name of the sign, with what to do and how soon (decision 563).
"""

from __future__ import annotations

from collections.abc import Mapping

from medweave.model.question import Patient
from medweave.ports import SentenceVectors
from medweave.understanding.danger.courtesies import bare
from medweave.understanding.danger.table import Sign, danger_sign
from medweave.understanding.intents.features import QuestionText
from medweave.understanding.sentence_vectors import vectors_by
from medweave.understanding.text_model import TextModel, shipped_text_model

SURE = 0.4
"""The chance from which on a sign is named; by authors left out (decision 563)."""
_BABIES = frozenset(("baby", "young_infant"))
"""Findings that say that it is one."""
_NO_BABY = 730
"""Days."""
READ = ("en", "zh")
"""The languages in which messages were written for it."""


def told_like(
    text: str, language: str, patient: Patient, vectors: SentenceVectors | None
) -> tuple[Sign, float] | None:
    """The sign that a message in danger is told like, and its chance; None where none is likely, or
    no vector is to be had: words alone are less often right."""
    if language not in READ or vectors is None:
        return None
    chances = chances_of_signs(shipped_signs(language), text, language, vectors)
    likeliest = max(chances, key=lambda name: (chances[name], name))
    sign = danger_sign(likeliest)
    if chances[likeliest] < SURE or not _may_befall(sign, patient):
        return None
    return sign, round(chances[likeliest], 2)


def _may_befall(sign: Sign, patient: Patient) -> bool:
    """Whether it is a sign of somebody like this: what is told of babies is one of who is known to
    be below two."""
    of_babies = all(
        way.under_days is not None or any(_BABIES.intersection(either) for either in way.findings)
        for way in sign.present
    )
    if of_babies and not (patient.age_days is not None and patient.age_days < _NO_BABY):
        return False
    return not (patient.pregnant is False and all(way.pregnant for way in sign.present))


def chances_of_signs(
    model: TextModel, text: str, language: str, vectors: SentenceVectors | None
) -> Mapping[str, float]:
    """The chance of every sign, if the text is one of somebody in danger."""
    plain = bare(text)
    return model.chances(
        QuestionText(plain), vectors_by(lambda: model.embedder, [plain], language, vectors)
    )


def shipped_signs(language: str) -> TextModel:
    """The weights that ship for a language."""
    return shipped_text_model("danger", "signs", language)
