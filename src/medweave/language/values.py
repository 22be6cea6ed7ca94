"""Values of a text with their places: temperatures, pressures, weights, results, durations, doses.

A number is a value if a unit stands behind it that leaves no doubt ("39 °C"), or if what is
measured is named: right before it or behind it ("temperature 39", "98 % oxygen"), or, where the
unit fits, earlier in the sentence. Whatever else looks like a number (ages, dates, "type 2") is
left alone. What is measured, how it is written and how units convert are data: quantities.yaml and
values.*.yaml.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Literal as OneOf

from medweave.language.data import language_with_rules, rule_in, rules_in
from medweave.language.folding import blotted, lower
from medweave.language.numbers import Number, find_numbers
from medweave.language.prefilter import Expression
from medweave.language.quantities import (
    Quantity,
    name_pattern,
    names,
    quantities,
    unit_codes,
    unit_pattern,
    units_alone,
)
from medweave.language.segmentation import SENTENCE_END
from medweave.model.value import Value

_RULES = ("language", "rules", "values.*.yaml")
FAR = 90
"""How many characters before a number the name of what is measured may stand."""
NEAR = 45
"""How much of a text is looked at for what qualifies a number."""
_BESIDE = 3
"""So many characters behind a number something may stand that makes it no value."""
_WIDTH = {full: full - 0xFEE0 for full in range(0xFF01, 0xFF5F)}
_ANY_NUMBER = re.compile(r"[0-9]")
_BEHIND = re.compile(r"[\s(-]*(?:of |on |for |an? )?")
PRESSURES = ("systolic blood pressure", "diastolic blood pressure")
_SHORT = {"T": "body temperature", "K": "potassium"}
"""What a capital stands for before a number with a decimal point."""
_OPENS_BEHIND = ("blood pressure", *PRESSURES)
_DECIMALS = 4
_ONE_WORD = re.compile(r"[ ~(:-]*(?:\w{1,12})?[ ~(:-]+")
"""What may stand between what makes a number no value and the number: "lifting about 20 kg"."""


_ALONE = {"systolic": range(100, 261), "diastolic": range(60, 151)}
"""What two numbers with a slash between them are no strengths of a medicine in: "170/112"."""
_APART = 25
_TEN, _HUNDRED = 10, 100
_PAIR = 2


@dataclass(frozen=True)
class ValueRules:
    """The rules of one language; see values.en.yaml."""

    patterns: dict[str, Expression]
    glued: frozenset[str]
    share: dict[str, float]
    """Shares that are said without a number, in per cent."""
    of_ten: dict[str, float]
    """How far in its ten a number lies by a word before it: "low"."""
    untold_at_least: int
    """How many of its unit a time has at the least that is told without a number."""

    def fits(self, rule: str, text: str) -> bool:
        """Whether a rule matches somewhere."""
        return self.patterns[rule].search(text) is not None


@cache
def value_rules(language: str) -> ValueRules:
    """The rules that ship for a language; English where there are none for it."""
    content = rules_in(language, *_RULES)
    # once, and not in each: most places begin no word
    begin = r"\b" if language_with_rules(language) == "en" else ""
    rules = {name: rule for name, rule in content.items() if isinstance(rule, str)}
    rules["no_values"] = f"{begin}(?:{'|'.join(content['no_values'])})"
    share = content["share"]
    longest = sorted(share, key=len, reverse=True)
    rules["shares"] = f"{begin}(?:{'|'.join(longest)})"
    patterns = {name: Expression(rule) for name, rule in rules.items()}
    return ValueRules(
        patterns,
        frozenset(content["glued"]),
        share,
        content["of_ten"],
        content["untold_at_least"],
    )


@dataclass(frozen=True, slots=True)
class _Amount:
    """A number with the unit behind it; `code` is "" where there is none."""

    start: int
    end: int
    value: float
    code: str
    unit: str | None = None
    """The unit as it is written."""
    quantity: Quantity | None = None
    behind: int = 0
    """Where the range ends of which this is the lower end."""
    about: bool = False
    """Said so roughly that only what is named right beside it makes a value of it: "in the 20s"."""


def read_values(
    text: str, language: str, taken: Iterable[tuple[int, int]] = ()
) -> tuple[Value, ...]:
    """The values of a text, in its order; a range is two values, a blood pressure is two.

    `taken` are spans of names, whose own numbers mean something else ("vitamin B12").

    >>> [(v.quantity, v.value, v.unit) for v in read_values("39 °C for 3 days", "en")]
    [('body temperature', 39.0, 'Cel'), ('duration', 3.0, 'd')]
    """
    language = language_with_rules(language)
    plain = lower(text).translate(_WIDTH)
    if language == "en" and not _ANY_NUMBER.search(plain) and not _spelled_unit(plain):
        return ()
    rules = value_rules(language)
    masked = _masked(plain, language, taken)
    reader = _Reader(text, plain, masked, language, rules)
    found = (*reader.values(), *_untold_times(text, plain, rules))
    return tuple(sorted(found, key=lambda value: value.start))


def _untold_times(text: str, plain: str, rules: ValueRules) -> Iterator[Value]:
    """Times that are told without a number: "for weeks" is two weeks at the least."""
    time = quantities()["duration"]
    for match in rules.patterns["untold_time"].finditer(plain):
        unit = match.span("unit")
        code, least = unit_codes()[match["unit"]], float(rules.untold_at_least)
        yield Value(
            start=unit[0],
            end=unit[1],
            quantity=time.name,
            value=round(time.units[code].reasoned(least), _DECIMALS),
            unit=time.unit or code,
            written_value=least,
            written_unit=text[slice(*unit)],
            code=code,
            bound=">",
        )


def _spelled_unit(plain: str) -> bool:
    return value_rules("en").fits("spelled", plain)


def _masked(plain: str, language: str, taken: Iterable[tuple[int, int]]) -> str:
    """A text without what only looks like a value; all else stays in its place."""
    measured = names(language)
    inside = [
        (start, end)
        for start, end in taken
        if _ANY_NUMBER.search(plain[start:end]) and plain[start:end] not in measured
    ]
    spans = [match.span() for match in value_rules(language).patterns["no_values"].finditer(plain)]
    return blotted(plain, [*inside, *spans], "~")


@dataclass(frozen=True)
class _Reader:
    """Reads the values of one text.

    `whole` is it in lower case, and `plain` the same without what is no value.
    """

    text: str
    whole: str
    plain: str
    language: str
    rules: ValueRules

    def values(self) -> Iterator[Value]:
        amounts = list(self._amounts())
        if not amounts:
            return
        places = [(*m.span(), names(self.language)[m.group()])
                  for m in name_pattern(self.language).finditer(self.plain)]  # fmt: skip
        amounts = self._with_pressures(amounts, places)
        ends = [0, *(amount.end for amount in amounts)]
        amounts = [
            amount if amount.quantity else self._measured(amount, places, free_from)
            for amount, free_from in zip(amounts, ends, strict=False)
        ]
        for amount in self._with_ranges(amounts):
            value = self._value(amount)
            if value:
                yield value

    def _amounts(self) -> Iterator[_Amount]:
        """The numbers that may be values, with their units."""
        done = 0
        for found in self._numbers():
            if found.start < done:
                continue
            amount = found if isinstance(found, _Amount) else self._amount(found)
            if amount:
                done = amount.end
                yield amount

    def _numbers(self) -> list[Number | _Amount]:
        """Numbers, and shares that are said without one ("a quarter"), in their order."""
        numbers = find_numbers(self.plain, self.language, about=True)
        return sorted((*numbers, *self._shares()), key=lambda one: (one.start, -one.end))

    def _shares(self) -> Iterator[_Amount]:
        for match in self.rules.patterns["shares"].finditer(self.plain):
            share = self.rules.share[match.group()]
            yield _Amount(*match.span(), share, "%", self.text[slice(*match.span())], about=True)

    def _amount(self, number: Number) -> _Amount | None:
        roughly = self._roughly(number)
        if roughly:
            return roughly
        if number.about:
            return self._said_roughly(number, number.start, number.end, number.value)
        value, end = number.value, number.end
        more = self.rules.patterns["and_a_half"].match(self.plain, end)
        unit = unit_pattern().match(self.plain, end)
        code, unit_end, written = "", end, None
        if more and unit is None:
            behind, value = more.end(), value + 0.5
            half_unit = unit_pattern().match(self.plain, behind)
            if half_unit is None and self.plain[behind : behind + 1] == "月":
                code, unit_end, written = "mo", behind + 1, "月"
            elif half_unit:
                code, unit_end = unit_codes()[half_unit.group(1)], half_unit.end()
                written = self.text[half_unit.start(1) : half_unit.end(1)]
            else:
                return None
        elif unit:
            code, unit_end = unit_codes()[unit.group(1)], unit.end()
            written = self.text[unit.start(1) : unit.end(1)]
            value, unit_end = self._tenths(value, unit.group(1), unit_end)
        if not self._stands_free(number, code):
            return None
        return _Amount(number.start, unit_end, value, code, written)

    def _roughly(self, number: Number) -> _Amount | None:
        """A number that stands for those around it: "in the low 30s", "160-odd", 一百六十多."""
        rules, (start, end) = self.rules.patterns, (number.start, number.end)
        earliest = max(0, start - NEAR)
        before = self.plain[earliest:start]
        share = rules["share_before"].search(before)
        if share:
            start = earliest + share.start()
            return _Amount(start, end, number.value, "%", self.text[start:end], about=True)
        some = rules["some_more"].match(self.plain, end)
        if not number.some and not some:
            same = rules["much_the_same"].match(self.plain, end)
            return self._said_roughly(number, start, same.end(), number.value) if same else None
        if number.value % _TEN or not (number.some or number.value % _HUNDRED):
            return None  # 一百多 may be anything
        said = rules["which_of_ten"].search(before)
        more = self.rules.of_ten.get(said["which"] if said else "", _TEN / 2)
        start = earliest + said.start() if said else start
        return self._said_roughly(number, start, some.end() if some else end, number.value + more)

    def _said_roughly(self, number: Number, start: int, end: int, value: float) -> _Amount | None:
        """What is said roughly, and is no time and no dose."""
        unit = unit_pattern().match(self.plain, end)
        code = unit_codes()[unit.group(1)] if unit else ""
        if any(code in quantities()[name].units for name in ("duration", "dose")):
            return None
        if not self._stands_free(replace(number, start=start, end=end), code):
            return None
        return _Amount(
            start,
            unit.end() if unit else end,
            value,
            code,
            self.text[unit.start(1) : unit.end(1)] if unit else None,
            about=True,
        )

    def _tenths(self, value: float, unit: str, end: int) -> tuple[float, int]:
        """38度5 is 38.5, 三天半 is 3.5."""
        if unit == "度":
            tenth = re.match(
                r"[0-9](?![0-9.])|[一二三四五六七八九](?![十百天周年个])|半", self.plain[end:]
            )
            if tenth:
                tenths = 5 if tenth[0] == "半" else "0一二三四五六七八九".find(tenth[0])
                return value + (tenths if tenths > 0 else float(tenth[0])) / 10, end + 1
        elif self.plain.startswith("半", end) and unit in ("天", "年", "小时", "个小时"):
            return value + 0.5, end + 1
        return value, end

    def _stands_free(self, number: Number, code: str) -> bool:
        """Whether a number is no part of a word, but perhaps glued to a name: "T38.5 °C"."""
        before = self.plain[max(0, number.start - 6) : number.start]
        if number.spelled:
            return self.language == "zh" or not re.search(r"[a-z]-?$", before)
        letters = re.search(r"[a-z][a-z0-9]*$", before)
        if letters:
            glued = letters[0] in self.rules.glued
            written = self.text[number.start - len(letters[0]) : number.start]
            short = self._is_short(written, number.value)
            return glued and (len(letters[0]) > 1 or code != "" or short)
        if re.search(r"[a-z]-$", before):
            return False
        return code != "" or not re.match(r"[a-z]", self.plain[number.end : number.end + 1])

    def _with_pressures(
        self, amounts: list[_Amount], places: list[tuple[int, int, str]]
    ) -> list[_Amount]:
        """With "140/90" as a systolic and a diastolic pressure; other fractions left out."""
        known, fractions = quantities(), set()
        found = list(amounts)
        for i, (first, second) in enumerate(pairwise(amounts)):
            between = self.plain[first.end : second.start]
            if first.code or not self.rules.patterns["over"].fullmatch(between):
                continue
            code = second.code or "mm[Hg]"
            both = [known[name] for name in PRESSURES]
            fits = (
                first.value > second.value
                and both[0].holds(first.value, code)
                and both[1].holds(second.value, code)
            )
            if fits and (
                second.code in both[0].units
                or self._pressure_named(first, second, places)
                or (between == "/" and not second.code and self._is_measured(first, second))
            ):
                found[i] = replace(first, quantity=both[0], code=code, unit=second.unit)
                found[i + 1] = replace(second, quantity=both[1], code=code)
            elif "/" in between and not second.code:
                fractions |= {i, i + 1}
        return [amount for i, amount in enumerate(found) if i not in fractions]

    def _is_measured(self, first: _Amount, second: _Amount) -> bool:
        """Whether two numbers are a blood pressure though nothing names one: 刚量170/112."""
        before = self.plain[max(0, first.start - NEAR) : first.start]
        return (
            first.value in _ALONE["systolic"]
            and second.value in _ALONE["diastolic"]
            and first.value - second.value >= _APART
            and self.rules.patterns["measured_before"].search(before) is not None
        )

    def _pressure_named(
        self, first: _Amount, second: _Amount, places: list[tuple[int, int, str]]
    ) -> bool:
        if second.code:
            return False
        behind = _BEHIND.match(self.plain, second.end)
        after = behind.end() if behind else second.end
        return any(
            name in _OPENS_BEHIND
            and (start == after or (end <= first.start and self._one_sentence(end, first.start)))
            for start, end, name in places
        )

    def _one_sentence(self, start: int, end: int) -> bool:
        return SENTENCE_END.search(self.plain, start, end) is None

    def _measured(
        self, amount: _Amount, places: list[tuple[int, int, str]], free_from: int
    ) -> _Amount:
        """With what is measured and the unit that it is in, if that can be told.

        `free_from` is where the number before ends: what is named before it is told by that.
        """
        for name, near in self._names_of(amount, places, free_from):
            quantity = quantities()[name]
            if near and not quantity.units:
                return amount
            code = quantity.code_of(amount.value, amount.code, named=True)
            if code and (near or (amount.code and not amount.about)):
                return replace(amount, quantity=quantity, code=code)
        if self._ruled_out(amount, places):
            return amount
        for quantity in units_alone().get(amount.code, ()):
            code = quantity.code_of(amount.value, amount.code, named=False)
            if code:
                return replace(amount, quantity=quantity, code=code)
        return amount

    def _names_of(
        self, amount: _Amount, places: list[tuple[int, int, str]], free_from: int
    ) -> Iterator[tuple[str, bool]]:
        """The names that may tell what a number is, the best first, and which stand beside it."""
        last = bisect_right(places, amount.start, key=lambda place: place[1])
        filler = self.rules.patterns["filler"]
        before = [
            (start, end, name)
            for start, end, name in reversed(places[max(0, last - 4) : last])
            if amount.start - end <= FAR and self._one_sentence(end, amount.start)
        ]
        if self._gives_way(before):
            del before[0]  # "the top number is usually 165"
        beside = before[:1] if before and self._fills(filler, before[0], amount) else []
        yield from ((name, True) for _, _, name in beside)
        behind = _BEHIND.match(self.plain, amount.end)
        after = behind.end() if behind else amount.end
        if last < len(places) and places[last][0] == after:
            yield places[last][2], True
        yield from ((name, False) for start, _, name in before if name and start >= free_from)

    def _gives_way(self, before: Sequence[tuple[int, int, str]]) -> bool:
        """Whether the last name before a number is one only where no other quantity is named before
        it, and one is."""
        if len(before) < _PAIR or before[0][2] == before[1][2]:
            return False
        return self.rules.patterns["gives_way"].fullmatch(self.plain, *before[0][:2]) is not None

    def _fills(self, filler: Expression, place: tuple[int, int, str], amount: _Amount) -> bool:
        start, end, _ = place
        if end - start == 1 and self.plain[start].isascii():
            known = amount.code != "" or self._is_short(self.text[start], amount.value)
            between = rule_in("en", "behind_a_letter", *_RULES)
            return known and between.fullmatch(self.plain, end, amount.start) is not None
        return filler.fullmatch(self.plain, end, amount.start) is not None

    @staticmethod
    def _is_short(written: str, value: float) -> bool:
        """Whether a number behind a capital is one as clinics write it: "T 38.9", "K 6.2"."""
        name = _SHORT.get(written)
        if name is None or value % 1 == 0:
            return False
        quantity = quantities()[name]
        spans = [*quantity.alone.values(), *quantity.bare.values()]
        return spans[0][0] <= value <= spans[0][1]

    def _ruled_out(self, amount: _Amount, places: list[tuple[int, int, str]]) -> bool:
        """Whether something is named in the clause of a number that makes it no value."""
        rules, before = self.rules, self.whole[max(0, amount.start - NEAR) : amount.start]
        after = self.whole[amount.end : amount.end + NEAR]
        if amount.code in quantities()["duration"].units:
            return rules.fits("no_duration_before", before) or rules.fits(
                "no_duration_after", after
            )
        if amount.code in quantities()["dose"].units and rules.fits("no_dose_after", after):
            return True
        return any(
            not name
            and (
                0 <= start - amount.end <= _BESIDE
                or _ONE_WORD.fullmatch(self.plain, end, max(end, amount.start)) is not None
            )
            for start, end, name in places
        )

    def _with_ranges(self, amounts: list[_Amount]) -> list[_Amount]:
        """Both ends of a range are in the unit that one of them has: "38-39 °C", "2 to 3 days"."""
        found = list(amounts)
        pairs = [*enumerate(pairwise(amounts))]
        for i, _ in (*pairs, *reversed(pairs)):
            first, second = found[i], found[i + 1]
            between = self.plain[first.end : second.start]
            if not self._is_range(first, between):
                continue
            bare = first.unit is None and first.quantity in (None, second.quantity)
            if second.quantity and bare and first.code in ("", second.code):
                found[i] = self._like(first, second)
            elif first.quantity and not second.quantity and not second.code:
                found[i + 1] = self._like(second, first)
        return found

    def _is_range(self, first: _Amount, between: str) -> bool:
        if not self.rules.patterns["range_between"].fullmatch(between):
            return between.strip() == "/" and first.quantity is None
        if between.strip() != "and":
            return True
        return self.rules.fits("and_only_behind", self.plain[: first.start])

    @staticmethod
    def _like(amount: _Amount, other: _Amount) -> _Amount:
        fits = other.quantity and other.quantity.holds(amount.value, other.code)
        if not fits:
            return amount
        behind = max(amount.end, other.end)
        return replace(
            amount, quantity=other.quantity, code=other.code, unit=other.unit, behind=behind
        )

    def _value(self, amount: _Amount) -> Value | None:
        quantity = amount.quantity
        if quantity is None or not quantity.units:
            return None
        name, behind = quantity.read_as, amount.behind or amount.end
        if name == "duration" and self.rules.fits("ago", self.plain[behind : behind + 12]):
            name = "onset"
        value = round(quantity.units[amount.code].reasoned(amount.value), _DECIMALS)
        return Value(
            start=amount.start,
            end=amount.end,
            quantity=name,
            value=value,
            unit=quantity.unit or amount.code,
            written_value=amount.value,
            written_unit=amount.unit,
            code=amount.code,
            bound=self._bound(amount),
        )

    def _bound(self, amount: _Amount) -> OneOf["", "<", ">"]:
        if amount.about or (amount.quantity and amount.quantity.name in PRESSURES[1:]):
            return ""  # "150 over 95" is no bound
        before = self.plain[max(0, amount.start - NEAR) : amount.start]
        after = self.plain[amount.end : amount.end + 16]
        if self.rules.fits("never_below", before):
            return ">"
        if self.rules.fits("at_most_before", before) or self.rules.fits("at_most_after", after):
            return "<"
        if self.rules.fits("at_least_before", before) or self.rules.fits("at_least_after", after):
            return ">"
        return ""
