"""The vectors of one space and concept in memory, and the nearest among them; needs numpy.

Scores are first computed in single precision, by one product of matrices. What may be among the
best is then scored again in double precision, one row at a time, and rounded: so equal vectors tie
wherever they lie in the matrix, and the order of what is found does not hang on how a machine adds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from medweave.errors import StoreError
from medweave.model.arrays import numpy_for
from medweave.model.vectors import FLOAT, VectorModel, Vectors, VectorSearch, VectorTable
from medweave.vectors.nearest import DIGITS, LEAST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medweave.vectors.approximate import Candidates

SLACK = 1e-5
"""What single precision can lose of a cosine of a few hundred numbers, amply."""
_ERROR = 2.0**-24
"""Of one rounding in single precision."""
_AT_ONCE = 1 << 24
"""So many scores are held at one time: 64 MB."""
_FILLED = 1024
"""So many vectors are put into the matrix at one time."""
_SPARE = 100
"""So many more candidates are asked for, at most, as some of them may be rows of none."""
_WORTHLESS = 0.2
"""The share of rows that nothing has any more, from which on the matrix is made anew."""
_FEW = 64
"""So many rows that nothing has any more are kept in any case."""


class Block:
    """Different vectors as rows of a matrix, and for each row the keys that have it."""

    def __init__(self, concept: str, model: VectorModel) -> None:
        """Raises `ConfigurationError` where numpy is not installed."""
        self._np = numpy()
        self.concept = concept
        self._model = model
        self._rows: dict[int, int] = {}
        """The row of each embedding, by its number."""
        self._keys: list[tuple[str, ...]] = []
        """For each row, its keys in their order; none where nothing has it any more."""
        self._matrix: NDArray[Any] = self._np.empty((0, model.dimension), "f4")
        self._dead: list[int] = []
        """The rows of none."""
        self._table: VectorTable | None = None
        self._candidates: Candidates | None = None

    def add(self, pairs: Sequence[tuple[int, str]]) -> list[int]:
        """Give embeddings one more key each; those that are new here, and need their vectors."""
        self._table = None
        rows, keys = self._rows, self._keys
        new = [embedding for embedding, _ in pairs]
        fresh = dict(zip(new, range(len(keys), len(keys) + len(new)), strict=True))
        if len(fresh) == len(new) and fresh.keys().isdisjoint(rows):  # as when a base is opened
            rows.update(fresh)
            keys.extend((key,) for _, key in pairs)
            return new
        new = []
        more: dict[int, list[str]] = {}
        for embedding, key in pairs:
            row = rows.get(embedding)
            if row is None:
                rows[embedding] = len(keys)
                keys.append((key,))
                new.append(embedding)
            else:
                more.setdefault(row, []).append(key)
        for row, added in more.items():  # a text may have very many keys: sort them once
            keys[row] = tuple(sorted({*keys[row], *added}))
        return new

    def fill(self, vectors: Iterator[tuple[int, bytes]], count: int) -> None:
        """The vectors of the `count` embeddings that `add` said are new, by their numbers.

        Raises `StoreError` where some are missing: this block is then not to be used.
        """
        matrix = self._with_room(len(self._keys))
        size = self._model.dimension
        while part := list(islice(vectors, _FILLED)):
            held = b"".join(vector for _, vector in part)
            if len(held) != len(part) * size * FLOAT:
                raise _damaged("vectors of a wrong size")
            rows = [self._rows[embedding] for embedding, _ in part]
            matrix[rows] = self._np.frombuffer(held, "f4").reshape(len(part), size)
            count -= len(part)
        if count:
            raise _damaged("vectors without numbers")
        self._matrix = matrix

    def remove(self, embedding: int, key: str) -> None:
        """Take a key from an embedding."""
        self._table = None
        row = self._rows[embedding]
        self._keys[row] = tuple(other for other in self._keys[row] if other != key)
        if not self._keys[row]:
            del self._rows[embedding]
            self._dead.append(row)

    def row(self, embedding: int) -> int:
        """The row of an embedding that is here."""
        return self._rows[embedding]

    def vectors(self) -> Vectors:
        """All rows, also those of none."""
        numbers: Any = self._matrix[: len(self._keys)].reshape(-1)
        data: Any = memoryview(numbers).toreadonly()
        return Vectors(self._model, data)

    def alike(
        self, entries: Sequence[tuple[str, int]], least: float
    ) -> Iterator[tuple[str, str, float]]:
        """Each of the entries (key, embedding) with all other keys whose cosine is so great."""
        matrix = self._matrix[: len(self._keys)]
        step = max(1, _AT_ONCE // max(1, len(matrix)))
        for start in range(0, len(entries), step):
            some = entries[start : start + step]
            queries = matrix[[self._rows[embedding] for _, embedding in some]]
            near = queries @ matrix.T >= least - SLACK
            for (key, _), query, rows in zip(some, queries, near, strict=True):
                places = self._np.flatnonzero(rows)
                for place, cosine in zip(
                    places.tolist(), self._exactly(query, places), strict=True
                ):
                    if cosine >= least:
                        yield from ((key, other, cosine) for other in self._keys[place]
                                    if other != key)  # fmt: skip

    def _exactly(self, query: NDArray[Any], rows: NDArray[Any]) -> list[float]:
        """Cosines in double precision, rounded."""
        exactly = self._matrix[rows].astype("f8")
        scores: list[float] = (exactly * query.astype("f8")).sum(axis=1).round(DIGITS).tolist()
        return scores

    def tidy(self) -> bool:
        """Make the matrix anew where too much of it is worthless; tables given out stay whole."""
        if len(self._dead) <= max(_FEW, _WORTHLESS * len(self._keys)):
            return False
        rows = [row for row, keys in enumerate(self._keys) if keys]
        places = {row: place for place, row in enumerate(rows)}
        self._matrix = self._matrix[rows]
        self._keys = [self._keys[row] for row in rows]
        self._rows = {embedding: places[row] for embedding, row in self._rows.items()}
        self._dead, self._candidates = [], None
        return True

    def _with_room(self, count: int) -> NDArray[Any]:
        """The matrix, with room for so many rows: larger ones are copied, and seldom."""
        held = self._matrix
        if count <= len(held):
            return held
        count += count // 4 if len(held) else 0
        room: NDArray[Any] = self._np.empty((count, self._model.dimension), "f4")
        room[: len(held)] = held
        return room

    def table(self) -> VectorTable:
        """All entries, by key."""
        if self._table is None:
            pairs = sorted((key, row) for row, keys in enumerate(self._keys) for key in keys)
            self._table = VectorTable(
                self.concept,
                [key for key, _ in pairs],
                [row for _, row in pairs],
                self.vectors(),
            )
        return self._table

    def nearest(
        self, queries: NDArray[Any], k: int, search: VectorSearch
    ) -> list[dict[str, float]]:
        """For each query, keys and scores, among them the `k` best."""
        if k < 1 or not any(self._keys):
            return [{} for _ in queries]
        if search.index != "exact" and len(self._keys) > search.above:
            found = self._approximate(queries, k, search.index)
        else:
            found = self._exact(queries, k)
        return [self._scored(query, rows, k) for query, rows in zip(queries, found, strict=True)]

    def _exact(self, queries: NDArray[Any], k: int) -> Iterator[NDArray[Any]]:
        """For each query, the rows that can be among the best."""
        matrix = self._matrix[: len(self._keys)]
        step = max(1, _AT_ONCE // len(matrix))
        for start in range(0, len(queries), step):
            scores = queries[start : start + step] @ matrix.T
            if self._dead:
                scores[:, self._dead] = LEAST
            yield from (self._best(of_query, k) for of_query in scores)

    def _best(self, scores: NDArray[Any], k: int) -> NDArray[Any]:
        """Rows that hold the `k` best keys for sure, whatever was lost by rounding."""
        # A row has a key at least, but several rows may have the same one.
        slack = 2 * self._model.dimension * _ERROR + 10.0**-DIGITS
        wanted = k
        while wanted < len(scores):
            least = self._np.partition(scores, len(scores) - wanted)[len(scores) - wanted]
            rows: NDArray[Any] = self._np.flatnonzero(scores >= least - slack)
            if len(self._keys_of(rows, k)) >= k:
                return rows
            wanted *= 4
        every: NDArray[Any] = self._np.flatnonzero(scores > LEAST)
        return every

    def _keys_of(self, rows: NDArray[Any], enough: int) -> set[str]:
        found: set[str] = set()
        for row in rows:
            found.update(self._keys[row][:enough])
            if len(found) >= enough:
                break
        return found

    def _approximate(self, queries: NDArray[Any], k: int, index: str) -> Iterator[NDArray[Any]]:
        """For each query, rows that an approximate index finds, and those it does not know yet."""
        from medweave.vectors.approximate import Candidates

        if self._candidates is None or self._candidates.outdated(len(self._keys), len(self._dead)):
            self._candidates = Candidates(self._matrix[: len(self._keys)], index)
        known = self._candidates.size
        newer = self._np.arange(known, len(self._keys))
        for rows in self._candidates.of(queries, k + min(len(self._dead), _SPARE)):
            yield self._np.concatenate([rows, newer])

    def _scored(self, query: NDArray[Any], rows: NDArray[Any], k: int) -> dict[str, float]:
        """The keys of these rows, each with the score of its best row."""
        scores = self._exactly(query, rows)
        found: dict[str, float] = {}
        for score, row in zip(scores, rows, strict=True):
            for key in self._keys[row][:k]:
                if score > found.get(key, LEAST):
                    found[key] = score + 0.0  # never -0.0
        return found


def _damaged(what: str) -> StoreError:
    return StoreError(
        f"this base has {what}", remedy="take them out with `medweave compact`, and make them anew"
    )


def numpy() -> Any:
    """numpy, which searching vectors needs; `ConfigurationError` where it is not installed."""
    return numpy_for("searching vectors")
