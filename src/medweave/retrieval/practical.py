"""Practical advice: what sources tell people of an illness, a complaint or a medicine, found by
what is asked about it.

No list answers "must I worry that my stools are black?": a sentence on iron does. The advice on
what a question names, and on what the person takes or has, is held against the question: by its
aspect, by words they share, and, of the few best, by meaning where an embedder is installed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import mul
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.language.stems import stem_texts
from medweave.language.typed import as_read
from medweave.model.question import BY_HABIT, EVERYDAY, FINDINGS, SUBSTANCES, Mention, Question
from medweave.model.statement import SupportedStatement
from medweave.ports import SentenceVectors
from medweave.retrieval.lookup import only_member, stated_classes
from medweave.vocabulary.knowledge import Knowledge

_ABOUT = (*SUBSTANCES, *FINDINGS, "test", "treatment")
_TEXTS = ("practical_advice", "urgent_care_advice", "use_advice")
_COMPARED = 8
"""So many of the best by aspect and words are compared by meaning: each is read for it."""
_COMPARED_BESIDE = 3
"""So many, where another answer stands already."""
_SURE = 0.8
_EFFECT = "effect_of_drug"
_WHY = "explained"
"""Of advice that says why a medicine does something; that is told beside what it does."""
_SHARED_WORDS = 2
"""So many words a text shares with a question that it answers where nothing is compared by
meaning."""
_UNNAMED = 0.05
"""So much nearer a text must be that is not of what the question names."""
_ASKED_FOR = 0.06
"""So much nearer counts a text of an aspect that is asked for."""
_FEW = 2
"""So many complaints are told, beside whose possible causes advice on them is told."""
_SECOND = 0.06
"""So much less near a second text may be."""
_MOST = 2


@dataclass(frozen=True, slots=True)
class _Text:
    """A text of advice, and what the question calls the thing that it is of."""

    supported: SupportedStatement
    called: str

    @property
    def words(self) -> str:
        """The text itself."""
        return self.supported.statement.text

    @property
    def aspect(self) -> str:
        """What it is about."""
        return aspect_of(self.supported)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What advice answers a question."""

    aspects: tuple[str, ...]
    alone: bool
    """Whether no text of another aspect does."""
    of_aspect: float
    """From which cosine on a text of these does."""
    any: float
    beside: bool = False
    """Whether another answer stands already."""
    with_name: bool = True
    """Whether the name of what a text is of is compared with it."""

    def not_named(self) -> _Wanted:
        """The same of what the question does not name: a text must be nearer."""
        return replace(self, any=self.any + _UNNAMED)


def practical_advice(
    question: Question,
    knowledge: Knowledge,
    vectors: SentenceVectors | None,
    *,
    nearest: Sequence[str] = (),
    beside: bool = False,
) -> tuple[SupportedStatement, ...]:
    """The one or two texts of advice that answer a question, best first; none where none does.

    Those on what the question itself names go before those on what was told before; where it names
    nothing, those on the `nearest` names. `beside` what else answers it, only the one text of an
    aspect that is asked for.
    """
    wanted = _wanted(question, beside=beside)
    if wanted is None:
        return ()
    named = _named(question.mentions)
    if beside and question.form.kind == "comparison":
        return _comparing(named, question.language, wanted, knowledge)
    best = _best(question, _of(named, question.language, knowledge), wanted, vectors)
    if best or beside:
        return best[:1] if beside else best
    told = (m for m in question.earlier if m.experiencer == "patient" and m.status != "absent")
    found = _of(_named(told), question.language, knowledge)
    unnamed = wanted.not_named()
    if best := _best(question, found, replace(unnamed, with_name=False), vectors):
        return best
    of_any = question.aside or _label(question) in _rules()["of_a_medicine"]
    near = () if of_any else nearest  # "I missed my pill" is of no name that is near
    found = _of(_near(near, knowledge), question.language, knowledge)
    return _best(question, found, unnamed, vectors)


def _comparing(
    named: Mapping[str, str], language: str, wanted: _Wanted, knowledge: Knowledge
) -> tuple[SupportedStatement, ...]:
    """Of each thing that is compared, the text that names another of them."""
    names = {one: knowledge.entities.get(one).all_names() for one in named}
    found: dict[str, SupportedStatement] = {}
    for one, called in named.items():
        others = [name.lower() for other, of in names.items() if other != one for name in of]
        for text in _of({one: called}, language, knowledge):
            words = text.words.lower()
            if text.aspect in wanted.aspects and any(name in words for name in others):
                found.setdefault(one, text.supported)
    return tuple(found.values())[:_MOST]


def _wanted(question: Question, *, beside: bool) -> _Wanted | None:
    """None where no advice answers: it is no verdict on a medicine, and no price."""
    rules, label = _rules(), _label(question)
    few = len(question.of_concept(*FINDINGS)) <= _FEW
    of_a_medicine = bool(question.of_concept(*SUBSTANCES))
    if (
        (label in rules["not_asked"] and question.asked.certainty >= _SURE)
        or (beside and label not in rules["beside"] and not (few and label in rules["of_few"]))
        or (of_a_medicine and label in rules["of_a_medicine"])
        or question.form.kind == "what_else"
        or question.aside not in ("", *EVERYDAY)
    ):
        return None
    near = rules["near"].get(question.language, rules["near"]["en"])
    return _Wanted(
        aspects=(
            *rules["answers"].get(label, ()),
            *(each for each in _cued(question) if each == _WHY or not beside),
            *(rules["answers"][_EFFECT] if _may_be_an_effect(question) else ()),
        ),
        alone=beside or (of_a_medicine and question.aside != ""),
        of_aspect=near["beside" if beside else "of_aspect"],
        any=near["any"],
        beside=beside,
        with_name=near["named"],
    )


