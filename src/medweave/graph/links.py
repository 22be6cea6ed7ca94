"""Implicit links between dialogues (T5, equation 4): those whose vectors are near.

An exact similarity join: every pair of vectors is compared once, block by block, in bounded memory,
in this process, in several, or on a cluster. What was compared is kept with the links, so new
vectors are compared with the old and with each other, not all with all, and a join that was stopped
goes on after its last rows. A few new vectors are searched for, and nothing old is looked at but
its vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, get_args
from typing import Literal as OneOf

from medweave.errors import ConfigurationError
from medweave.graph.link_blocks import Pairs, near_pairs
from medweave.model.arrays import numpy_for
from medweave.model.vector_links import VectorLink, link_of
from medweave.model.vectors import Space, VectorTable
from medweave.ports import Progress, VectorView, no_progress

if TYPE_CHECKING:
    from numpy.typing import NDArray

Level = OneOf["dialogue", "section"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""What is compared: whole dialogues, or same sections of dialogues. T has both."""
SPACES: dict[Level, Space] = {"dialogue": "publication", "section": "section"}
THETA = 0.8
"""The least cosine of a link where nothing is said (T5)."""
FEW = 64
"""Up to so many new vectors are searched for; more are joined in blocks."""
_ROWS = 1024
"""So many new vectors are compared and kept at one time: what a stop can cost."""
_COLUMNS = 8192
"""With so many others at one time: 32 MB of scores."""
_WINDOW = 16
"""So many times these rows are given out at one time, at most."""
_MANY = 1_000_000
"""So many links of what was given out are too many to be waited for at one time."""
ON_BACKEND = -1
"""In place of a number of processes: all those of joblib's backend, which may be a cluster."""
_WORTHWHILE = 400_000_000
"""Pairs from which on other processes are worth their start."""


@dataclass(frozen=True, slots=True)
class LinksMade:
    """What a join did, and how many links there are now."""

    compared: int
    """Vectors that had not been compared before."""
    made: int
    links: int


def join(
    index: VectorView,
    *,
    least: float = THETA,
    level: Level = "dialogue",
    jobs: int = 1,
    progress: Progress = no_progress,
) -> LinksMade:
    """Link all vectors of a level whose cosine is `least` or more.

    Links of the other level, or by another `least`, are taken out. It may be stopped at any moment;
    the links then are those of what has been compared, and the next run ends like one that was
    never stopped. `jobs` is how many processes compare, 0 for as many as are worth while; with
    `ON_BACKEND` they are those of joblib's backend. The links are the same. Raises
    `ConfigurationError` for a level or cosine there is not, or without numpy.
    """
    _check(least, level)
    space = SPACES[level]
    for other in LEVELS:
        if other != level:
            index.unlink(SPACES[other])
    state = index.link_state(space)
    if state.least != least:
        index.unlink(space)
        index.link(space, least, (), ())
        state = index.link_state(space)
    waiting, made = state.waiting, 0
    if 0 < len(waiting) <= FEW:
        links = index.alike(space, waiting, least)
        index.link(space, least, waiting, links)
        made = len(links)
        progress(len(waiting), len(waiting), "links")
    elif waiting:
        made = _join_blocks(index, space, {*waiting}, least, jobs=jobs, progress=progress)
    return LinksMade(len(waiting), made, state.links + made)


def _check(least: float, level: str) -> None:
    if level not in LEVELS:
        raise ConfigurationError(
            f"there is no level '{level}'", where="level", remedy=f"use one of {', '.join(LEVELS)}"
        )
    if not -1 <= least <= 1:
        raise ConfigurationError(
            f"{least} is no cosine", where="threshold", remedy="give a number from -1 to 1"
        )


def _join_blocks(
    index: VectorView,
    space: Space,
    waiting: set[str],
    least: float,
    *,
    jobs: int,
    progress: Progress,
) -> int:
    """Compare what waits with all, and keep it; how many links were made."""
    done = made = 0
    for table in index.tables(space):
        ordered = [key for key in table.keys if key not in waiting]
        old = len(ordered)
        ordered += [key for key in table.keys if key in waiting]
        if old == len(ordered):
            continue
        for keys, links in _linked(table, ordered, old, least, jobs):
            index.link(space, least, keys, links)
            done += len(keys)
            made += len(links)
            progress(done, len(waiting), f"links of {table.concept}")
    return made


