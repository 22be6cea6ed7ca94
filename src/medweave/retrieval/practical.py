"""Practical advice: what sources tell people of an illness, a complaint or a medicine, found by
what is asked about it.

No list answers "must I worry that my stools are black?": a sentence on iron does. The advice on
what a question names, and on what the person takes or has, is held against the question: by its
aspect, by words they share, and, of the few best, by meaning where an embedder is installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import mul
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.language.stems import stem_texts
from medweave.model.question import BY_HABIT, EVERYDAY, FINDINGS, SUBSTANCES, Mention, Question
from medweave.model.statement import SupportedStatement
from medweave.ports import SentenceVectors
from medweave.retrieval.lookup import only_member
from medweave.vocabulary.knowledge import Knowledge

_TEXTS = ("practical_advice", "urgent_care_advice", "use_advice")
_COMPARED = 16
"""So many of the best by aspect and words are compared by meaning: each is read for it."""
_SURE = 0.8
_SHARED_WORDS = 2
"""So many words a text shares with a question that it answers where nothing is compared by
meaning."""
_SECOND = 0.06
"""So much less near a second text may be."""
_MOST = 2


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What advice answers a question."""

    aspects: tuple[str, ...]
    alone: bool
    """Whether no text of another aspect does."""
    of_aspect: float
    """From which cosine on a text of these does."""
    any: float


def practical_advice(
    question: Question,
    knowledge: Knowledge,
    vectors: SentenceVectors | None,
    *,
    beside: bool = False,
) -> tuple[SupportedStatement, ...]:
    """The one or two texts of advice that answer a question, best first; none where none does.

    Those on what the question itself names go before those on what was told before. `beside` what
    else answers it, only the one text of an aspect that is asked for.
    """
    wanted = _wanted(question, beside=beside)
    if wanted is None:
        return ()
    if beside and question.form.kind == "comparison":
        return _comparing(question, wanted, knowledge)
    for subjects in (_named(question.mentions), () if beside else _told_of(question.earlier)):
        found = _of(subjects, question.language, knowledge)
        if best := _best(question, found, wanted, knowledge, vectors):
            return best[:1] if beside else best
    return ()


def _comparing(
    question: Question, wanted: _Wanted, knowledge: Knowledge
) -> tuple[SupportedStatement, ...]:
    """Of each thing that is compared, the text that names another of them."""
    named = dict.fromkeys(_named(question.mentions))
    names = {one: knowledge.entities.get(one).all_names() for one in named}
    found: dict[str, SupportedStatement] = {}
    for one in named:
        others = [name.lower() for other, of in names.items() if other != one for name in of]
        for supported in _of([one], question.language, knowledge):
            text = supported.statement.text.lower()
            if aspect_of(supported) in wanted.aspects and any(name in text for name in others):
                found.setdefault(one, supported)
    return tuple(found.values())[:_MOST]


def _wanted(question: Question, *, beside: bool) -> _Wanted | None:
    """None where no advice answers: it is no verdict on a medicine, and no price."""
    rules, label = _rules(), _label(question)
    of_a_medicine = bool(question.of_concept(*SUBSTANCES))
    if (
        label in rules["not_asked"]
        or (beside and label not in rules["beside"])
        or (of_a_medicine and label in rules["of_a_medicine"])
        or question.form.kind == "what_else"
        or question.aside not in ("", *EVERYDAY)
    ):
        return None
    near = rules["near"].get(question.language, rules["near"]["en"])
    return _Wanted(
        aspects=tuple(rules["answers"].get(label, ())),
        alone=beside or (of_a_medicine and question.aside != ""),
        of_aspect=near["beside" if beside else "of_aspect"],
        any=near["any"],
    )


