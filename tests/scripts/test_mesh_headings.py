"""The headings of MeSH: which of a table of mappings, and that the file that ships is such."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from medweave.language.data import shipped
from scripts.mesh_headings import write_headings

TABLE = """#curie_map:
subject_id\tsubject_label\tpredicate_id\tpredicate_modifier\tobject_id\tobject_label
mesh:D990001\tZornia, Acute\tskos:exactMatch\t\tDOID:1\tacute zornia
CHEBI:2\tzornate\tskos:exactMatch\t\tmesh:C990002\tZornol
mesh:D990001\tZornia, Acute\tskos:exactMatch\tNot\tHP:3\tbrillia
mesh:D990001\tZornia, Acute\tskos:broadMatch\t\tHP:4\tbrillitis
mesh:D990003\tBirds\tskos:exactMatch\t\tVTO:4\tbirds
mesh:D990004\t\tskos:exactMatch\t\tMONDO:5\tno heading
"""


def test_names_of_states_and_chemicals_are_kept_once(tmp_path: Path) -> None:
    (tmp_path / "positive.sssom.tsv").write_text(TABLE, "utf-8")
    (tmp_path / "predictions.sssom.tsv").write_text(TABLE, "utf-8")
    out = tmp_path / "mesh.tsv.gz"
    assert write_headings(tmp_path, out) == 3
    rows = gzip.decompress(out.read_bytes()).decode().splitlines()
    assert rows == ["C990002\tZornol", "C990002\tzornate", "D990001\tZornia, Acute"]


def test_what_ships_has_one_heading_a_line() -> None:
    packed = shipped("sources", "abstracts", "rules", "mesh.tsv.gz").read_bytes()
    lines = gzip.decompress(packed).decode().splitlines()
    assert len(lines) == len(set(lines)) > 10_000
    assert not [line for line in lines if not re.fullmatch(r"[CD]\d{6,9}\t\S.*", line)]
