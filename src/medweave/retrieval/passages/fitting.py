"""What a question wants of a sentence beside its words: which of several, a definition, reasons.

"The second most common" is no answer to "the most common", nor what holds of stage 4 to a question
about stage 2, although the words are nearly the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

from medweave.retrieval.passages.question_kinds import content_terms

_SECOND = r"(?:second|third|fourth|fifth|2nd|3rd|4th|next)"
_DEGREES: Mapping[str, re.Pattern[str]] = {
    "second most": re.compile(
        rf"\b{_SECOND}[- ]most\b|\b{_SECOND}[- ]\w+est\b|第[二三四五][常多大高]"
    ),
    "most": re.compile(r"\b(?:most|commonest|mainly|main|primary)\b|最(?:常|多|主要|大|高)"),
    "least": re.compile(r"\b(?:least|rarest|uncommon|less common)\b|最(?:少|罕)|罕见|少见"),
}
_LINES: Mapping[str, re.Pattern[str]] = {
    "first": re.compile(
        r"\b(?:first[- ](?:line|choice)|initial (?:treatment|therapy))\b|一线|首选"
    ),
    "second": re.compile(r"\b(?:second|2nd)[- ]line\b|二线"),
    "third": re.compile(r"\b(?:third|3rd)[- ]line\b|三线"),
}
_NAMED = re.compile(
    r"\b(stage|grade|type|phase|class|group|category|level|cycle|trimester)s? "
    r"(\d{1,2}|[ivx]{1,4}|[a-d])(?![\w-])"
    r"|(?<!\w)(\d{1,2}|[ⅰⅱⅲⅳⅴ]|[ivx]{1,4})(期|型|级|度)"
)
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "ⅰ": "1", "ⅱ": "2",
          "ⅲ": "3", "ⅳ": "4", "ⅴ": "5"}  # fmt: skip
_WANTS_NUMBER = re.compile(
    r"\bhow (?:many|much|long|often|old|large|big|high|far|soon|frequently)\b"
    r"|\bwhat (?:age|size|dose|percent\w*|proportion|number|share|rate|temperature)\b"
    r"|多少|多久|多长|多大|几[岁个次天周月年]|比例|剂量"
)
_FIGURE = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-])")
_ABOUT_ITSELF = re.compile(
    r"\b(?:this|next|following|previous|see) (?:book|guide|chapter|section|page|leaflet|handbook|"
    r"table|figure)\b|\b(?:chapter \d|part \d+:)|\bsee .{1,60} on page \d|"
    r"\bmore information\b|\bfor more (?:on|about)\b|\bwww\.|"
    r"\.(?:org|com|gov)\b|本(?:章|节|手册|指南|书)|详见|参见|见第|如下|下列"
    r"|\b(?:described|listed|explained|discussed|shown|covered) (?:next|below|here|in the next)\b"
    r"|\b(?:the|these) following\b[^:]*\.$|\bas follows\b"
    r"|\bthere (?:are|is) (?:\w+ ){0,2}(?:types?|kinds?|ways?|forms?|options?|reasons?|tests?|"
    r"treatments?|causes?)(?: of \w+(?: \w+)?)?\.$"
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|once|twice|daily|weekly)\b"
    r"|[一二三四五六七八九十两半几][岁个次天周月年小分毫]"
)
_WANTS_SEVERAL = re.compile(
    r"^\W*(?:name|list|give)\b|\b(?:what|which) are\b"
    r"|\b(?:what|which) (?:[a-z-]+ ){0,3}?[a-z-]{3,}(?<![su])s\b|哪些|哪几|几种"
)
_WANTS_DEFINITION = re.compile(
    r"^\W*(?:what (?:is|are) (?!the\b)|define\b|what does .{1,60}\bmean\b|what is meant)"
    r"|是什么|什么是|何谓"
)
_DEFINES = re.compile(
    r"^(?P<named>.{1,80}?),? (?:is|are|means?|refers? to|describes?|(?:is|are) (?:also )?called)\b"
    r"|^(?P<zh>.{1,20}?)[，,]?(?:是指|是|指|又称)"
)
_ASKS_MORE = re.compile(
    r"\b(?:and|or) (?:how|what|why|which|where|when|who|should|are|is|do|does)\b|^\W*(?:if|in)\b"
    r"|以及|并且|，.*(?:什么|如何|怎样|怎么|哪)"
)
_WHAT_ARE_AND = re.compile(r"^\W*(?:what|which) are\b.*\band\b|哪些.*(?:以及|并且)")
_ORDERS_TEXT = re.compile(
    r"\b(?:summari[sz]e|outline|overview|describe|draft|write|rewrite|compose|prepare|compare)\b"
    r"|总结|概述|概括|描述|介绍|写一"
)
_ASKS_TO_EXPLAIN = re.compile(
    r"\b(?:explain|why|describe|mechanisms?)\b|\bhow (?:does|do|did|is|are|can|could|would|will)\b"
    r"|\bwhat happens\b|为什么|为何|怎么会|如何|怎样|解释|说明|机制|原理"
)


@lru_cache(maxsize=1 << 12)
def designations(text: str) -> Mapping[str, frozenset[str]]:
    """Which of several a text speaks of: how common, which line, stage, type or grade.

    >>> found = designations("The second most common type, in stage II")
    >>> {kind: sorted(named) for kind, named in found.items()}
    {'degree': ['second most'], 'stage': ['2']}
    """
    low = text.lower()
    found: dict[str, set[str]] = {}
    for kind, patterns in (("degree", _DEGREES), ("line", _LINES)):
        rest = low
        for value, pattern in patterns.items():
            rest, count = pattern.subn(" ", rest)
            if count:
                found.setdefault(kind, set()).add(value)
    for kind, value, number, han in _NAMED.findall(low):
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
    return frozenset(_FIGURE.findall(_NAMED.sub(" ", text.lower())))


def is_about_itself(sentence: str) -> bool:
    """Whether a sentence speaks of the text that it stands in, or only announces what follows.

    >>> is_about_itself("The focus of this guide is gout."), is_about_itself("Gout hurts.")
    (True, False)
    >>> is_about_itself("There are different types of biopsies.")
    True
    """
    return bool(_ABOUT_ITSELF.search(sentence.lower()))


def gives_number(question: str, sentence: str) -> float:
    """1 where a number is asked for and the sentence holds one.

    >>> gives_number("How often is it given?", "It is given twice a day.")
    1.0
    """
    asked = _WANTS_NUMBER.search(question.lower())
    return float(bool(asked) and bool(_NUMBER.search(sentence.lower())))


def asks_for_several(question: str) -> bool:
    """Whether several things are asked for.

    >>> asks_for_several("Which drugs treat gout?"), asks_for_several("What is gout?")
    (True, False)
    """
    return bool(_WANTS_SEVERAL.search(question.lower()))


def defines(question: str, names: Collection[str], sentence: str) -> float:
    """1 where it is asked what something is, and a sentence begins by saying that.

    `names` are the stems that the question is about.

    >>> defines("What is gout?", ["gout"], "Gout is a disease of joints.")
    1.0
    """
    if not (names and _WANTS_DEFINITION.search(question.lower())):
        return 0.0
    found = _DEFINES.match(sentence)
    named = content_terms(found["named"] or found["zh"]) if found else ()
    return float(set(named).issuperset(names))


def asks_to_explain(question: str) -> bool:
    """Whether a question asks how or why something is.

    >>> asks_to_explain("How does aspirin thin the blood?"), asks_to_explain("What is aspirin?")
    (True, False)
    """
    return bool(_ASKS_TO_EXPLAIN.search(question.lower()))


def asks_more(question: str) -> bool:
    """Whether one sentence can hardly answer: how, why, several questions, or a case.

    >>> asks_more("What is gout, and how is it treated?"), asks_more("What is gout?")
    (True, False)
    """
    return asks_to_explain(question) or bool(_ASKS_MORE.search(question.lower()))


def asks_for_overview(question: str) -> bool:
    """Whether a question wants a text, or what several things are.

    >>> asks_for_overview("What are the symptoms of gout and their treatment?")
    True
    >>> asks_for_overview("Which drug treats gout?")
    False
    """
    low = question.lower()
    return bool(_WHAT_ARE_AND.search(low) or _ORDERS_TEXT.search(low))
