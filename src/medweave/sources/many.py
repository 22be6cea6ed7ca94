"""Many documents on more than one core: the same extraction, in several processes or on a cluster.

Records go out in chunks and come back in their order, so that how many cores there are cannot be
seen in a base. The work is spread by joblib: over local processes, or over a dask cluster where
one has been made joblib's backend.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from medweave.model.task import Made, Task
from medweave.sources.extraction import build_key, extract
from medweave.sources.names import Naming

WINDOW = 16
"""Tasks that are worked on, or wait to be written, at one time."""
LARGE = 2_000_000
"""Bytes of a file from which on more cores are worth their start."""


def extract_many(
    tasks: Iterable[Task], naming: Naming, time: str, *, jobs: int = 1
) -> Iterator[Made]:
    """What each task yields, in their order, worked on by `jobs` cores."""
    if jobs == 1:
        for task in tasks:
            yield _extract(task, naming, time)
        return
    from joblib import Parallel, delayed

    packed, work = pickle.dumps(naming), delayed(_extract_packed)
    waiting = iter(tasks)
    with Parallel(n_jobs=jobs, return_as="generator", batch_size=1) as pool:
        # Window by window: workers who run ahead of the writer would fill the memory.
        while window := list(islice(waiting, WINDOW)):
            yield from pool(work(task, packed, time) for task in window)


def _extract(task: Task, naming: Naming, time: str) -> Made:
    return task, [
        extract(record, naming, time=time) if build_key(record, naming) != known else None
        for record, known in zip(task.records, task.known, strict=True)
    ]


def _extract_packed(task: Task, packed: bytes, time: str) -> Made:
    made = _extract(task, _unpacked(packed), time)[1]
    # What went out as a whole record need not come back as one.
    return replace(task, records=tuple(replace(r, content=None) for r in task.records)), made


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> Naming:
    """The vocabulary and lexicon, once for each process; they come from this very program."""
    naming: Naming = pickle.loads(packed)  # noqa: S301 - packed a moment ago by `extract_many`
    return naming


def worthwhile(path: Path) -> int:
    """How many cores a source is worth: starting others takes a second, so one for a small one."""
    return cores() if path.stat().st_size > LARGE else 1


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def on_cluster(address: str) -> AbstractContextManager[object]:
    """While this is open, `extract_many` works on the dask cluster at an address; '' for none.

    Needs the extra `cluster`.
    """
    if not address:
        return nullcontext()
    from medweave.sources.cluster import cluster

    return cluster(address)
