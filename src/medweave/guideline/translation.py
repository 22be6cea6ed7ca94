"""Words of a guideline, and what is explained by them, in the language that somebody asked in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from medweave.language.data import shipped_yaml
from medweave.language.segmentation import is_chinese

_SLOT = re.compile(r"\\{(n|m|raw|[a-c])\\}")
_NUMBER = r"[-+−]?\d+(?:[.,]\d+)?"
_LETTERS = re.compile(r"[A-Za-z]{2,}")


@dataclass(frozen=True, slots=True)
class _Pattern:
    english: re.Pattern[str]
    chinese: str


@cache
def _patterns() -> tuple[_Pattern, ...]:
    held: Mapping[str, str] = shipped_yaml("guideline", "explanations.zh.yaml")["patterns"]
    return tuple(
        _Pattern(re.compile(_expression(each)), translation) for each, translation in held.items()
    )


def _expression(pattern: str) -> str:
    def slot(match: re.Match[str]) -> str:
        name = match[1]
        return f"(?P<{name}>{_NUMBER})" if name in "nm" else f"(?P<{name}>.+)"

    return _SLOT.sub(slot, re.escape(pattern).replace(r"\ ", " "))


def _lists() -> Mapping[str, str]:
    held: Mapping[str, str] = shipped_yaml("guideline", "explanations.zh.yaml")["lists"]
    return held


@cache
def _words() -> Mapping[str, str]:
    """What is told as a whole: the words of explanations, and those of the sample guideline."""
    held = dict(shipped_yaml("samples", "guideline.zh.yaml"))
    held |= shipped_yaml("guideline", "explanations.zh.yaml")["words"]
    return {key.lower(): translation for key, translation in held.items()}


class Translation:
    """Tells English words of a guideline in Chinese: whole ones first, then what is made of them.

    `names` are (label, aliases) of the guideline's parts: a Chinese alias is a name. What has no
    words is left as it is.

    >>> told = Translation([("Cough", ("咳嗽",))])
    >>> told("Cough is not known"), told("Cough: yes"), told("only for children below 2 months")
    ('咳嗽不详', '咳嗽：是', '仅适用于低于2个月的孩子')
    >>> told("Zork")
    'Zork'
    """

    def __init__(self, names: Iterable[tuple[str, Iterable[str]]] = ()) -> None:
        aliases = ((label, next(filter(is_chinese, others), "")) for label, others in names)
        self._names = {label.lower(): alias for label, alias in aliases if alias}
        self._told = lru_cache(maxsize=4096)(self._tell)

    def __call__(self, text: str) -> str:
        """A text in Chinese; of what cannot be told as a whole, the parts that can."""
        whole = self._told(text)
        if whole is not None:
            return whole
        for between, translation in _lists().items():
            if between in text:
                return translation.join(self(part) for part in text.split(between))
        return text

    def _tell(self, text: str) -> str | None:
        if not _LETTERS.search(text):
            return text
        known = _words().get(text.lower()) or self._names.get(text.lower())
        sentences, *lists = _lists().items()
        return (
            known
            or self._as_list(text, [sentences])
            or self._by_pattern(text)
            or self._as_list(text, lists)
        )

    def _as_list(self, text: str, lists: Iterable[tuple[str, str]]) -> str | None:
        """A list, wherever it can be parted so that both sides are told: labels have commas."""
        for between, translation in lists:
            at = text.find(between)
            while at >= 0:
                first, rest = self._told(text[:at]), self._told(text[at + len(between) :])
                if first is not None and rest is not None:
                    return first + translation + rest
                at = text.find(between, at + 1)
        return None

    def _by_pattern(self, text: str) -> str | None:
        for each in _patterns():
            match = each.english.fullmatch(text)
            if match is None:
                continue
            slots = {
                name: value if name in ("n", "m", "raw") else self._told(value)
                for name, value in match.groupdict().items()
            }
            if None not in slots.values():
                return each.chinese.format(**slots)
        return None
