"""Where a sentence names things, and whether the base or a language model brought them in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from medweave.model.answer import Sentence
    from medweave.model.entity import Entity


def terms_of(
    sentence: Sentence, things: Mapping[str, Entity], language: str
) -> list[dict[str, Any]]:
    """The terms of a sentence by place; where names overlap, the longest. The form of `terms`.

    What a model added is marked as its own; of what the base has nothing of, the `id` is null.
    """
    text = sentence.text
    lowered = text.lower()
    added = {term.thing: term.name for term in sentence.added}
    names: list[tuple[str, str | None, str]] = [
        (name, each, "model" if each in added else "graph")
        for each in things
        for name in _names(things[each], language)
    ]
    names += [(name, None, "model") for each, name in added.items() if each == name]
    if len(lowered) != len(text):
        lowered = text
    taken = bytearray(len(text))
    found = []
    for name, each, origin in sorted(names, key=lambda one: (-len(one[0]), one[0])):
        for start, end in _places(name.lower(), lowered):
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                found.append({"start": start, "end": end, "id": each, "origin": origin})
    return sorted(found, key=lambda one: one["start"])


def _names(entity: Entity, language: str) -> Iterator[str]:
    yield entity.name(language)
    yield from entity.all_names()


def _places(name: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a name stands as a word of its own; in Chinese, words have no ends."""
    start = text.find(name) if name else -1
    while start >= 0:
        end = start + len(name)
        before, behind = text[start - 1 : start], text[end : end + 1]
        joined = _is_letter(before) and _is_letter(name[0])
        if not (joined or (_is_letter(behind) and _is_letter(name[-1]))):
            yield start, end
        start = text.find(name, end)


def _is_letter(sign: str) -> bool:
    return sign.isascii() and sign.isalnum()
