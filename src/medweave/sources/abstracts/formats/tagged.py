"""MEDLINE (as PubMed's NBIB) and RIS: a tag at the beginning of each line.

    PMID- 227508              TY  - JOUR
    TI  - A title that        T1  - A title that
          goes on.            AB  - What was found.
    AB  - What was found.     ER  -

MEDLINE parts records by empty lines and carries lines on with six spaces; RIS ends one with ER.
Sources of the layouts: the National Library of Medicine's description of MEDLINE display, and the
RIS format as reference managers write it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from medweave.model.document import Skipped
from medweave.sources.files.row import MAX_RECORD, TOO_LONG, Cut, Row, Rows
from medweave.sources.files.text import examined, opened

_MEDLINE = re.compile(r"([A-Z][A-Z0-9]{1,3}) *- ?(.*)")
_RIS = re.compile(r"([A-Z][A-Z0-9])  - ?(.*)")
_CARRIED_ON = "      "
_DOI = re.compile(r"(\S+) \[doi\]")

Fields = dict[str, list[str]]
"""The texts of each tag, in the order of the file."""


def is_medline(beginning: str) -> bool:
    """Whether a file begins as MEDLINE does.

    >>> is_medline("\\nPMID- 227508\\nTI  - A title.")
    True
    """
    return beginning.lstrip("\ufeff \r\n").startswith("PMID- ")


def is_ris(beginning: str) -> bool:
    """Whether a file begins as RIS does.

    >>> is_ris("TY  - JOUR\\n")
    True
    """
    return beginning.lstrip("\ufeff \r\n").startswith("TY  - ")


def medline_rows(path: Path) -> Rows:
    """Each record of a MEDLINE file."""
    return _rows(path, _MEDLINE, _medline_values)


def ris_rows(path: Path) -> Rows:
    """Each record of a RIS file."""
    return _rows(path, _RIS, _ris_values)


def _rows(path: Path, tag: re.Pattern[str], values: Any) -> Rows:
    file = examined(path)
    with opened(file) as stream:
        for line, fields in _records(stream, tag):
            if sum(len(text) for texts in fields.values() for text in texts) > MAX_RECORD:
                yield Skipped(str(path), line, TOO_LONG)
            else:
                yield Row(line, values(fields))
    if file.ends:
        yield Cut(Skipped(str(path), 0, file.ends))


def _records(lines: Iterable[str], tag: re.Pattern[str]) -> Iterator[tuple[int, Fields]]:
    fields: Fields = {}
    start, last = 1, ""
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        match = tag.fullmatch(text)
        if match and match[1] in ("PMID", "TY") and fields:
            yield start, fields
            fields = {}
        if match and match[1] != "ER":
            start = start if fields else number
            last = match[1]
            fields.setdefault(last, []).append(match[2].strip())
        elif (text.startswith(_CARRIED_ON) and last) or (text.strip() and not match and last):
            fields[last][-1] += " " + text.strip()
    if fields:
        yield start, fields


def _medline_values(fields: Fields) -> dict[str, Any]:
    dois = [
        m[1] for text in (*fields.get("LID", ()), *fields.get("AID", ())) if (m := _DOI.match(text))
    ]
    return {
        "pmid": _first(fields, "PMID"),
        "doi": dois[0] if dois else "",
        "title": _first(fields, "TI", "BTI"),
        "abstract": _first(fields, "AB"),
        "date": _first(fields, "DP", "DEP"),
    }


def _ris_values(fields: Fields) -> dict[str, Any]:
    return {
        "id": _first(fields, "AN", "ID", "C7"),
        "doi": _first(fields, "DO"),
        "title": _first(fields, "TI", "T1"),
        "abstract": _first(fields, "AB", "N2"),
        "date": _first(fields, "PY", "Y1", "DA"),
        "url": _first(fields, "UR"),
    }


def _first(fields: Fields, *tags: str) -> str:
    return next((fields[tag][0] for tag in tags if fields.get(tag)), "")
