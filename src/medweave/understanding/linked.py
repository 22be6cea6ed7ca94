"""A stretch of a text as a mention of what it is linked to."""

from __future__ import annotations

from typing import Any

from medweave.model.question import Link, Meaning, Mention
from medweave.vocabulary.dictionary import Match, Named
from medweave.vocabulary.knowledge import Knowledge


def linked(
    text: str, match: Match, link: Link, language: str, knowledge: Knowledge, **meant: Any
) -> Mention:
    """The mention of the best of what a match may be; the others are its alternatives.

    A name that only the lexicon knows may be another name of what the base has: "妊娠糖尿病" of
    what a source calls "gestational diabetes".

    `meant` is how it is meant: fields of `Mention`.
    """
    meanings = [_meaning(named, knowledge) for named in match.named]
    best, *others = meanings
    if not any(named.present for named in match.named):
        beside = set(knowledge.same(best.entity)) - {meaning.entity for meaning in meanings}
        others += [Meaning(one, best.concept) for one in sorted(beside)]
    return Mention(
        start=match.start,
        end=match.end,
        text=text[match.start : match.end],
        entity=best.entity,
        name=knowledge.entities.get(best.entity).name(language),
        concept=best.concept,
        link=link,
        alternatives=tuple(others),
        **meant,
    )


def _meaning(named: Named, knowledge: Knowledge) -> Meaning:
    """What a name stands for; its kind by all that the base says of it, if that tells."""
    concept = knowledge.entities.get(named.entity).concept
    return Meaning(named.entity, concept if concept != "thing" else named.concept)
