"""What a question asks, by what was learned: its words, and what it means where an embedder is.

    p_k = q_k / sum over j of q_j,   q_k = v_k · w_k ^ SHARE

with v the reader of sentence vectors (a multinomial logistic regression) and w the linear machine
of intents, both over the same labels and with names as what they are ("this medicine"). Each alone
is right less often than both (decision 500). Without vectors the words alone decide, and are sure
of less.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from medweave.language.data import shipped, shipped_yaml
from medweave.model.question import FINDINGS, SUBSTANCES, UNNAMED, Asked, Mention
from medweave.ports import SentenceVectors
from medweave.understanding.descriptions.sentence_model import SentenceModel
from medweave.understanding.intents.features import Name, QuestionText, only_names
from medweave.understanding.intents.model import IntentModel
from medweave.understanding.roles.model import RoleModel, names_apart
from medweave.understanding.sentence_vectors import vectors_by

READ = ("en", "zh")
"""The languages whose questions were learned from."""
SHARE = 0.5
"""What the words count beside the vectors; by the hands told apart (decision 500)."""
SURE_BY_WORDS = 0.9
"""From this certainty on the words decide alone, and no embedder is loaded for them."""
_LEAST = 1e-3
"""No label is ruled out by its words alone."""
_LONGEST = 600
"""Characters: longer texts ask several things."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What answers each label: an intent, or an aspect of a medicine."""

    intents: dict[str, str]
    aspects: dict[str, str]
    effects: tuple[str, ...]
    """Labels that ask whether medicines bring something on."""
    chosen: tuple[str, ...]
    """Labels that ask for one of several, perhaps by what it brings on."""
    alike: tuple[frozenset[str], ...]
    """Intents that are answered alike."""


@cache
def answered() -> Answered:
    """The table of labels."""
    held = shipped_yaml("understanding", "asked", "labels.yaml")
    alike = tuple(map(frozenset, held["alike"]))
    lists = tuple(held["effects"]), tuple(held["chosen"])
    return Answered(held["intents"], held["aspects"], *lists, alike)


def what_is_asked(
    text: str, language: str, mentions: Sequence[Mention], vectors: SentenceVectors | None
) -> Asked:
    """What a text most likely asks; `Asked()` of a language or a length that was not learned.

    >>> what_is_asked("what time does the clinic open", "en", (), None).label
    'none'
    """
    if language not in READ or len(text) > _LONGEST:
        return Asked()
    names = [Name(m.start, m.end, m.concept) for m in mentions if m.link.how not in UNNAMED]
    asked = QuestionText(text, tuple(names))
    if only_names(asked):
        return Asked()
    by_words = {intent.label: intent.score for intent in shipped_words().ranked(asked)}
    sure = max(by_words.values()) >= SURE_BY_WORDS
    chances = by_words if sure else _weighed(by_words, _by_vectors(text, language, names, vectors))
    label = max(chances, key=lambda one: (chances[one], one))
    return Asked(label, round(chances[label], 4))


def effect_scores(text: str, mentions: Sequence[Mention]) -> dict[Mention, float]:
    """How surely each condition that is named is asked about as an effect; above 0 rather than
    not."""
    named = names_apart(mentions)
    names = {Name(m.start, m.end, m.concept): m for m in named}
    return {names[name]: s for name, s in shipped_effects().scores(text, list(names)).items()}


def _weighed(by_words: dict[str, float], by_vectors: dict[str, float] | None) -> dict[str, float]:
    if by_vectors is None:
        return by_words
    weighed = {
        label: chance * max(by_words.get(label, 0.0), _LEAST) ** SHARE
        for label, chance in by_vectors.items()
    }
    total = sum(weighed.values())
    return {label: chance / total for label, chance in weighed.items()}


def _by_vectors(
    text: str, language: str, names: Sequence[Name], vectors: SentenceVectors | None
) -> dict[str, float] | None:
    made = vectors_by(
        lambda: shipped_sentences(language).model, [unnamed(text, language, names)], language,
        vectors,
    )  # fmt: skip
    return None if made is None else shipped_sentences(language).chances(made)[0]


def unnamed(text: str, language: str, names: Sequence[Name]) -> str:
    """A text with what each name stands for in its place.

    >>> unnamed("gout on aspirin", "en", [Name(0, 4, "disease"), Name(8, 15, "drug")])
    'this illness on this medicine'
    """
    said = shipped_yaml("understanding", "asked", "names.yaml")[language]
    parts, end = list[str](), 0
    for name in sorted(names, key=lambda n: (n.start, -n.end)):
        if name.start >= end and name.concept in (*SUBSTANCES, *FINDINGS):
            parts += text[end : name.start], said[name.concept]
            end = name.end
    return "".join((*parts, text[end:]))


@cache
def shipped_words() -> IntentModel:
    """The reader of words that ships, for all languages."""
    place = shipped("understanding", "asked", "words.json")
    return IntentModel.of_json(json.loads(place.read_text("utf-8")))


@cache
def shipped_effects() -> RoleModel:
    """The reader of effects that ships."""
    place = shipped("understanding", "asked", "effects.json")
    return RoleModel.of_json(json.loads(place.read_text("utf-8")))


@cache
def shipped_sentences(language: str) -> SentenceModel:
    """The reader of sentence vectors that ships for a language."""
    name = f"sentences.{language}.json"
    place = shipped("understanding", "asked", name)
    return SentenceModel.from_text(place.read_text("utf-8"), where=name)
