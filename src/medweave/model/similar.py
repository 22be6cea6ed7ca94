"""What is asked of past dialogues, and those that are found, with why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args
from typing import Literal as OneOf

from medweave.errors import ConfigurationError
from medweave.model.json_form import json_of
from medweave.model.link_weight import BY_COSINE, LinkWeight

if TYPE_CHECKING:
    from medweave.model.answer import Answer, Danger

SimilarBy = OneOf["best", "equation9", "text", "hybrid"]
ScoreNorm = OneOf["none", "mean", "max"]
Direction = OneOf["both", "out"]


@dataclass(frozen=True, slots=True)
class SimilarHow:
    """How dialogues are compared with a message.

    `score_norm` is what equation 9 does with the terms of a dialogue: their sum, as it stands in
    the source and by which long dialogues win, their mean, or the greatest. `direction` says which
    links of a section count: those in either direction, or those that go out of it; the source has
    the latter, by which sections at the leaves of a tree have none, and count as 1.
    `hybrid` fuses equation 9 with full text, `best` the cosines of whole dialogues with full text.
    """

    ranking: SimilarBy = "best"
    score_norm: ScoreNorm = "none"
    direction: Direction = "both"
    weight: LinkWeight = BY_COSINE

    def __post_init__(self) -> None:
        """Raises `ConfigurationError` for what there is not."""
        for name, value, known in (
            ("ranking", self.ranking, get_args(SimilarBy)),
            ("score_norm", self.score_norm, get_args(ScoreNorm)),
            ("direction", self.direction, get_args(Direction)),
        ):
            if value not in known:
                raise ConfigurationError(
                    f"there is no {name} '{value}'",
                    where=name,
                    remedy=f"use one of {', '.join(known)}",
                )


SIMILAR_HOW = SimilarHow()
"""How dialogues are compared where nothing is set."""


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody writes, its sections (P of equation 8) and intents (I)."""

    text: str
    sections: Mapping[str, str]
    intents: tuple[str, ...] = ()
    language: str = "en"
    missing: tuple[str, ...] = ()
    """What could not be done in reading it."""


@dataclass(frozen=True, slots=True)
class MatchedSection:
    """One term of equation 9: a section of the message beside the same one of a dialogue."""

    section: str
    query: str
    """What the message says in this section."""
    text: str
    """What the dialogue says in it."""
    similarity: float
    """beta(u, n), from 0 to 1."""
    weight: float
    """That of the weightiest link of the section, from 0 to 1."""
    link: str = ""
    """The kind of that link, a predicate; '' where the section has none."""
    linked: str = ""
    """The dialogue at its other end; '' where that is the root of the section's own."""

    def to_json(self) -> dict[str, Any]:
        """As the contract has it."""
        return json_of(self, "section query text similarity weight [link] [linked]")


@dataclass(frozen=True, slots=True)
class MatchedWords:
    """Words that a message and a dialogue share, and the place that the dialogue has by them."""

    words: tuple[str, ...]
    place: int
    """From 1, the best, by full text."""
    sections: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Sections of the dialogue with those of the words that they have."""

    def to_json(self) -> dict[str, Any]:
        """As the contract lets it be."""
        by_section = {name: list(words) for name, words in self.sections}
        return {"words": list(self.words), "place": self.place, "sections": by_section}


@dataclass(frozen=True, slots=True)
class MatchedWhole:
    """How alike the whole message and the whole dialogue are."""

    similarity: float
    """From 0 to 1, as for sections."""
    place: int
    """From 1, the best, by this alone."""

    def to_json(self) -> dict[str, Any]:
        """As the contract lets it be."""
        return {"whole": True, "similarity": self.similarity, "place": self.place}


Why = MatchedSection | MatchedWords | MatchedWhole


@dataclass(frozen=True, slots=True)
class SimilarDialogue:
    """A dialogue that was found; `id` is as its record has it."""

    id: str
    document: str
    score: float
    why: tuple[Why, ...]

    def to_json(self) -> dict[str, Any]:
        """As the contract has it."""
        return json_of(self, "id score why")


@dataclass(frozen=True, slots=True)
class Similar:
    """Dialogues like a message, the best first."""

    dialogues: tuple[SimilarDialogue, ...]
    ranking: SimilarBy
    """What they were ranked by in the end: by words, where there was no other way."""
    sections: Mapping[str, str] = field(default_factory=dict)
    """P of equation 8: what the message says, by section."""
    intents: tuple[str, ...] = ()
    """I of equation 8: what the message asks for."""
    missing: tuple[str, ...] = ()
    """What could not be done, and what to do about it."""
    language: str = "en"
    """That of the message."""
    danger: tuple[Danger, ...] = ()
    """Signs of danger that the message tells; beside a crisis there are no dialogues."""
    emergency: str = ""
    """Whom to call at once, where a sign is there."""
    safety: Answer | None = None
    """What stops drugs that the dialogues name, for whoever writes; None where nothing does."""

    def to_json(self) -> dict[str, Any]:
        """As the contract has it, and more."""
        danger = [sign.to_json() for sign in self.danger]
        return (
            ({"danger": danger, "emergency": self.emergency} if danger else {})
            | json_of(self, "dialogues ranking sections intents missing")
            | {"stops": self.safety.stops_to_json() if self.safety else []}
        )
