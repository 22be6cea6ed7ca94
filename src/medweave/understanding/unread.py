"""Words of a text that could name a medicine, a condition or a state, and were not recognised.

An answer that passes over a name it does not know answers another question. So these are named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.language.given_names import given_names
from medweave.language.passage import Passage, Span
from medweave.language.plain_english import is_common_word_misspelt, is_plain_english
from medweave.language.quantities import names
from medweave.language.segmentation import is_shouted, stop_names
from medweave.model.question import Unread
from medweave.vocabulary.drug_stems import class_by_stem

_MOST = 5
"""So many are named; a text with more is in another language, or no text."""
_WORD = re.compile(r"(?<![\w'.@/#])[a-z]{3,}(?:-[a-z]{3,})*(?![\w@]|['’]t\b)(?:'s)?")
_LEAST = 5
"""Shorter words are only looked at in capitals."""
_SEEN = 20


def unread(passage: Passage, known: Iterable[Span]) -> tuple[Unread, ...]:
    """The words that were not recognised; `known` are the spans of all that was.

    >>> from medweave.language.passage import passage_of
    >>> text = "I'm allergic to penicillin, can I take piperacillin-tazobactam or Excedrin?"
    >>> [each.text for each in unread(passage_of(text), [(16, 26)])]
    ['piperacillin-tazobactam', 'Excedrin']
    >>> unread(passage_of("Which tablets help my sore throat best?"), [])
    ()
    """
    taken = bytearray(len(passage.text))
    for start, end in known:
        taken[start:end] = b"\1" * (end - start)
    for start, end in _signed(passage):
        taken[start:end] = b"\1" * (end - start)
    find = _in_chinese if passage.language == "zh" else _in_english
    free = (s for s in (*_unlabelled(passage), *find(passage)) if not any(taken[slice(*s)]))
    found = [Unread(*span, passage.text[slice(*span)]) for span in dict.fromkeys(free)]
    return tuple(found) if len(found) <= _MOST else ()


def _unlabelled(passage: Passage) -> Iterator[Span]:
    """Medicines whose names nobody knows: "the green capsules, there is no label on them"."""
    for pattern in _rules()["unlabelled"][passage.language]:
        yield from (m.span("word") for m in re.finditer(pattern, passage.plain))


def _signed(passage: Passage) -> Iterator[Span]:
    """The names of whoever writes, where they introduce themselves, or sign what they wrote."""
    for rule in ("signed", "introduced"):
        yield from (found.span("name") for found in _pattern(rule).finditer(passage.text))


def _in_english(passage: Passage) -> Iterator[Span]:
    text, plain = passage.text, passage.plain
    medicines = _pattern("of_medicines").search(plain) is not None
    yield from (found.span("word") for found in _pattern("allergen").finditer(plain))
    ills = _pattern("of_illness").finditer(text)
    yield from (found.span("word") for found in ills if _may_be_a_name(found["word"].lower()))
    for match in _WORD.finditer(plain):
        start, end = match.start(), match.end() - 2 * match.group().endswith("'s")
        word, written = plain[start:end], text[start:end]
        unknown = _may_be_a_name(word)
        if unknown is None or not (unknown or medicines) or _is_of_a_place(text, start, written):
            continue
        shouted = written.isupper() and not is_shouted(text, start, end)
        if len(word) < _LEAST and not shouted:
            continue
        if (unknown and word not in given_names()) or (medicines and _is_medical(word)):
            yield start, end


@lru_cache(maxsize=1 << 14)  # the same words are met again and again
def _may_be_a_name(word: str) -> bool | None:
    """Whether a word is no plain English; None for one that surely names nothing."""
    if word in stop_names() or word in _rules()["ordinary"] or word in names("en"):
        return None  # what is measured is a quantity, and no name
    if _pattern("no_medicine").search(word):
        return None
    parts = word.split("-")
    return not all(is_plain_english(part) or is_common_word_misspelt(part) for part in parts)


@lru_cache(maxsize=1 << 12)
def _is_medical(word: str) -> bool:
    """Whether a word of the dictionary is the name of a medicine or a condition by its end."""
    if len(word) <= _LEAST:
        return False
    return class_by_stem(word) is not None or bool(_pattern("medical_ending").search(word))


def _is_of_a_place(text: str, start: int, written: str) -> bool:
    if not written.istitle():
        return False
    return bool(_pattern("of_places").search(text[max(0, start - _SEEN) : start].lower()))


def _in_chinese(passage: Passage) -> Iterator[Span]:
    """What ends as medicines' names do, sounds foreign where a medicine is taken, or is to be taken
    together with a name; not the mere form of a medicine."""
    found = {match.span() for match in _pattern("chinese").finditer(passage.hidden)}
    found |= {m.span("word") for m in _pattern("chinese_by_sound").finditer(passage.hidden)
              if sum(sound in _rules()["chinese_sounds"] for sound in m["word"]) > 1}  # fmt: skip
    if _pattern("chinese_together").search(passage.hidden):
        found |= {m.span("word") for m in _pattern("chinese_beside_name").finditer(passage.hidden)}
        found |= {m.span("word") for m in _pattern("chinese_behind_name").finditer(passage.hidden)}
    taken = -1
    forms = _pattern("chinese_forms")
    for start, end in sorted(found):
        if start >= taken and not forms.fullmatch(passage.text, start, end):
            taken = end
            yield start, end


@cache
def _pattern(name: str) -> re.Pattern[str]:
    rules = _rules()
    written = rules[name].replace("{name}", rules["chinese_name"])
    return re.compile(written.replace("{sounds}", f"[{rules['chinese_sounds']}]"))


def _rules() -> dict[str, Any]:
    return shipped_yaml("understanding", "rules", "unread.yaml")
