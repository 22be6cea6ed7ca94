"""The JSON of a medAL algorithm (ePOCT+) as medAL-creator writes it: one version of it."""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from medweave.errors import SourceError
from medweave.guideline.import_report import Notes
from medweave.language.data import shipped_yaml

Json = Mapping[str, Any]
Tables = Mapping[str, Mapping[str, Mapping[str, float]]]
_LARGEST = 256 * 1024 * 1024
"""Bytes of a file, unpacked; what is larger is no algorithm."""
_WRAPPED = "medal_r_json"
_REQUIRED = ("nodes", "diagnoses", "final_diagnoses", "health_cares")
_KNOWN = frozenset(
    (
        *_REQUIRED,
        *("algorithm_id", "algorithm_name", "author", "config", "created_at", "description"),
        *("diagram", "emergency_content", "is_arm_control", "json_version", "mobile_config"),
        *("patient_level_questions", "study", "updated_at", "version_id", "version_languages"),
        *("version_name", "village_json", "algorithm_version_id", "name", "id"),
    )
)
_BESIDE = "*reference_tables*.json*"


def words() -> dict[str, Any]:
    """The words and shapes by which an algorithm is read (rules/medal.yaml)."""
    return shipped_yaml("guideline", "medal", "words.yaml")


@dataclass
class MedalFile:
    """One algorithm: its parts by id, the reference tables at hand, and what was not mapped."""

    document: Json
    tables: Tables = field(default_factory=dict)
    notes: Notes = field(default_factory=Notes)

    def __post_init__(self) -> None:
        """Its parts by id, always as text."""
        self.nodes = _by_id(self.document["nodes"])
        self.diagnoses = _by_id(self.document["diagnoses"])
        self.final_diagnoses = _by_id(self.document["final_diagnoses"])
        self.health_cares = _by_id(self.document["health_cares"])
        self.config: Json = self.document.get("config") or {}
        self.languages: tuple[str, ...] = tuple(self.document.get("version_languages") or ("en",))
        required = self.config.get("basic_questions") or {}
        optional = self.config.get("optional_basic_questions") or {}
        self._basic = {**optional, **required}

    def basic(self, name: str) -> str | None:
        """The id of a question that the algorithm names in its configuration."""
        found = self._basic.get(name)
        return None if found is None else str(found)

    def text(self, value: object) -> str:
        """A text in the algorithm's first language; texts of one language are plain strings."""
        if isinstance(value, Mapping):
            for language in (*self.languages, *value):
                found = value.get(language)
                if found:
                    return str(found).strip()
            return ""
        return "" if value is None else str(value).strip()

    def label(self, part: Json) -> str:
        """What a node, diagnosis, drug or answer is called."""
        return self.text(part.get("label"))

    def node(self, identifier: object, where: str) -> Json | None:
        """A node; None, and a note, where there is none of that id."""
        found = self.nodes.get(str(identifier))
        if found is None:
            self.notes.add(f"node {identifier}", where, "the algorithm has no such node")
        return found


def read_medal(path: Path, tables: Path | None = None) -> MedalFile:
    """The algorithm in a JSON file, which may be packed with gzip.

    `tables` are the reference tables of z-scores; without it a file `*reference_tables*.json(.gz)`
    beside the algorithm is taken if there is just one.

    Raises `SourceError` where it is no such file.
    """
    document = _json(path)
    if isinstance(document, Mapping) and isinstance(document.get(_WRAPPED), Mapping):
        document = document[_WRAPPED]
    if not _is_algorithm(document):
        raise SourceError(
            "it is no medAL algorithm: nodes, diagnoses, final diagnoses or drugs are not in it",
            where=str(path),
            remedy="give the JSON of an algorithm version",
        )
    found = MedalFile(document, _tables(path, tables))
    for name in sorted(set(document) - _KNOWN):
        found.notes.add(f"'{name}'", "the algorithm", "nothing is known of this part of the format")
    return found


def is_medal(path: Path) -> bool:
    """Whether a file holds a medAL algorithm, packed or not."""
    try:
        document = _json(path)
    except SourceError:
        return False
    if isinstance(document, Mapping) and isinstance(document.get(_WRAPPED), Mapping):
        document = document[_WRAPPED]
    return _is_algorithm(document)


def number(value: object) -> float | None:
    """A number that may be written as text; None where it is none.

    >>> number(" 2.5"), number("<6"), number(None)
    (2.5, None, None)
    """
    if value is None or isinstance(value, bool):
        return None
    try:
        found = float(str(value).strip())
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def whole(value: object) -> int | None:
    """A whole number, or None."""
    found = number(value)
    return None if found is None else int(found)


def _is_algorithm(document: object) -> bool:
    return isinstance(document, Mapping) and all(
        isinstance(document.get(name), Mapping | list) for name in _REQUIRED
    )


def _by_id(parts: Json | Iterable[Json]) -> dict[str, Json]:
    return {str(part["id"]): part for part in listed(parts) if "id" in part}


def listed(parts: Any) -> list[Json]:
    """Parts that are written as a list, or by their ids; nothing written is none."""
    return list(parts.values() if isinstance(parts, Mapping) else parts or ())


def _json(path: Path) -> Any:
    try:
        content = path.read_bytes()
        if content[:2] == b"\x1f\x8b":
            with gzip.open(path) as packed:
                content = packed.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise SourceError("it is too large", where=str(path), remedy="give an algorithm's JSON")
        return json.loads(content)
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise SourceError(
            f"it cannot be read as JSON: {error}", where=str(path), remedy="check the file"
        ) from error


def _tables(path: Path, tables: Path | None) -> Tables:
    if tables is None:
        beside = sorted(path.parent.glob(_BESIDE))
        if len(beside) != 1:
            return {}
        tables = beside[0]
    found = _json(tables)
    try:
        return {
            str(name): {
                str(x): {str(z): float(value) for z, value in row.items()}
                for x, row in rows.items()
            }
            for name, rows in found.items()
        }
    except (AttributeError, TypeError, ValueError) as error:
        raise SourceError(
            "it does not hold reference tables: a table is rows, each of reference values by z",
            where=str(tables),
            remedy="give the tables' JSON, or leave --tables out",
        ) from error
