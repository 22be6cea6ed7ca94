"""The kind of texts: handbooks, leaflets and pages, parted into passages."""

from __future__ import annotations

from collections.abc import Iterable

from medweave.model.mapping import Mapping
from medweave.sources.kinds import Kind, register
from medweave.sources.texts.reading import texts
from medweave.sources.texts.recognised import COLUMNS, NAME, file_mapping, table_mapping
from medweave.sources.texts.statements import extract, key


def _columns(_mapping: Mapping) -> Iterable[str]:
    return COLUMNS


register(
    Kind(
        name=NAME,
        read=texts,
        extract=extract,
        key=key,
        columns=_columns,
        layout=table_mapping,
        file=file_mapping,
        last=True,
    )
)
