"""The hash of a base: a sum over its evidence, so that it does not depend on any order.

Each piece of evidence, with its statement and the name of its document, is hashed to 256 bits;
the hash of the base is the sum modulo 2**256. Adding and removing evidence adds and subtracts, so
the hash is always at hand, and the same piece in two files counts twice. It tells bases apart; it
is no protection against someone who forges them.
"""

from __future__ import annotations

import hashlib

from medweave.model.identifiers import canonical_json
from medweave.model.statement import Evidence

_MODULUS = 1 << 256


def evidence_term(evidence: Evidence, document_name: str) -> int:
    """What one piece of evidence adds to the hash; nothing, where it follows from other."""
    if evidence.inferred:
        return 0
    line = canonical_json([document_name, evidence.content()])
    return int.from_bytes(hashlib.blake2b(line.encode(), digest_size=32).digest(), "big")


def add_terms(total: int, added: int, removed: int = 0) -> int:
    """The sum after adding one total and taking another away."""
    return (total + added - removed) % _MODULUS


def as_text(total: int) -> str:
    """The hash as people and files write it: 64 hexadecimal digits."""
    return f"{total:064x}"