def _label(question: Question) -> str:
    """What is asked, as it was learned; where that is not sure, of somebody who takes a medicine
    and tells of a complaint, whether the one comes of the other."""
    takes = any(m.role == "taken" for m in question.of_concept(*SUBSTANCES))
    has = any(m.status == "present" for m in question.of_concept("symptom"))
    if takes and has and question.asked.certainty < _SURE:
        return "effect_of_drug"
    return question.asked.label


def _named(mentions: Iterable[Mention]) -> list[str]:
    concepts = (*SUBSTANCES, *FINDINGS)
    named = [m for m in mentions if m.concept in concepts and m.entity not in BY_HABIT]
    return [entity for m in named for entity in m.entities]


def _told_of(mentions: Iterable[Mention]) -> list[str]:
    """What the person was told to take or to have."""
    return _named(m for m in mentions if m.experiencer == "patient" and m.status != "absent")


def _of(subjects: Iterable[str], language: str, knowledge: Knowledge) -> list[SupportedStatement]:
    """The advice on things, and on the classes that a medicine belongs to."""
    own = list(dict.fromkeys(same for one in subjects for same in knowledge.same(one)))
    own += [entity for entity in only_member(tuple(own), knowledge) if entity not in own]
    match = knowledge.store.match
    classes = [s.statement.object_entity for one in own for s in match(one, "in_class")]
    everywhere = list(dict.fromkeys((*own, *(one for one in classes if one))))
    knowledge.store.expect([(one, text, None) for one in everywhere for text in _TEXTS])
    return [
        supported
        for one in everywhere
        for text in _TEXTS
        for supported in match(one, text)
        if supported.statement.language == language
    ]


def _best(
    question: Question,
    found: Iterable[SupportedStatement],
    wanted: _Wanted,
    knowledge: Knowledge,
    vectors: SentenceVectors | None,
) -> tuple[SupportedStatement, ...]:
    def is_wanted(supported: SupportedStatement) -> bool:
        return aspect_of(supported) in wanted.aspects

    words = stem_texts(question.text.lower())
    held = [supported for supported in found if is_wanted(supported) or not wanted.alone]
    shared = {s: len(words & stem_texts(s.statement.text.lower())) for s in held}
    ranked = sorted(held, key=lambda s: (not is_wanted(s), -shared[s]))[:_COMPARED]
    texts = [_with_name(s, question.language, knowledge) for s in ranked]
    near = _nearness(question.text, texts, question.language, vectors)
    if near is None:
        fitting = [s for s in ranked if is_wanted(s) and shared[s] >= _SHARED_WORDS]
        return tuple(fitting[:1])
    scored = {
        supported: cosine
        for supported, cosine in zip(ranked, near, strict=True)
        if cosine >= (wanted.of_aspect if is_wanted(supported) else wanted.any)
    }
    best = sorted(scored, key=lambda s: (not is_wanted(s), -scored[s]))[:_MOST]
    return tuple(s for s in best if scored[s] >= scored[best[0]] - _SECOND)


def _with_name(supported: SupportedStatement, language: str, knowledge: Knowledge) -> str:
    """A text as it is compared: that it is on iron, "It turns the stools dark" does not say."""
    text = supported.statement.text
    if not _rules()["near"].get(language, {}).get("named"):
        return text
    name = knowledge.entities.get(supported.statement.subject).name(language)
    return text if name.lower() in text.lower() else f"{name}: {text}"


def aspect_of(supported: SupportedStatement) -> str:
    """What a text of advice is about: "missed_dose"; "" where its source does not say."""
    return str(dict(supported.statement.qualifiers).get("aspect", ""))


def _nearness(
    text: str, others: Sequence[str], language: str, vectors: SentenceVectors | None
) -> list[float] | None:
    made = vectors([text, *others], language) if vectors is not None and others else None
    if made is None:
        return None
    return [sum(map(mul, made[0], made[at])) for at in range(1, len(others) + 1)]


@cache
def _rules() -> dict[str, Any]:
    held: dict[str, Any] = shipped_yaml("retrieval", "practical.yaml")
    return held
