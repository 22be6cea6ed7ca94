"""Reviewing a base: which of its statements are doubtful, and a person's word on one of them."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock

from medweave.errors import NotFoundError, StatementError
from medweave.graph.decisions import SOURCE, decide, decisions
from medweave.model.belief import belief
from medweave.model.decision import Decision, Verdict
from medweave.model.edge import statement_number
from medweave.model.entity import NameMention
from medweave.model.statement import Literal, Statement, SupportedStatement
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.vocabulary import Predicate

_PARTS = ("subject", "predicate", "object")
_SHOWN = 5


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


def words_of(statement: Statement, knowledge: Knowledge) -> str:
    """A statement in English: "aspirin used for headache (line: first)"."""
    thing = statement.object
    value = str(thing.value) if isinstance(thing, Literal) else _name(thing, knowledge)
    relation = statement.predicate.replace("_", " ")
    more = ", ".join(f"{name}: {what}" for name, what in statement.qualifiers)
    told = f"{_name(statement.subject, knowledge)} {relation} {value}"
    return f"{told} ({more})" if more else told


def _name(entity: str, knowledge: Knowledge) -> str:
    return knowledge.entities.get(entity).name("en")


def reviewed(
    knowledge: Knowledge,
    statement: str,
    verdict: Verdict,
    *,
    by: str = "",
    correction: Mapping[str, str] | None = None,
) -> Decision:
    """Decide about a statement by its id, and carry it out in the base.

    `correction` has what is to be put right, of `subject`, `predicate` and `object`, in names or
    identifiers. Raises `NotFoundError` for an unknown statement, and `StatementError` for a
    correction that cannot be.
    """
    about = _statement(knowledge, statement)
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    if verdict != "corrected":
        return decide(knowledge.store, Decision(about, verdict, by, now))
    right, mentions = _corrected(about, correction or {}, knowledge)
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


def _corrected(
    about: Statement, correction: Mapping[str, str], knowledge: Knowledge
) -> tuple[Statement, list[NameMention]]:
    """The statement that holds in the place of another, and the names of its ends."""
    for name, value in correction.items():
        if name not in _PARTS or not isinstance(value, str) or not value.strip():
            raise _refused(f"'{name}' is no part of a correction, or has no name", str(value))
    predicate, inverted = _predicate(correction.get("predicate", about.predicate), knowledge)
    first, second = ("object", "subject") if inverted else ("subject", "object")
    subject = correction.get(first)
    entity = about.subject if subject is None else _thing(subject, predicate.domain, knowledge)
    thing: str | Literal = about.object
    if (named := correction.get(second)) is not None:
        thing = Literal(named, "en") if predicate.takes_text else _thing(
            named, predicate.range, knowledge
        )  # fmt: skip
    same = predicate.name == about.predicate
    right = Statement(entity, predicate.name, thing, about.qualifiers if same else ())
    if right == about:
        raise _refused("the correction says what the statement says", words_of(about, knowledge))
    barred = {each.statement for each in decisions(knowledge.store) if each.bars}
    if right in barred:
        raise _refused("what it says was rejected", words_of(right, knowledge), "accept it first")
    return right, list(_named(right, knowledge))


def _predicate(name: str, knowledge: Knowledge) -> tuple[Predicate, bool]:
    found = knowledge.vocabulary.find(name)
    if found is None:
        nearest = knowledge.vocabulary.nearest(name)
        remedy = f"the nearest is {nearest}" if nearest else "see the predicates in docs/reference"
        raise _refused("this relation is not known", name, remedy)
    return found.predicate, found.inverted


def _thing(name: str, allowed: tuple[str, ...], knowledge: Knowledge) -> str:
    """The one thing of a name that a relation takes."""
    if name in knowledge.lexicon.terms or any(True for _ in knowledge.store.names([name])):
        return name
    named = knowledge.dictionary.names(name)
    fitting = [each for each in named if each.concept in allowed] or list(named)
    present = [each for each in fitting if each.present] or fitting
    found = list(dict.fromkeys(each.entity for each in present))
    if len(found) == 1:
        return found[0]
    if not found:
        raise _refused("nothing of this name is known", name, "name a thing of the base")
    raise _refused(
        "several things bear this name", name, f"give one of {', '.join(found[:_SHOWN])}"
    )


def _named(statement: Statement, knowledge: Knowledge) -> Iterator[NameMention]:
    """The names of a statement's ends, and whether its relation takes them."""
    predicate = knowledge.vocabulary.predicate(statement.predicate)
    concepts = []
    for identifier in (statement.subject, statement.object_entity):
        if identifier is None:
            concepts.append("text")
            continue
        entity = knowledge.entities.get(identifier)
        known = knowledge.dictionary.names(entity.name("en"))
        concept = next((e.concept for e in known if e.entity == identifier), entity.concept)
        concepts.append(concept)
        yield NameMention(identifier, entity.name("en"), "en", concept)
    if all(concepts):
        knowledge.vocabulary.check(concepts[0], predicate, concepts[1])


def _refused(what: str, where: str, remedy: str = "") -> StatementError:
    form = 'a correction is JSON such as {"object": "fever"}, in names'
    return StatementError(what, where=where, remedy=remedy or form)
