"""The relations that somebody may mean by a name: "治疗药物", "treated_by", "predisposes to".

A vocabulary names each of its relations, for files; people and documents have more names for them,
and one name for several. Those stand in a file of their own, by language.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from functools import cache

from medweave.language.data import LANGUAGES, shipped_yaml
from medweave.vocabulary.vocabulary import PredicateUse, Vocabulary, relation_key

_LIKE = 0.6
"""How alike a name is to one that is proposed for it."""
_LIKE_ZH = 0.5
"""The same in Chinese, whose words are two characters long."""


def relations_called(name: str, vocabulary: Vocabulary) -> list[PredicateUse]:
    """All relations that a name may mean, the likeliest first.

    >>> from medweave.vocabulary.vocabulary import shipped_vocabulary
    >>> [(use.predicate.name, use.inverted) for use in
    ...  relations_called("treated by", shipped_vocabulary())]
    [('used_for', True)]
    >>> [use.predicate.name for use in relations_called("有不良反应", shipped_vocabulary())]
    ['has_side_effect']
    """
    found: dict[tuple[str, bool], PredicateUse] = {}
    for form in _forms(relation_key(name)):
        for use in _uses(form, vocabulary):
            found.setdefault((use.predicate.name, use.inverted), use)
    return list(found.values())


def nearest_relation(name: str, vocabulary: Vocabulary, among: Collection[str]) -> str:
    """The name of one of these relations that is written most like this one; '' where none is.

    >>> from medweave.vocabulary.vocabulary import shipped_vocabulary
    >>> words = shipped_vocabulary()
    >>> nearest_relation("治疔", words, {"used_for"})
    '治疗'
    >>> nearest_relation("xyzzy", words, {"used_for"})
    ''
    """
    names = set(among)
    for each in (
        predicate for predicate in vocabulary.predicates.values() if predicate.name in among
    ):
        names.update(map(relation_key, (*each.aliases, *each.inverse, *each.labels.values())))
    names.update(called for called, uses in _asked().items() if any(p in among for p, _ in uses))
    names = {each for each in names if len(each) > 1}  # one character is like any other
    key = relation_key(name)
    likely = get_close_matches(key, sorted(names), 1, cutoff=_LIKE if key.isascii() else _LIKE_ZH)
    return next(iter(likely), "")


def _uses(key: str, vocabulary: Vocabulary) -> Iterator[PredicateUse]:
    if use := vocabulary.find(key) or vocabulary.asked_by(key):
        yield use
    for predicate, turned in _asked().get(key, ()):
        if predicate in vocabulary.predicates:
            yield PredicateUse(vocabulary.predicates[predicate], inverted=turned)


def _forms(key: str) -> Iterator[str]:
    """A name as it is, and without what may stand before or behind it."""
    yield key
    for language in LANGUAGES:
        rules = shipped_yaml("vocabulary", "relation_names.yaml")[language]
        shorter = re.sub(rules["behind"], "", key)
        for form in (shorter, re.sub(f"^{rules['before']}", "", key),
                     re.sub(f"^{rules['before']}", "", shorter)):  # fmt: skip
            if form and form != key:
                yield form


@cache
def _asked() -> dict[str, tuple[tuple[str, bool], ...]]:
    """By name: the relations that are asked for by it, and whether from their object."""
    found: dict[str, tuple[tuple[str, bool], ...]] = {}
    content = shipped_yaml("vocabulary", "relation_names.yaml")
    for language in LANGUAGES:
        for predicate, entry in content[language]["relations"].items():
            for part, turned in (("names", False), ("turned", True)):
                for name in map(relation_key, entry.get(part, ())):
                    found[name] = (*found.get(name, ()), (predicate, turned))
    return found
