"""Formulas over numbers that are named in brackets: `[weight] / ([height] / 100) ^ 2`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import cache

from medweave.errors import VocabularyError

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|\[\s*([^\[\]]+?)\s*\]|(\*\*|[-+*/^()]))")
_DEEPEST = 50
Numbers = Mapping[str, float]
_Value = Callable[[Numbers], float]


def names_in(formula: str) -> tuple[str, ...]:
    """What a formula is calculated from, each once.

    >>> names_in("[weight] / ([height] / 100) ^ 2")
    ('weight', 'height')
    """
    return tuple(dict.fromkeys(re.findall(r"\[\s*([^\[\]]+?)\s*\]", formula)))


def calculated(formula: str, numbers: Numbers) -> float | None:
    """The number a formula comes to; None where it comes to none (a division by nothing).

    Raises `VocabularyError` for what is no formula: numbers, names in brackets, + - * / ^ and
    brackets are.

    >>> calculated("[weight] / ([height] / 100) ^ 2", {"weight": 12, "height": 100})
    12.0
    """
    try:
        found = read_formula(formula)(numbers)
    except (ArithmeticError, KeyError):
        return None
    # A fraction of a negative number's power is no real number.
    return found if isinstance(found, int | float) and math.isfinite(found) else None


@cache
def read_formula(formula: str) -> _Value:
    """A formula, ready to be calculated. It is read by these few rules, never run as code."""
    return _Reader(formula).whole()


class _Reader:
    """Reads by recursive descent: sums of products of powers."""

    def __init__(self, formula: str) -> None:
        self._formula = formula
        self._tokens: list[tuple[str, str]] = []
        self._at = self._depth = 0
        place = 0
        while formula[place:].strip():
            match = _TOKEN.match(formula, place)
            if match is None:
                self._refuse()
                return
            number, name, sign = match.groups()
            kind = "number" if number else "name" if name else "sign"
            self._tokens.append((kind, number or name or sign))
            place = match.end()

    def _refuse(self) -> None:
        raise VocabularyError(
            f"'{self._formula}' is no formula",
            where="formula",
            remedy="write it of numbers, [names], + - * / ^ and brackets",
        )

    def whole(self) -> _Value:
        found = self._sum()
        if self._at < len(self._tokens):
            self._refuse()
        return found

    def _next(self, *signs: str) -> str | None:
        if self._at < len(self._tokens):
            kind, text = self._tokens[self._at]
            if kind == "sign" and text in signs:
                self._at += 1
                return text
        return None

    def _sum(self) -> _Value:
        found = self._product()
        while sign := self._next("+", "-"):
            found = _joined(found, self._product(), sign)
        return found

    def _product(self) -> _Value:
        found = self._power()
        while sign := self._next("*", "/"):
            found = _joined(found, self._power(), sign)
        return found

    def _power(self) -> _Value:
        found = self._one()
        return _joined(found, self._power(), "^") if self._next("^", "**") else found

    def _one(self) -> _Value:
        self._depth += 1
        if self._at >= len(self._tokens) or self._depth > _DEEPEST:
            self._refuse()
        if self._next("-"):
            inner = self._one()
            found: _Value = lambda numbers: -inner(numbers)  # noqa: E731 - a value like the others
        elif self._next("("):
            found = self._sum()
            if not self._next(")"):
                self._refuse()
        else:
            kind, text = self._tokens[self._at]
            self._at += 1
            if kind == "sign":
                self._refuse()
            found = _constant(float(text)) if kind == "number" else _named(text)
        self._depth -= 1
        return found


def _constant(value: float) -> _Value:
    return lambda _: value


def _named(name: str) -> _Value:
    return lambda numbers: numbers[name]


def _joined(one: _Value, other: _Value, sign: str) -> _Value:
    match sign:
        case "+":
            return lambda numbers: one(numbers) + other(numbers)
        case "-":
            return lambda numbers: one(numbers) - other(numbers)
        case "*":
            return lambda numbers: one(numbers) * other(numbers)
        case "/":
            return lambda numbers: one(numbers) / other(numbers)
    return lambda numbers: one(numbers) ** other(numbers)
