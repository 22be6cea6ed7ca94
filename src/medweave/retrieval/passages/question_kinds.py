"""Which kind of answer a question asks for, how such answers begin, and which words only ask."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from medweave.language.data import shipped_yaml
from medweave.language.segmentation import index_terms, is_han, symbol_runs
from medweave.language.stems import bare_stem
from medweave.retrieval.passages.sentence_words import sentence_rule


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """How a kind of answer is asked for, and how it begins."""

    label: str
    asked: re.Pattern[str]
    answered: re.Pattern[str]


@cache
def answer_kinds() -> tuple[AnswerKind, ...]:
    """All kinds, as `question_kinds.yaml` has them."""
    held = shipped_yaml("retrieval", "passages", "question_kinds.yaml")["kinds"]
    return tuple(
        AnswerKind(label, *(re.compile("|".join(kind[part])) for part in ("asked", "answered")))
        for label, kind in held.items()
    )


def sought_kinds(question: str) -> frozenset[str]:
    """The kinds of answer that a question asks for; a plain "what is" asks for information.

    >>> sorted(sought_kinds("What are the symptoms of measles?"))
    ['symptoms']
    """
    low = question.lower()
    found = {kind.label for kind in answer_kinds() if kind.asked.search(low)}
    return frozenset(found - {"information"} or {"information"})


@lru_cache(maxsize=1 << 15)
def kinds_answered(beginning: str) -> frozenset[str]:
    """The kinds of answer that a text begins like."""
    low = beginning.lower()
    return frozenset(kind.label for kind in answer_kinds() if kind.answered.search(low))


def asks_leave(question: str) -> bool:
    """Whether somebody may take or be given something after the answer.

    >>> asks_leave("Can I take aspirin?"), asks_leave("How does aspirin work?")
    (True, False)
    >>> asks_leave("What should prompt testing for gout using imaging?")
    False
    """
    return bool(sentence_rule("asks_leave").search(question))


def without_asking(text: str) -> str:
    """A text without the Chinese words that only ask: they would make pairs with all others.

    >>> without_asking("痛风是什么引起的？"), without_asking("What is gout?")
    ('痛风 引起 ？', 'What is gout?')
    """
    return text if text.isascii() else sentence_rule("only_asks").sub(" ", text)


def content_terms(text: str) -> list[str]:
    """The words of a text by their stems, in order; numbers stay as they are.

    >>> content_terms("Ataxias of type 13")
    ['ataxia', 'of', 'type', '13']
    """
    return [term for run in symbol_runs(text) for term in _terms(run)]


@lru_cache(maxsize=1 << 17)
def _terms(run: str) -> tuple[str, ...]:
    if is_han(run):
        return tuple(index_terms(run))
    return (bare_stem(run),) if run.isalpha() else (run,)


def focus_terms(question: str) -> list[str]:
    """The terms a question is about, in order: those of its words that do not only ask.

    >>> focus_terms("What are the treatments for Down syndrome?")
    ['down', 'syndrom']
    """
    return [term for run in focus_words(question) for term in _terms(run)]


def focus_words(question: str) -> list[str]:
    """The words a question is about, in order, as they are written; all, where none is left.

    >>> focus_words("What are the treatments for Down syndrome?")
    ['down', 'syndrome']
    """
    runs = list(symbol_runs(question))
    return [run for run in runs if run not in _frame()] or runs


@cache
def _frame() -> frozenset[str]:
    return frozenset(
        map(str, shipped_yaml("retrieval", "passages", "question_kinds.yaml")["frame"])
    )


@cache
def frame_stems() -> frozenset[str]:
    """The words that only ask, by their stems."""
    return frozenset(term for word in _frame() for term in _terms(word))
