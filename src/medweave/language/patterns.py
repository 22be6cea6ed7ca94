"""Sentences by their form: what one says in a language is told in another, slot by slot."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_SLOT = re.compile(r"\\{(n|m|raw[12]?|[a-c])\\}")
_NUMBER = r"[-+−]?\d+(?:[.,]\d+)*"
_AS_IT_IS = ("n", "m", "raw", "raw1", "raw2")


@dataclass(frozen=True, slots=True)
class _Pattern:
    first: re.Pattern[str]
    second: str


class Patterns:
    """`held`: a form in one language → the same in another. In a form {a}, {b}, {c} are told in
    the other language themselves, {n} and {m} are numbers, {raw}, {raw1}, {raw2} stay as they are.

    >>> told = Patterns({"{raw} has {n} lines": "{raw}有{n}行"})
    >>> told.of("t.csv has 3 lines"), told.of("t.csv has many lines")
    ('t.csv有3行', None)
    """

    def __init__(self, held: Mapping[str, str]) -> None:
        self._held = [_Pattern(_compiled(each), other) for each, other in held.items()]

    def of(self, text: str, tell: Callable[[str], str | None] = lambda part: part) -> str | None:
        """A text by the first form that it has and all parts of which `tell` can tell; or None."""
        for each in self._held:
            match = each.first.fullmatch(text)
            if match is None:
                continue
            slots = {
                name: value if name in _AS_IT_IS else tell(value)
                for name, value in match.groupdict().items()
            }
            if None not in slots.values():
                return each.second.format(**slots)
        return None


def _compiled(form: str) -> re.Pattern[str]:
    def slot(match: re.Match[str]) -> str:
        name = match[1]
        return f"(?P<{name}>{_NUMBER if name in 'nm' else '.+'})"

    return re.compile(_SLOT.sub(slot, re.escape(form).replace(r"\ ", " ")), re.DOTALL)
