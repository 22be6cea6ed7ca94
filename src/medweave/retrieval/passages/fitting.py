"""What a question wants of a sentence beside its words: which of several, a definition, reasons.

"The second most common" is no answer to "the most common", nor what holds of stage 4 to a question
about stage 2, although the words are nearly the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

from medweave.retrieval.passages.question_kinds import content_terms
from medweave.retrieval.passages.sentence_words import sentence_rule

_OF_SEVERAL = {
    "degree": ("second most", "most", "least"),
    "line": ("first line", "second line", "third line"),
}
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "ⅰ": "1", "ⅱ": "2",
          "ⅲ": "3", "ⅳ": "4", "ⅴ": "5"}  # fmt: skip
_FIGURE = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-])")


@lru_cache(maxsize=1 << 12)
def designations(text: str) -> Mapping[str, frozenset[str]]:
    """Which of several a text speaks of: how common, which line, stage, type or grade.

    >>> found = designations("The second most common type, in stage II")
    >>> {kind: sorted(named) for kind, named in found.items()}
    {'degree': ['second most'], 'stage': ['2']}
    """
    low = text.lower()
    found: dict[str, set[str]] = {}
    for kind, values in _OF_SEVERAL.items():
        rest = low
        for value in values:
            rest, count = sentence_rule(value).subn(" ", rest)
            if count:
                found.setdefault(kind, set()).add(value)
    for kind, value, number, han in sentence_rule("named").findall(low):
        named = value or number
        found.setdefault(kind or han, set()).add(_ROMAN.get(named, named))
    return {kind: frozenset(values) for kind, values in found.items()}


def agreement(question: str, sentence: str) -> float:
    """1 where a sentence speaks of the very one that is asked about, -1 where of another; else 0.

    >>> agreement("What is the most common type?", "It is the second most common type.")
    -1.0
    >>> agreement("How is stage 2 treated?", "Stage II is treated by surgery.")
    1.0
    >>> agreement("Which gene is on chromosome 9?", "That of chromosome 11 is another.")
    -1.0
    """
    asked = designations(question)
    numbers = _figures(question)
    if not (asked or numbers):
        return 0.0
    figures = _figures(sentence)
    if figures and not numbers <= figures:
        return -1.0
    told = designations(sentence)
    both = [kind for kind in asked if kind in told]
    if any(asked[kind].isdisjoint(told[kind]) for kind in both):
        return -1.0
    return float(bool(both))


def _figures(text: str) -> frozenset[str]:
    """The numbers of a text that name no stage, type or grade."""
    return frozenset(_FIGURE.findall(sentence_rule("named").sub(" ", text.lower())))


def is_about_itself(sentence: str) -> bool:
    """Whether a sentence speaks of the text that it stands in, or only announces what follows.

    >>> is_about_itself("The focus of this guide is gout."), is_about_itself("Gout hurts.")
    (True, False)
    >>> is_about_itself("There are different types of biopsies.")
    True
    """
    return bool(sentence_rule("about_itself").search(sentence.lower()))


def gives_number(question: str, sentence: str) -> float:
    """1 where a number is asked for and the sentence holds one.

    >>> gives_number("How often is it given?", "It is given twice a day.")
    1.0
    """
    asked = sentence_rule("wants_number").search(question.lower())
    return float(bool(asked) and bool(sentence_rule("number").search(sentence.lower())))


def asks_for_several(question: str) -> bool:
    """Whether several things are asked for.

    >>> asks_for_several("Which drugs treat gout?"), asks_for_several("What is gout?")
    (True, False)
    """
    return bool(sentence_rule("wants_several").search(question.lower()))


def defines(question: str, names: Collection[str], sentence: str) -> float:
    """1 where it is asked what something is, and a sentence begins by saying that.

    `names` are the stems that the question is about.

    >>> defines("What is gout?", ["gout"], "Gout is a disease of joints.")
    1.0
    """
    if not (names and sentence_rule("wants_definition").search(question.lower())):
        return 0.0
    found = sentence_rule("defines").match(sentence)
    named = content_terms(found["named"] or found["zh"]) if found else ()
    return float(set(named).issuperset(names))


def asks_to_explain(question: str) -> bool:
    """Whether a question asks how or why something is.

    >>> asks_to_explain("How does aspirin thin the blood?"), asks_to_explain("What is aspirin?")
    (True, False)
    """
    return bool(sentence_rule("asks_to_explain").search(question.lower()))


def asks_more(question: str) -> bool:
    """Whether one sentence can hardly answer: how, why, several questions, or a case.

    >>> asks_more("What is gout, and how is it treated?"), asks_more("What is gout?")
    (True, False)
    """
    return asks_to_explain(question) or bool(sentence_rule("asks_more").search(question.lower()))


def questions_in(question: str) -> tuple[str, ...]:
    """The questions that one text asks, in order.

    >>> questions_in("What is gout, and how is it treated?")
    ('What is gout', 'how is it treated?')
    >>> questions_in("痛风是什么，怎么治疗？")
    ('痛风是什么', '怎么治疗？')
    """
    found = (part.strip() for part in sentence_rule("next_question").split(question))
    return tuple(part for part in found if part)


def asks_for_overview(question: str) -> bool:
    """Whether a question wants a text, or what several things are.

    >>> asks_for_overview("What are the symptoms of gout and their treatment?")
    True
    >>> asks_for_overview("Which drug treats gout?")
    False
    """
    low = question.lower()
    return bool(
        sentence_rule("what_are_and").search(low) or sentence_rule("orders_text").search(low)
    )
