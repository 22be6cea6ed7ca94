"""Guidelines of other systems, by what a file holds."""

from __future__ import annotations

from pathlib import Path

from medweave.errors import NotFoundError, SourceError
from medweave.guideline.emcare.files import is_emcare
from medweave.guideline.emcare.importing import import_emcare
from medweave.guideline.import_report import Imported
from medweave.guideline.medal.file import is_medal
from medweave.guideline.medal.importing import import_medal


def import_guideline(path: Path, tables: Path | None = None) -> Imported:
    """The guideline of another system's file, and what of it could not be mapped.

    medAL algorithms (ePOCT+) are read, as JSON or packed with gzip; `tables` are the reference
    tables of their z-scores. EmCare is read from its folder, or from an archive of it. Raises
    `NotFoundError` for what is not there and `SourceError` for what is no guideline of a system
    that is known.
    """
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
