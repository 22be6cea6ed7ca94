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

_WORD = re.compile(r"[^\W_]+(?:['’]\w+)?")
_IN_PATTERN = re.compile(r"(?<!\\)(?<!\?P<)[a-z]{2,}")


def unread_words(
    sentence: str,
    language: str,
    statements: Iterable[SupportedStatement],
    entities: Mapping[str, Entity],
) -> list[str]:
    """Words that no name, no form of a claim and no text of its statements has. Chinese is written
    without blanks, and not looked at.

    >>> unread_words("It is a symptom because vampires bite.", "en", (), {})
    ['because', 'vampires', 'bite']
    """
    if language == "zh":
        return []
    known = _words_of_forms(language) | set(_stems(_texts(statements, entities)))
    words = _WORD.findall(sentence.lower())
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
    rules = rules_of(language)
    patterns = [form.pattern.pattern for form in rules.forms]
    others = (rules.filler, rules.denying, rules.absolute, rules.first_line, rules.allergy,
              *rules.severity.values(), *rules.age.values())  # fmt: skip
    patterns += [each.pattern for each in others]
    return frozenset(_stems(" ".join(_IN_PATTERN.findall(each)) for each in patterns))
