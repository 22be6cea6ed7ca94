"""Text folded for matching, with the way back to the places of the original."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from medweave.language.data import shipped_yaml

_SPACE_LIKE = frozenset("-_/\u2010\u2011\u2012\u2013\u2014\u00a0\u3000")
_RUNS = re.compile(r"[\s_/-]+")
_SPACE = re.compile(r"\s")
_LONG_RUNS = re.compile(r"\s{2,}")
_PLAIN_HAN = re.compile(r"[\u4e00-\u9fff]+")
_IN_PLACE = {**dict.fromkeys(map(ord, _SPACE_LIKE), " "), ord("\u2019"): "'"}
"""Characters that are folded to one other character."""
_HALVES = re.compile("[\ud800-\udfff]")
_SHORT = 5
"""Words shorter than this keep their last letter."""
_DROPPED = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad")


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` is folded; `places[i]` is where its character i stood; one more place ends it."""

    text: str
    places: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that a span of the folded text stands for."""
        return self.places[start], self.places[end - 1] + 1


def fold(text: str) -> Folded:
    """Case, width, hyphens and runs of space made equal; invisible characters left out.

    >>> fold("Chest–PAIN").text
    'chest pain'
    """
    plain = text.translate(_IN_PLACE)
    if plain.isascii():  # most texts are
        return _folded_ascii(plain.lower())
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for folded in _fold_character(character):
            if folded == " " and characters and characters[-1] == " ":
                continue
            characters.append(folded)
            places.append(place)
    places.append(len(text))
    return Folded("".join(characters), tuple(places))


def _folded_ascii(text: str) -> Folded:
    """A text in which only white space is still to be folded."""
    runs = list(_LONG_RUNS.finditer(text))
    if not runs:
        return Folded(_SPACE.sub(" ", text), range(len(text) + 1))
    folded: list[str] = []
    places: list[int] = []
    end = 0
    for run in runs:
        folded.append(text[end : run.start() + 1])
        places.extend(range(end, run.start() + 1))
        end = run.end()
    folded.append(text[end:])
    places.extend(range(end, len(text) + 1))
    return Folded(_SPACE.sub(" ", "".join(folded)), tuple(places))


def _fold_character(character: str) -> str:
    if character in _DROPPED:
        return ""
    if character in _SPACE_LIKE or character.isspace():
        return " "
    if character == "\u2019":
        return "'"
    if character.isascii():
        return character.lower()
    return unicodedata.normalize("NFKC", character).casefold()


def lower(text: str) -> str:
    """A text in lower case, typed apostrophes for printed ones; everything stays in its place.

    >>> lower("It’s İzmir")
    "it's İzmir"
    """
    lowered = text.lower()
    if len(lowered) != len(text):  # a few capitals become two characters: those stay
        lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lowered.replace("’", "'")


@cache
def _simplified() -> dict[int, int]:
    held = shipped_yaml("language", "rules", "simplified.yaml")
    pairs = f"{held['pairs']} {held['spoken']}".split()
    return {ord(pair[0]): ord(pair[1]) for pair in pairs}


def simplified(text: str) -> str:
    """A text with simplified characters for traditional ones; everything stays in its place.

    >>> simplified("佢頭痛")
    '他头痛'
    """
    return text.translate(_simplified())


def in_standard_chinese(text: str) -> str:
    """A text simplified, and written Cantonese in it in standard Chinese; all stays in its place.

    >>> in_standard_chinese("佢食緊藥，唔想食飯")
    '他吃着药，不想吃饭'
    """
    plain = simplified(text)
    for pattern, standard in _phrases():
        plain = pattern.sub(standard, plain)
    return plain


_HAN = "\u4e00-\u9fff"
_BLANK = re.compile(
    rf"(?<=[{_HAN}\d])(?<![吃服用打喝开做有是在和跟与及或的对了后]) "
    rf"(?![和跟与及或了的])(?=[{_HAN}a-zA-Z])"
    rf"|(?<=[{_HAN}][了后的]) (?=[{_HAN}])"
)
_WORDS_APART = 3
"""Characters between blanks of who sets every word apart; more are clauses."""


def with_commas_for_blanks(text: str) -> str:
    """A Chinese text with a comma for each blank that ends a clause; everything stays in its place.

    Who writes on a telephone sets a blank for every mark. Where each word stands apart, and beside
    a word that goes on ("吃 布洛芬"), a blank ends nothing.

    >>> with_commas_for_blanks("我妈吃华法林 头疼能吃 布洛芬吗")
    '我妈吃华法林，头疼能吃 布洛芬吗'
    """
    if " " not in text or len(text) <= (_WORDS_APART + 1) * text.count(" "):
        return text
    return _BLANK.sub("，", text)


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Words of written Cantonese, and as many characters of standard Chinese for each."""
    held = shipped_yaml("language", "rules", "simplified.yaml")
    return tuple((re.compile(pattern), standard) for pattern, standard in held["phrases"])


def without_halves(text: str) -> str:
    """A text that can be stored: half a character of UTF-16 becomes the sign for what is broken.

    >>> without_halves("fever \\ud83d now") == "fever \ufffd now"
    True
    """
    if text.isascii():
        return text
    return _HALVES.sub("\ufffd", text)


def blotted(text: str, spans: Iterable[tuple[int, int]], mark: str) -> str:
    """A text with everything in these spans overwritten by a mark; all else stays in its place.

    >>> blotted("no cough, no fever", [(3, 8)], "x")
    'no xxxxx, no fever'
    """
    characters = list(text)
    for start, end in spans:
        characters[start:end] = mark * (end - start)
    return "".join(characters)


def singular(key: str) -> str:
    """The singular of a folded English name, as far as its last letters tell.

    >>> singular("stomach ulcers"), singular("allergies"), singular("rashes"), singular("sepsis")
    ('stomach ulcer', 'allergy', 'rash', 'sepsis')
    >>> singular("headaches")
    'headache'
    """
    if key[-1:] != "s" or len(key) < _SHORT or not key.isascii():
        return key
    if key.endswith("ies"):
        return key[:-3] + "y"
    if key.endswith(("ches", "shes", "xes", "sses")) and not key.endswith("aches"):
        return key[:-2]
    return key if key.endswith(("ss", "us", "is")) else key[:-1]


def plural(key: str) -> str:
    """The plural of a folded English name, as far as its last letters tell."""
    if key.endswith("s"):
        return key
    if key.endswith("y") and key[-2:-1] not in "aeiou":
        return key[:-1] + "ies"
    return key + ("es" if key.endswith(("ch", "sh", "x")) else "s")


@lru_cache(maxsize=1 << 16)
def name_key(name: str) -> str:
    """The form under which a name is looked up: folded, and in the singular.

    >>> name_key("Stomach–Ulcers"), name_key("咳嗽")
    ('stomach ulcer', '咳嗽')
    """
    if name.isascii():  # most names are, and names are folded by the thousand
        return singular(_RUNS.sub(" ", name.lower()).strip())
    if _PLAIN_HAN.fullmatch(name):  # nothing of these is folded
        return name
    return singular(fold(name.strip()).text.strip())
