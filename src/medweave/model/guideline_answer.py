"""What a guideline says to a question in free text, with all that was found on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from medweave.model.assessment import STANDS, Assessment, ClassificationResult


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
        return {
            "observation": self.observation,
            "label": self.label,
            "how": self.how,
            "score": round(self.score, 4),
            "text": self.text or None,
        }


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
        return {
            "classification": self.result.id,
            "label": self.result.label,
            "condition": self.result.condition,
            "status": self.result.status,
            "kept": self.kept,
            "reason": self.reason,
            "source": self.source,
            "observations": [each.to_json() for each in self.observations],
        }


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence and the rule that it rests on."""

    text: str
    classification: str
    source: str

    def to_json(self) -> dict[str, Any]:
        """One of `claims`."""
        return {
            "text": self.text,
            "classification": self.classification,
            "source": self.source,
        }


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
        return {
            **self.assessment.to_json(),
            "explanation": self.explanation,
            "answer": self.answer,
            "claims": [claim.to_json() for claim in self.claims],
            "relevant_search_results": [each.to_json() for each in self.results],
            "way_on": self.way_on or None,
        }
