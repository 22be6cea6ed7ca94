"""What a guideline says to a question in free text, with all that was found on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from medweave.model.assessment import STANDS, Assessment, ClassificationResult
from medweave.model.json_form import json_of


@dataclass(frozen=True, slots=True)
class FoundObservation:
    """An observation that a text led to: by what it says (`understood`), words, or meaning."""

    observation: str
    label: str
    how: str
    score: float
    text: str = ""

    def to_json(self) -> dict[str, Any]:
        """One of `observations` of a search result."""
        return json_of(self, "observation label how score text?") | {"score": round(self.score, 4)}


@dataclass(frozen=True, slots=True)
class FoundClassification:
    """A classification that was found, and whether logic kept it."""

    result: ClassificationResult
    source: str
    observations: tuple[FoundObservation, ...]
    kept: bool
    reason: str

    def to_json(self) -> dict[str, Any]:
        """One of `relevant_search_results`."""
        return json_of(
            self,
            "classification=result.id label=result.label condition=result.condition "
            "status=result.status kept reason source observations",
        )


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence and the rule that it rests on."""

    text: str
    classification: str
    source: str

    def to_json(self) -> dict[str, Any]:
        """One of `claims`."""
        return json_of(self, "text classification source")


@dataclass(frozen=True, slots=True)
class GuidelineAnswer:
    """The answer to a question in free text, with all that was found on the way."""

    explanation: str
    claims: tuple[Claim, ...]
    results: tuple[FoundClassification, ...]
    assessment: Assessment
    way_on: str = ""
    """The command that asks the rest, where one finding decides nothing; '' where something
    stands."""
    to_parent: bool = False
    """Whether whoever has the child asks: what is given before a journey is for a health worker."""

    @property
    def goes_now(self) -> bool:
        """Whether a child is to be brought now by whoever asks, who waits for no medicine."""
        return self.to_parent and bool(self.assessment.refer)

    @property
    def stands(self) -> bool:
        """Whether any claim is of a classification that stands."""
        claimed = {claim.classification for claim in self.claims}
        return any(
            each.id in claimed and each.status in STANDS for each in self.assessment.classifications
        )

    @property
    def answer(self) -> str:
        """The claims as one paragraph."""
        return " ".join(claim.text for claim in self.claims)

    def to_json(self) -> dict[str, Any]:
        """`explanation`, `answer` and `relevant_search_results`, beside the Assessment's own."""
        return self.assessment.to_json() | json_of(
            self, "explanation answer claims relevant_search_results=results way_on?"
        )
