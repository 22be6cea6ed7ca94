"""Words of a claim that its form does not read: they say more than what was held against a base.

"Warfarin is a harmless drug that interacts with aspirin" claims an interaction, and more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from medweave.claims.rules import Form, Pattern, Rules
from medweave.language.segmentation import stop_keys
from medweave.language.stems import stem_of

_WORD = re.compile(r"[^\W\d_]+(?:['’]\w+)?")
_IN_PATTERN = re.compile(r"(?<!\\)(?<!\?P<)[a-z]{2,}")
_HAN = re.compile(r"[\u4e00-\u9fff]+")


def words_beside(text: str, form: Form, rules: Rules) -> tuple[str, ...]:
    """The words of a text, its names overwritten, that neither its own form nor a rule has."""
    if rules.language == "zh":
        return _signs_beside(text, form, rules)
    known = _words_in(tuple(_patterns(form, rules)))
    return tuple(
        word
        for word in _WORD.findall(text.lower())
        if not (
            set(word.partition("'")[0]) <= {"x"}
            or word in known
            or stem_of(word) in known
            or word in stop_keys()
            or rules.filler.match(word)
        )
    )


def _signs_beside(text: str, form: Form, rules: Rules) -> tuple[str, ...]:
    """The same of a text without blanks: the words of its form are cut out, longest first."""
    own = sorted({sign for each in _patterns(form, rules) for sign in _signs_in(each)}, key=len)
    for sign in reversed(own):
        text = text.replace(sign, " ")
    return tuple(each for each in _HAN.findall(text) if not rules.filler.match(each))


def _patterns(form: Form, rules: Rules) -> Iterator[Pattern]:
    """What may stand in a claim: words of all forms of its relation, and of whom and when it is."""
    yield form.pattern
    yield from (each.pattern for each in rules.forms if each.relation.name == form.relation.name)
    yield from (*rules.age.values(), *rules.weeks.values(), *rules.severity.values())
    yield from (rules.first_line, rules.allergy, rules.denying, rules.opening)


@lru_cache(maxsize=1024)
def _signs_in(pattern: Pattern) -> frozenset[str]:
    """The words of a form, with each of its signs that may be missing or is one of several."""
    written = pattern.pattern
    some = {*_HAN.findall(written), *_HAN.findall(_without_optional(written))}
    some |= {sign for each in re.findall(r"\[([^\]]*)\]", written) for sign in each}
    return frozenset(each for each in some if _HAN.fullmatch(each))


@lru_cache(maxsize=1024)
def _words_in(patterns: tuple[Pattern, ...]) -> frozenset[str]:
    written = [each.pattern.lower() for each in patterns]
    written += [each.replace("?", "") for each in written] + [*map(_without_optional, written)]
    words = [word for each in written for word in _IN_PATTERN.findall(each)]
    return frozenset({*words, *map(stem_of, words)})


def _without_optional(written: str) -> str:
    return re.sub(r"\w\?", "", written)
