"""A guideline by what it is called: the sample that ships, or a file."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from medweave.errors import GuidelineError, NotFoundError, SourceError
from medweave.guideline.emcare.files import is_emcare
from medweave.guideline.importing import import_guideline
from medweave.guideline.logic.graph import Graph, compile_guideline
from medweave.guideline.medal.file import is_medal
from medweave.guideline.yaml.reading import WrittenGuideline, read_guideline_file
from medweave.language.data import shipped
from medweave.model.guideline import Guideline

SAMPLE = "sample"
_OURS = re.compile(rb"^guideline:[ \t]*\S", re.MULTILINE)
_MEDAL = (b'"final_diagnoses"', b'"health_cares"', b'"nodes"')
"""What every medAL algorithm has; looked for before a file is parsed, which takes long."""


def guideline_in(name: str, *, beside: Path | None = None) -> Guideline:
    """The guideline that a name stands for: `sample`, or a file, which may lie beside another.

    A file is YAML, or what `import_guideline` reads.

    Raises `NotFoundError` where there is none, `GuidelineError` where it cannot be read.
    """
    if name == SAMPLE:
        return read_guideline_file(shipped("samples", "guideline.yaml")).guideline
    path = Path(name)
    if beside is not None and not path.exists() and (beside / name).exists():
        path = beside / name
    if not path.exists():
        raise NotFoundError(
            "there is no such guideline",
            where=name,
            remedy="give `sample`, a file, or id@version of a guideline in the base (--kb)",
        )
    return _of_file(path)


def _of_file(path: Path) -> Guideline:
    name = path.name.removesuffix(".gz").lower()
    if name.endswith((".yaml", ".yml")):
        return read_guideline_file(path).guideline
    try:
        return import_guideline(path).guideline
    except SourceError as error:
        raise GuidelineError(error.what, where=error.where, remedy=error.remedy) from error


def written_guideline(name: str) -> WrittenGuideline:
    """A guideline with the lines of its file, to check it."""
    if name == SAMPLE:
        return read_guideline_file(shipped("samples", "guideline.yaml"))
    path = Path(name)
    if not path.exists():
        raise NotFoundError("there is no such file", where=name, remedy="check the path")
    if path.name.removesuffix(".gz").lower().endswith((".yaml", ".yml")):
        return read_guideline_file(path)
    return WrittenGuideline(_of_file(path), str(path), {})


def is_guideline(path: Path) -> bool:
    """Whether a file or folder tells by itself that it holds a guideline: ours as YAML, a medAL
    algorithm, or EmCare with its libraries."""
    name = path.name.removesuffix(".gz").lower()
    try:
        if name.endswith((".yaml", ".yml")):
            return path.is_file() and bool(_OURS.search(_bytes(path)))
        if name.endswith(".json"):
            held = _bytes(path)
            return all(mark in held for mark in _MEDAL) and is_medal(path)
        return is_emcare(path, (".cql",))
    except (OSError, EOFError):
        return False


def _bytes(path: Path) -> bytes:
    held = path.read_bytes()
    return gzip.decompress(held) if held[:2] == b"\x1f\x8b" else held


def graph_in(name: str, *, beside: Path | None = None) -> Graph:
    """The same, compiled."""
    return compile_guideline(guideline_in(name, beside=beside))
