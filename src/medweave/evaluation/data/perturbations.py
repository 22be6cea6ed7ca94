"""The same items said otherwise: in capitals, in other words, with a typing error.

What an item is about stays the same, and so does what is right. Chance is seeded by the item, so
the same seed makes the same errors whatever else is evaluated.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from medweave.errors import ConfigurationError
from medweave.evaluation.items import Item
from medweave.language.data import shipped_yaml

SHORTEST = 5
"""Letters of the words in which typing errors are made."""
_LONG_WORD = re.compile(rf"[A-Za-z]{{{SHORTEST},}}")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_BETWEEN_WORDS = re.compile(r"(?<=\w)['’](?=\w)")
_PUNCTUATION = re.compile(r"[^\w\s]|_")
_GROUPS = {"case": ("upper", "lower", "title"), "all": ()}

Perturbation = Callable[[str, random.Random], str]


def upper(text: str, _: random.Random) -> str:
    """Everything in capitals; what would become two letters stays."""
    return "".join(_one(c, c.upper()) for c in text)


def lower(text: str, _: random.Random) -> str:
    """No capitals."""
    return "".join(_one(c, c.lower()) for c in text)


def title(text: str, chance: random.Random) -> str:
    """Each word with a capital in front, and no others."""

    def word(found: re.Match[str]) -> str:
        return upper(found[0][0], chance) + lower(found[0][1:], chance)

    return _WORD.sub(word, text)


def unpunctuated(text: str, _: random.Random) -> str:
    """Without punctuation; an apostrophe within a word leaves no gap.

    >>> unpunctuated("I don't cough, really!", random.Random(0))
    'I dont cough  really '
    """
    return _PUNCTUATION.sub(" ", _BETWEEN_WORDS.sub("", text))


def reworded(text: str, chance: random.Random) -> str:
    """Said in other words of the same meaning, as far as a table has some; names stay.

    >>> reworded("Which drugs treat gout?", random.Random(1))
    'Tell me which medicines are prescribed for gout?'
    """
    for pattern, others in _wordings():
        text = pattern.sub(partial(_any_of, others, chance), text)
    return text


def _any_of(others: Sequence[str], chance: random.Random, _: re.Match[str]) -> str:
    return chance.choice(others)


def typo(text: str, chance: random.Random) -> str:
    """One typing error in a word of five letters or more: swapped, dropped, doubled, or beside it.

    A word keeps its first letter, as people mostly get that right.
    """
    words = list(_LONG_WORD.finditer(text))
    if not words:
        return text
    word = chance.choice(words)
    error = chance.choice((_swapped, _dropped, _doubled, _beside))
    return text[: word.start()] + error(word.group(), chance) + text[word.end() :]


def _swapped(word: str, chance: random.Random) -> str:
    places = [at for at in range(1, len(word) - 1) if word[at] != word[at + 1]]
    if not places:  # "aaaaa": nothing to swap
        return _dropped(word, chance)
    at = chance.choice(places)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _dropped(word: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(word))
    return word[:at] + word[at + 1 :]


def _doubled(word: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(word))
    return word[:at] + word[at] + word[at:]


def _beside(word: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(word))
    key = chance.choice(_neighbours()[word[at].lower()])
    return word[:at] + (key.upper() if word[at].isupper() else key) + word[at + 1 :]


KINDS: Mapping[str, Perturbation] = {
    "upper": upper,
    "lower": lower,
    "title": title,
    "unpunctuated": unpunctuated,
    "reworded": reworded,
    "typo": typo,
}
"""By the name that a slice has."""


def kinds_of(named: str) -> tuple[str, ...]:
    """The kinds that an option names, parted by commas; `case` and `all` are several.

    >>> kinds_of("case,typo")
    ('upper', 'lower', 'title', 'typo')

    Raises `ConfigurationError` for a name that is none.
    """
    found: dict[str, None] = {}
    for name in filter(None, (part.strip() for part in named.split(","))):
        kinds = KINDS if name == "all" else _GROUPS.get(name, (name,))
        if not set(kinds) <= set(KINDS):
            raise ConfigurationError(
                f"there is no perturbation '{name}'",
                where="--perturb",
                remedy=f"take {', '.join((*KINDS, *_GROUPS))}",
            )
        found.update(dict.fromkeys(kinds))
    return tuple(found)


def perturbed(items: Sequence[Item], kind: str, *, seed: int) -> list[Item]:
    """The items with their texts changed, and their slice called by the kind of the change.

    What a mention asked about is keeps its letters, unless all of the text changes case.
    """
    change = KINDS[kind]
    chances = (random.Random(f"{seed} {kind} {item.id}") for item in items)  # noqa: S311
    return [
        _changed(item, change, chance, kind) for item, chance in zip(items, chances, strict=True)
    ]


def _changed(item: Item, change: Perturbation, chance: random.Random, kind: str) -> Item:
    if item.span is None:
        return replace(item, text=change(item.text, chance), slice=kind)
    start, end = item.span
    before, name, after = item.text[:start], item.text[start:end], item.text[end:]
    if kind == "typo":
        before, after = _typo_around(before, after, chance)
    elif kind == "reworded":
        before, after = (change(part, chance) for part in (before, after))
    else:
        before, name, after = (change(part, chance) for part in (before, name, after))
    span = (len(before), len(before) + len(name))
    return replace(item, text=before + name + after, span=span, slice=kind)


def _typo_around(before: str, after: str, chance: random.Random) -> tuple[str, str]:
    """A typing error before or behind a mention, by how many words there are."""
    words = [len(_LONG_WORD.findall(part)) for part in (before, after)]
    if chance.randrange(sum(words) or 1) < words[0]:
        return typo(before, chance), after
    return before, typo(after, chance)


def _one(character: str, changed: str) -> str:
    return changed if len(changed) == 1 else character


@cache
def _wordings() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    held = shipped_yaml("evaluation", "data", "perturbations.yaml")["wordings"]
    return tuple((re.compile(words), tuple(others)) for words, others in held)


def _neighbours() -> dict[str, str]:
    held: dict[str, str] = shipped_yaml("evaluation", "data", "perturbations.yaml")["neighbours"]
    return held
