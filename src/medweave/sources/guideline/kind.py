"""The kind of guidelines: ours as YAML, and what is imported from other systems."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from medweave.errors import GuidelineError, SourceError
from medweave.model.document import Extraction
from medweave.model.mapping import Mapping
from medweave.model.record import Record
from medweave.sources.kinds import Extracted, Kind, Opened, Records, register
from medweave.sources.names import Naming

_NAME = "guideline"
_ENDINGS = (".yaml", ".yml", ".json", ".zip", ".tar", ".tar.gz", ".tgz")
_MOST = 256_000_000
"""Bytes of a file beyond which it is no guideline; to know one it is looked through."""
_OF_EMCARE = ("input", "cql")
"""One of these is in the folder of an EmCare guideline."""


def _file(path: Path, named: bool) -> Mapping | None:
    if path.is_dir():
        likely = any((path / name).is_dir() for name in _OF_EMCARE) or any(path.glob("*.cql"))
    else:
        name = path.name.lower()
        likely = name.removesuffix(".gz").endswith(_ENDINGS) or name.endswith(_ENDINGS)
        likely = likely and path.is_file() and path.stat().st_size <= _MOST
    if not likely and not named:
        return None
    from medweave.guideline.loading import is_guideline  # takes long to load, and is seldom needed

    return Mapping(_NAME, _NAME, "1") if named or is_guideline(path) else None


def _read(opened: Opened) -> Records:
    """The one record of a guideline; what its rules are is known by then to go in no circles."""
    from medweave.guideline.loading import guideline_in
    from medweave.guideline.logic.graph import compile_guideline
    from medweave.guideline.statements import extraction_of

    try:
        guideline = guideline_in(opened.source)
        compile_guideline(guideline)
    except GuidelineError as error:
        raise SourceError(error.what, where=error.where, remedy=error.remedy) from error
    made = extraction_of(guideline, opened.source)
    yield Record(made.document, _NAME, opened.mapping, made, weight=1 + len(made.statements))


def _extract(record: Record, _naming: Naming, activity: str) -> Extracted:
    made: Extraction = record.content
    evidence = [replace(item, activity=activity) for item in made.evidence]
    return Extracted(made.statements, evidence, made.mentions, made.skipped)


def _beginning(record: Record, rows: int) -> Record:
    made: Extraction = record.content
    return replace(record, content=replace(made, statements=made.statements[:rows]))


def _key(_record: Record, _naming: Naming) -> list[object]:
    from medweave.guideline.statements import VERSION

    return [VERSION]


register(Kind(name=_NAME, read=_read, extract=_extract, key=_key, file=_file, beginning=_beginning))
