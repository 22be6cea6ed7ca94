"""The words of a case as they are compared with the names of a guideline: by their stems, in order.

British and American spellings, and forms with a stem of their own ("fed"), become one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from medweave.language.data import rules_in
from medweave.language.folding import lower
from medweave.language.passage import CLAUSE_MARK
from medweave.language.segmentation import SENTENCE_END
from medweave.language.spelling import other_spellings
from medweave.language.stems import bare_stem
from medweave.understanding.rule_files import CASE_RULES

_WORD = re.compile(r"\d+(?:[.,]\d+)?|[^\W\d_]+(?:['’][^\W\d_]+)?\d?|[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class CaseWord:
    """A word of a text: its place, its stem, and which sentence and clause it stands in."""

    start: int
    end: int
    written: str
    stem: str
    sentence: int
    clause: int


def case_rules() -> dict[str, Any]:
    """The rules that ship; see case_texts.en.yaml."""
    return rules_in("en", *CASE_RULES)


@cache
def word_set(rule: str) -> frozenset[str]:
    """The words of a rule that is a list of words."""
    return frozenset(str(each) for each in case_rules()[rule])


@lru_cache(maxsize=1 << 14)
def stem_of_word(word: str) -> str:
    """The stem of a word in lower case, the same in either spelling.

    >>> stem_of_word("oedema") == stem_of_word("edema"), stem_of_word("coughing")
    (True, 'cough')
    """
    plain = case_rules()["irregular"].get(word, word)
    return bare_stem(min((plain, *other_spellings(plain))))


def case_words(text: str) -> list[CaseWord]:
    """The words of a text in order; what several words say as one does is one ("not able to").

    >>> [word.stem for word in case_words("Coughs, and is not able to drink")]
    ['cough', 'and', 'is', 'unable', 'drink']
    """
    return list(_phrases(list(_words(lower(text)))))


def _words(text: str) -> Iterator[CaseWord]:
    sentence = clause = last = 0
    for match in _WORD.finditer(text):
        between = text[last : match.start()]
        if SENTENCE_END.search(between):
            sentence, clause = sentence + 1, clause + 1
        elif CLAUSE_MARK.search(between):
            clause += 1
        last = match.end()
        word = match.group().replace("’", "'")
        word = word.removesuffix("'s") if word not in ("he's", "she's") else word
        yield CaseWord(match.start(), last, word, stem_of_word(word), sentence, clause)


@cache
def _wordings() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for meaning, phrases in case_rules()["phrases"].items():
        for phrase in phrases:
            parts = tuple(phrase.split())
            found.setdefault(parts[0], []).append((parts, meaning))
    for ways in found.values():
        ways.sort(key=lambda way: -len(way[0]))
    return found


def _phrases(words: list[CaseWord]) -> Iterator[CaseWord]:
    wordings, at = _wordings(), 0
    while at < len(words):
        first = words[at]
        for parts, meaning in wordings.get(first.written, ()):
            run = words[at : at + len(parts)]
            if tuple(word.written for word in run) == parts and run[-1].clause == first.clause:
                yield CaseWord(
                    first.start, run[-1].end, meaning, meaning, first.sentence, first.clause
                )
                at += len(parts)
                break
        else:
            yield first
            at += 1


def words_of_text(text: str) -> list[CaseWord]:
    """`case_words`, and what one of them says where nothing else is told beside it.

    >>> [word.stem for word in words_of_text("Cough, and hot since yesterday")]
    ['cough', 'and', 'feverish', 'sinc', 'yesterday']
    >>> words_of_text("the ear is red and hot")[-1].stem
    'hot'
    """
    words = case_words(text)
    meant = {said: means for means, each in case_rules()["alone"].items() for said in each}
    told_before: set[int] = set()
    for part in _parts(words) if any(word.written in meant for word in words) else ():
        telling = [at for at in part if not _says_nothing(words[at].written)]
        if any(words[at].written in word_set("hot_itself") for at in part):
            told_before.add(words[part[0]].sentence)
        if words[part[0]].sentence in told_before:
            continue
        if all(words[at].written in meant for at in telling):
            for at in telling:
                means = meant[words[at].written]
                words[at] = replace(words[at], written=means, stem=means)
    return words


def _parts(words: list[CaseWord]) -> Iterator[list[int]]:
    """The places of the words between two commas or joining words; what denies joins nothing."""
    joining = word_set("connectors") - word_set("negations")
    part: list[int] = []
    for at, word in enumerate(words):
        if part and (word.written in joining or word.clause != words[part[0]].clause):
            yield part
            part = []
        if word.written not in joining:
            part.append(at)
    if part:
        yield part


def _says_nothing(written: str) -> bool:
    return written in _beside() or written[:1].isdigit()


@cache
def _beside() -> frozenset[str]:
    """Words that tell nothing of their own beside another."""
    rules = ("fillers", "between", "degrees", "child", "duration_words", "alone_with")
    return frozenset().union(*map(word_set, rules))


def content(words: Iterable[CaseWord]) -> tuple[str, ...]:
    """The stems of a name that must be found again, in order, each once."""
    idle = word_set("fillers") | word_set("connectors") - word_set("negations")
    persons = word_set("mother") | word_set("child")
    return tuple(
        dict.fromkeys(
            word.stem for word in words if word.written not in idle and word.written not in persons
        )
    )
