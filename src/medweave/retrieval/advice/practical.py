"""Practical advice: what sources tell people of an illness, a complaint or a medicine, found by
what is asked about it.

No list answers "must I worry that my stools are black?": a text on iron does. The texts on what a
question names, and on what the person takes or has, are ranked by how likely each answers it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.model.advised import Advised
from medweave.model.question import EVERYDAY, SUBSTANCES, Question
from medweave.ports import SentenceVectors
from medweave.retrieval.advice.ranking import chances
from medweave.retrieval.advice.texts import AdviceText, advised_about, texts_on
from medweave.vocabulary.knowledge import Knowledge

_SURE = 0.8
"""From this certainty on it is known what is asked."""
_MOST = 2


def practical_advice(
    question: Question,
    knowledge: Knowledge,
    vectors: SentenceVectors | None,
    *,
    nearest: Sequence[str] = (),
    beside: bool = False,
) -> tuple[Advised, ...]:
    """The one or two texts of advice that answer a question, best first; none where none does.

    Where it names nothing, those on the `nearest` names may. `beside` what else answers it, a text
    must be likelier.
    """
    if _is_of_no_advice(question):
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
    least = _rules()["least"][_place(question, beside=beside)]
    if found := _likely(question, texts, vectors, least):
        return found
    near = () if _is_of_any(question) else nearest  # "I missed my pill" is of no name that is near
    of_near = texts_on(_near(near, knowledge), question.language, knowledge)
    return _likely(question, of_near, vectors, _rules()["least"]["near"])


def _is_of_no_advice(question: Question) -> bool:
    """Whether no advice answers: a price, an animal, what is left when all is told."""
    surely = question.asked.certainty >= _SURE
    return (
        (surely and question.asked.label in _rules()["not_asked"])
        or question.form.kind == "what_else"
        or question.aside not in ("", *EVERYDAY)
    )


def _place(question: Question, *, beside: bool) -> str:
    """Where a text would stand: `alone`, `beside` another answer, or beside a `verdict` on a
    medicine, which no advice is."""
    of_a_medicine = bool(question.of_concept(*SUBSTANCES))
    if of_a_medicine and question.asked.label in _rules()["verdicts"]:
        return "verdict"
    return "beside" if beside else "alone"


def _is_of_any(question: Question) -> bool:
    """Whether a medicine is asked about that is not named."""
    return bool(question.aside) or question.asked.label in _rules()["verdicts"]


def _likely(
    question: Question,
    texts: Sequence[AdviceText],
    vectors: SentenceVectors | None,
    least: float,
) -> tuple[Advised, ...]:
    """The best text where it is likely enough, and the second where it is hardly less so, or likely
    itself."""
    found = chances(question.text, question.language, dict(question.aspects), texts, vectors)
    best = [(text, chance) for text, chance in found[:_MOST] if chance >= least]
    second = _rules()["second"]
    fair = min(best[0][1] * second["of_first"], second["itself"]) if best else 0.0
    return tuple(Advised(text.supported, chance) for text, chance in best if chance >= fair)


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
def _rules() -> dict[str, Any]:
    held: dict[str, Any] = shipped_yaml("retrieval", "advice", "practical.yaml")
    return held
