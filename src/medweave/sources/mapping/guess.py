"""How a file nobody has seen might be read: a mapping guessed from its columns and contents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medweave.errors import MappingError, SourceError
from medweave.model.mapping import Mapping
from medweave.sources.files.columns import folded, guess_words
from medweave.sources.files.rows import data_stem
from medweave.sources.kinds import kinds, used_columns
from medweave.sources.mapping.layouts import mapping_yaml, parse_mapping
from medweave.sources.mapping.sample import Sample, look
from medweave.sources.reading import layout
from medweave.vocabulary.vocabulary import Vocabulary

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
    guesses = (kind.guess(sample, vocabulary) for kind in kinds() if kind.guess)
    found = next((guess for guess in guesses if guess), None)
    if found is None:
        raise MappingError(
            "no column of this file can be the name of anything",
            where=str(path),
            remedy="write a mapping by hand: see the documentation of formats",
        )
    return found


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
    used = used_columns(mapping)
    whole = not used or bool(mapping.collect)
    unused = [name for name in sample.columns if name not in used and not whole]
    left_out = tuple((name, "the mapping does not use it") for name in unused)
    return Guess(mapping, True, mapping_yaml(mapping), left_out, 1.0)


def guessed(
    sample: Sample, content: dict[str, Any], left_out: Iterable[tuple[str, str]], sure: float
) -> Guess:
    """A guess from the entries of a mapping."""
    mapping = parse_mapping({"name": data_stem(sample.path), **content}, str(sample.path))
    return Guess(mapping, False, mapping_yaml(mapping), tuple(left_out), round(sure, 2))


def meaning_of(word: str, vocabulary: Vocabulary) -> str | None:
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
