"""Parts of a YAML file that know their line: everything that is wrong can say where."""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NoReturn

from medweave.errors import GuidelineError
from medweave.language.parsed_rules import parsed_nodes, safe_loader

_MOST = 3_000_000
"""Parts that are read of one file: aliases within aliases could go on for ever."""
_FLAGS = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(slots=True)
class Counter:
    """How many parts of a file were read."""

    count: int = 0


class _StoredNode:
    """A node as `yaml.compose` makes it, of a sample that ships parsed."""

    __slots__ = ("id", "line", "tag", "value")

    def __init__(self, kind: str, tag: str, line: int, value: Any) -> None:
        self.id, self.tag, self.line = kind, tag, line
        if kind == "sequence":
            value = [_StoredNode(*each) for each in value]
        elif kind == "mapping":
            value = [(_StoredNode(*key), _StoredNode(*each)) for key, each in value]
        self.value = value

    @property
    def start_mark(self) -> _StoredNode:
        """Where it begins."""
        return self


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

    def present(self) -> dict[str, Part]:
        """Its values by key, without what is null."""
        return {name: value for name, value in self.entries().items() if not value.is_null}

    def fields(self, known: Collection[str]) -> dict[str, Part]:
        """Its values by key, which must be among these."""
        entries = self.entries()
        for name, value in entries.items():
            if name not in known:
                value.refuse(
                    f"'{name}' is not known here", f"{near(name, known)}one of {', '.join(known)}"
                )
        return entries

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


def near(name: str, known: Collection[str]) -> str:
    """The name that may have been meant, as the beginning of a remedy; '' where none is near."""
    close = difflib.get_close_matches(name, list(known), 1)
    return f"did you mean '{close[0]}'? " if close else ""


def parse(text: str, *, file: str) -> Part:
    """A YAML text as a part; `GuidelineError` with its line where it is none."""
    if stored := parsed_nodes(text):
        return Part(_StoredNode(*stored), file, Counter())
    import yaml

    try:
        node = yaml.compose(text, Loader=safe_loader())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it is not YAML"
        where = f"{file}:{mark.line + 1}" if mark else file
        raise GuidelineError(
            f"this YAML cannot be read: {problem}", where=where, remedy="mend the file"
        ) from error
    except RecursionError as error:
        raise GuidelineError(
            "this file is nested too deeply", where=file, remedy="name parts of it as groups"
        ) from error
    if node is None:
        raise GuidelineError("this file is empty", where=file, remedy="write a guideline into it")
    return Part(node, file, Counter())
