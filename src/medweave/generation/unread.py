"""Words of a sentence that neither its claims nor what they rest on account for.

What a sentence says besides what was read in it was held against nothing: "because vampires bite".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from medweave.claims.rules import rules_of
from medweave.language.segmentation import stop_keys
from medweave.language.stems import stem_of
from medweave.model.entity import Entity
from medweave.model.statement import Literal, SupportedStatement

_HAN = re.compile(r"[\u4e00-\u9fff]")
_WORD = re.compile(r"[^\W_]+(?:['’]\w+)?")
_OF_DOSES = frozenset({"per", "given", "mg", "kg", "ml", "daily"})
"""Doses are read by their own rules."""
_IN_PATTERN = re.compile(r"(?<!\\)(?<!\?P<)[a-z]{2,}")


def unread_words(
    sentence: str,
    language: str,
    statements: Iterable[SupportedStatement],
    entities: Mapping[str, Entity],
    names: Iterable[str] = (),
) -> list[str]:
    """Words that no name, no form of a claim and no text of its statements has. In Chinese, which
    is written without blanks, they are signs. `names` are those by which it calls its things.

    >>> unread_words("It is a symptom because vampires bite.", "en", (), {})
    ['vampires', 'bite']
    """
    texts = [*_texts(statements, entities), *names]
    if language == "zh":
        read = _signs_of_forms() | set("".join(texts))
        return [sign for sign in sentence if _HAN.match(sign) and sign not in read]
    known = _words_of_forms(language) | set(_stems(texts))
    words = _WORD.findall(sentence.lower())
    known |= _OF_DOSES
    return [word for word in words if word not in stop_keys() and not _is_known(word, known)]


def _is_known(word: str, known: frozenset[str] | set[str]) -> bool:
    return word in known or stem_of(word) in known or word.isdigit()


def _texts(
    statements: Iterable[SupportedStatement], entities: Mapping[str, Entity]
) -> Iterable[str]:
    for each in statements:
        for thing in each.statement.entities:
            yield from entities[thing].all_names() if thing in entities else ()
        if isinstance(each.statement.object, Literal):
            yield str(each.statement.object.value)
        yield from (str(value) for _, value in each.statement.qualifiers)
        yield from (item.quote for item in each.evidence)


def _stems(texts: Iterable[str]) -> Iterable[str]:
    for text in texts:
        for word in _WORD.findall(text.lower()):
            yield word
            yield stem_of(word)


@cache
def _words_of_forms(language: str) -> frozenset[str]:
    """Words by which the rules read a claim, and those that they pass over."""
    return frozenset(_stems(" ".join(_IN_PATTERN.findall(each)) for each in _patterns(language)))


@cache
def _signs_of_forms() -> frozenset[str]:
    return frozenset("".join(_patterns("zh")))


def _patterns(language: str) -> list[str]:
    rules = rules_of(language)
    patterns = [form.pattern.pattern for form in rules.forms]
    others = (rules.filler, rules.denying, rules.absolute, rules.first_line, rules.allergy,
              *rules.severity.values(), *rules.age.values())  # fmt: skip
    return [*patterns, *(each.pattern for each in others)]
