"""Vectors that stand for texts, as they pass between embedders, indexes and stores.

Numbers are 32-bit floats in one buffer of the standard library, row after row, so that nothing here
needs numpy and nothing is copied where numpy is used: `numpy.frombuffer(vectors.data, "f4")`.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, isfinite
from operator import mul
from typing import Literal as OneOf
from typing import get_args

from medweave.errors import ConfigurationError, VectorError

Space = OneOf[
    "entity", "section", "publication", "relation", "paper", "passage", "observation"
]  # fmt: skip
SPACES: tuple[Space, ...] = get_args(Space)
"""What a vector can stand for: a name of a thing, a part of a document, a whole dialogue, a
statement, a paper or trial, a passage of a text, something observed. Vectors of one space are
searched together."""
BESIDE = "vectors beside"
"""The note of a base whose vectors are on a server of vectors: which of the rows there are seen."""
FLOAT = 4
"""Bytes of a number."""
_SLACK = 1e-3
"""How far the square of a length may be from 1."""


_TAUGHT = {"all-MiniLM-L6-v2": "en", "bge-small-zh-v1.5-q": "zh"}
"""Models that were taught texts of one language and no others."""


@dataclass(frozen=True, slots=True)
class VectorModel:
    """What made vectors. Vectors of two models cannot be compared, whatever their sizes."""

    id: str
    dimension: int

    def reads(self, language: str) -> bool:
        """Whether texts in a language can be compared by it; of a model not known here, yes.

        >>> VectorModel("all-MiniLM-L6-v2:53aa", 384).reads("zh")
        False
        """
        return _TAUGHT.get(self.id.partition(":")[0], language) == language


@dataclass(frozen=True, slots=True)
class Vectors:
    """Rows of numbers by one model, in the order of the texts they stand for.

    >>> two = Vectors.of(VectorModel("toy", 2), [[0.6, 0.8], [0.0, 1.0]])
    >>> len(two), list(two[1])
    (2, [0.0, 1.0])
    """

    model: VectorModel
    data: memoryview[float]
    """All rows, one after another: one dimension of format `f`."""

    def __post_init__(self) -> None:
        """Raises `VectorError` where the buffer is of another form."""
        held = self.data
        if held.format != "f" or held.ndim != 1 or len(held) % self.model.dimension:
            raise VectorError(
                f"{held.nbytes} bytes of format '{held.format}' are no rows of"
                f" {self.model.dimension} 32-bit floats",
                where=self.model.id,
                remedy="give one array of 32-bit floats, row after row",
            )

    @classmethod
    def of(cls, model: VectorModel, rows: Iterable[Sequence[float]]) -> Vectors:
        """Vectors from rows of numbers. Raises `VectorError` where a row is of another length."""
        numbers = array("f")
        for row in rows:
            if len(row) != model.dimension:
                raise VectorError(
                    f"a vector of {len(row)} numbers, where {model.id} makes {model.dimension}",
                    remedy="make all vectors with one model",
                )
            numbers.extend(row)
        return cls(model, memoryview(numbers))

    @classmethod
    def from_bytes(cls, model: VectorModel, data: bytes | bytearray | memoryview) -> Vectors:
        """Vectors from the bytes of their numbers, in this machine's order."""
        return cls(model, memoryview(data).cast("B").cast("f"))

    def __len__(self) -> int:
        return len(self.data) // self.model.dimension

    def __getitem__(self, row: int) -> memoryview[float]:
        if not 0 <= row < len(self):
            raise IndexError(row)
        size = self.model.dimension
        return self.data[row * size : (row + 1) * size]

    def __iter__(self) -> Iterator[memoryview[float]]:
        return (self[row] for row in range(len(self)))


@dataclass(frozen=True, slots=True)
class VectorEntry:
    """Where a vector belongs: what it stands for, and the document it goes with.

    Several documents may give the same entry; it goes with the last of them. One key may have
    several texts (the names of a thing), and is then as near as the nearest of them.
    """

    space: Space
    key: str
    """What is found: an identifier of a thing, a statement, a document, or a part of one."""
    document: str
    """The identifier of a document of the base."""
    text: str
    """What was embedded. Indexes keep a digest of it, never the text."""
    concept: str = ""
    """What a search can be limited to: the concept of a thing, the name of a section."""
    number: int | None = None
    """That of the text by the model (`text_number`), where the text itself is not known."""

    def text_number(self, model: str) -> int:
        """The number under which the vector of the text is kept."""
        return text_number(model, self.text) if self.number is None else self.number


