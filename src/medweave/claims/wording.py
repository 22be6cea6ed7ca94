"""What the texts of a base say in the words of a claim, for what no statement between things says."""

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

_SHARED = 0.75
"""So much of the words of a claim a text must have; what is said in other words is not let through."""
_NUMBERED = 0.5
"""The same where all numbers and their bounds are those of the text."""


class Texts:
    """The descriptions and advice that a base holds of things."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    def saying(self, part: Part, said: str) -> Iterator[SupportedStatement]:
        """Texts on what a part names, with its words, its numbers with their bounds, and denying
        only where it denies."""
        language = language_of(said)
        rules = rules_of(language)
        numbers = _numbers(part.text, rules)  # those in names are no numbers
        things = {same for e in part.names for same in self._knowledge.same(e.entities[0])}
        words = _words(said)
        for thing in sorted(things):
            for each in self._knowledge.store.match(thing):
                literal = each.statement.object
                if not isinstance(literal, Literal) or literal.language not in ("", language):
                    continue
                for start, end in (
                    passage_of(str(literal.value), language).clauses if numbers else ()
                ):
                    if _fits(said, str(literal.value)[start:end], numbers, rules):
                        shared = words & (_words(str(literal.value)) | self._named(thing))
                        if len(shared) >= _NUMBERED * len(words):
                            yield each
                            break
                if not numbers and len(words & _words(str(literal.value))) >= _SHARED * len(words):
                    if _denies(said, rules) == _denies(str(literal.value), rules):
                        yield each

    def _named(self, thing: str) -> frozenset[str]:
        return frozenset(
            word
            for name in self._knowledge.entities.get(thing).all_names()
            for word in _words(name)
        )


def _fits(said: str, clause: str, numbers: frozenset[str], rules: Rules) -> bool:
    """Whether a clause has all numbers of what is said, bounded as there."""
    if not numbers or not numbers <= _numbers(clause, rules):
        return False
    same = all(
        bool(pattern.search(said)) <= bool(pattern.search(clause))
        for name, pattern in rules.bounds.items()
    )
    return same and _denies(said, rules) == _denies(clause, rules)


def _numbers(text: str, rules: Rules) -> frozenset[str]:
    return frozenset(match.group() for match in rules.number.finditer(text))


def _denies(text: str, rules: Rules) -> bool:
    return bool(rules.denying.search(text))


def _words(text: str) -> frozenset[str]:
    some = [w for w in index_terms(text) if w not in stop_keys() and not re.search(r"\d", w)]
    return frozenset(map(stem_of, some))
