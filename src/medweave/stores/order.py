"""What every store does alike: which statements fit a pattern, and the one order in which things
are listed, whatever the order of writing."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby

from medweave.model.identifiers import canonical_json
from medweave.model.statement import EVIDENCE_CLASSES, Evidence, Literal, Statement
from medweave.ports import Pattern


def fits(statement: Statement, pattern: Pattern) -> bool:
    """Whether a statement has what a pattern says of its subject, predicate and object.

    >>> one = Statement("mw:cold", "lasts", Literal(1))
    >>> fits(one, ("mw:cold", None, Literal(1))), fits(one, (None, None, Literal(True)))
    (True, False)
    """
    subject, predicate, object_ = pattern
    return (
        subject in (None, statement.subject)
        and predicate in (None, statement.predicate)
        and (object_ is None or _same_object(statement.object, object_))
    )


def _same_object(one: str | Literal, other: str | Literal) -> bool:
    """Equal as written: the literals 1 and true are two, though Python calls them equal."""
    return type(one) is type(other) and object_text(one) == object_text(other)


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


def in_evidence_order(evidence: Iterable[tuple[Evidence, str]]) -> list[Evidence]:
    """Evidence of one statement, each with the name of its document, in order: the class that
    outranks others first, what affirms before what denies, then its content as canonical JSON.

    All of that is written out for those alone that stand at the same place of a record.
    """
    listed = list(evidence)
    if len(listed) == 1:  # most have one
        return [listed[0][0]]
    ordered: list[Evidence] = []
    for _, alike in groupby(sorted(listed, key=_coarsely), key=_coarsely):
        same_place = list(alike)
        if len(same_place) > 1:
            same_place.sort(key=_finely)
        ordered += (item for item, _ in same_place)
    return ordered


def _coarsely(item: tuple[Evidence, str]) -> tuple[int, int, str]:
    """The class, and how the content begins, up to where its parts may differ."""
    evidence, place = item[0], item[0].place
    return (
        _CLASS_RANK[evidence.evidence_class],
        -evidence.polarity,
        f"{_in_json(place.field)},{place.start},{place.end}]",
    )


def _finely(item: tuple[Evidence, str]) -> tuple[str, str, str]:
    evidence, document_name = item
    return canonical_json(evidence.content()), document_name, evidence.id


_in_json = lru_cache(maxsize=1024)(canonical_json)  # a record has few fields
