"""The one order in which every store lists things, whatever the order of writing."""

from __future__ import annotations

from medweave.model.identifiers import canonical_json
from medweave.model.statement import EVIDENCE_CLASSES, Evidence, Literal, Statement

_CLASS_RANK = {name: rank for rank, name in enumerate(EVIDENCE_CLASSES)}


def object_text(value: str | Literal) -> str:
    """An object as one text: an identifier as it is, a literal as canonical JSON."""
    return canonical_json(value.key()) if isinstance(value, Literal) else value


def qualifier_text(statement: Statement) -> str:
    """The qualifiers as canonical JSON."""
    pairs = statement.qualifiers
    return canonical_json([list(pair) for pair in pairs]) if pairs else "[]"


def statement_order(statement: Statement) -> tuple[str, str, str, str, bool]:
    """Subject, predicate, object, qualifiers; a thing before a literal written the same."""
    return (
        statement.subject,
        statement.predicate,
        object_text(statement.object),
        qualifier_text(statement),
        isinstance(statement.object, Literal),
    )


def evidence_order(evidence: Evidence, document_name: str) -> tuple[int, int, str, str, str]:
    """The class that outranks others first; what affirms before what denies."""
    return (
        _CLASS_RANK[evidence.evidence_class],
        -evidence.polarity,
        canonical_json(evidence.content()),
        document_name,
        evidence.id,
    )
