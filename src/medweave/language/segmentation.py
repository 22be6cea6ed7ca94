"""Words of English and Chinese text, for indexes and for matching.

Chinese has no spaces: a run of it is indexed as its dictionary words *and* all its character
bigrams, so that any two-character name is found, in the dictionary or not.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from medweave.language.data import shipped_yaml
from medweave.language.folding import name_key

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_LATIN = re.compile(r"[A-Za-z\d]+")
_ABBREVIATION = 5
_CODE = 6
"""Longer words in capitals are no abbreviations."""
SENTENCE_END = re.compile(r"[!?;\n。！？；]+|\.+(?!\d)")
"""Where a sentence ends; the point of a number ends none."""
_AROUND = 200
"""Characters of a sentence before and behind a word that are looked at."""
_MOSTLY = 0.9
"""The share of capitals from which on a sentence is in capitals."""
_HAN_OR_NOT = re.compile(f"{_HAN.pattern}|{_HAN.pattern.replace('[', '[^')}")


def is_chinese(text: str) -> bool:
    """Whether a text is to be treated as Chinese: it holds Chinese characters, and a fair share.

    Codes of clinicians are no words of another language: "T2DM", "CKD 4", "56y".

    >>> is_chinese("感冒的症状"), is_chinese("What is 感冒 in English, please tell me now?")
    (True, False)
    >>> is_chinese("56y，T2DM，CKD4期，HbA1c 9%，降糖药选啥")
    True
    """
    if text.isascii():  # most texts are
        return False
    han = sum(len(run) for run in _HAN.findall(text))
    words = (word for word in _LATIN.findall(text) if word.isalpha())
    latin = sum(1 for word in words if not word.isupper() or len(word) > _CODE)
    return han > 0 and han >= 2 * latin


def language_of(text: str) -> str:
    """'zh' or 'en': the languages whose rules ship."""
    return "zh" if is_chinese(text) else "en"


@cache
def stop_names() -> frozenset[str]:
    """Words that are never taken as the name of anything, and carry no search."""
    return frozenset(shipped_yaml("language", "rules", "stop_names.yaml")["names"])


@cache
def stop_keys() -> frozenset[str]:
    """The keys of `stop_names`, and they themselves; see `language.folding.name_key`."""
    return frozenset({name_key(name) for name in stop_names()} | stop_names())


def is_capitalised(written: str) -> bool:
    """Whether all is in capitals, but for an s behind two or more of them.

    >>> [is_capitalised(word) for word in ("UTI", "UTIs", "As", "Ms")]
    [True, True, False, False]
    """
    return written.isupper() or (written[:-1].isupper() and written[2:].endswith("s"))


def is_abbreviation(name: str) -> bool:
    """Whether a name is two to five letters in capitals: "HIV", but neither "flu" nor "ASPIRIN"."""
    return 1 < len(name) <= _ABBREVIATION and name.isascii() and name.isupper()


def is_shouted(text: str, start: int, end: int) -> bool:
    """Whether a word in capitals is only a word: all its sentence is, and words stand in it.

    >>> shouted, list_ = "IT IS ALL OVER ME", "PMH: ALL, MS, PE"
    >>> is_shouted(shouted, 6, 9), is_shouted(list_, 5, 8)
    (True, False)
    """
    if text[start:end].lower() not in _common_words():
        return False
    seen = max(0, start - _AROUND)
    first = max((m.end() for m in SENTENCE_END.finditer(text, seen, start)), default=seen)
    last = SENTENCE_END.search(text, end, end + _AROUND)
    others = text[first:start] + "|" + text[end : last.start() if last else end + _AROUND]
    letters = [character for character in others if character.isalpha()]
    capitals = sum(character.isupper() for character in letters)
    if capitals < _MOSTLY * len(letters):
        return False
    return any(word in _common_words() for word in _WORD.findall(others.lower()))


@cache
def _common_words() -> frozenset[str]:
    plain = shipped_yaml("language", "rules", "plain_words.yaml")["en"]
    short = shipped_yaml("language", "rules", "shouted_words.yaml")["words"]
    return frozenset({*plain, *short, *stop_names()})


def words(text: str) -> list[str]:
    """The words of a text in order, in lower case; Chinese is cut by its dictionary.

    >>> words("How to prevent a cold?"), words("感冒怎么预防")
    (['how', 'to', 'prevent', 'a', 'cold'], ['感冒', '怎么', '预防'])
    """
    found: list[str] = []
    for run in symbol_runs(text):
        if is_han(run):
            import rjieba

            found.extend(rjieba.cut(run))
        else:
            found.append(run)
    return found


def symbol_runs(text: str) -> list[str]:
    """Runs of letters and digits in lower case, each either all Chinese or without any."""
    if text.isascii():  # most texts are
        return _WORD.findall(text.lower())
    folded = unicodedata.normalize("NFKC", text).casefold()
    if not _HAN.search(folded):
        return _WORD.findall(folded)
    runs: list[str] = []
    for word in _WORD.findall(folded):
        runs.extend(run for run in _HAN_OR_NOT.findall(word) if run)
    return runs


def is_han(run: str) -> bool:
    """Whether a run begins with a Chinese character."""
    return not run.isascii() and _HAN.match(run) is not None


def index_terms(text: str) -> list[str]:
    """The terms under which a text is indexed and looked up, in order, with repeats.

    >>> index_terms("Acute gastritis")
    ['acute', 'gastritis']
    >>> index_terms("感冒")
    ['感冒']
    """
    if text.isascii():
        return _WORD.findall(text.lower())
    terms: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        position = 0
        for run in _HAN.finditer(word):
            if run.start() > position:
                terms.append(word[position : run.start()])
            terms.extend(_chinese_terms(run.group()))
            position = run.end()
        if position < len(word):
            terms.append(word[position:])
    return terms


def _chinese_terms(run: str) -> list[str]:
    import rjieba  # loads its dictionary: not before it is needed

    words = list(rjieba.cut(run))
    bigrams = [run[start : start + 2] for start in range(len(run) - 1)]
    seen = set(words)
    return words + [pair for pair in bigrams if pair not in seen]
