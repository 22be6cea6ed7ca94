"""The parts of a base as plain JSON values, checked when they are read back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from medweave.errors import SourceError
from medweave.model.document import Document
from medweave.model.entity import NameMention
from medweave.model.statement import Activity, Evidence, Statement

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_FRACTIONS = ("strength", "confidence")
"""Where an author may have written 1 for 1.0."""
_ADAPTERS: dict[type[Any], Any] = {}
Part = TypeVar("Part", Document, NameMention, Activity, Evidence, Statement)


def to_plain(part: Part) -> dict[str, Any]:
    """A part as JSON has it.

    >>> to_plain(NameMention("mw.condition:cough", "cough", "en", "symptom"))["name"]
    'cough'
    """
    plain: dict[str, Any] = _adapter(type(part)).dump_python(part, mode="json")
    plain |= {name: getattr(part, name) for name in _FRACTIONS if name in plain}
    return {name: value for name, value in plain.items() if name not in ("id", "_id")}


def from_plain(kind: type[Part], plain: Any, where: str) -> Part:
    """The part that plain values describe; `SourceError` names what is wrong with them."""
    from pydantic import ValidationError

    try:
        found = _adapter(kind).validate_python(plain)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(step) for step in first["loc"])
        raise SourceError(
            f"this is no {kind.__name__.lower()} of a base: {field}: {first['msg'].lower()}",
            where=where,
            remedy="export it again; a file of another program is read by `medweave build`",
        ) from error
    if isinstance(found, Evidence):  # 1 stays 1: the hash of a base tells it from 1.0
        strength, confidence = (_as_written(plain, found, name) for name in _FRACTIONS)
        return replace(found, strength=strength, confidence=confidence)
    return found


def _as_written(plain: dict[str, Any], found: Evidence, name: str) -> float:
    value = plain.get(name)
    return value if type(value) is int else float(getattr(found, name))


def _adapter(kind: type[Part]) -> TypeAdapter[Part]:
    """Made once for each kind, as it takes long."""
    from pydantic import TypeAdapter

    made: TypeAdapter[Part] = _ADAPTERS.get(kind) or TypeAdapter(kind)
    _ADAPTERS[kind] = made
    return made
