"""A base that is built for a run, of files the user names, and kept by what they hold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from medweave import __version__
from medweave.app import cache_folder, open_embedder, sample_path
from medweave.errors import NotFoundError
from medweave.evaluation.data.reading import digest_of
from medweave.knowledge_base import KnowledgeBase
from medweave.model.configuration import Configuration
from medweave.model.identifiers import digest
from medweave.ports import Progress, no_progress
from medweave.sources.reading import source_files


def built_base(
    sources: Sequence[str], configuration: Configuration, progress: Progress = no_progress
) -> Path:
    """Where the base of these files and folders lies in the cache; it is built, with its vectors,
    where it is not there yet, or anything of it has changed.

    Raises `NotFoundError` or `SourceError` for what cannot be read.
    """
    for source in sources:
        if not Path(source).exists():
            raise NotFoundError("there is no such source", where=source, remedy="check the path")
    files = source_files([Path(source) for source in sources])
    embedder = open_embedder(configuration.embedder).embedder
    model = embedder.model.id if embedder else ""
    held = [[path.name, digest_of(path)] for path in files if path.is_file()]
    # the name of the sample base tells how sources are read
    identity = [__version__, sample_path().name, model, held]
    path = cache_folder() / "built" / f"{digest(identity, 8)}.db"
    if not path.exists():
        _build(path, files, configuration, progress, vectors=embedder is not None)
    return path


def _build(
    path: Path,
    files: Sequence[Path],
    configuration: Configuration,
    progress: Progress,
    *,
    vectors: bool,
) -> None:
    """Beside its place, then moved there: nobody sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.stem}.{os.getpid()}.part")
    unfinished.unlink(missing_ok=True)
    try:
        with KnowledgeBase.open(str(unfinished), configuration=configuration) as base:
            base.build(files, progress=progress)
            if vectors:
                base.make_vectors(progress=progress)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
