"""What the texts of a base say of numbers, which no statement between things has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from medweave.claims.reading import Part
from medweave.claims.rules import Rules, rules_of
from medweave.language.passage import passage_of
from medweave.language.segmentation import index_terms, language_of, stop_keys
from medweave.language.stems import stem_of
from medweave.model.statement import Literal, SupportedStatement
from medweave.vocabulary.knowledge import Knowledge

_SHARED = 0.5
"""So much of the words of a claim with numbers a text must have."""
_UNIT = re.compile(r"(?<![a-z])(?:mmol|mol|mg|kg|dl|mmhg|min|hours?|days?|weeks?|months?|years?)|%")


class Texts:
    """The descriptions and advice that a base holds of things."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    def saying(self, part: Part, said: str) -> Iterator[SupportedStatement]:
        """Texts on what a part names that have all its numbers, with their units and bounds, and
        deny only where it denies. Of a part without numbers none is asked: shared words say little.
        """
        language = language_of(said)
        rules = rules_of(language)
        numbers = _numbers(part.text, rules)  # those in names are no numbers
        words = _words(said)
        things = {
            same for e in part.names for x in e.entities[:1] for same in self._knowledge.same(x)
        }
        for thing in sorted(things) if numbers else ():
            for each in self._knowledge.store.match(thing):
                literal = each.statement.object
                if not isinstance(literal, Literal) or literal.language not in ("", language):
                    continue
                text = str(literal.value)
                shared = words & (_words(text) | self._named(thing))
                if len(shared) >= _SHARED * len(words) and _has(text, said, numbers, rules):
                    yield each

    def _named(self, thing: str) -> frozenset[str]:
        return frozenset(
            word
            for name in self._knowledge.entities.get(thing).all_names()
            for word in _words(name)
        )


def _has(text: str, said: str, numbers: frozenset[str], rules: Rules) -> bool:
    """Whether one clause of a text has all numbers of what is said, as they are said."""
    clauses = [text[start:end] for start, end in passage_of(text).clauses]
    return any(
        numbers <= _numbers(clause, rules)
        and set(_UNIT.findall(said.lower())) <= set(_UNIT.findall(clause.lower()))
        and _denies(said, rules) == _denies(clause, rules)
        and not any(p.search(said) and not p.search(clause) for p in rules.bounds.values())
        for clause in clauses
    )


def _numbers(text: str, rules: Rules) -> frozenset[str]:
    return frozenset(match.group() for match in rules.number.finditer(text))


def _denies(text: str, rules: Rules) -> bool:
    return bool(rules.denying.search(text))


def _words(text: str) -> frozenset[str]:
    some = [w for w in index_terms(text) if w not in stop_keys() and not re.search(r"\d", w)]
    return frozenset(map(stem_of, some)) - {""}
