"""What the meaning of a message adds to its words: danger and crises that are heard by it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import get_args

import pytest

from medweave.embedding.choosing import choose_reader
from medweave.errors import SourceError
from medweave.language.data import LANGUAGES
from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.model.embedder import EmbedderName
from medweave.model.question import DangerSign
from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import SentenceVectors
from medweave.understanding.danger.find import find_danger
from medweave.understanding.danger.meaning import MeaningOf, MeaningWeights, shipped_meaning
from medweave.understanding.danger.meaning_training import digest_of, material_of_meaning
from medweave.understanding.patient import read_patient

UNSURE = {
    "danger": "He went all grey and clammy at lunch",
    "crisis": "I think of the river and of how quiet it is there",
}
"""Messages that the table does not see."""


def found(text: str, vectors: SentenceVectors | None = None) -> tuple[DangerSign, ...]:
    language = language_of(text)
    patient = read_patient(passage_of(text, language))
    return find_danger(text, language, patient, vectors=vectors)


def raised(signs: Sequence[DangerSign]) -> dict[str, str]:
    return {sign.kind: sign.status for sign in signs if sign.how == "learned"}


def meaning_like(of: MeaningOf, sign: float, model: str = "") -> SentenceVectors:
    """Vectors as like those in danger, or as unlike them, as any can be."""
    weights = shipped_meaning(of, "en")
    length = sqrt(sum(weight * weight for weight in weights.weights))
    row = [sign * weight / length for weight in weights.weights]
    made = VectorModel(model or weights.model, len(row))
    return lambda texts, _: Vectors.of(made, [row] * len(texts))


@pytest.mark.parametrize(("of", "kind"), [("danger", "emergency"), ("crisis", "crisis")])
def test_what_the_table_does_not_see_is_raised_by_its_meaning_or_not_at_all(
    of: MeaningOf, kind: str
) -> None:
    text = UNSURE[of]
    assert raised(found(text, meaning_like(of, 1))).get(kind) == "present"
    assert found(text, meaning_like(of, -1)) == ()
    other = meaning_like(of, 1, model="another:1")
    assert found(text, other) == found(text)


@pytest.mark.parametrize(
    "text", ["Which foods have much iron?", "How is gout treated?", "哪些食物含铁多"]
)
def test_questions_far_from_danger_wait_for_no_vector(text: str) -> None:
    def none_is_asked_for(texts: Sequence[str], language: str) -> Vectors | None:
        raise AssertionError(texts, language)

    assert found(text, none_is_asked_for) == ()


def test_a_sign_with_a_name_is_told_whatever_is_meant() -> None:
    text = "His lips are blue and he cannot be woken"
    assert found(text, meaning_like("danger", -1)) == found(text)


def test_words_that_are_sure_of_a_crisis_are_never_dropped() -> None:
    unlike = meaning_like("crisis", -1)
    assert raised(found("there is no point in me being here", unlike)) == {"crisis": "ask"}
    (seen,) = found("I am a burden to everyone and want to vanish", unlike)
    assert (seen.kind, seen.status) == ("crisis", "present")


def test_what_the_table_alone_sees_as_a_crisis_is_asked_about_and_not_met() -> None:
    (alone,) = found("This cold is awful, how do I end it?")
    assert (alone.kind, alone.status, alone.how) == ("crisis", "ask", "rule")
    (met,) = found("how do I end it")
    assert met.status == "present"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("of", get_args(MeaningOf))
def test_the_weights_that_ship_were_learned_from_the_lists_that_ship(
    of: MeaningOf, language: str
) -> None:
    material, ships = material_of_meaning(of, language), shipped_meaning(of, language)
    assert ships.trained_on == {"texts": len(material), "of": digest_of(material)}
    again = MeaningWeights.from_text(ships.to_text(), of=of, where="made")
    assert again == ships


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("of", get_args(MeaningOf))
def test_the_weights_that_ship_tell_most_of_their_list_apart(of: MeaningOf, language: str) -> None:
    reader = choose_reader(EmbedderName(), language)
    if reader is None:
        pytest.skip("its model is not installed (medweave weights install)")
    material = [one for one in material_of_meaning(of, language) if one.weight == 1][::101]
    made = reader.embed([one.text for one in material])
    weights = shipped_meaning(of, language)
    right = [(weights.score(made[at]) > 0) is one.told for at, one in enumerate(material)]
    assert sum(right) > 0.7 * len(right)


def test_what_are_no_weights_is_refused_with_its_place() -> None:
    for text in ("", "[]", shipped_meaning("danger", "en").to_text()):
        with pytest.raises(SourceError, match=r"made\.json"):
            MeaningWeights.from_text(text, of="crisis", where="made.json")
