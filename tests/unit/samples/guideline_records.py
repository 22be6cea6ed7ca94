"""The records that the sample guideline names, read from the data folder."""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

EMCARE_ID = re.compile(r"EmCare\.[A-Za-z0-9][A-Za-z0-9.-]*")
CQL_NAME = re.compile(r'define "(DL-[^"]+)"')


@cache
def emcare_texts(folder: Path) -> tuple[frozenset[str], frozenset[str]]:
    """The ids of EmCare's elements, and the names of its decision rows."""
    ids: set[str] = set()
    rows: set[str] = set()
    packed = gzip.decompress((folder / "who_emcare_iraq.tar.gz").read_bytes())
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            if not member.name.endswith((".cql", ".json")):
                continue
            held = archive.extractfile(member)
            text = held.read().decode("utf-8") if held else ""
            ids.update(EMCARE_ID.findall(text))
            rows.update(CQL_NAME.findall(text))
    return frozenset(ids), frozenset(rows)


@cache
def epoct(folder: Path) -> dict[str, Any]:
    """ePOCT+ as published: its diagnoses, drugs, managements and questions by id."""
    packed = (folder / "epoct_timci_tz_v34.json.gz").read_bytes()
    read = json.loads(gzip.decompress(packed))
    return {**read["nodes"], **read["health_cares"], **read["final_diagnoses"]}


def formulation_row(folder: Path, name: str) -> dict[str, Any]:
    """A formulation of ePOCT+ by `drug.formulation`."""
    drug, formulation = name.split(".")
    rows: dict[int, dict[str, Any]] = {
        row["id"]: row for row in epoct(folder)[drug]["formulations"]
    }
    return rows[int(formulation)]


def has_record(folder: Path, source: str) -> bool:
    """Whether what a `source` names is there."""
    if source.startswith("EmCare CQL "):
        return source.removeprefix("EmCare CQL ") in emcare_texts(folder)[1]
    if source.startswith("ePOCT+ "):
        drug, _, formulation = source.removeprefix("ePOCT+ ").partition(".")
        record = epoct(folder).get(drug)
        rows = [row["id"] for row in (record or {}).get("formulations", [])]
        return record is not None and (not formulation or int(formulation) in rows)
    return source in emcare_texts(folder)[0]
