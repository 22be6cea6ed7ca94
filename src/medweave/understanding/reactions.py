"""An allergy told by what happened: "penicillin made my throat close up", "hives after aspirin".

What happened is data, by how grave it is, and so is what may stand between that and the name of the
medicine. Nobody who asks whether a medicine does so, or says that it did not, is allergic to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal as OneOf

from medweave.language.data import rules_in
from medweave.language.passage import Passage, Span
from medweave.language.prefilter import Expression

Reaction = OneOf["", "mild", "severe"]
_SEEN = 120
"""Characters before and behind a name in which it is told what happened."""


def reaction_to(passage: Passage, span: Span) -> Reaction:
    """What the medicine named at a span did to somebody; "" where nothing is told of it.

    >>> from medweave.language.passage import passage_of
    >>> reaction_to(passage_of("My face swelled after ibuprofen"), (22, 31))
    'severe'
    >>> reaction_to(passage_of("Aspirin brought me out in hives"), (0, 7))
    'mild'
    >>> reaction_to(passage_of("Does aspirin cause hives?"), (5, 12))
    ''
    """
    if _positive_test(passage, span):
        return "mild"
    for grade in ("severe", "grave", "mild"):
        if _before_name(passage, span, grade) or _behind_name(passage, span, grade):
            return "mild" if grade == "mild" else "severe"
    return ""


def _before_name(passage: Passage, span: Span, grade: str) -> bool:
    """Whether it is told before the name: "hives after aspirin"."""
    first = max(passage.sentence_at(span[0])[0], span[0] - _SEEN)
    told, language = passage.plain[first : span[0]].rstrip(), passage.language
    links = ("behind",) if grade == "grave" else ("behind", "behind_near")
    for start, end in _happened(told, grade, language):
        linked = any(_fits(link, told[end:], language) for link in links)
        if linked and not any(
            _fits(rule, told[:start], language) for rule in ("asking", "denied", "treating")
        ):
            return True
    return False


def _behind_name(passage: Passage, span: Span, grade: str) -> bool:
    """Whether it is told behind the name: "aspirin gave me hives"."""
    first, last = passage.sentence_at(span[0])
    language = passage.language
    before = passage.plain[max(first, span[0] - _SEEN) : span[0]]
    told = passage.plain[span[1] : min(last, span[1] + _SEEN)]
    happened = list(_happened(told, grade, language))
    if not happened or _fits("asking", before, language):
        return False
    if _fits("drank", told[: happened[0][0]], language) or _fits("drank", before, language):
        return False  # what alcohol does beside a medicine is no allergy to it
    links = ["before"]
    if grade == "grave":
        links.append("before_itself")
        several = len(happened) > 1 or any(_happened(told, "severe", language))
        if several and _fits("then_taken", before, language):
            links.append("before_then")
    elif _fits("then_taken", before, language):
        links.append("before_then")
    if _fits("then_dose", before, language):
        links.append("before_then")
    if _fits("after_it", before, language):
        links.append("before_after")
    if _fits("excluded", before.rstrip(), language):
        links.append("before_excluded")
    if any(start == 0 and _fits("befell", told[:end], language) for start, end in happened):
        return _fits("just_taken", before, language)
    return any(
        _fits(link, told[:start].rstrip(), language) and not _fits("denied", told[:start], language)
        for start, _ in happened
        for link in links
    )


def _positive_test(passage: Passage, span: Span) -> bool:
    """Whether a test found it: "the skin test for aspirin swelled", "aspirin test positive"."""
    first, last = passage.sentence_at(span[0])
    language = passage.language
    before = passage.plain[max(first, span[0] - _SEEN) : span[0]].rstrip()
    found = _rule("came_out", language).search(passage.plain[span[1] : min(last, span[1] + _SEEN)])
    if found is None or _fits("denied", found.group(), language):
        return False
    named = _fits("tested", before, language) or _fits("test_itself", found.group(), language)
    return named and not any(_fits(rule, before, language) for rule in ("asking", "denied"))


def is_severe(passage: Passage, span: Span, others: Sequence[int] = ()) -> bool:
    """Whether what happened is told to have been grave, wherever in the sentence, of a medicine
    that is known not to be borne. `others` are where other medicines begin: none stands between.

    >>> from medweave.language.passage import passage_of
    >>> is_severe(passage_of("The crash team came, so I am allergic to penicillin"), (41, 51))
    True
    """
    first, last = passage.sentence_at(span[0])
    told, language = passage.plain[first:last], passage.language
    for grade in ("severe", "grave"):
        for start, end in _happened(told, grade, language):
            low, high = sorted((span[0], first + (end if first + end <= span[0] else start)))
            apart = any(low < other < high for other in others)
            if not apart and not any(
                _fits(rule, told[:start], language) for rule in ("asking", "denied")
            ):
                return True
    return False


def _happened(text: str, grade: str, language: str) -> Iterator[Span]:
    found = _rule(grade, language)
    if found.may_be_in(text):
        yield from (match.span() for match in found.finditer(text))


def _fits(rule: str, text: str, language: str) -> bool:
    return _rule(rule, language).search(text) is not None


@cache
def _rule(name: str, language: str) -> Expression:
    rules = rules_in(language, "understanding", "rules", "reactions.yaml")
    held = rules[name]
    parts = held if isinstance(held, list) else [held]
    return Expression("|".join(f"(?:{part})" for part in parts))
