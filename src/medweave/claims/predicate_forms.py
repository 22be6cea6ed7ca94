"""Forms for every relation of a base that no form of the rule files reads.

Relations of genes are read by the words that questions ask for them with; those of a source's own,
or of a vocabulary that somebody added, by the names they have there. Which end a name stands for is
told by what it is, and by the order of words where both ends may be the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from medweave.claims.rules import Form, Relation, relations
from medweave.model.graph_question import NETWORKS
from medweave.understanding.graph_question_rules import graph_rules
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.vocabulary import Predicate

NETWORK_ENDS = NETWORKS | {"body_part"}
"""Of these the forms for questions are tried before those of the rule files."""
_ARTICLE = r"(?:(?:an?|the|one of the|known|also|often|directly)\s+)*"
_BE = r"\b(?:(?:is|are|was|were|has|have|can|may|be|been)\s+)*"
_LISTS = r"\s+(?:is|are|includes?|comprises?)\b"
_ZH_OBJECTS = re.compile(r"(?:基因|靶点)$")


def forms_of_predicates(knowledge: Knowledge, language: str) -> tuple[Form, ...]:
    """The forms for what a base has and the rule files do not read."""
    held = sorted(knowledge.relations() - _read_by_rules())
    own = map(knowledge.vocabulary.predicate, held)
    called = (_Called.of(each) for each in own if not each.takes_text and each.importance is None)
    return _forms(tuple(called), language)


@dataclass(frozen=True, slots=True)
class _Called:
    """What of a predicate tells how it is said; unlike the predicate itself, it can be a key."""

    name: str
    domain: frozenset[str]
    range: frozenset[str]
    symmetric: bool
    names: tuple[str, ...]
    inverse: tuple[str, ...]
    chinese: str

    @classmethod
    def of(cls, each: Predicate) -> _Called:
        ends = frozenset(each.domain), frozenset(each.range)
        names = (each.name, *each.aliases, each.words("en"))
        return cls(each.name, *ends, each.symmetric, names, each.inverse, each.words("zh"))


@cache
def _read_by_rules() -> frozenset[str]:
    """What the rule files read; that things are associated says too little to count here."""
    return frozenset(
        way for each in relations().values() if each.name != "associated" for way, _ in each.ways
    )


@lru_cache(maxsize=16)
def _forms(own: tuple[_Called, ...], language: str) -> tuple[Form, ...]:
    if language == "zh":
        return tuple(form for each in own for form in _chinese(each))
    asked = _question_forms({each.name: each for each in own})
    return (*asked, *(form for each in own for form in _as_called(each)))


def _question_forms(own: dict[str, _Called]) -> Iterator[Form]:
    """By the words that questions use; what means any relation is read as the usual ones."""
    rules = graph_rules()
    for word in rules.words:
        predicates = [own[p] for p in word.predicates if p in own]
        if word.kind == "generic":
            usual = dict.fromkeys(predicate for _, _, predicate in rules.usual)
            predicates = [own[p] for p in usual if p in own]
        if word.kind in ("relation", "generic") and predicates:
            pattern = rf"^(?P<a>.*x.*?)\b(?:{word.pattern.pattern})(?P<b>.*x.*)$"
            yield _form(pattern, predicates, turned=word.turned)
            if any(each.symmetric for each in predicates):
                both = rf"^(?P<a>.*x.*?)\band\b(?P<b>.*x.*?)\b(?:{word.pattern.pattern})"
                yield _form(both, predicates)
        elif word.kind == "noun" and predicates:
            yield from _by_noun(word.pattern.pattern, predicates, turned=False)


def _as_called(predicate: _Called) -> Iterator[Form]:
    """By the names of a relation: "a is spread by b", "a spreads b", "b is a carrier of a"."""
    for names_of, inverted in ((predicate.names, False), (predicate.inverse, True)):
        for name in dict.fromkeys(each.replace("_", " ").lower() for each in names_of):
            words = re.escape(name).replace(r"\ ", r"[\s-]+")
            straight = rf"^(?P<a>.*x.*?){_BE}{_ARTICLE}{words}\s+(?P<b>(?:the |an? )?x.*)$"
            form = _form(straight, [predicate], turned=inverted)
            yield replace(form, literal=" " in name)
            yield from _by_noun(words, [predicate], turned=inverted)


def _by_noun(words: str, predicates: Sequence[_Called], *, turned: bool) -> Iterator[Form]:
    """By a noun: "the carriers of a are b", "b is a carrier of a"."""
    listed = rf"^.*?\b(?:{words})s?\s+(?:of|for)\b(?P<a>.*?x.*?){_LISTS}(?P<b>.*x.*)$"
    told = rf"^(?P<a>.*x.*?){_BE}{_ARTICLE}(?:{words})s?\s+(?:of|for)\b(?P<b>.*x.*)$"
    yield _form(listed, predicates, turned=turned)
    yield _form(told, predicates, turned=not turned)


def _chinese(predicate: _Called) -> Iterator[Form]:
    label = re.escape(predicate.chinese)
    verb = _ZH_OBJECTS.sub("", label) or label
    yield _form(rf"^(?P<a>.*x.*?)(?:的)?{label}(?:有|是|包括|为)(?P<b>.*x.*)$", [predicate])
    yield _form(rf"^(?P<a>.*x.*?)是(?P<b>.*x.*?)的{label}", [predicate], turned=True)
    yield _form(rf"^(?P<a>.*x.*?)[与和](?P<b>.*x.*?){verb}", [predicate])
    yield _form(rf"^(?P<a>.*x.*?){verb}(?P<b>.*x.*)$", [predicate])


def _form(pattern: str, predicates: Iterable[_Called], *, turned: bool = False) -> Form:
    """A form that is read both ways where what stands on its sides tells them apart."""
    some = list(predicates)
    ways = [(each.name, turned) for each in some]
    ways += [
        (each.name, not turned) for each in some if each.symmetric or not each.domain & each.range
    ]
    ends = tuple((each.domain, each.range) for each in some)
    relation = Relation(some[0].name, tuple(ways), inherited=False)
    return Form(relation, re.compile(pattern, re.IGNORECASE), ends=ends)
