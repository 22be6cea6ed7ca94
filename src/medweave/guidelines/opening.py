"""A guideline by what it is called: the sample that ships, or a file."""

from __future__ import annotations

from pathlib import Path

from medweave.errors import GuidelineError, NotFoundError, SourceError
from medweave.guidelines.importing import import_guideline
from medweave.guidelines.yaml_form import WrittenGuideline, read_guideline_file
from medweave.inference.guideline_graph import Graph, compile_guideline
from medweave.language.data import shipped
from medweave.model.guideline import Guideline

SAMPLE = "sample"


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


def graph_in(name: str, *, beside: Path | None = None) -> Graph:
    """The same, compiled."""
    return compile_guideline(guideline_in(name, beside=beside))
