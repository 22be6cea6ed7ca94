"""How a file nobody has seen might be read: a mapping guessed from its columns and contents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import yaml

from medweave.documents.mappings import parse_mapping, recognise
from medweave.documents.rows import Row, data_stem, read_rows
from medweave.errors import MappingError
from medweave.language.data import shipped_yaml
from medweave.model.mapping import Mapping
from medweave.vocabulary.vocabulary import Predicate, Vocabulary

_LOOK = 200
_LONG = 60
"""Texts longer than this on average are prose, not names."""
_MANY_WORDS = 12
_DRUGS = ("drug", "medicine", "药")
"""A file or column so called: what has no concept of its own is a drug."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A mapping for a file, whether it was recognised or guessed, and what it leaves out."""

    mapping: Mapping
    recognised: bool
    text: str
    """The mapping as YAML, ready to be saved, mended and given to `--mapping`."""
    left_out: tuple[tuple[str, str], ...]
    """(column, why)."""


def guess_mapping(path: Path, vocabulary: Vocabulary) -> Guess:
    """The mapping that is recognised for a file, or one guessed for it.

    Raises `SourceError` for a file that cannot be read, `MappingError` where no column can be the
    name of anything.
    """
    rows = [row for row in islice(read_rows(path), _LOOK) if isinstance(row, Row)]
    columns = list(dict.fromkeys(name for row in rows for name in row.values))
    known = recognise(path, columns)
    if known is not None:
        return Guess(
            known, True, f"# the layout '{known.name}' is known\n", _unread(known, columns)
        )
    return _guess(path, rows, columns, vocabulary)


def _unread(mapping: Mapping, columns: Sequence[str]) -> tuple[tuple[str, str], ...]:
    used = {rule.field for rule in mapping.fields} | set(_named_columns(mapping))
    return tuple((name, "the mapping does not use it") for name in columns if name not in used)


def _named_columns(mapping: Mapping) -> tuple[str, ...]:
    optional = ("document", "url", "quote", "polarity", "strength", "subject_concept")
    if mapping.kind == "triples":
        ends = (mapping.subject_column, mapping.predicate_column, mapping.object_column)
        return (*ends, *optional, "object_concept")
    return (mapping.name_field, mapping.key_field, mapping.concept_field, mapping.synonym_field,
            mapping.language_field, mapping.url_field, mapping.identifier_field)  # fmt: skip


def _guess(path: Path, rows: list[Row], columns: list[str], vocabulary: Vocabulary) -> Guess:
    words = shipped_yaml("documents", "guess_words.yaml")
    name = _name_column(rows, columns, words)
    content: dict[str, Any] = {
        "name": data_stem(path),
        "kind": "monographs",
        "name_field": name,
        "evidence_class": "database",
    }
    taken = {name}
    concepts = set(vocabulary.concepts)
    for role, entry in (("concept", "concept_field"), ("synonyms", "synonym_field"),
                        ("url", "url_field"), ("key", "key_field")):  # fmt: skip
        found = next((c for c in columns if c not in taken and _folded(c) in words[role]), None)
        if found and (role != "concept" or {t.lower() for t in _texts(rows, found)} <= concepts):
            content[entry] = found
            taken.add(found)
    if "concept_field" not in content:
        about_drugs = any(word in f"{path.stem} {' '.join(columns)}".lower() for word in _DRUGS)
        likely = "drug" if about_drugs else "disease"
        content["concept"] = words["concept_of_name"].get(_folded(name), likely)
    fields, left_out = _fields(rows, [c for c in columns if c not in taken], words, vocabulary)
    content |= {"columns": [name, *fields], "fields": fields}
    text = yaml.safe_dump(content, allow_unicode=True, sort_keys=False)
    return Guess(parse_mapping(content, str(path)), False, text, left_out)


def _folded(column: str) -> str:
    return column.strip().lower().replace(" ", "_").replace("-", "_")


def _name_column(rows: list[Row], columns: list[str], words: dict[str, Any]) -> str:
    """A column called like a name, else the first whose texts are short and all different."""
    for column in columns:
        if _folded(column) in words["name"]:
            return column
    for column in columns:
        texts = _texts(rows, column)
        if (
            texts
            and len(set(texts)) == len(texts)
            and _average(texts) < _LONG / 2
            and not any(text.isdigit() for text in texts)
        ):
            return column
    raise MappingError(
        "no column of this file can be the name of anything",
        remedy="write a mapping by hand: see the documentation of formats",
    )


def _fields(
    rows: list[Row], columns: list[str], words: dict[str, Any], vocabulary: Vocabulary
) -> tuple[dict[str, dict[str, str]], tuple[tuple[str, str], ...]]:
    fields: dict[str, dict[str, str]] = {}
    left_out: list[tuple[str, str]] = []
    by_word = {word: name for name, all_words in words["fields"].items() for word in all_words}
    for column in columns:
        name = by_word.get(_folded(column)) or _predicate_name(column, vocabulary)
        if name is None:
            left_out.append((column, "no predicate is called like this column"))
        elif not _texts(rows, column):
            left_out.append((column, "it is empty in the rows looked at"))
        else:
            fields[column] = _field(rows, column, name, vocabulary)
    return fields, tuple(left_out)


def _predicate_name(column: str, vocabulary: Vocabulary) -> str | None:
    use = vocabulary.find(_folded(column))
    return _folded(column) if use is not None else None


def _field(rows: list[Row], column: str, name: str, vocabulary: Vocabulary) -> dict[str, str]:
    use = vocabulary.find(name)
    predicate: Predicate = vocabulary.predicate("described_as") if use is None else use.predicate
    texts = _texts(rows, column)
    if predicate.takes_text:
        return {"predicate": name, "reading": "text"}
    if _is_prose(texts):
        return {"predicate": "described_as", "reading": "text"}
    ends = predicate.domain if use is not None and use.inverted else predicate.range
    rule = {"predicate": name, "concept": ends[0]}
    if predicate.name in ("contraindicated_in", "caution_in"):
        rule |= {"concept": "disease", "reading": "phrases"}
    return rule


def _is_prose(texts: list[str]) -> bool:
    """Long texts without list marks are sentences: they are kept, and read by templates."""
    listed = sum(text.lstrip().startswith("[") or ";" in text or "；" in text for text in texts)
    words = sum(len(text.split()) for text in texts) / len(texts)
    return listed < len(texts) / 2 and _average(texts) > _LONG and words > _MANY_WORDS


def _average(texts: list[str]) -> float:
    return sum(map(len, texts)) / len(texts)


def _texts(rows: list[Row], column: str) -> list[str]:
    values = (row.values.get(column) for row in rows)
    return [
        "; ".join(map(str, value)) if isinstance(value, list) else str(value)
        for value in values
        if value not in (None, "", [])
    ]
