"""Words of a guideline, and what is explained by them, in the language that somebody asked in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache

from medweave.language.data import shipped_yaml
from medweave.language.patterns import Patterns
from medweave.language.segmentation import is_chinese

_LETTERS = re.compile(r"[A-Za-z]{2,}")


@cache
def _patterns() -> Patterns:
    return Patterns(shipped_yaml("guideline", "explanations.zh.yaml")["patterns"])


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
        whole = self.whole(text)
        if whole is not None:
            return whole
        for between, translation in _lists().items():
            if between in text:
                return translation.join(self(part) for part in text.split(between))
        return text

    def whole(self, text: str) -> str | None:
        """A text in Chinese; None where some of it has no words."""
        return self._told(text)

    def _tell(self, text: str) -> str | None:
        if not _LETTERS.search(text):
            return text
        known = _words().get(text.lower()) or self._names.get(text.lower())
        sentences, *lists = _lists().items()
        return (
            known
            or self._as_list(text, [sentences])
            or _patterns().of(text, self._told)
            or self._as_list(text, lists)
        )

    def _as_list(self, text: str, lists: Iterable[tuple[str, str]]) -> str | None:
        """A list, wherever it can be parted so that both sides are told: labels have commas."""
        for between, translation in lists:
            for at in _outside_brackets(text, between):
                first, rest = self._told(text[:at]), self._told(text[at + len(between) :])
                if first is not None and rest is not None:
                    return first + translation + rest
        return None


def _outside_brackets(text: str, wanted: str) -> Iterator[int]:
    """Where something stands in a text, but within no brackets: what is in them is one part.

    >>> list(_outside_brackets("any of (a; b); c", "; "))
    [13]
    """
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth and text.startswith(wanted, at):
            yield at
