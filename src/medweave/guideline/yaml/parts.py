"""Parts of a YAML file that know their line: everything that is wrong can say where."""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from medweave.errors import GuidelineError

_MOST = 3_000_000
"""Parts that are read of one file: aliases within aliases could go on for ever."""
_FLAGS = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(slots=True)
class Counter:
    """How many parts of a file were read."""

    count: int = 0


@dataclass(frozen=True, slots=True)
class Part:
    """A value in a YAML file."""

    node: Any
    file: str
    counter: Counter

    @property
    def line(self) -> int:
        """From 1."""
        found: int = self.node.start_mark.line + 1
        return found

    @property
    def where(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}"

    def refuse(self, what: str, remedy: str) -> NoReturn:
        """Raise a `GuidelineError` that names file and line."""
        raise GuidelineError(what, where=self.where, remedy=remedy)

    def _part(self, node: Any) -> Part:
        self.counter.count += 1
        if self.counter.count > _MOST:
            self.refuse("this file is too large", "write out what it repeats by aliases")
        return Part(node, self.file, self.counter)

    @property
    def is_map(self) -> bool:
        """Whether it has keys."""
        return str(self.node.id) == "mapping"

    @property
    def is_list(self) -> bool:
        """Whether it is a list."""
        return str(self.node.id) == "sequence"

    @property
    def is_null(self) -> bool:
        """Whether nothing is written, or null."""
        return str(self.node.tag).endswith(":null")

    def entries(self) -> dict[str, Part]:
        """Its values by key; nothing written is no entries."""
        if self.is_null:
            return {}
        if not self.is_map:
            self.refuse("names with what belongs to them are expected here", "write `name: …`")
        found: dict[str, Part] = {}
        for key, value in self.node.value:
            name = self._part(key).text()
            if name in found:
                self._part(key).refuse(f"'{name}' is here twice", "take one of them out")
            found[name] = self._part(value)
        return found

    def fields(self, known: Collection[str]) -> Fields:
        """Its values by key, which must be among these."""
        entries = self.entries()
        for name, value in entries.items():
            if name not in known:
                close = difflib.get_close_matches(name, known, 1)
                meant = f"did you mean '{close[0]}'? " if close else ""
                value.refuse(f"'{name}' is not known here", f"{meant}one of {', '.join(known)}")
        return Fields(self, entries)

    def items(self) -> list[Part]:
        """The items of a list; nothing written is none."""
        if self.is_null:
            return []
        if not self.is_list:
            self.refuse("a list is expected here", "write `[…]`, or lines that begin with `-`")
        return [self._part(node) for node in self.node.value]

    def text(self) -> str:
        """A text as it is written; nothing written is ''."""
        if self.node.id != "scalar":
            self.refuse("a text is expected here", "write one")
        return "" if self.is_null else str(self.node.value)

    def texts(self) -> tuple[str, ...]:
        """A list of texts, or a single one."""
        if self.node.id == "scalar" and not self.is_null:
            return (self.text(),)
        return tuple(item.text() for item in self.items())

    def number(self) -> float:
        """A number."""
        try:
            value = float(self.text())
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            self.refuse(f"'{self.node.value}' is no number", "write one, such as 37.5")
        return value

    def whole(self) -> int:
        """A whole number."""
        value = self.number()
        if not value.is_integer():
            self.refuse(f"{value:g} is not a whole number", "write one, such as 2")
        return int(value)

    def flag(self) -> bool:
        """True or false."""
        value = _FLAGS.get(self.text().lower())
        if value is None:
            self.refuse(f"'{self.text()}' is neither true nor false", "write one of these")
        return value

    def one_of(self, allowed: Collection[str]) -> str:
        """One of several words."""
        value = self.text()
        if value not in allowed:
            self.refuse(f"'{value}' is not known here", f"one of {', '.join(allowed)}")
        return value

    def span(self) -> tuple[float | None, float | None]:
        """Two numbers, either of which may be null."""
        items = self.items()
        if len(items) != 2:  # noqa: PLR2004 - from and to
            self.refuse("two numbers are expected here", "write [from, to]")
        low, high = (None if item.is_null else item.number() for item in items)
        if low is not None and high is not None and low > high:
            self.refuse(f"{low:g} is more than {high:g}", "write the lesser first")
        return low, high


@dataclass(frozen=True, slots=True)
class Fields:
    """The values of a mapping, whose keys are known."""

    part: Part
    entries: dict[str, Part]

    def __contains__(self, name: str) -> bool:
        return name in self.entries and not self.entries[name].is_null

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def get(self, name: str) -> Part | None:
        """A value, or None where nothing is written."""
        return self.entries[name] if name in self else None

    def need(self, name: str) -> Part:
        """A value that must be there."""
        found = self.entries.get(name)
        if found is None:
            self.part.refuse(f"'{name}' is missing here", f"write `{name}: …`")
        return found

    def text(self, name: str, default: str = "") -> str:
        """A text."""
        return self.entries[name].text() if name in self else default

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        return self.entries[name].texts() if name in self else ()

    def number(self, name: str) -> float | None:
        """A number, or None."""
        return self.entries[name].number() if name in self else None

    def flag(self, name: str) -> bool:
        """True, or false where nothing is written."""
        return self.entries[name].flag() if name in self else False

    def one_of(self, name: str, allowed: Collection[str], default: str) -> str:
        """One of several words."""
        return self.entries[name].one_of(allowed) if name in self else default

    def span(self, name: str) -> tuple[float | None, float | None]:
        """Two numbers, either of which may be None."""
        return self.entries[name].span() if name in self else (None, None)


def parse(text: str, *, file: str) -> Part:
    """A YAML text as a part; `GuidelineError` with its line where it is none."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        node = yaml.compose(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        told = getattr(error, "problem", None) or "it is not YAML"
        where = f"{file}:{mark.line + 1}" if mark else file
        raise GuidelineError(
            f"this YAML cannot be read: {told}", where=where, remedy="mend the file"
        ) from error
    except RecursionError as error:
        raise GuidelineError(
            "this file is nested too deeply", where=file, remedy="name parts of it as groups"
        ) from error
    if node is None:
        raise GuidelineError("this file is empty", where=file, remedy="write a guideline into it")
    return Part(node, file, Counter())
