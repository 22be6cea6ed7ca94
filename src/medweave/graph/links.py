"""Implicit links between dialogues (T5, equation 4): those whose vectors are near.

An exact similarity join: every pair of vectors is compared once, block by block, in bounded memory.
What was compared is kept with the links, so new vectors are compared with the old and with each
other, not all with all, and a join that was stopped goes on after its last block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args
from typing import Literal as OneOf

from medweave.errors import ConfigurationError
from medweave.model.arrays import numpy_for
from medweave.model.vector_links import VectorLink, VectorLinks, link_of
from medweave.model.vectors import Space, VectorTable
from medweave.ports import Progress, VectorIndex, no_progress

if TYPE_CHECKING:
    from numpy.typing import NDArray

Level = OneOf["dialogue", "section"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""What is compared: whole dialogues, or same sections of dialogues. T has both."""
SPACES: dict[Level, Space] = {"dialogue": "publication", "section": "section"}
THETA = 0.8
"""The least cosine of a link where nothing is said (T5)."""
_ROWS = 512
"""So many new vectors are compared and kept at one time: what a stop can cost."""
_COLUMNS = 8192
"""With so many others at one time: 16 MB of scores."""
_EXACTLY = 8192
"""So many pairs are scored again in double precision at one time."""
_DIGITS = 6
"""Of a cosine: so the same pairs are linked wherever they lie in a block."""
_SLACK = 1e-5
"""What single precision can lose of a cosine of a few hundred numbers, amply."""


@dataclass(frozen=True, slots=True)
class LinksMade:
    """What a join did, and how many links there are now."""

    compared: int
    """Vectors that had not been compared before."""
    made: int
    links: int


def join(
    index: VectorIndex,
    *,
    least: float = THETA,
    level: Level = "dialogue",
    progress: Progress = no_progress,
) -> LinksMade:
    """Link all vectors of a level whose cosine is `least` or more.

    Links of the other level, or by another `least`, are taken out. It may be stopped at any moment;
    the links then are those of what has been compared, and the next run ends like one that was
    never stopped. Raises `ConfigurationError` for a level or cosine there is not, or without numpy.
    """
    _check(least, level)
    space = SPACES[level]
    for other in LEVELS:
        if other != level:
            index.unlink(SPACES[other])
    before = index.links(space)
    if before.least != least:
        index.unlink(space)
        before = VectorLinks(least, frozenset(), ())
        index.link(space, least, (), ())
    tables = index.tables(space)
    total = sum(len(table.keys) for table in tables)
    done = made = 0
    for table in tables:
        for keys, links in _blocks(table, before, least):
            index.link(space, least, keys, links)
            done += len(keys)
            made += len(links)
            progress(done, total - len(before.compared), f"links of {table.concept}")
    return LinksMade(done, made, len(before.links) + made)


def _check(least: float, level: str) -> None:
    if level not in LEVELS:
        raise ConfigurationError(
            f"there is no level '{level}'", where="level", remedy=f"use one of {', '.join(LEVELS)}"
        )
    if not -1 <= least <= 1:
        raise ConfigurationError(
            f"{least} is no cosine", where="threshold", remedy="give a number from -1 to 1"
        )


def _blocks(
    table: VectorTable, before: VectorLinks, least: float
) -> Iterator[tuple[list[str], list[VectorLink]]]:
    """Some keys at a time that were not compared, with their links to all before them."""
    np = numpy_for("linking dialogues")
    size = table.vectors.model.dimension
    vectors = np.frombuffer(table.vectors.data, "f4").reshape(-1, size)
    old = [place for place, key in enumerate(table.keys) if key in before.compared]
    new = [place for place, key in enumerate(table.keys) if key not in before.compared]
    keys = [table.keys[place] for place in (*old, *new)]
    rows = np.asarray(table.rows, dtype="i8")[[*old, *new]] if keys else np.empty(0, "i8")
    for start in range(len(old), len(keys), _ROWS):
        stop = min(start + _ROWS, len(keys))
        yield keys[start:stop], list(_near(vectors, rows, keys, (start, stop), least))


def _near(
    vectors: NDArray[Any],
    rows: NDArray[Any],
    keys: Sequence[str],
    block: tuple[int, int],
    least: float,
) -> Iterator[VectorLink]:
    """The links of the keys of a block to all keys before them, in the order of `keys`."""
    np = numpy_for("linking dialogues")
    start, stop = block
    mine = vectors[rows[start:stop]]
    for left in range(0, stop, _COLUMNS):
        right = min(left + _COLUMNS, stop)
        others = vectors[rows[left:right]]
        first, second = np.nonzero(mine @ others.T >= least - _SLACK)
        pairs = first + start > second + left  # each pair once, and nothing with itself
        first, second = first[pairs], second[pairs]
        for at in range(0, len(first), _EXACTLY):
            one, other = first[at : at + _EXACTLY], second[at : at + _EXACTLY]
            exactly = (mine[one].astype("f8") * others[other].astype("f8")).sum(axis=1)
            cosines = exactly.round(_DIGITS).tolist()
            for a, b, cosine in zip(one.tolist(), other.tolist(), cosines, strict=True):
                if cosine >= least:
                    yield link_of(keys[start + a], keys[left + b], cosine)
