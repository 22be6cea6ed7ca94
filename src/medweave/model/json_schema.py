"""Whether a value keeps to a JSON schema, of which the parts that prompts use are known.

Known are `type` (object, array, string, integer, number), `properties` (all of them must be there,
and no other), `items` and `enum`. Source: JSON Schema 2020-12, https://json-schema.org.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def object_schema(properties: Mapping[str, Any], title: str = "reply") -> dict[str, Any]:
    """The schema of an object with just these properties; `title` says what is asked for.

    >>> object_schema({"text": TEXT})["required"]
    ['text']
    """
    return {
        "title": title,
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def list_schema(items: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a list."""
    return {"type": "array", "items": dict(items)}


def choice_schema(values: Sequence[str]) -> dict[str, Any]:
    """The schema of one of some texts."""
    return {"type": "string", "enum": list(values)}


_SIMPLE: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "string": (str, "text"),
    "integer": (int, "whole number"),
    "number": ((int, float), "number"),
}
TEXT: Mapping[str, Any] = {"type": "string"}
"""The schema of any text."""


def violation(value: Any, schema: Mapping[str, Any], where: str = "the reply") -> str:
    """What is wrong with a value, '' where nothing is.

    >>> violation({"text": 1}, object_schema({"text": TEXT}))
    'text is no text'
    """
    if schema["type"] == "object":
        return _of_object(value, schema["properties"], where)
    if schema["type"] == "array":
        if not isinstance(value, list):
            return f"{where} is no list"
        found = (violation(item, schema["items"], f"an entry of {where}") for item in value)
        return next(filter(None, found), "")
    kinds, called = _SIMPLE[schema["type"]]
    if not isinstance(value, kinds) or isinstance(value, bool):
        return f"{where} is no {called}"
    return f"{where} is none of the choices" if value not in schema.get("enum", [value]) else ""


def _of_object(value: Any, properties: Mapping[str, Any], where: str) -> str:
    if not isinstance(value, dict):
        return f"{where} is no object"
    for name in value:
        if name not in properties:
            return f"{where} has '{str(name)[:40]}', which nobody asked for"
    for name, schema in properties.items():
        if name not in value:
            return f"{where} lacks '{name}'"
        if wrong := violation(value[name], schema, name):
            return wrong
    return ""
