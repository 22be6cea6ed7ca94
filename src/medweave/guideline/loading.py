"""A guideline by what it is called: the sample that ships, or a file, ours or another system's.

Readers of other systems are imported where they are used: a question needs the sample alone.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from medweave.errors import GuidelineError, NotFoundError, SourceError
from medweave.guideline.logic.graph import Graph, compile_guideline
from medweave.guideline.yaml.reading import WrittenGuideline, read_guideline_file
from medweave.language.data import shipped
from medweave.language.text_file import unpacked
from medweave.model.guideline import Guideline

if TYPE_CHECKING:
    from medweave.guideline.import_report import Imported

SAMPLE = "sample"
_OURS = re.compile(rb"^guideline:[ \t]*\S", re.MULTILINE)
_MEDAL = (b'"final_diagnoses"', b'"health_cares"', b'"nodes"')
"""What every medAL algorithm has; looked for before a file is parsed, which takes long."""


def guideline_in(name: str, *, beside: Path | None = None) -> Guideline:
    """The guideline that a name stands for: `sample`, or a file, which may lie beside another.

    A file is YAML, or what `import_guideline` reads.

    Raises `NotFoundError` where there is none, `GuidelineError` where it cannot be read.
    """
    if beside is not None and not Path(name).exists() and (beside / name).exists():
        name = str(beside / name)
    return written_guideline(name).guideline


def written_guideline(name: str) -> WrittenGuideline:
    """The same, with the lines of its file, to check it."""
    path = shipped("samples", "guideline.yaml") if name == SAMPLE else Path(name)
    if not path.exists():
        raise NotFoundError(
            "there is no such guideline",
            where=name,
            remedy="give `sample`, a file, or id@version of a guideline in the base (--kb)",
        )
    if _is_yaml(path):
        return read_guideline_file(path)
    try:
        return WrittenGuideline(import_guideline(path).guideline, str(path), {})
    except SourceError as error:
        raise GuidelineError(error.what, where=error.where, remedy=error.remedy) from error


def graph_in(name: str) -> Graph:
    """The same, compiled."""
    return compile_guideline(guideline_in(name))


def import_guideline(path: Path, tables: Path | None = None) -> Imported:
    """The guideline of another system's file, and what of it could not be mapped.

    medAL algorithms (ePOCT+) are read, as JSON or packed with gzip; `tables` are the reference
    tables of their z-scores. EmCare is read from its folder, or from an archive of it. Raises
    `NotFoundError` for what is not there and `SourceError` for what is no guideline of a system
    that is known.
    """
    from medweave.guideline.emcare.files import is_emcare
    from medweave.guideline.emcare.importing import import_emcare
    from medweave.guideline.medal.file import is_medal
    from medweave.guideline.medal.importing import import_medal

    for each in (path, tables):
        if each is not None and not each.exists():
            raise NotFoundError("there is no such file", where=str(each), remedy="check the path")
    if path.is_file() and is_medal(path):
        try:
            return import_medal(path, tables)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise SourceError(
                f"a part of the algorithm has another form than medAL's ({error})",
                where=str(path),
                remedy="give the file as medAL-creator wrote it; --debug shows which part it is",
            ) from error
    if is_emcare(path):
        return import_emcare(path)
    raise SourceError(
        "this is no guideline that can be imported",
        where=str(path),
        remedy="give the JSON of a medAL algorithm, or a folder or archive of EmCare",
    )


def is_guideline(path: Path) -> bool:
    """Whether a file or folder tells by itself that it holds a guideline: ours as YAML, a medAL
    algorithm, or EmCare with its libraries."""
    from medweave.guideline.emcare.files import is_emcare
    from medweave.guideline.medal.file import is_medal

    try:
        if _is_yaml(path):
            return path.is_file() and bool(_OURS.search(unpacked(path.read_bytes())))
        if path.name.removesuffix(".gz").lower().endswith(".json"):
            held = unpacked(path.read_bytes())
            return all(mark in held for mark in _MEDAL) and is_medal(path)
        return is_emcare(path, (".cql",))
    except (OSError, EOFError):
        return False


def _is_yaml(path: Path) -> bool:
    return path.name.removesuffix(".gz").lower().endswith((".yaml", ".yml"))
