"""Reference tables in a guideline's YAML: a row a line, since there may be thousands."""

from __future__ import annotations

import math
from collections.abc import Mapping

from medweave.guideline.yaml.parts import Part
from medweave.guideline.yaml.spans import plain

Table = Mapping[str, Mapping[str, float]]
_NOTHING = "-"


class WrittenTable(dict[str, str]):
    """A table as it is written: always as a block, so that each row is a line."""


def written_table(table: Table) -> WrittenTable:
    """A table: its z-scores once, then x and a reference value for each z in a line.

    >>> written_table({"45": {"-1": 2.3, "0": 2.5}, "46": {"-1": 2.5, "0": 2.7}})
    {'z': '-1 0', 'rows': '45 2.3 2.5\\n46 2.5 2.7\\n'}
    """
    columns = tuple(dict.fromkeys(z for row in table.values() for z in row))
    lines = (
        " ".join((x, *(plain(row[z]) if z in row else _NOTHING for z in columns)))
        for x, row in table.items()
    )
    return WrittenTable(z=" ".join(columns), rows="".join(f"{line}\n" for line in lines))


def read_table(part: Part) -> dict[str, dict[str, float]]:
    """A table as it is written out, or as rows of reference values by z.

    Raises `GuidelineError` at the line of a row that is not as long as there are z-scores.
    """
    entries = part.entries()
    if set(entries) != {"z", "rows"}:
        return {
            x: {z: value.number() for z, value in row.entries().items()}
            for x, row in entries.items()
        }
    columns, rows = entries["z"].text().split(), entries["rows"]
    found: dict[str, dict[str, float]] = {}
    for line in rows.text().splitlines():
        x, *values = line.split() or [""]
        if x in found or len(values) != len(columns):
            rows.refuse(
                f"the row '{line}' is twice here, or not of {len(columns)} values", "mend it"
            )
        found[x] = {
            z: _number(rows, value)
            for z, value in zip(columns, values, strict=True)
            if value != _NOTHING
        }
    return found


def _number(rows: Part, value: str) -> float:
    try:
        found = float(value)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        rows.refuse(f"'{value}' is no number", "write one, such as 2.5")
    return found
