"""The kind of texts: handbooks, leaflets and pages, parted into passages."""

from __future__ import annotations

from collections.abc import Iterable

from medweave.model.mapping import Mapping
from medweave.model.record import Record
from medweave.sources.kinds import Extracted, Kind, register
from medweave.sources.names import Naming
from medweave.sources.texts.reading import texts
from medweave.sources.texts.recognised import COLUMNS, NAME, file_mapping, table_mapping

_VERSION = "1"


def _columns(_mapping: Mapping) -> Iterable[str]:
    return COLUMNS


def _extract(_record: Record, _naming: Naming, _activity: str) -> Extracted:
    return Extracted()


def _key(_record: Record, _naming: Naming) -> list[object]:
    return [_VERSION]


register(
    Kind(
        name=NAME,
        read=texts,
        extract=_extract,
        key=_key,
        columns=_columns,
        layout=table_mapping,
        file=file_mapping,
        last=True,
    )
)
