"""Whether a statement is one that is asked for."""

from __future__ import annotations

from medweave.model.statement import Literal, Statement
from medweave.ports import Pattern
from medweave.stores.order import object_text


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
