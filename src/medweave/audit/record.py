"""One record of an audit file, and what chains it to the one before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any
from typing import Literal as OneOf

RecordKind = OneOf["answer", "assessment", "decision", "change"]
FIRST = "0" * 64
"""What stands for the hash before the first record."""
TOMBSTONE = ("n", "time", "kind", "prev", "hash")
"""What is left of a record that was purged."""
_TIMES = frozenset({"timing", "seconds", "milliseconds"})


def canonical(form: Any) -> bytes:
    """JSON that is the same for the same content: sorted keys, no blanks, UTF-8 unescaped.

    >>> canonical({"b": "é", "a": 1}).decode()
    '{"a":1,"b":"é"}'
    """
    text = json.dumps(form, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def hash_of(record: Mapping[str, Any]) -> str:
    """The SHA-256 (hex) of a record without its own hash."""
    return hashlib.sha256(canonical({k: v for k, v in record.items() if k != "hash"})).hexdigest()


def output_hash(form: Mapping[str, Any]) -> str:
    """The SHA-256 (hex) of an answer or assessment in its JSON form, without times.

    >>> output_hash({"status": "answered", "timing": {"total": 3}}) == output_hash(
    ...     {"status": "answered"}
    ... )
    True
    """
    return hashlib.sha256(canonical(_timeless(form))).hexdigest()


def _timeless(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _timeless(v) for k, v in value.items() if k not in _TIMES}
    if isinstance(value, list):
        return [_timeless(item) for item in value]
    return value


def tombstone(record: Mapping[str, Any]) -> dict[str, Any]:
    """What is left of a record: its place in the chain, when it was, and its kind."""
    return {name: record[name] for name in TOMBSTONE} | {"purged": True}
