"""Which of several things a name means, by what is asked: "side effects of MS" asks of a drug."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from medweave.model.question import Intent, Link, Meaning, Mention

LINK = Link("context", 0.8)


def possible_concepts(mentions: tuple[Mention, ...]) -> set[str]:
    """All kinds of things that names of a text may mean."""
    own = {mention.concept for mention in mentions}
    return own.union(meaning.concept for m in mentions for meaning in m.alternatives)


def wanted_concepts(
    intents: tuple[Intent, ...], about: Callable[[str], Collection[str]]
) -> set[str]:
    """What can be asked so: `about` gives the concepts that an intent can be asked of."""
    return {concept for intent in intents if intent.sure for concept in about(intent.label)}


def disambiguated(
    mentions: tuple[Mention, ...], wanted: Collection[str], name: Callable[[str], str]
) -> tuple[Mention, ...]:
    """Mentions with the meaning that can have what is asked for, where their first cannot.

    `wanted` are the concepts that can, `name` says what a thing is called. Where anything named can
    have it already, all stay as they are: "symptoms of a cold if I take nicotine" asks of the cold.
    """
    if not wanted or any(mention.concept in wanted for mention in mentions):
        return mentions
    return tuple(_as(mention, wanted, name) for mention in mentions)


def means(mention: Mention, meaning: Meaning, name: str) -> Mention:
    """A mention of another of the things that it may mean; those it was before remain possible."""
    others = (Meaning(mention.entity, mention.concept), *mention.alternatives)
    return replace(
        mention,
        entity=meaning.entity,
        concept=meaning.concept,
        name=name,
        link=LINK,
        alternatives=tuple(other for other in others if other != meaning),
    )


def _as(mention: Mention, wanted: Collection[str], name: Callable[[str], str]) -> Mention:
    meaning = next((m for m in mention.alternatives if m.concept in wanted), None)
    return mention if meaning is None else means(mention, meaning, name(meaning.entity))
