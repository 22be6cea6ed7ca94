"""How a database that nobody described might be read: a mapping guessed from its schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from medweave.errors import MappingError
from medweave.inplace.mapping import database_mapping
from medweave.inplace.rows import ForeignRows, Table
from medweave.language.data import read_yaml
from medweave.model.identifiers import is_curie
from medweave.sources.files.columns import folded, guess_words, parted
from medweave.sources.files.row import Row
from medweave.sources.kinds import kind_called
from medweave.sources.mapping.guess import meaning_of
from medweave.sources.mapping.sample import LOOK, Sample
from medweave.vocabulary.vocabulary import Vocabulary

_NOT_OF_DATABASES = ("name", "evidence_class", "columns", "files", "folders")
_SURE = 0.2
"""A table that is understood less than this is no list of things."""


@dataclass(frozen=True, slots=True)
class Suggested:
    """A table, label or the like, or a part of it, and what becomes of it."""

    what: str
    rows: int
    why: str


@dataclass
class Suggestion:
    """A mapping for a database, and for each part of its schema what it is read as, or why not."""

    name: str
    parts: list[dict[str, Any]] = field(default_factory=list)
    mapped: list[Suggested] = field(default_factory=list)
    not_mapped: list[Suggested] = field(default_factory=list)

    @property
    def mapping(self) -> dict[str, Any]:
        """The mapping, as YAML has it."""
        return {"name": self.name, "evidence_class": "database", "parts": self.parts}

    @property
    def text(self) -> str:
        """The mapping as a file."""
        return yaml.safe_dump(self.mapping, allow_unicode=True, sort_keys=False, width=100)


def suggest(rows: ForeignRows, name: str, vocabulary: Vocabulary) -> Suggestion:
    """A mapping for a database, guessed from the names and the first rows of its tables."""
    found = Suggestion(name)
    tables = rows.tables()
    for table in tables:
        why = table.foreign or ("" if table.rows else "it is empty")
        if why:
            found.not_mapped.append(Suggested(table.name, table.rows, why))
        elif table.place_kind in ("table", "collection"):
            _table(rows, table, found, vocabulary)
        elif table.place_kind in ("label", "class"):
            _nodes(rows, table, found, vocabulary)
    concepts = {str(p.get("label") or p.get("class")): p["concept"] for p in found.parts
                if p["kind"] == "nodes"}  # fmt: skip
    for table in tables:
        if table.place_kind == "type" and table.rows:
            _edges(rows, table, found, vocabulary, concepts)
    return found


def _sample(rows: ForeignRows, table: Table) -> Sample:
    read = enumerate(rows.sample(table, LOOK), 1)
    return Sample(Path(table.name), tuple(Row(n, each) for n, each in read), ())


def _guess(
    kind: str, sample: Sample, vocabulary: Vocabulary
) -> tuple[dict[str, Any], Sequence[tuple[str, str]], float] | None:
    """The entries of a mapping that a kind guesses, the columns left out, and how sure it is."""
    guess = kind_called(kind).guess
    made = guess(sample, vocabulary) if guess else None
    if made is None:
        return None
    content = read_yaml(made.text, where=str(sample.path))
    kept = {name: value for name, value in content.items() if name not in _NOT_OF_DATABASES}
    return kept, made.left_out, made.sure


# tables and collections


def _table(rows: ForeignRows, table: Table, found: Suggestion, vocabulary: Vocabulary) -> None:
    sample = _sample(rows, table)
    triples = _guess("triples", sample, vocabulary)
    if triples:
        content, left_out, _ = triples
        unknown = _relations(rows, table, content, vocabulary)
    else:
        guessed = _guess("monographs", sample, vocabulary)
        if guessed is None or guessed[2] < _SURE or not guessed[0].get("fields"):
            why = "no column of it is the name of a thing of which others tell what is understood"
            found.not_mapped.append(Suggested(table.name, table.rows, why))
            return
        (content, left_out, _), unknown = guessed, []
        content.pop("key_field", None)
    made = {"kind": content.pop("kind"), table.place_kind: table.name, **content}
    part = _keyed(rows, table, made, sample)
    if isinstance(part, str):
        found.not_mapped.append(Suggested(table.name, table.rows, part))
        return
    found.parts.append(part)
    found.mapped.append(Suggested(table.name, table.rows, _in_words(part)))
    of_table = [
        (f"{table.name}.{column}", table.rows, why)
        for column, why in left_out
        if column not in (part.get("key_field"), table.key)
    ]
    found.not_mapped += [Suggested(*each) for each in (*of_table, *unknown)]


def _relations(
    rows: ForeignRows, table: Table, content: dict[str, Any], vocabulary: Vocabulary
) -> list[tuple[str, int, str]]:
    """Write all relations of a table that are understood into its mapping; those that are not."""
    unknown = []
    understood: dict[str, dict[str, str]] = {}
    column = content.get("predicate_column", "predicate")
    for relation, count in rows.values(table, column).items():
        meaning = _meaning(relation, vocabulary)
        if meaning:
            understood[relation] = {"predicate": meaning}
        else:
            what = f"{table.name}.{column} = {relation}"
            why = "no predicate is called so: its rows are kept under its own name, and are neutral"
            unknown.append((what, count, why))
    content["relations"] = understood
    return unknown


def _keyed(
    rows: ForeignRows, table: Table, part: dict[str, Any], sample: Sample
) -> dict[str, Any] | str:
    """A part with a column that tells its rows apart, where there is one; else why not."""
    words = guess_words()["key"]
    differing = [column for column in sample.columns if _differ(sample, column)]
    named = [column for column in differing if folded(column) in words]
    why = ""
    for column in (*([table.key] if table.key else named), "", *differing):
        tried = {**part, **({"key_field": column} if column else {})}
        try:
            rows.check(database_mapping({"name": "tried", "parts": [tried]}, "").parts)
        except MappingError as error:
            why = str(error)
        else:
            return tried
    return why


def _differ(sample: Sample, column: str) -> bool:
    texts = sample.texts(column)
    return len(texts) == len(set(texts)) == len(sample.rows)


def _in_words(part: Mapping[str, Any]) -> str:
    if part["kind"] == "triples":
        means = {each["predicate"] for each in part["relations"].values()}
        return f"triples: {', '.join(sorted(means)) or 'relations under their own names'}"
    means = {rule["predicate"] for rule in part.get("fields", {}).values()}
    about = part.get("concept") or f"what '{part.get('concept_field')}' says"
    return f"{about}, named by '{part.get('name_field', 'name')}'" + (
        f": {', '.join(sorted(means))}" if means else ""
    )


# nodes and edges


def _words(name: str) -> str:
    """A label, type or the end of an IRI as `guess_words.yaml` writes names.

    >>> _words("TreatmentStep"), _words("HAS_SYMPTOM"), _words("http://example.org/hasSymptom")
    ('treatment_step', 'has_symptom', 'has_symptom')
    """
    return parted(re.split(r"[/#]", name.rstrip("/#"))[-1])


def _nodes(rows: ForeignRows, table: Table, found: Suggestion, vocabulary: Vocabulary) -> None:
    word = _words(table.name)
    by_word = {one: concept for concept, some in guess_words()["labels"].items() for one in some}
    concept = by_word.get(word) or (word if word in vocabulary.concepts else "")
    sample = _sample(rows, table)
    name = _name_of_nodes(sample)
    if not concept or not name:
        why = "no concept is called so" if not concept else "no property of it is a name"
        found.not_mapped.append(Suggested(table.name, table.rows, why))
        return
    guessed = _guess("monographs", sample, vocabulary)
    fields = guessed[0].get("fields", {}) if guessed else {}
    part: dict[str, Any] = {"kind": "nodes", table.place_kind: table.name, "name_field": name}
    part["concept"] = concept
    key = next((c for c in sample.columns if _is_key(c) and _differ(sample, c)), "")
    synonyms = next((c for c in sample.columns if folded(c) in guess_words()["synonyms"]), "")
    if key:
        part["key_field"] = key
        if all(map(is_curie, sample.texts(key))):
            part["identifier_field"] = key
    if synonyms:
        part["synonym_field"] = synonyms
    used = {name, key, synonyms}
    if fields := {column: rule for column, rule in fields.items() if column not in used}:
        part["fields"] = fields
    found.parts.append(part)
    found.mapped.append(Suggested(table.name, table.rows, _in_words(part)))
    for column in sample.columns:
        if column not in used and column not in fields:
            why = "no predicate is called like this property"
            found.not_mapped.append(Suggested(f"{table.name}.{column}", table.rows, why))


def _name_of_nodes(sample: Sample) -> str:
    words = [*guess_words()["nodes"]["names"], *guess_words()["name"]]
    called = [c for c in sample.columns if _words(c) in words and sample.texts(c)]
    return min(called, key=lambda c: words.index(_words(c)), default="")


def _is_key(column: str) -> bool:
    word = _words(column)
    return word in guess_words()["key"] or word.endswith("_id")


def _edges(
    rows: ForeignRows,
    table: Table,
    found: Suggestion,
    vocabulary: Vocabulary,
    concepts: Mapping[str, str],
) -> None:
    meaning = _meaning(table.name, vocabulary)
    ends = list(_joined(rows, table, concepts))
    if not meaning:
        why = "no predicate is called so"
    elif not ends:
        why = "what it joins is not read"
    else:
        meaning = _turned(meaning, ends, vocabulary)
        why = "" if meaning else "its predicate does not join such things"
    if why:
        found.not_mapped.append(Suggested(table.name, table.rows, why))
        return
    found.parts.append({"kind": "edges", "type": table.name, "predicate": meaning})
    found.mapped.append(Suggested(table.name, table.rows, f"edges: {meaning}"))


def _joined(
    rows: ForeignRows, table: Table, concepts: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The concepts that a relationship joins, as far as both ends are read."""
    for each in rows.sample(table, LOOK):
        first = next((concepts[one] for one in each["subject"] if one in concepts), "")
        second = next((concepts[one] for one in each["object"] if one in concepts), "")
        if first and second:
            yield first, second


def _turned(meaning: str, ends: Iterable[tuple[str, str]], vocabulary: Vocabulary) -> str:
    """A predicate, or its inverse, whichever takes what is joined; '' where neither does."""
    use = vocabulary.find(meaning)
    if use is None:
        return ""
    predicate = use.predicate
    inverse = meaning if use.inverted else next(iter(predicate.inverse), "")
    for first, second in ends:
        if first in predicate.domain and second in predicate.range:
            return predicate.name
        if second in predicate.domain and first in predicate.range:
            return inverse
    return ""


def _meaning(name: str, vocabulary: Vocabulary) -> str:
    word = _words(name)
    for predicate, words in guess_words()["edges"].items():
        if word in words:
            return str(predicate)
    return meaning_of(word, vocabulary) or meaning_of(name, vocabulary) or ""
