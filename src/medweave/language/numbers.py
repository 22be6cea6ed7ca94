"""The numbers of a text: in digits, in English words, in Chinese numerals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from medweave.language.data import shipped_yaml

_DIGITS = (
    r"(?<![0-9.,/])(?:[0-9]{1,2} )?[13]/[248](?![0-9/.,])"  # halves and quarters
    r"|(?<![0-9.])(?:[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]{1,4})?"  # 1,000
    r"|[0-9]{1,7},[0-9]{1,2}|[0-9]{1,9}(?:\.[0-9]{1,4})?)(?![0-9]|[.,][0-9]{1,4}(?![0-9]))"
)
_HAN_DIGITS = {han: number for number, han in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
}
_HAN_PLACES = {"十": 10, "百": 100, "千": 1000}
_TEN, _HUNDRED = 10, 100
_SPOKEN_HUNDREDS = (1, 2)
"""Hundreds that go without their word: a pressure is "one sixty", a sugar "two ten"."""
_NO_NUMBER = (
    "(?!一(?:直|般|定|下|些|样|起|向|切|旦|共|律|阵|再|度|味|致|类|边|路)"
    "|十分(?!钟|之)|千万|百般|[百千]分之)"
)
"""Words that begin as a numeral and say none: 血糖一直高 tells of no 1."""
_HAN = _NO_NUMBER + "[零〇一二两三四五六七八九十百千]+(?:点[零〇一二三四五六七八九]{1,4})?|半"


@dataclass(frozen=True, slots=True)
class Number:
    """A number at its place; `spelled` if it stands there in words, `about` if as people say what
    is measured: "one sixty", "twenties", 一百六七."""

    start: int
    end: int
    value: float
    spelled: bool = False
    about: bool = False
    some: bool = False
    """It stands for all of its ten: "twenties"."""


def find_numbers(text: str, language: str, *, about: bool = False) -> Iterator[Number]:
    """The numbers of a text in lower case, in its order; with `about` also those that are only
    numbers where something is measured.

    >>> [number.value for number in find_numbers("1,000 or 38,5 or a half, twenty-one", "en")]
    [1000.0, 38.5, 21.0]
    >>> [number.value for number in find_numbers("三十八点五，一百五，半", "zh")]
    [38.5, 150.0, 0.5]
    >>> [number.value for number in find_numbers("one sixty, the thirties", "en", about=True)]
    [160.0, 30.0]
    >>> [number.value for number in find_numbers("一百六七，十一二", "zh", about=True)]
    [165.0, 11.5]
    """
    for match in _pattern(language, about).finditer(text):
        written = match.group()
        value = _decade(written) if about else None
        some = roughly = value is not None
        if value is None:
            value = _value(written)
        if value is None and about:
            value, roughly = _spoken(written), True
        if value is not None:
            spelled = not any(c.isdigit() for c in written)
            yield Number(*match.span(), value, spelled=spelled, about=roughly, some=some)


def counting_from_one(marks: Iterable[re.Match[str]]) -> list[re.Match[str]]:
    """Those of some marks with a number that count on from one, as the items of a list do.

    >>> marks = re.finditer(r"[0-9]", "1. one, 5 of them, 2. two")
    >>> [mark.group() for mark in counting_from_one(marks)]
    ['1', '2']
    """
    found: list[re.Match[str]] = []
    for mark in marks:
        if int(re.sub(r"\D", "", mark.group())) == len(found) + 1:
            found.append(mark)
    return found


@cache
def _pattern(language: str, about: bool = False) -> re.Pattern[str]:
    if language == "zh":
        return re.compile(f"{_DIGITS}|{_HAN}")
    rules = shipped_yaml("language", "rules", "values.en.yaml")
    word = "|".join(sorted(_words(), key=len, reverse=True))
    spelled = (
        rf"\b(?:(?:a|{word}) hundred(?:(?: and)?(?: (?:{word}))(?:[ -](?:{word}))?)?"
        rf"|(?:{word})(?:[ -](?:{word}))*)"
        rf"(?: point (?:{word}))?\b"
    )
    initials = "".join(sorted({word[0] for word in ("a", "half", *_words())}))
    numeral = f"{spelled}|{rules['half']}|{rules['article']}"
    if about:
        numeral = rf"(?:(?:one|two)[ -])?(?:{'|'.join(_decades())})\b|{numeral}"
    # what a place begins with is looked at first: most places begin no number
    return re.compile(rf"(?=[0-9])(?:{_DIGITS})|\b(?=[{initials}])(?:{numeral})")


def _words() -> dict[str, int]:
    words: dict[str, int] = shipped_yaml("language", "rules", "values.en.yaml")["number_words"]
    return words


def _decades() -> dict[str, float]:
    words: dict[str, float] = shipped_yaml("language", "rules", "values.en.yaml")["decades"]
    return words


def _decade(written: str) -> float | None:
    """A ten that stands for all in it: "twenties", "one seventies"."""
    hundreds, _, ten = written.replace("-", " ").rpartition(" ")
    value = _decades().get(ten)
    return None if value is None else float(value + _words().get(hundreds, 0) * _HUNDRED)


def _spoken(written: str) -> float | None:
    """What people say in place of a number: "one sixty", and the middle of two numbers that follow
    each other (十一二); None for all else."""
    if not written[0].isascii():
        return _between_two(written)
    first, _, rest = re.sub("-", " ", written).partition(" ")
    hundreds, behind = _words().get(first, 0), _value(rest) if rest else None
    if hundreds in _SPOKEN_HUNDREDS and behind is not None and _TEN <= behind < _HUNDRED:
        return hundreds * _HUNDRED + behind
    return None


def _between_two(written: str) -> float | None:
    """The middle of 一百六七, of 十一二, and of 一百七八十."""
    unit = written[-1] if written[-1] in _HAN_PLACES else ""
    told = written.removesuffix(unit)
    if not told[:-1]:
        return None
    lower, upper = _value(told[:-1] + unit), _value(told[:-2] + told[-1] + unit)
    step = None if lower is None or upper is None else upper - lower
    return (lower or 0) + step / 2 if step in (1, _TEN) else None


def _value(written: str) -> float | None:
    if written[0].isdigit():
        return _in_digits(written)
    if written[0].isascii():
        return _in_english(written)
    return _in_chinese(written)


def _in_digits(written: str) -> float:
    if "/" in written:
        whole, _, part = written.rpartition(" ")
        return float(whole or 0) + float(part[0]) / float(part[2])
    if re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?", written):
        return float(written.replace(",", ""))
    return float(written.replace(",", "."))


def _in_english(written: str) -> float | None:
    """The value of number words; None where they make no number ("two three")."""
    if written.startswith("half"):
        return 0.5
    whole, _, tenths = written.partition(" point ")
    total, room = 0, _HUNDRED
    for word in re.split(r"[ -]", whole):
        if word in ("a", "an"):
            total += 1
        elif word == "hundred":
            total, room = total * _HUNDRED, _HUNDRED
        elif word != "and":
            number = _words()[word]
            if number >= room:
                return None
            total, room = total + number, _TEN if number >= 2 * _TEN else 0
    return float(total) + (_words()[tenths] / _TEN if tenths else 0)


def _in_chinese(written: str) -> float | None:
    """三十八点五 is 38.5, 一百五 is 150, 一百零五 is 105, 三九 is no number."""
    if written == "半":
        return 0.5
    whole, _, decimals = written.partition("点")
    total, digit, place = 0, None, _TEN
    for han in whole:
        if han in _HAN_PLACES:
            place = _HAN_PLACES[han]
            total, digit = total + (1 if digit is None else digit) * place, None
        elif digit:
            return None
        else:
            digit = _HAN_DIGITS[han]
            place = place if digit else _TEN  # behind a zero stand ones: 一百零五
    total += (digit or 0) * (place // _TEN)
    tail = "".join(str(_HAN_DIGITS[han]) for han in decimals)
    return float(f"{total}.{tail}") if tail else float(total)
