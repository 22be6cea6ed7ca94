"""The rules of a guideline as expressions that are true, false or unknown (Kleene's logic).

An expression is a value: it says what must hold, not how it is worked out, so the same rule can be
stored, drawn, told in words and evaluated. Nothing in it is ever evaluated as code.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal as OneOf

Comparator = OneOf["<", "<=", ">", ">=", "=", "!="]


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to an observation is this one (or is among several that were given)."""

    observation: str
    answer: str
    fallback: bool | None = None
    """What the guideline itself takes for it where the observation cannot be had."""
    unanswered: bool | None = None
    """What it takes for it while nobody has answered; None: it is unknown, and waited for."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The number of an observation compared with a limit, in the observation's own unit."""

    observation: str
    comparator: Comparator
    limit: float
    fallback: bool | None = None
    """What the guideline itself takes for it where the observation cannot be had."""
    unanswered: bool | None = None
    """What it takes for it while nobody has answered; None: it is unknown, and waited for."""


@dataclass(frozen=True, slots=True)
class Aged:
    """The person is at least `from_days` old and younger than `to_days`; None is no limit."""

    from_days: int | None = None
    to_days: int | None = None


@dataclass(frozen=True, slots=True)
class Classified:
    """Another classification holds: its own rule is true, and nothing it yields to holds."""

    classification: str


@dataclass(frozen=True, slots=True)
class Constant:
    """True or false whatever is observed."""

    value: bool


@dataclass(frozen=True, slots=True)
class GroupReference:
    """A logic group that the guideline defines once, by its name."""

    group: str


@dataclass(frozen=True, slots=True)
class AllOf:
    """AND: false as soon as one part is false; true when all are; no parts: true."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """OR: true as soon as one part is true; false when all are false; no parts: false."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    """NOT: true for false, false for true; unknown stays unknown."""

    part: Expression


@dataclass(frozen=True, slots=True)
class Guarded:
    """IF guard THEN part.

    Where the guard is false the part does not apply: neutral in AND, absent in OR, and by itself
    false. Where the guard is unknown, so is the whole. With `material` it is the implication of
    classical logic instead: true where the guard is false.
    """

    guard: Expression
    part: Expression
    material: bool = False


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The scores of the parts that are true add up to at least `count`.

    `scores` are 1 each where none are given. True when the sum of what is true suffices; false
    when what is true and what is unknown together do not.
    """

    count: float
    parts: tuple[Expression, ...]
    scores: tuple[float, ...] = ()


Expression = (
    Answered
    | Compared
    | Aged
    | Classified
    | Constant
    | GroupReference
    | AllOf
    | AnyOf
    | Negation
    | Guarded
    | AtLeast
)


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    """The expressions an expression is made of, in order; none for what has no parts.

    >>> parts_of(Negation(Answered("cough", "yes")))
    (Answered(observation='cough', answer='yes', fallback=None, unanswered=None),)
    """
    match expression:
        case AllOf(parts) | AnyOf(parts) | AtLeast(_, parts):
            return parts
        case Negation(part):
            return (part,)
        case Guarded(guard, part):
            return (guard, part)
        case _:
            return ()


def walk(expression: Expression) -> Iterator[Expression]:
    """An expression and everything in it; groups are not followed.

    >>> cough = Answered("cough", "yes")
    >>> [type(part).__name__ for part in walk(AllOf((cough, Negation(cough))))]
    ['AllOf', 'Answered', 'Negation', 'Answered']
    """
    waiting = [expression]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(parts_of(current)))


def walk_on(
    rules: Iterable[Expression], behind: Callable[[Expression], Iterable[Expression]]
) -> Iterator[Expression]:
    """All parts of rules, and of the rules `behind` them (of a group, of another classification,
    of what is computed), the nearest first. Each part that leads on is followed once.

    >>> cough, group = Answered("cough", "yes"), GroupReference("g")
    >>> held = {group: [AnyOf((cough, group))]}
    >>> [type(part).__name__ for part in walk_on([Negation(group)], lambda e: held.get(e, ()))]
    ['Negation', 'GroupReference', 'AnyOf', 'Answered', 'GroupReference']
    """
    waiting, followed = deque(rules), set[Expression]()
    while waiting:
        for part in walk(waiting.popleft()):
            yield part
            if not parts_of(part) and part not in followed:
                followed.add(part)
                waiting += behind(part)
