"""How a file nobody has seen might be read: a mapping guessed from its columns and contents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medweave.errors import MappingError, SourceError
from medweave.model.identifiers import is_curie
from medweave.model.mapping import Mapping
from medweave.sources.files.columns import folded, guess_words
from medweave.sources.files.rows import data_stem
from medweave.sources.mapping.layouts import mapping_yaml, parse_mapping, shipped_mappings
from medweave.sources.mapping.sample import Sample, is_naming, is_prose, list_marks, look
from medweave.sources.reading import layout
from medweave.vocabulary.vocabulary import PredicateUse, Vocabulary

_FIRST = ("disease", "drug")
"""Where several concepts fit the columns equally, the first of these."""
_TRIPLE_EXTRAS = ("document", "url", "quote", "polarity", "strength", "subject_concept",
                  "object_concept")  # fmt: skip
_ROLES = {
    "concept": "concept_field", "synonyms": "synonym_field", "url": "url_field",
    "key": "key_field", "language": "language_field",
}  # fmt: skip
_EMPTY = "it is empty in the rows looked at"
_UNNAMED = 0.5
"""How sure a column is the name of things if only its contents say so."""
LeftOut = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Guess:
    """A mapping for a file, whether it is known or guessed, and what it leaves out."""

    mapping: Mapping
    recognised: bool
    text: str
    """The mapping as YAML, ready to be saved, mended and given to `--mapping`."""
    left_out: LeftOut
    """(column, why)."""
    sure: float
    """From 0 to 1: 1 for a known layout, else the share of the columns that were understood, half
    of it where no column is called like a name."""


def guess_mapping(path: Path, vocabulary: Vocabulary) -> Guess:
    """The mapping that is recognised for a file, or one guessed for it.

    Raises `SourceError` for a file that cannot be read, `MappingError` where no column can be the
    name of anything.
    """
    known, rows = layout(path)
    sample = look(path, rows)
    if known is not None:
        return _known(known, sample)
    if not sample.rows:
        reason = sample.skipped[0].reason if sample.skipped else "it has no rows"
        raise SourceError(
            f"nothing of this file can be read: {reason}", where=str(path), remedy="mend the file"
        )
    return _guess_triples(sample, vocabulary) or _guess_monographs(sample, vocabulary)


def named_mapping(path: Path, mapping: Mapping) -> Guess:
    """What a mapping that was named makes of a file.

    Raises `SourceError` where it cannot be read, `MappingError` where no part of the mapping is
    for this file.
    """
    part, rows = layout(path, mapping)
    if part is None:
        raise MappingError(
            f"no part of the mapping '{mapping.name}' is for this file",
            where=str(path),
            remedy="see the files and columns that its parts name",
        )
    return _known(part, look(path, rows))


def _known(mapping: Mapping, sample: Sample) -> Guess:
    used = {*mapping.used_columns, *(_TRIPLE_EXTRAS if mapping.kind == "triples" else ())}
    whole = mapping.kind == "table" or bool(mapping.collect)
    unused = [name for name in sample.columns if name not in used and not whole]
    left_out = tuple((name, "the mapping does not use it") for name in unused)
    return Guess(mapping, True, mapping_yaml(mapping), left_out, 1.0)


def _guessed(
    sample: Sample, content: dict[str, Any], left_out: Iterable[tuple[str, str]], sure: float
) -> Guess:
    mapping = parse_mapping({"name": data_stem(sample.path), **content}, str(sample.path))
    return Guess(mapping, False, mapping_yaml(mapping), tuple(left_out), round(sure, 2))


def _guess_triples(sample: Sample, vocabulary: Vocabulary) -> Guess | None:
    """A file with a head, a relation and a tail, whatever they are called; None for any other."""
    found: dict[str, Any] = {}
    for role, names in guess_words()["triples"].items():
        column = next((column for column in sample.columns if folded(column) in names), None)
        if column is not None:
            found[role] = column
    if len(found) < len(guess_words()["triples"]):
        return None
    relations = list(dict.fromkeys(sample.texts(found["predicate_column"])))
    meanings = {relation: _meaning(relation, vocabulary) for relation in relations}
    understood = {relation: name for relation, name in meanings.items() if name}
    used = {*found.values(), *_TRIPLE_EXTRAS}
    left_out = [(c, "it is no part of a relation") for c in sample.columns if c not in used]
    content = {
        "kind": "triples",
        "evidence_class": "database",
        **found,
        "relations": {relation: {"predicate": name} for relation, name in understood.items()},
    }
    return _guessed(sample, content, left_out, len(understood) / max(1, len(relations)))


def _guess_monographs(sample: Sample, vocabulary: Vocabulary) -> Guess:
    name = _name_column(sample, vocabulary)
    roles, left_out = _roles(sample, name, vocabulary)
    rest = [c for c in sample.columns if c not in (name, *roles.values(), *left_out)]
    meanings = {column: _meaning(column, vocabulary) for column in rest}
    concept = "" if "concept_field" in roles else _concept(name, meanings.values(), vocabulary)
    fields: dict[str, dict[str, str]] = {}
    for column, meaning in meanings.items():
        rule, reason = _field(sample.texts(column), meaning, concept, vocabulary)
        if rule:
            fields[column] = rule
        else:
            left_out[column] = reason
    content = {
        "kind": "monographs",
        "evidence_class": "database",
        "name_field": name,
        **({"concept": concept} if concept else {}),
        **roles,
        "fields": fields,
    }
    if "synonym_field" in roles:
        content["synonym_marks"] = list_marks(sample.texts(roles["synonym_field"]))
    share = (1 + len(roles) + len(fields)) / (1 + len(roles) + len(fields) + len(left_out))
    by_name = 1.0 if folded(name) in guess_words()["name"] else _UNNAMED
    return _guessed(sample, content, left_out.items(), share * by_name if fields else 0.0)


def _name_column(sample: Sample, vocabulary: Vocabulary) -> str:
    """A column called like a name, the one that differs most from row to row; else one whose
    texts are short and all different."""
    words: list[str] = guess_words()["name"]
    called = [c for c in sample.columns if folded(c) in words and sample.texts(c)]
    if called:
        return min(called, key=lambda c: (-_distinct(sample.texts(c)), words.index(folded(c))))
    for column in sample.columns:
        if _meaning(column, vocabulary) is None and is_naming(sample.texts(column)):
            return column
    raise MappingError(
        "no column of this file can be the name of anything",
        where=str(sample.path),
        remedy="write a mapping by hand: see the documentation of formats",
    )


def _distinct(texts: list[str]) -> float:
    """The share of different texts, in tenths."""
    return round(len(set(texts)) / len(texts), 1)


def _roles(
    sample: Sample, name: str, vocabulary: Vocabulary
) -> tuple[dict[str, str], dict[str, str]]:
    """Columns that say something of the record itself, and columns that only seem to."""
    found: dict[str, str] = {}
    refused: dict[str, str] = {}
    for role, entry in _ROLES.items():
        for column in sample.columns:
            if column == name or folded(column) not in guess_words()[role]:
                continue
            reason = _unfit(role, sample.texts(column), vocabulary)
            if not reason and entry not in found:
                found[entry] = column
            else:
                refused[column] = reason or f"'{found[entry]}' is taken for this"
    if "key_field" in found and all(map(is_curie, sample.texts(found["key_field"]))):
        found["identifier_field"] = found["key_field"]
    return found, refused


def _unfit(role: str, texts: list[str], vocabulary: Vocabulary) -> str:
    """Why the contents of a column do not fit its role, '' where they do."""
    values = {text.strip().lower() for text in texts}
    if not texts:
        return _EMPTY
    if role == "concept" and not values <= set(vocabulary.concepts):
        return "its values are no concepts of the vocabulary"
    if role == "url" and not all("/" in value for value in values):
        return "its values are no addresses"
    if role == "key" and len(set(texts)) < len(texts):
        return "its values repeat"
    if role == "language" and not values <= {"en", "zh"}:
        return "its values are neither 'en' nor 'zh'"
    return ""


def _meaning(word: str, vocabulary: Vocabulary) -> str | None:
    """The predicate that a column or relation is called like, by our words or the vocabulary's."""
    name = folded(word)
    for predicate, words in guess_words()["fields"].items():
        if name in words and vocabulary.find(predicate):
            return str(predicate)
    if vocabulary.find(name):
        return name
    labels = {
        folded(label): predicate.name
        for predicate in vocabulary.predicates.values()
        for label in predicate.labels.values()
    }
    return labels.get(name)


