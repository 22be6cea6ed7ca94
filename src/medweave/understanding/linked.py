"""A stretch of a text as a mention of what it is linked to, before it is read how it is meant."""

from __future__ import annotations

from medweave.model.question import Link, Mention
from medweave.vocabulary.dictionary import Match
from medweave.vocabulary.knowledge import Knowledge


def linked(text: str, match: Match, link: Link, language: str, knowledge: Knowledge) -> Mention:
    """The mention of the best of what a match may be; the others are its alternatives."""
    best, *others = match.named
    entity = knowledge.entities.get(best.entity)
    return Mention(
        start=match.start,
        end=match.end,
        text=text[match.start : match.end],
        entity=best.entity,
        name=entity.name(language),
        concept=entity.concept if entity.concept != "thing" else best.concept,
        link=link,
        alternatives=tuple(named.entity for named in others),
    )
