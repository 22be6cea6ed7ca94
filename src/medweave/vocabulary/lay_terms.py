"""What people say for findings, diseases and medicines: lay wording and the names it stands for.

A lay wording is no name of a thing: "threw up" stands for whatever a base calls vomiting. So it
has a list of names, which are looked for in order, and it means nothing where none is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from medweave.errors import VocabularyError
from medweave.language.data import line_at, read_yaml, shipped
from medweave.language.folding import fold, name_key, singular
from medweave.language.prefilter import Prefilter, Requirements, grouped, required_words
from medweave.vocabulary.stretches import WORD, words_of

_SHORTHAND = re.compile(r"<([^<>]*)>")
_TWO_WORDS = re.compile(rf"(?:{WORD})(?:\s*(?:{WORD}))?")
_MARK = re.compile(r"[()|]")
_DEEPER = {"(": 1, ")": -1}
_OF_BEGINNING = 2
"""So many words are the beginning of a wording."""
_ENDING = re.compile("ies$|(?<=[cs]h)es$|(?<=x)es$|(?<=ss)es$|s$|y$")
"""In what one word is in the singular and in the plural can differ; see `folding.singular`."""


Terms = Mapping[str, tuple[str, ...]]
"""By the key of a wording, the keys of its names, to be tried in order.

