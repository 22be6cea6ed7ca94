"""The headings of MeSH that name diseases, findings and chemicals, as a file that ships.

Headings, identifiers and other names are those of the mappings of Biomappings (CC0,
https://github.com/biopragmatics/biomappings), which list a heading beside what another catalogue
calls the same; which catalogue that is says what kind of thing it is.

    python -m scripts.mesh_headings FOLDER src/medweave/sources/abstracts/rules/mesh.tsv.gz

FOLDER is `biomappings/resources` of the package of that name.
"""

from __future__ import annotations

import csv
import gzip
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from medweave.sources.abstracts.entities.identifiers import as_written

CATALOGUES = frozenset(
    ("chebi", "dron", "doid", "efo", "hp", "mondo", "mp", "mpath", "ncit", "symp")
)
_ENDS = (("subject", "object"), ("object", "subject"))
_SAME = "skos:exactMatch"


class Mapped(NamedTuple):
    """A heading, and what another catalogue calls a thing that is the same; '' where it is not."""

    identifier: str
    heading: str
    other: str


def mapped(lines: Iterable[str]) -> Iterator[Mapped]:
    """The headings in a table of mappings (SSSOM).

    >>> table = ["# a comment",
    ...          "subject_id\\tsubject_label\\tpredicate_id\\tobject_id\\tobject_label",
    ...          "mesh:D000082\\tAcetaminophen\\tskos:exactMatch\\tCHEBI:46195\\tparacetamol"]
    >>> list(mapped(table))
    [Mapped(identifier='D000082', heading='Acetaminophen', other='paracetamol')]
    """
    table = (line for line in lines if not line.startswith("#"))
    for row in csv.DictReader(table, delimiter="\t"):
        for one, other in _ENDS:
            catalogue, _, identifier = row[f"{one}_id"].partition(":")
            beside = row[f"{other}_id"].partition(":")[0].lower()
            heading, called = row[f"{one}_label"], row[f"{other}_label"]
            if catalogue.lower() == "mesh" and beside in CATALOGUES and heading:
                same = row["predicate_id"] == _SAME and not row.get("predicate_modifier")
                yield Mapped(identifier, heading, called if same else "")


def write_headings(folder: Path, out: Path) -> int:
    """Write the names in all tables of a folder, each once; how many there are.

    What another catalogue calls a thing is left out where its words are those of a name that it
    has already, whatever their order.
    """
    names: dict[str, set[str]] = defaultdict(set)
    others: set[tuple[str, str]] = set()
    for file in sorted(folder.glob("*.sssom.tsv")):
        with file.open(encoding="utf-8", newline="") as lines:
            for each in mapped(lines):
                names[each.identifier].add(each.heading)
                if each.other:
                    others.add((each.identifier, each.other))
    known = {
        (one, form) for one, some in names.items() for name in some for form in as_written(name)
    }
    for identifier, name in sorted(others):
        forms = {(identifier, form) for form in as_written(name)}
        if known.isdisjoint(forms):
            names[identifier].add(name)
        known |= forms
    rows = sorted((identifier, name) for identifier, some in names.items() for name in some)
    text = "".join(f"{identifier}\t{name}\n" for identifier, name in rows)
    out.write_bytes(gzip.compress(text.encode(), mtime=0))
    return len(rows)


if __name__ == "__main__":
    print(write_headings(Path(sys.argv[1]), Path(sys.argv[2])))  # noqa: T201
