"""The forms of a guideline's parts in YAML: one table says how a part is read and written.

A `Form` names the keys of a part in their order. How the value of a key is read and written follows
from the type that the attribute has in `model.guideline`, unless the form says another way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, fields
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar, get_args, get_origin, get_type_hints
from typing import Literal as OneOf

from medweave.guideline.yaml.parts import Part
from medweave.guideline.yaml.rules import Rules, written_rule
from medweave.guideline.yaml.spans import number, read_ages, written_ages
from medweave.model.guideline import AgeBand
from medweave.model.logic import Expression

T = TypeVar("T")


class Way(NamedTuple):
    """How a value is read from YAML, and written."""

    read: Callable[[Part, Rules], Any]
    write: Callable[[Any, Rules], Any] = lambda value, _: value


def word(*allowed: str) -> Way:
    """One of several words."""
    return Way(lambda part, _: part.one_of(allowed))


def each(way: Way) -> Way:
    """A list of such values."""
    return Way(
        lambda part, rules: tuple(way.read(item, rules) for item in part.items()),
        lambda values, rules: [way.write(value, rules) for value in values],
    )


def named(form: Form[Any]) -> Way:
    """Parts of a form by their ids."""
    return Way(
        lambda part, rules: tuple(
            form.read(held, rules, id=name) for name, held in part.entries().items()
        ),
        lambda parts, rules: {held.id: form.write(held, rules) for held in parts},
    )


RULE = Way(lambda part, rules: rules.read(part), written_rule)
NUMBER = Way(lambda part, _: part.number(), lambda value, _: number(value))
WHOLE = Way(lambda part, _: part.whole())
_SPAN = Way(
    lambda part, _: part.span(),
    lambda span, _: [None if end is None else number(end) for end in span],
)
_OF_TYPES: Mapping[Any, Way] = {
    str: Way(lambda part, _: part.text()),
    tuple[str, ...]: Way(lambda part, _: part.texts(), lambda texts, _: list(texts)),
    bool: Way(lambda part, _: part.flag()),
    float: NUMBER,
    float | None: NUMBER,
    int: WHOLE,
    int | None: WHOLE,
    tuple[float | None, float | None]: _SPAN,
    AgeBand: Way(lambda part, _: read_ages(part), lambda band, _: written_ages(band)),
    Expression: RULE,
    Expression | None: RULE,
}


class Form(Generic[T]):
    """The form of one kind of part: `keys` as they stand in YAML, `key=attribute` where they have
    another name there, in the order in which they are written; of two for one attribute, the first.

    `ways` are of attributes that are not read as their type says. `usual` are values that need not
    be written, beside those that the type itself has. `apart` are keys that are read elsewhere.
    """

    def __init__(
        self,
        of: type[T],
        keys: str,
        *,
        ways: Mapping[str, Way] | None = None,
        usual: Mapping[str, Any] | None = None,
        apart: Collection[str] = (),
    ) -> None:
        pairs = (key.partition("=") for key in keys.split())
        self.of = of
        self._keys = {key: attribute or key for key, _, attribute in pairs}
        self._written: dict[str, str] = {}
        for key, attribute in self._keys.items():
            self._written.setdefault(attribute, key)
        self._own_ways = ways or {}
        self._own_usual = usual or {}
        self._apart = apart

    @property
    def keys(self) -> Collection[str]:
        """The keys that a part may have."""
        return self._keys.keys()

    @cached_property
    def _ways(self) -> Mapping[str, Way]:
        hints = get_type_hints(self.of)
        found = dict(self._own_ways)
        for key, attribute in self._keys.items():
            if key not in self._apart and attribute not in found:
                hint = hints[attribute]
                of_words = get_origin(hint) is OneOf
                found[attribute] = word(*get_args(hint)) if of_words else _OF_TYPES[hint]
        return found

    @cached_property
    def _usual(self) -> Mapping[str, Any]:
        own = {f.name: f.default for f in fields(self.of)}  # type: ignore[arg-type]
        return {k: v for k, v in own.items() if v is not MISSING} | dict(self._own_usual)

    def read(self, part: Part, rules: Rules, **given: Any) -> T:
        """A part; `GuidelineError` with file and line where a key is not known, is missing, or does
        not hold what it must. `given` are attributes that do not stand in it."""
        entries = part.fields(self._keys)
        values = dict(self._own_usual) | given
        if "label" in self._keys and "id" in given:
            values["label"] = given["id"]
        for key, held in entries.items():
            attribute = self._keys[key]
            usual = attribute in values or attribute in self._usual
            if key not in self._apart and not (usual and held.is_null):
                values[attribute] = self._ways[attribute].read(held, rules)
        for attribute, key in self._written.items():
            if not (attribute in values or attribute in self._usual or key in self._apart):
                part.refuse(f"'{key}' is missing here", f"write `{key}: …`")
        return self.of(**values)

    def write(self, value: T, rules: Rules, **apart: Any) -> dict[str, Any]:
        """A part as YAML values, without what is as usual; `apart` are written elsewhere."""
        found: dict[str, Any] = {}
        for attribute, key in self._written.items():
            if key in self._apart:
                found |= {} if apart.get(key) in (None, [], {}) else {key: apart[key]}
                continue
            held = getattr(value, attribute)
            if attribute not in self._usual or held != self._usual[attribute]:
                found[key] = self._ways[attribute].write(held, rules)
        return found


def chosen(part: Part, forms: Mapping[str, Form[Any]]) -> str | None:
    """Which of several forms a part has: each has a key that no other has. None where it has none
    of these, or more than one; `GuidelineError` for a key that no form has."""
    held = part.fields(dict.fromkeys(key for form in forms.values() for key in form.keys))
    found = [key for key in forms if key in held and not held[key].is_null]
    return found[0] if len(found) == 1 else None