@dataclass(frozen=True, slots=True)
class Near:
    """Something found; the higher the score, the nearer, and 1 is the same."""

    key: str
    score: float
    """The cosine, rounded to six digits: so equal vectors tie, wherever they lie."""


@dataclass(frozen=True, slots=True)
class VectorTable:
    """All vectors of a space and concept, for those who compare everything with everything."""

    concept: str
    keys: Sequence[str]
    """The key of each entry, in their order; a key with several texts stands there as often."""
    rows: Sequence[int]
    """For each entry, the row of its vector: entries of equal texts share one."""
    vectors: Vectors
    """Rows may be among them that no entry has any more."""


VectorMark = tuple[int, int]
"""Up to where somebody knows a space; only the index it is of can read it."""
NO_MARK: VectorMark = (0, 0)
"""A mark since which nothing can be told."""


@dataclass(frozen=True, slots=True)
class VectorUpdate:
    """What came into a space and what went since a mark, for who keeps up with it."""

    mark: VectorMark
    """Where it stands now."""
    changes: Iterable[tuple[str, str, int | None]]
    """In their order: a concept, a key, and the row of its vector, or None where it went."""
    vectors: Mapping[str, Vectors]
    """By concept, those that the rows are of, and all older rows too."""


Search = OneOf["exact", "sq8", "hnsw"]
SEARCHES: tuple[Search, ...] = get_args(Search)
"""How vectors can be searched; see `VectorSearch`."""


@dataclass(frozen=True, slots=True)
class VectorSearch:
    """How the nearest vectors are found: exactly, or by an approximate index above some size.

    `exact` compares with all. `sq8` (faiss) compares with all by vectors of a quarter the size,
    `hnsw` (faiss) walks a graph that takes minutes to make. Either finds candidates, whose scores
    are then computed exactly.
    """

    index: Search = "exact"
    above: int = 100_000
    """Up to so many vectors of one space and concept the search is exact all the same."""

    @classmethod
    def of(cls, index: object, above: object) -> VectorSearch:
        """From what stands in settings. Raises `ConfigurationError`, with the entry's name.

        >>> VectorSearch.of("sq8", 50_000).index
        'sq8'
        """
        chosen = next((known for known in SEARCHES if known == index), None)
        if chosen is None:
            raise ConfigurationError(
                f"there is no index of vectors '{index}'",
                where="vector_index",
                remedy=f"use one of {', '.join(SEARCHES)}",
            )
        if not isinstance(above, int) or isinstance(above, bool) or above < 0:
            raise ConfigurationError(
                "this must be a number of vectors",
                where="vector_index_above",
                remedy="write vector_index_above = 100000",
            )
        return cls(chosen, above)


EXACT = VectorSearch()
"""How vectors are searched where nothing is set."""


def text_number(model: str, text: str) -> int:
    """The number under which the vector of a text by a model is kept, below 2**63.

    >>> text_number("m", "fever") == text_number("m", "fever") != text_number("n", "fever")
    True
    """
    content = f"{model}\n{text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "big") >> 1


def unit(row: Sequence[float]) -> list[float]:
    """The vector of length 1 in the same direction.

    Raises `VectorError` where it has none: no length, or what is no number.

    >>> unit([3.0, 4.0])
    [0.6, 0.8]
    """
    length = hypot(*row)
    if not length or not isfinite(length):
        raise VectorError(
            "a vector without direction: all of it is 0, or part of it is no number",
            remedy="look at what made it",
        )
    return [value / length for value in row]


def check_unit(vectors: Vectors) -> None:
    """Raises `VectorError` unless all rows are of length 1."""
    for number, row in enumerate(vectors):
        square = sum(map(mul, row, row))
        if not abs(square - 1) < _SLACK:  # also where it is no number
            raise VectorError(
                f"vector {number} is not of length 1: "
                + ("part of it is no number" if square != square else f"{square**0.5:.4g}"),  # noqa: PLR0124
                where=vectors.model.id,
                remedy="look at what made it; `model.vectors.unit` makes the length 1",
            )