A wording without names means nothing, and keeps a shorter one inside it from being heard.
"""


@dataclass(frozen=True, slots=True)
class LayTerms:
    """The lay terms that ship, each language's read when it is first met, and a user's own."""

    own: Terms = field(default_factory=dict)
    """These take the place of those that ship."""

    def terms(self, text: str) -> tuple[Terms, ...]:
        """The terms of which a folded text may have some, to look a wording up in, in this order.

        Of those that ship, wordings are written out when a text has a word they need: there are
        more than twenty thousand ways of saying what a text says in one or two.
        """
        languages = ("en",) if text.isascii() else ("en", "zh")
        shipped_ones = tuple(_terms_in(text, language) for language in languages)
        return (self.own, *shipped_ones) if self.own else shipped_ones


def load_lay(text: str, *, where: str) -> Terms:
    """The lay terms of a YAML text.

    >>> load_lay("terms: [{names: [vomiting], said: [(throw|threw) up]}]", where="own.yaml")
    {'throw up': ('vomiting',), 'threw up': ('vomiting',)}

    Raises `VocabularyError`, with the line, where an entry is wrong, or one wording is said to
    mean two things.
    """
    return {key: names for key, (names, _) in _read(text, where).items()}


_Wording = tuple[str, tuple[str, ...]]
"""A wording with its choices, its shorthand written out, and the keys of its names."""


def _terms_in(text: str, language: str) -> Terms:
    """Of the wordings that a text may have those ways of saying them that begin as it goes on.

    One wording may be said in a million ways, and a text begins hardly any of them.
    """
    found: dict[str, tuple[str, ...]] = {}
    wordings = _by_word(language).of(text)
    beginnings = _beginnings(text) if wordings else set()
    for wording, names in wordings:
        parts = _by_beginning(wording)
        for beginning in parts.keys() & beginnings:
            for part in parts[beginning]:
                found.update(dict.fromkeys(_keys(part), names))
    return found


def _beginnings(text: str) -> set[str]:
    """Any two words in a row of a folded text, and one, as written and as a key would have them."""
    words = words_of(text)
    ends = [end for _, end in words]
    written = {
        text[start:end] for place, (start, _) in enumerate(words) for end in ends[place : place + 2]
    }
    return written.union(map(singular, written))


@cache
def _by_word(language: str) -> Prefilter[_Wording]:
    """The wordings that ship by the words they need."""
    ours = _shipped_wordings(language)
    return Prefilter((wording, _cut(required_words(wording[0]))) for wording in ours)


@cache
def _shipped_wordings(language: str) -> tuple[_Wording, ...]:
    """The wordings that ship; that they are right, tests have shown."""
    text = shipped("vocabulary", "lay", f"{language}.yaml").read_text("utf-8")
    content = read_yaml(text, where=language)
    return tuple(
        (_plain(wording, content["shorthand"]), tuple(map(name_key, entry["names"])))
        for entry in content["terms"]
        for wording in entry["said"]
    )


def wordings(language: str) -> Iterator[str]:
    """The wordings that ship for a language, folded, with their choices."""
    return (wording for wording, _ in _shipped_wordings(language))


@cache
def other_names(language: str) -> Mapping[str, tuple[str, ...]]:
    """By the key of the first name of a lay term that ships, the keys of all its names.

    >>> other_names("en")["nocturia"][-1]
    'frequent urination'
    """
    found: dict[str, tuple[str, ...]] = {}
    for _, names in _shipped_wordings(language):
        found.setdefault(names[0] if names else "", names)
    return found


def _cut(needs: Requirements) -> Requirements:
    """What a text must have for a wording: a word may stand there in the singular or the plural.

    Choices are written as expressions write them.
    """
    cut = (frozenset(_ENDING.sub("", word) for word in words) for words in needs)
    return tuple(words for words in cut if "" not in words)


@cache
def _by_beginning(wording: str) -> dict[str, list[str]]:
    """The parts of a wording by their first two words, or the only one.

    A part has some of its choices still, but none that its beginning depends on.
    """
    found = []
    waiting = [f"({wording})"]
    while waiting:
        part = waiting.pop()
        plain = " ".join(part.partition("(")[0].split())
        if "(" not in part:
            found.append((_beginning(singular(plain)), part))
        elif len(words_of(plain)) > _OF_BEGINNING:
            found.append((_beginning(plain), part))
        else:
            waiting += _first_choices(part)
    return grouped(found)


def _first_choices(wording: str) -> Iterator[str]:
    """A wording with its first choice made, in each way.

    >>> list(_first_choices("a (sore (red |)|raw) throat"))
    ['a sore (red |) throat', 'a raw throat']
    """
    before, _, rest = wording.partition("(")
    depth, bounds = 1, [-1]
    for mark in _MARK.finditer(rest):
        depth += _DEEPER.get(mark.group(), 0)
        if depth == 0 or (depth == 1 and mark.group() == "|"):
            bounds.append(mark.start())
        if depth == 0:
            break
    for start, end in pairwise(bounds):
        yield before + rest[start + 1 : end] + rest[bounds[-1] + 1 :]


@cache
def _keys(part: str) -> tuple[str, ...]:
    """The keys of a part of a wording."""
    return tuple(map(singular, _written_out(part)))


def _beginning(key: str) -> str:
    found = _TWO_WORDS.match(key)
    return found.group() if found else ""


def lay_terms(path: str = "") -> LayTerms:
    """The lay terms that ship, with those of a user's file; '' stands for no file.

    Raises `VocabularyError` where the file cannot be read, or an entry of it is wrong.
    """
    if not path:
        return LayTerms()
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise VocabularyError(
            "these lay terms cannot be read", where=path, remedy="give a UTF-8 YAML file"
        ) from error
    return LayTerms(load_lay(text, where=path))


_Place = tuple[str | int, ...]
"""The way to a value in a file: `("terms", 3, "said", 0)`."""


def _read(text: str, where: str) -> dict[str, tuple[tuple[str, ...], _Place]]:
    """By key of a wording, the keys of its names, and where it stands."""
    content = read_yaml(text, where=where)
    found: dict[str, tuple[tuple[str, ...], _Place]] = {}
    place: _Place = ()
    try:
        terms = _list(content.get("terms"), "terms")
        for at, entry in enumerate(terms):
            place = ("terms", at)
            names, wordings = _entry(entry)
            for number, wording in enumerate(wordings):
                place = ("terms", at, "said", number)
                told = (names, place)  # one for all of them: there may be a million
                for form in forms(wording, content.get("shorthand") or {}):
                    if found.setdefault(singular(form), told)[0] != names:
                        other = found[singular(form)][0]
                        raise _SlipError(f"'{form}' also means {', '.join(other) or 'nothing'}")
    except _SlipError as slip:
        line = f" line {line_at(text, *place)}" if place else ""
        raise VocabularyError(
            str(slip),
            where=f"{where}{line}",
            remedy="write entries as {names: [vomiting], said: [(throw|threw) up]}",
        ) from slip
    return found


class _SlipError(Exception):
    """What is wrong with an entry; where it stands is said by who reads the file."""


def _entry(entry: Any) -> tuple[tuple[str, ...], list[str]]:
    if not isinstance(entry, dict) or set(entry) != {"names", "said"}:
        raise _SlipError("an entry must have 'names' and 'said', and nothing else")
    names, wordings = (_list(entry[part], part) for part in ("names", "said"))
    if not all(isinstance(text, str) and text.strip() for text in (*names, *wordings)):
        raise _SlipError("names and wordings must be texts; words such as no need quotes")
    return tuple(name_key(name) for name in names), wordings


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise _SlipError(f"'{name}' must be a list")
    return value


def forms(wording: str, shorthand: Mapping[str, str]) -> Iterator[str]:
    """All ways of saying a wording, folded; choices may stand in choices.

    >>> list(forms("<my> (sore |)back", {"my": "(my|the)"}))
    ['my sore back', 'my back', 'the sore back', 'the back']
    """
    for name in _SHORTHAND.findall(wording):
        if not isinstance(shorthand.get(name), str):
            raise _SlipError(f"there is no shorthand '{name}'")
    made = _written_out(_plain(wording, shorthand))
    if not made:
        raise _SlipError(f"'{wording}' cannot be read: choices are written (one|other)")
    yield from made


def _plain(wording: str, shorthand: Mapping[str, str]) -> str:
    """A wording with its shorthand written out, folded."""
    return fold(_SHORTHAND.sub(lambda found: shorthand[found.group(1)], wording)).text


def _written_out(text: str) -> tuple[str, ...]:
    """All ways of saying a folded wording without shorthand; none where it cannot be read."""
    made, end = _choices(text, 0)
    if end < len(text) or text.count("(") != text.count(")") or not all(map(str.strip, made)):
        return ()
    return tuple(dict.fromkeys(" ".join(form.split()) for form in made))


def _choices(text: str, at: int) -> tuple[list[str], int]:
    """All that may stand from a place to the end of the choice it is in, and where that is."""
    found: list[str] = []
    so_far = [""]
    while at < len(text) and text[at] != ")":
        if text[at] == "(":
            inner, at = _choices(text, at + 1)
            so_far = [left + right for left in so_far for right in inner]
        elif text[at] == "|":
            found, so_far = found + so_far, [""]
        else:
            end = _plain_until(text, at)
            so_far = [left + text[at:end] for left in so_far]
            at = end - 1
        at += 1
    return found + so_far, at


def _plain_until(text: str, at: int) -> int:
    found = _MARK.search(text, at)
    return found.start() if found else len(text)
