"""Practical advice: what sources tell people of an illness, a complaint or a medicine, found by
what is asked about it.

No list answers "must I worry that my stools are black?": a text on iron does. The texts on what a
question names, and on what the person takes or has, are ranked by how likely each answers it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.model.advised import Advised
from medweave.model.configuration import OUR_INTENTS
from medweave.model.question import EVERYDAY, SUBSTANCES, Question
from medweave.ports import SentenceVectors
from medweave.retrieval.advice.ranking import COMPARED, chances
from medweave.retrieval.advice.texts import AdviceText, advised_about, texts_on
from medweave.vocabulary.knowledge import Knowledge

_SURE = 0.7
"""From this certainty on it is known what is asked."""
_MOST = 2
_COMPARED_BESIDE = 3
"""So many texts are compared by meaning, where another answer stands already."""


def practical_advice(
    question: Question,
    knowledge: Knowledge,
    vectors: SentenceVectors | None,
    aspects: Callable[[], Mapping[str, float]],
    *,
    nearest: Sequence[str] = (),
    beside: bool = False,
) -> tuple[Advised, ...]:
    """The one or two texts of advice that answer a question, best first; none where none does.

    `aspects` tells which aspects of advice it asks for, how likely. Where it names nothing, those
    on the `nearest` names may. `beside` what else answers it, a text must be likelier.
    """
    if _is_of_no_advice(question, beside=beside):
        return ()
    but = _rules()["no_subject"]
    named = advised_about(question.mentions, but)
    if beside and question.form.kind == "comparison":
        return _comparing(named, question.language, knowledge)
    told = advised_about(
        (m for m in question.earlier if m.experiencer == "patient" and m.status != "absent"), but
    )
    told = {entity: called for entity, called in told.items() if entity not in named}
    texts = texts_on(named, question.language, knowledge)
    texts += texts_on(told, question.language, knowledge, told_before=True)
    texts = _of_the_part(question, texts)
    if found := _likely(question, texts, vectors, aspects, _place(question, beside)):
        return found
    strange = beside or question.not_understood or _is_of_any(question)  # "my pill" is near no name
    near = () if strange else nearest
    of_near = texts_on(_near(near, knowledge), question.language, knowledge)
    return _likely(question, of_near, vectors, aspects, "near")


def _of_the_part(question: Question, texts: list[AdviceText]) -> list[AdviceText]:
    """The texts that may answer; where a part of the use of a medicine is asked about, of that."""
    if not (question.aside and question.of_concept(*SUBSTANCES)):
        return texts
    parts = _rules()["parts"].get(question.aside, (question.aside,))
    return [text for text in texts if text.aspect in parts]


def _is_of_no_advice(question: Question, *, beside: bool) -> bool:
    """Whether no advice answers: a price, an animal, what is left when all is told; who or where
    somebody is; an intent that somebody added."""
    surely = question.asked.certainty >= _SURE
    return (
        (surely and question.asked.label in _rules()["not_asked"])
        or (beside and question.asked.surely(*_rules()["lists"]))
        or question.form.kind == "what_else"
        or any(intent.label not in OUR_INTENTS for intent in question.intents)
        or _of_whom(question.language).search(question.text.lower()) is not None
        or question.aside not in ("", *EVERYDAY)
    )


def _place(question: Question, beside: bool) -> str:
    """Where a text would stand: `alone`, `beside` another answer that it goes with or any other, or
    beside a `verdict` on a medicine, which no advice is."""
    label = question.asked.label
    if question.of_concept(*SUBSTANCES) and label in _rules()["verdicts"]:
        return "verdict"
    if not beside:
        return "alone"
    return "beside" if label in _rules()["beside"] else "beside_any"


def _is_of_any(question: Question) -> bool:
    """Whether a medicine is asked about that is not named."""
    return bool(question.aside) or question.asked.label in _rules()["verdicts"]


def _likely(
    question: Question,
    texts: Sequence[AdviceText],
    vectors: SentenceVectors | None,
    aspects: Callable[[], Mapping[str, float]],
    place: str,
) -> tuple[Advised, ...]:
    """The best text where it is likely enough, and the likeliest of another aspect where it is
    hardly less so, or likely itself: twice when to see a doctor tells no more."""
    if not texts:
        return ()
    least, second = _rules()["least"], _rules()["second"]
    few = COMPARED if place == "alone" else _COMPARED_BESIDE

    def enough(text: AdviceText) -> float:
        before = text.told_before and place == "alone"
        return float(least["told_before" if before else place])

    found = chances(
        question.text,
        question.language,
        _aspects(question, aspects()),
        texts,
        vectors,
        compared=few,
    )
    best = list({text.aspect: (text, chance) for text, chance in reversed(found)}.values())
    best = [(t, p) for t, p in sorted(best, key=lambda each: -each[1])[:_MOST] if p >= enough(t)]
    fair = min(best[0][1] * second["of_first"], second["itself"]) if best else 0.0
    first = _rules()["first"]
    goes_first = question.asked.label in first["beside"]
    return tuple(
        Advised(text.supported, first=goes_first and chance >= first["least"])
        for text, chance in best
        if chance >= fair
    )


def _aspects(question: Question, read: Mapping[str, float]) -> dict[str, float]:
    """The chance of each aspect that is asked for; of some labels certain ones are always likely:
    who asks what brings a complaint wants to know whether it is serious."""
    also = _rules()["also"].get(question.asked.label, {})
    found = dict(read)
    return found | {aspect: max(found.get(aspect, 0.0), least) for aspect, least in also.items()}


def _comparing(named: dict[str, str], language: str, knowledge: Knowledge) -> tuple[Advised, ...]:
    """Of each thing that is compared, the text of comparison that names another of them."""
    names = {one: knowledge.entities.get(one).all_names() for one in named}
    found: dict[str, Advised] = {}
    for one, called in named.items():
        others = [name.lower() for other, of in names.items() if other != one for name in of]
        for text in texts_on({one: called}, language, knowledge):
            words = text.words.lower()
            if text.aspect in _rules()["comparing"] and any(name in words for name in others):
                found.setdefault(one, Advised(text.supported))
    return tuple(found.values())[:_MOST]


def _near(names: Iterable[str], knowledge: Knowledge) -> dict[str, str]:
    found = ((name, named) for name in names for named in knowledge.dictionary.names(name))
    return {named.entity: name for name, named in found}


@cache
def _of_whom(language: str) -> re.Pattern[str]:
    held = _rules()["of_whom"]
    return re.compile(held.get(language, held["en"]))


@cache
def _rules() -> dict[str, Any]:
    held: dict[str, Any] = shipped_yaml("retrieval", "advice", "practical.yaml")
    return held
