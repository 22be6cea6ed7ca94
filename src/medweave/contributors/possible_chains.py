"""Chains of two relations that a question may mean, told by the kinds of things alone.

"Pharmaceuticals for sicknesses of the hip" names a body part and seeks drugs. From one to the other
lead diseases, and genes; what else the question says tells which are meant: a noun for what lies
between, or words for one of the relations. Without any such sign none is followed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from medweave.model.question import Question
from medweave.model.statement import SupportedStatement
from medweave.understanding.graph_question_items import Item, items_of, without_nouns
from medweave.understanding.graph_question_rules import graph_rules
from medweave.vocabulary.knowledge import Knowledge

_BETWEEN = 300
"""Things between the ends that are followed."""
_CAPS = (300, 60)
"""Statements of one thing and direction, of what is named and of what lies between."""
_ANYTHING = "thing"
"""The kind of what is of no kind that is known: "what things can happen" asks for none."""
_LETTERS = 4
"""So long is a name of a kind that the beginning of a word may be ("genetic")."""


class _Chain(NamedTuple):
    first: str
    between: frozenset[str]
    second: str
    end: frozenset[str]


def chains(
    question: Question, core: Collection[str], knowledge: Knowledge
) -> dict[str, SupportedStatement]:
    """The statements of the chains that have the most signs in a question."""
    items = items_of_question(question)
    nouns = kinds_sought(question, knowledge)
    found: dict[str, SupportedStatement] = {}
    for first, seconds in _with_most_signs(question, items, nouns, knowledge).items():
        near = _affirmed(sorted(core), [first], knowledge, _CAPS[0])
        ends = {end for each in near.values() for end in each.statement.entities} - set(core)
        between = sorted(ends)[:_BETWEEN]
        found |= near | _affirmed(between, seconds, knowledge, _CAPS[1] * len(seconds))
    return found


def _with_most_signs(
    question: Question, items: Sequence[Item], nouns: Set[str], knowledge: Knowledge
) -> dict[str, list[str]]:
    """Of the chains that a base can hold those with the most signs, if any: the second relations
    of each first."""
    by_signs: dict[int, list[tuple[str, str]]] = {}
    leading = _leading(None if asks_openly(items) else nouns, named_concepts(question), knowledge)
    said = {p for item in items if item.kind in ("relation", "noun") for p in item.predicates}
    hinted = {p for item in items if item.kind == "soft" for p in item.predicates}
    weights = {p: 2 * (p in said) or int(p in hinted) for p in said | hinted}
    for chain in leading if weights or nouns else ():
        if signs := _signs(chain, weights, nouns):
            by_signs.setdefault(signs, []).append((chain.first, chain.second))
    for number in sorted(by_signs, reverse=True):
        held: dict[str, list[str]] = {}
        for relations in by_signs[number]:
            if all(map(knowledge.holds_relation, relations)):
                held.setdefault(relations[0], []).append(relations[1])
        if held:
            return held
    return {}


def _affirmed(
    things: Sequence[str], predicates: Sequence[str], knowledge: Knowledge, cap: int
) -> dict[str, SupportedStatement]:
    some = knowledge.store.neighbours(things, predicates, cap=cap) if things else ()
    return {each.statement.id: each for each in some if each.affirmed}


def items_of_question(question: Question) -> Sequence[Item]:
    """The words of a question, whatever they are."""
    return items_of(question.text, question.mentions, graph_rules(), loosely=True) or ()


def named_concepts(question: Question) -> set[str]:
    """What the things may be that a question names."""
    named = without_nouns(question.mentions, graph_rules())
    return {c for m in named for c in (m.concept, *(a.concept for a in m.alternatives))}


def kinds_sought(question: Question, knowledge: Knowledge) -> set[str]:
    """The kinds of things that nouns of a question are for; "genetic" is a word for genes."""
    items = items_of_question(question)
    kinds = {concept for item in items if item.kind == "noun" for concept in item.concepts[:1]}
    words = [item.text for item in items if item.kind == "filler"]
    return kinds | {
        concept.name
        for concept in knowledge.vocabulary.concepts.values()
        for name in [concept.labels.get("en", concept.name)]
        if len(name) >= _LETTERS and any(word.startswith(name) for word in words)
        if concept.name != _ANYTHING
    }


def asks_openly(items: Sequence[Item]) -> bool:
    """Whether no noun behind a word that asks says what is sought: "what could go wrong?"."""
    asking = [at for at, item in enumerate(items) if item.kind in ("ask", "where", "following")]
    return not any(_noun_behind(at, items) for at in asking)


def kinds_asked_for(items: Sequence[Item]) -> set[str]:
    """The kinds of which a noun stands right behind a word that asks: "which genes"."""
    asking = [at for at, item in enumerate(items) if item.kind in ("ask", "following")]
    behind = filter(None, (_noun_behind(at, items) for at in asking))
    return {concept for noun in behind for concept in noun.concepts[:1]}


def _noun_behind(at: int, items: Sequence[Item]) -> Item | None:
    behind = next((item for item in items[at + 1 :] if item.kind != "filler"), None)
    return behind if behind and behind.kind == "noun" else None


def _leading(
    sought: Collection[str] | None, named: Collection[str], knowledge: Knowledge
) -> Iterator[_Chain]:
    """The chains from what is named to a kind of thing that is sought, or to any, whatever a base
    holds."""
    predicates = knowledge.vocabulary.predicates.values()
    sides = [(p.name, frozenset(a), frozenset(b)) for p in predicates
             for a, b in ((p.domain, p.range), (p.range, p.domain))]  # fmt: skip
    ends = None if sought is None else frozenset(sought)
    seconds = [side for side in sides if ends is None or side[2] & ends]
    for first, start, middle in sides:
        if not start.isdisjoint(named):
            for second, other_middle, end in seconds:
                if first != second and (between := middle & other_middle):
                    yield _Chain(first, between, second, end)


def _signs(chain: _Chain, weights: Mapping[str, int], nouns: Set[str]) -> int:
    """How much of a chain a question says: what lies between, and either relation, as `weights`
    has it."""
    relations = weights.get(chain.first, 0) + weights.get(chain.second, 0)
    between = nouns and not (chain.between & nouns) <= chain.end
    return relations + 2 if between else relations
