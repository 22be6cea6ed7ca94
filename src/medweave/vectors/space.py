"""One space of vectors in memory: a block for each concept, and where each entry is."""

from __future__ import annotations

import itertools
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from medweave.model.vector_links import VectorLink, link_of
from medweave.model.vectors import (
    Near,
    VectorMark,
    VectorModel,
    Vectors,
    VectorSearch,
    VectorTable,
    VectorUpdate,
)
from medweave.vectors.matrix import Block, numpy
from medweave.vectors.nearest import LEAST, best

Entry = tuple[int, str, str, int]
"""The number of an entry, its key, its concept, the number of its embedding."""
Embedding = tuple[int, bytes]
"""The number of an embedding, and the bytes of its vector."""
_GONE = -1
"""In place of the number of an embedding: the entry went."""
_WORTHLESS = 0.2
"""The share of entries that went, from which on the columns are made anew."""

_PROGRESS_EVERY = 50_000
"""So many changes can be told; whoever is further behind reads all anew."""
_SERIAL = itertools.count(1)


class VectorSpace:
    """What a store holds of a space; entries come by growing numbers, and each number once."""

    def __init__(self, model: VectorModel, revision: int) -> None:
        self._model = model
        self.revision = revision
        """The revision of the base up to which it is known what went."""
        self._blocks: dict[str, Block] = {}
        # Where each entry is, in the order of its number. Columns take a tenth of what tuples do.
        self._numbers, self._embeddings = array("q"), array("q")
        self._keys: list[str] = []
        self._held: list[Block] = []
        self._gone = 0
        self.newest = 0
        """The greatest number of an entry so far."""
        self._changes: list[tuple[str, str, int | None]] = []
        """What came and went since it was first read; it cannot be told to who saw another."""
        self._number = next(_SERIAL)
        self._first = True

    @property
    def model(self) -> VectorModel:
        """What made the vectors."""
        return self._model

    def add(self, entries: Sequence[Entry]) -> dict[str, list[int]]:
        """Take in entries; for each concept, the embeddings whose vectors are to be filled in."""
        if not entries:
            self._first = False
            return {}
        numbers, keys, concepts, embeddings = zip(*entries, strict=True)
        self._numbers.extend(numbers)
        self._keys.extend(keys)
        self._embeddings.extend(embeddings)
        self.newest = numbers[-1]
        pairs = list(zip(embeddings, keys, strict=True))
        of_concept: dict[str, list[tuple[int, str]]] = {
            name: [] for name in dict.fromkeys(concepts)
        }
        if len(of_concept) == 1:
            of_concept[concepts[0]] = pairs
        else:
            for pair, concept in zip(pairs, concepts, strict=True):
                of_concept[concept].append(pair)
        for concept in of_concept:
            if concept not in self._blocks:
                self._blocks[concept] = Block(concept, self._model)
        self._held.extend(map(self._blocks.__getitem__, concepts))
        new = {concept: self._blocks[concept].add(pairs) for concept, pairs in of_concept.items()}
        if not self._first:
            self._tell(
                (concept, key, self._blocks[concept].row(embedding))
                for embedding, key, concept in zip(embeddings, keys, concepts, strict=True)
            )
        self._first = False
        return {concept: made for concept, made in new.items() if made}

    def fill(self, concept: str, vectors: Iterator[Embedding], count: int) -> None:
        """The vectors that `add` asked for."""
        self._blocks[concept].fill(vectors, count)

    def remove(self, numbers: Iterable[int]) -> None:
        """Take out the entries with these numbers; those that are not here are passed over."""
        for number in numbers:
            place = bisect_left(self._numbers, number)
            here = place < len(self._numbers) and self._numbers[place] == number
            if here and self._embeddings[place] != _GONE:
                block = self._held[place]
                block.remove(self._embeddings[place], self._keys[place])
                self._tell([(block.concept, self._keys[place], None)])
                self._embeddings[place] = _GONE
                self._gone += 1
        if self._gone > _WORTHLESS * len(self._keys):
            self._shorten()
        # A block that is made anew has other rows than were told.
        made_anew = [block.tidy() for block in self._blocks.values()]
        if any(made_anew):
            self._begin_anew()

    def _tell(self, changes: Iterable[tuple[str, str, int | None]]) -> None:
        self._changes.extend(changes)
        if len(self._changes) > _PROGRESS_EVERY:
            self._begin_anew()

    def _begin_anew(self) -> None:
        self._changes, self._number = [], next(_SERIAL)

    def mark(self) -> VectorMark:
        """Where it stands now."""
        return self._number, len(self._changes)

    def updates_since(self, since: VectorMark) -> VectorUpdate | None:
        """What came and went since a mark; None where that cannot be told."""
        if since[0] != self._number:
            return None
        vectors = {name: block.vectors() for name, block in self._blocks.items()}
        return VectorUpdate(self.mark(), self._changes[since[1] :], vectors)

    def alike(self, entries: Iterable[tuple[str, str, int]], least: float) -> list[VectorLink]:
        """Links of entries (key, concept, embedding) with all others of their concept."""
        of_concept: dict[str, list[tuple[str, int]]] = {}
        for key, concept, embedding in entries:
            of_concept.setdefault(concept, []).append((key, embedding))
        found = {
            link_of(key, other, cosine)
            for concept, pairs in of_concept.items()
            for key, other, cosine in self._blocks[concept].alike(pairs, least)
        }
        return sorted(found)

    def _shorten(self) -> None:
        places = [place for place, held in enumerate(self._embeddings) if held != _GONE]
        self._numbers = array("q", (self._numbers[place] for place in places))
        self._embeddings = array("q", (self._embeddings[place] for place in places))
        self._keys = [self._keys[place] for place in places]
        self._held = [self._held[place] for place in places]
        self._gone = 0

    def nearest(
        self,
        queries: Vectors,
        k: int,
        concepts: Collection[str] | None,
        search: VectorSearch,
    ) -> list[list[Near]]:
        """For each query, the nearest keys of the blocks of these concepts."""
        np = numpy()
        asked = np.frombuffer(queries.data, "f4").reshape(len(queries), self._model.dimension)
        found: list[dict[str, float]] = [{} for _ in range(len(queries))]
        for block in self._chosen(concepts):
            for whole, part in zip(found, block.nearest(asked, k, search), strict=True):
                _take_best(whole, part)
        return [[Near(*pair) for pair in best(of_query, k)] for of_query in found]

    def tables(self, concepts: Collection[str] | None) -> list[VectorTable]:
        """The blocks of these concepts as they stand."""
        tables = (block.table() for block in self._chosen(concepts))
        return [table for table in tables if table.keys]

    def _chosen(self, concepts: Collection[str] | None) -> Sequence[Block]:
        names: Any = sorted(self._blocks if concepts is None else {*concepts} & {*self._blocks})
        return [self._blocks[name] for name in names]


def _take_best(whole: dict[str, float], part: dict[str, float]) -> None:
    for key, score in part.items():
        if score > whole.get(key, LEAST):
            whole[key] = score