def _concept(name: str, meanings: Iterable[str | None], vocabulary: Vocabulary) -> str:
    """What the records are about: by the word for the name, else by what the predicates take."""
    by_word: dict[str, str] = guess_words()["concept_of_name"]
    if folded(name) in by_word:
        return by_word[folded(name)]
    votes: Counter[str] = Counter()
    for meaning in meanings:
        use = vocabulary.find(meaning) if meaning else None
        votes.update(_ends(use)[0] if use else ())
    best = [concept for concept, count in votes.items() if count == max(votes.values())]
    first = [concept for concept in _FIRST if concept in best]
    return [*first, *best, *_FIRST][0]


def _ends(use: PredicateUse) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Concepts of the record's own thing, and of what its field names."""
    ends = (use.predicate.domain, use.predicate.range)
    return (ends[1], ends[0]) if use.inverted else ends


def _field(
    texts: list[str], meaning: str | None, concept: str, vocabulary: Vocabulary
) -> tuple[dict[str, str], str]:
    """The rule for a column, or the reason why there is none. `concept` '' is not known yet."""
    use = vocabulary.find(meaning) if meaning else None
    if meaning is None or use is None:
        return {}, "no predicate is called like this column"
    if not texts:
        return {}, _EMPTY
    own, others = _ends(use)
    if concept and concept not in own:
        return {}, f"'{meaning}' does not take a {concept}"
    if use.predicate.takes_text:
        return {"predicate": meaning, "reading": "text"}, ""
    if is_prose(texts):
        described = not concept or concept in vocabulary.predicate("described_as").domain
        return {"predicate": "described_as" if described else meaning, "reading": "text"}, ""
    rule = {"predicate": meaning, "concept": others[0], **_usual(meaning)}
    marks = list_marks(texts)
    return ({**rule, "marks": marks} if marks else rule), ""


def _usual(predicate: str) -> dict[str, str]:
    """How our own layout reads this predicate, if it does."""
    for rule in shipped_mappings()["monographs"].fields:
        if rule.predicate == predicate:
            return {"concept": rule.concept, "reading": rule.reading}
    return {}
