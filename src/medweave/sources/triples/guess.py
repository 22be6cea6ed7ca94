"""How a file of relations nobody has described might be read."""

from __future__ import annotations

from typing import Any

from medweave.sources.files.columns import folded, guess_words
from medweave.sources.mapping.guess import Guess, guessed, meaning_of
from medweave.sources.mapping.sample import Sample
from medweave.sources.triples.reading import EXTRAS, NAME
from medweave.vocabulary.vocabulary import Vocabulary


def guess(sample: Sample, vocabulary: Vocabulary) -> Guess | None:
    """A file with a head, a relation and a tail, whatever they are called; None for any other."""
    found: dict[str, Any] = {}
    for role, names in guess_words()["triples"].items():
        column = next((column for column in sample.columns if folded(column) in names), None)
        if column is not None:
            found[role] = column
    if len(found) < len(guess_words()["triples"]):
        return None
    relations = list(dict.fromkeys(sample.texts(found["predicate_column"])))
    meanings = {relation: meaning_of(relation, vocabulary) for relation in relations}
    understood = {relation: name for relation, name in meanings.items() if name}
    used = {*found.values(), *EXTRAS}
    left_out = [(c, "it is no part of a relation") for c in sample.columns if c not in used]
    content = {
        "kind": NAME,
        "evidence_class": "database",
        **found,
        "relations": {relation: {"predicate": name} for relation, name in understood.items()},
    }
    return guessed(sample, content, left_out, len(understood) / max(1, len(relations)))
