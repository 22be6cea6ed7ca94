"""How much a base holds, as its header says it: so nobody has to look through all rows for that.

The header is what commits a revision, so what it says is of that revision and no other.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

from medweave.model.identifiers import canonical_json
from medweave.ports import Counts
from medweave.stores.versioned.rows import Header

COUNTED: Mapping[str, str] = {
    "document": "documents",
    "statement": "statements",
    "evidence": "evidence",
    "named": "entities",
}
"""What is counted of rows that hold, and what it is called; `named` are the things that have names
(see `Present`)."""


def counts_text(counts: Counts) -> str:
    """Counts as a header keeps them.

    >>> counts_in({"counts": counts_text(Counts(1, 2, 3, 4))})
    Counts(documents=1, statements=2, evidence=3, entities=4)
    """
    return canonical_json(asdict(counts))


def counts_in(header: Header) -> Counts | None:
    """What a header says; None for one written before headers said it.

    >>> counts_in({"revision": "7"}) is None
    True
    """
    told = header.get("counts")
    return Counts(**json.loads(told)) if told else None
