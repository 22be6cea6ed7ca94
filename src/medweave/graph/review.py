"""Reviewing a base: which of its statements are doubtful, and a person's word on one of them."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock

from medweave.errors import NotFoundError
from medweave.graph.corrections import corrected
from medweave.graph.decisions import SOURCE, decide, decisions
from medweave.model.belief import belief
from medweave.model.decision import Decision, Verdict
from medweave.model.edge import statement_number
from medweave.model.statement import Statement, SupportedStatement
from medweave.vocabulary.knowledge import Knowledge

Doubt = tuple[float, int]
"""Where a statement stands among others: sources that disagree first, then the least believed; the
second part is the statement's number."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Some of the statements that nobody decided about, how many there are, and whether more
    follow."""

    items: tuple[SupportedStatement, ...]
    total: int
    more: bool


class ReviewQueue:
    """The order in which the statements of a base wait for a decision.

    It is made once, by reading all of them, and follows what changes; a page reads its own
    statements. Sixteen bytes are held for each.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._revision = -1
        self._doubts, self._numbers = array("d"), array("q")

    def page(self, knowledge: Knowledge, limit: int, after: Doubt | None = None) -> Waiting:
        """At most `limit` statements, those behind `after`. To be asked at one revision."""
        with self._lock:
            self._follow(knowledge)
            doubts, numbers = self._doubts, self._numbers
        first = (
            bisect_right(range(len(numbers)), after, key=lambda n: (doubts[n], numbers[n]))
            if after
            else 0
        )
        shown = numbers[first : first + limit]
        found = knowledge.store.statements(shown)
        return Waiting(tuple(found), len(numbers), first + len(shown) < len(numbers))

    def _follow(self, knowledge: Knowledge) -> None:
        store, revision = knowledge.store, knowledge.store.version().revision
        if revision == self._revision:
            return
        changed = store.changes(self._revision) if self._revision >= 0 else None
        if changed is None:
            waiting = sorted(map(doubt_of, _open(knowledge.store.match(), knowledge)))
        else:
            held = zip(self._doubts, self._numbers, strict=True)
            left = _open(store.statements(changed), knowledge)
            waiting = [doubt for doubt in held if doubt[1] not in changed]
            waiting = sorted([*waiting, *map(doubt_of, left)])
        self._doubts = array("d", (doubt for doubt, _ in waiting))
        self._numbers = array("q", (number for _, number in waiting))
        self._revision = revision


def undecided(knowledge: Knowledge) -> list[SupportedStatement]:
    """Everything that sources say and nobody decided about, what is least believed first.

    Where sources disagree, that comes before all else.
    """
    return sorted(_open(knowledge.store.match(), knowledge), key=doubt_of)


def _open(found: Iterable[SupportedStatement], knowledge: Knowledge) -> list[SupportedStatement]:
    """Those of which somebody else than a reviewer speaks, and about which nobody decided."""
    decided = {each.statement.id for each in decisions(knowledge.store)}
    own = {document.id for document in knowledge.store.documents(source=SOURCE)}
    return [
        each
        for each in found
        if each.statement.id not in decided and any(e.document not in own for e in each.evidence)
    ]


def doubt_of(found: SupportedStatement) -> Doubt:
    """Where a statement stands among others that nobody decided about."""
    held = belief(found.evidence)
    return held - 2 if found.conflicting else held, statement_number(found.statement.id)


def reviewed(
    knowledge: Knowledge,
    statement: str,
    verdict: Verdict,
    *,
    by: str = "",
    correction: Mapping[str, str] | None = None,
    new: str = "",
) -> Decision:
    """Decide about a statement by its id, and carry it out in the base.

    `correction` has what is to be put right, of `subject`, `predicate` and `object`, in names or
    identifiers; `new` is what a thing is that nothing is called like yet ("symptom"). Raises
    `NotFoundError` for an unknown statement, and `StatementError` for a correction that cannot be.
    """
    about = _statement(knowledge, statement)
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    if verdict != "corrected":
        return decide(knowledge.store, Decision(about, verdict, by, now))
    right, mentions = corrected(about, correction or {}, knowledge, new)
    return decide(knowledge.store, Decision(about, verdict, by, now, right), mentions)


def _statement(knowledge: Knowledge, identifier: str) -> Statement:
    found = knowledge.store.statements([identifier])
    decided = (each.statement for each in decisions(knowledge.store))
    for each in (*(supported.statement for supported in found), *decided):
        if each.id == identifier:
            return each
    raise NotFoundError(
        "the base has no such statement",
        where=identifier,
        remedy="answers and `medweave show NAME --json` give the ids of statements (st:…)",
    )
