"""The kind of a table beside other sources: it is read with these, and says nothing by itself."""

from __future__ import annotations

from medweave.model.record import Record
from medweave.sources.kinds import Extracted, Kind, Opened, Records, register
from medweave.sources.names import Naming


def _read(_opened: Opened) -> Records:
    return iter(())


def _extract(_record: Record, _naming: Naming, _activity: str) -> Extracted:
    return Extracted()


def _key(_record: Record, _naming: Naming) -> list[object]:
    return []


register(Kind(name="table", read=_read, extract=_extract, key=_key))