def _linked(
    table: VectorTable, keys: Sequence[str], old: int, least: float, jobs: int
) -> Iterator[tuple[Sequence[str], list[VectorLink]]]:
    """Some new keys at a time, with their links to all keys before them."""
    chosen = jobs or _worthwhile(len(keys) * (len(keys) - old))
    with TemporaryDirectory(prefix="medweave-") as folder:
        # Other processes read the vectors from one file, so that they are in memory once.
        file = Path(folder) / "vectors" if chosen != 1 else None
        vectors = _in_order(table, keys, file)
        blocks = _Blocks(vectors, old, least)
        compared = blocks.in_processes(chosen) if file else map(blocks.compare, blocks.rows())
        for start, found in compared:
            stop = min(start + _ROWS, len(keys))
            yield keys[start:stop], list(_links(keys, start, found))
        del vectors, blocks  # the file can only go where nothing reads it


def _worthwhile(pairs: int) -> int:
    """How many processes so many pairs are worth: starting them takes a second."""
    if pairs < _WORTHWHILE:
        return 1
    from joblib import cpu_count

    return int(cpu_count())


def _links(
    keys: Sequence[str], start: int, found: Iterable[tuple[int, Pairs]]
) -> Iterator[VectorLink]:
    for left, pairs in found:
        for first, second, cosine in zip(*(column.tolist() for column in pairs), strict=True):
            yield link_of(keys[start + first], keys[left + second], cosine)


def _in_order(table: VectorTable, keys: Sequence[str], file: Path | None) -> NDArray[Any]:
    """The vectors of these keys, in memory or in a file."""
    np = numpy_for("linking dialogues")
    held = np.frombuffer(table.vectors.data, "f4").reshape(-1, table.vectors.model.dimension)
    row_of = dict(zip(table.keys, table.rows, strict=True))
    rows = np.array([row_of[key] for key in keys], dtype="i8")
    shape = (len(keys), held.shape[1])
    ordered: NDArray[Any] = (
        np.memmap(file, "f4", "w+", shape=shape) if file else np.empty(shape, "f4")
    )
    for start in range(0, len(rows), _COLUMNS):
        ordered[start : start + _COLUMNS] = held[rows[start : start + _COLUMNS]]
    return ordered


class _Blocks:
    """All pairs of a new vector and one before it, as blocks of rows and columns."""

    def __init__(self, vectors: NDArray[Any], old: int, least: float) -> None:
        np = numpy_for("linking dialogues")
        self._vectors = vectors
        self._old = old
        self._least = least
        # The same objects for each block: joblib then sends none of them twice.
        self._columns = [
            np.asarray(vectors[left : left + _COLUMNS]) for left in range(0, len(vectors), _COLUMNS)
        ]

    def rows(self) -> range:
        """Where rows begin; those of one beginning are kept together."""
        return range(self._old, len(self._vectors), _ROWS)

    def compare(self, start: int) -> tuple[int, list[tuple[int, Pairs]]]:
        """The near pairs of some rows, block by block with where its columns begin."""
        tasks = self._tasks(start)
        return start, [(left, near_pairs(*task)) for left, task in tasks]

    def _tasks(self, start: int) -> list[tuple[int, tuple[NDArray[Any], NDArray[Any], int, float]]]:
        stop = min(start + _ROWS, len(self._vectors))
        mine = self._vectors[start:stop]
        return [
            (left, (mine, self._columns[place], start - left, self._least))
            for place, left in enumerate(range(0, stop, _COLUMNS))
        ]

    def in_processes(self, jobs: int) -> Iterator[tuple[int, list[tuple[int, Pairs]]]]:
        """`compare` of all rows, in their order, on the processes of joblib's backend.

        Rows are given out window by window, fewer where many links are found: workers who run ahead
        of who keeps the links would fill the memory.
        """
        from joblib import Parallel, delayed, parallel_config

        # One thread each: processes are as many as cores, and more threads would wait in turns.
        place: AbstractContextManager[object] = nullcontext()
        if jobs != ON_BACKEND:
            place = parallel_config("loky", inner_max_num_threads=1)
        work, starts, window = delayed(near_pairs), list(self.rows()), 1
        with place, Parallel(n_jobs=jobs, return_as="generator", batch_size=1) as pool:
            while starts:
                given, starts = starts[:window], starts[window:]
                tasks = {start: self._tasks(start) for start in given}
                results = pool(work(*task) for some in tasks.values() for _, task in some)
                found = 0
                for start, some in tasks.items():
                    pairs = [(left, next(results)) for left, _ in some]
                    found += sum(len(one.first) for _, one in pairs)
                    yield start, pairs
                window = min(_WINDOW, 2 * window) if found < _MANY else max(1, window // 2)