def _cued(question: Question) -> Iterator[str]:
    """The aspects of which words of a question may ask."""
    text = question.text.lower()
    cues = _cues(question.language)
    return (aspect for aspect, pattern in cues.items() if pattern.search(text))


def _label(question: Question) -> str:
    """What is asked, as it was learned; where that is not sure, of somebody who takes a medicine
    and tells of a complaint, whether the one comes of the other."""
    unsure = question.asked.certainty < _SURE
    return _EFFECT if unsure and _may_be_an_effect(question) else question.asked.label


def _may_be_an_effect(question: Question) -> bool:
    """Whether somebody takes a medicine and has a complaint."""
    takes = any(m.role == "taken" for m in question.of_concept(*SUBSTANCES))
    return takes and any(m.status == "present" for m in question.of_concept("symptom"))


def _named(mentions: Iterable[Mention]) -> dict[str, str]:
    """What is named, and how it was called."""
    return {
        entity: mention.text
        for mention in mentions
        if mention.concept in _ABOUT and mention.entity not in (*BY_HABIT, *_rules()["no_subject"])
        for entity in mention.entities
    }


def _near(names: Iterable[str], knowledge: Knowledge) -> dict[str, str]:
    found = ((name, named) for name in names for named in knowledge.dictionary.names(name))
    return {named.entity: name for name, named in found}


def _of(subjects: Mapping[str, str], language: str, knowledge: Knowledge) -> list[_Text]:
    """The advice on things, on the only one of a class, and on the classes of a medicine."""
    match = knowledge.store.match
    called: dict[str, str] = {}
    for subject, name in subjects.items():
        own = (*knowledge.same(subject), *only_member((subject,), knowledge))
        for one in (*own, *stated_classes(own, knowledge)):
            called.setdefault(one, name)
    knowledge.store.expect([(one, text, None) for one in called for text in _TEXTS])
    return [
        _Text(supported, name)
        for one, name in called.items()
        for text in _TEXTS
        for supported in match(one, text)
        if supported.statement.language == language
    ]


def _best(
    question: Question, found: Iterable[_Text], wanted: _Wanted, vectors: SentenceVectors | None
) -> tuple[SupportedStatement, ...]:
    words = stem_texts(question.text.lower())
    held = [
        text
        for text in found
        if text.aspect in wanted.aspects
        or not (wanted.alone or text.aspect in _rules()["only_asked"])
    ]
    shared = {text: len(words & stem_texts(text.words.lower())) for text in held}
    most = _COMPARED_BESIDE if wanted.beside else _COMPARED
    ranked = sorted(held, key=lambda t: (t.aspect not in wanted.aspects, -shared[t]))[:most]
    texts = [_with_name(text) if wanted.with_name else text.words for text in ranked]
    near = _nearness(question, texts, vectors)
    if near is None:
        fitting = [t for t in ranked if t.aspect in wanted.aspects and shared[t] >= _SHARED_WORDS]
        return tuple(text.supported for text in fitting[:1])
    scored = {
        text: cosine
        for text, cosine in zip(ranked, near, strict=True)
        if cosine >= (wanted.of_aspect if text.aspect in wanted.aspects else wanted.any)
    }
    best = sorted(scored, key=lambda t: -scored[t] - _ASKED_FOR * (t.aspect in wanted.aspects))
    return tuple(t.supported for t in best[:_MOST] if scored[t] >= scored[best[0]] - _SECOND)


def _nearness(
    question: Question, texts: Sequence[str], vectors: SentenceVectors | None
) -> list[float] | None:
    """The cosine of each text with the question; None where nothing reads them."""
    if vectors is None or not texts:
        return None
    asked = as_read(question.text, question.language)  # other readers have its vector made
    made = vectors([asked, *texts], question.language)
    if made is None:
        return None
    return [sum(map(mul, made[0], made[at])) for at in range(1, len(texts) + 1)]


def _with_name(text: _Text) -> str:
    """A text as it is compared: that it is on iron, "It turns the stools dark" does not say."""
    known = text.called.lower() in text.words.lower()
    return text.words if known else f"{text.called}: {text.words}"


def aspect_of(supported: SupportedStatement) -> str:
    """What a text of advice is about: "missed_dose"; "" where its source does not say."""
    return str(dict(supported.statement.qualifiers).get("aspect", ""))


@cache
def _cues(language: str) -> dict[str, re.Pattern[str]]:
    held: dict[str, str] = _rules()["cues"].get(language, {})
    return {aspect: re.compile(pattern) for aspect, pattern in held.items()}


@cache
def _rules() -> dict[str, Any]:
    held: dict[str, Any] = shipped_yaml("retrieval", "practical.yaml")
    return held
