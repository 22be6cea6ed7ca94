"""The kind of abstracts: papers and trials, in the layouts of registries and search sites."""

from __future__ import annotations

from collections.abc import Iterable

from medweave.model.mapping import Mapping
from medweave.ontology.loading import SHIPPED
from medweave.sources.abstracts.by_model import REQUESTS, AbstractsByModel, reader
from medweave.sources.abstracts.layouts import COLUMNS, NAME, file_mapping, table_mapping
from medweave.sources.abstracts.reading import abstracts, again
from medweave.sources.abstracts.statements import extract, key
from medweave.sources.kinds import ByModel, Kind, register


def _columns(_mapping: Mapping) -> Iterable[str]:
    return COLUMNS


register(
    Kind(
        name=NAME,
        read=abstracts,
        extract=extract,
        key=key,
        columns=_columns,
        layout=table_mapping,
        file=file_mapping,
        ontology=SHIPPED,
        again=again,
        by_model=ByModel(reader, AbstractsByModel().filled, REQUESTS),
    )
)
