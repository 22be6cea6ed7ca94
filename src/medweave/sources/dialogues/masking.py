"""Personal data in dialogues, found by rules and masked before anything is kept.

What a text says is kept, who said it is not: "[name]" stands for a name, "[phone]" for a number.
Only the source has what stood there. Rules are data: `personal_data.yaml` for what shows by its
form or by the words before it, `personal_names.yaml` for names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain

from medweave.language.data import shipped_yaml
from medweave.sources.dialogues.personal_names import Names, names_in

KINDS = ("link", "mail", "id_number", "birth_date", "phone", "address", "name")
"""What is masked, in the order in which it is looked for."""
_PART = re.compile(r"<(\w+)>")
_NUMBERS = ("phone", "id_number")
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d(?:[ ().+-]{0,2}[A-Z]{0,2}\d)*")
"""Digits that stand close together."""
Span = tuple[int, int, str]
"""Where personal data begins and ends, and of which kind it is."""


@dataclass
class Masking:
    """Masks the texts of one dialogue, and counts: a name that is found once is masked everywhere.

    >>> masking = Masking(["My name is Anna Smith.", "Take one, Anna, and mail a.b@c.org"])
    >>> masking.masked("Take one, Anna, and mail a.b@c.org")
    'Take one, [name], and mail [mail]'
    >>> masking.counts
    Counter({'name': 1, 'mail': 1})
    """

    texts: Sequence[str]
    """All texts of the dialogue, in which names are looked for."""
    counts: Counter[str] = field(default_factory=Counter)
    _names: Names = field(init=False)

    def __post_init__(self) -> None:
        self._names = names_in(self.texts)

    def masked(self, text: str) -> str:
        """A text with a mark for each piece of personal data."""
        spans = personal_data(text, self._names)
        self.counts.update(kind for _, _, kind in spans)
        return _replaced(text, spans)


def personal_data(text: str, names: Names | None = None) -> list[Span]:
    """The personal data in a text, in the order of the text, without overlaps.

    `names` are those of the dialogue that the text is part of; the text's own where None is given.

    >>> personal_data("Call me on 212-555-0143.")
    [(11, 23, 'phone')]
    """
    found: list[Span] = []
    taken = bytearray(len(text))
    known = names_in([text]) if names is None else names
    named = ((start, end, "name") for start, end in known.places(text))
    for start, end, kind in chain(_by_pattern(text), named):
        if start < end and not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            found.append((start, end, kind))
    return sorted(found)


def _replaced(text: str, spans: Iterable[Span]) -> str:
    pieces: list[str] = []
    position = 0
    for start, end, kind in spans:
        pieces += [text[position:start], f"[{kind}]"]
        position = end
    return "".join([*pieces, text[position:]])


def _by_pattern(text: str) -> Iterator[Span]:
    """What shows by its form, or by the words before it."""
    lowered = text.lower()
    together = max((len(_DIGIT.findall(run)) for run in _DIGITS.findall(text)), default=0)
    for group in _groups():
        if together < group.digits or not (
            not group.needs or any(word in lowered for word in group.needs)
        ):
            continue
        for pattern in group.patterns:
            part = "v" if "v" in pattern.groupindex else 0
            for match in pattern.finditer(text):
                start, end = match.span(part)
                if group.kind in _NUMBERS and _is_public(text, start, end):
                    continue
                yield start, end - _blanks_behind(match[part]), group.kind


def _is_public(text: str, start: int, end: int) -> bool:
    """Whether a number is a hotline's, or free to call: nobody's own."""
    public, free = _public()
    return bool(free.match(text[start:end]) or public.search(text[max(0, start - 60) : start]))


@cache
def _public() -> tuple[re.Pattern[str], re.Pattern[str]]:
    content = shipped_yaml("sources", "dialogues", "personal_data.yaml")
    return re.compile(content["public"]), re.compile(content["free"])


def _blanks_behind(text: str) -> int:
    return len(text) - len(text.rstrip(" .,-"))


@dataclass(frozen=True, slots=True)
class _Group:
    """Patterns that are tried where a text may have something of them at all."""

    kind: str
    needs: tuple[str, ...]
    digits: int
    patterns: tuple[re.Pattern[str], ...]


@cache
def _groups() -> tuple[_Group, ...]:
    content = shipped_yaml("sources", "dialogues", "personal_data.yaml")
    parts = content["parts"]

    def compiled(pattern: str) -> re.Pattern[str]:
        while any(part in parts for part in _PART.findall(pattern)):
            pattern = _PART.sub(lambda part: parts.get(part[1], part[0]), pattern)
        return re.compile(pattern)

    return tuple(
        _Group(
            entry["kind"],
            tuple(entry.get("needs", ())),
            int(entry.get("digits", 0)),
            tuple(map(compiled, entry["patterns"])),
        )
        for entry in content["groups"]
    )
