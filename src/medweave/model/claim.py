"""A claim of a text, and what a base has on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from medweave.model.answer import ALL_HEARD, Heard
from medweave.model.document import Document
from medweave.model.entity import Entity
from medweave.model.statement import SupportedStatement
from medweave.model.support_json import SupportForm

Reason = Literal["number", "negation", "relation", "entity", "direction", "dose", "unknown"]
Verdict = Literal["supported", "partly", "unsupported"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a text says: where it says it, and by which statements it is so.

    `reason` says what is wrong with a claim that nothing supports. Of such a claim `statements` are
    those that speak against it, where `denied`; where it is not, the base is silent.
    """

    text: str
    start: int
    end: int
    statements: tuple[str, ...] = ()
    reason: Reason | None = None
    denied: bool = False

    @property
    def supported(self) -> bool:
        """Whether the base has it as it is said."""
        return self.reason is None


@dataclass(frozen=True, slots=True)
class Verified:
    """The claims of a text, in its order, with all that they rest on or that denies them."""

    text: str
    claims: tuple[Claim, ...]
    statements: Mapping[str, SupportedStatement]
    entities: Mapping[str, Entity]
    documents: Mapping[str, Document]
    beliefs: Mapping[str, float]
    language: str = "en"
    heard: Heard = ALL_HEARD

    @property
    def verdict(self) -> Verdict:
        """`supported` only where all claims are, and there is one.

        >>> Verified("", (), {}, {}, {}, {}).verdict
        'unsupported'
        """
        supported = [claim.supported for claim in self.claims]
        if supported and all(supported):
            return "supported"
        return "partly" if any(supported) else "unsupported"

    def to_json(self) -> dict[str, Any]:
        """As `medweave verify` prints it."""
        form = SupportForm(
            self.statements, self.entities, self.documents, self.beliefs, self.language
        )
        return {
            "verdict": self.verdict,
            "claims": [self._claim(claim, form) for claim in self.claims],
            **form.to_json(),
            **self.heard.to_json(),
        }

    def _claim(self, claim: Claim, form: SupportForm) -> dict[str, Any]:
        evidence = [item for each in claim.statements for item in self.statements[each].evidence]
        return {
            "text": claim.text,
            "start": claim.start,
            "end": claim.end,
            "verdict": "supported" if claim.supported else "unsupported",
            "statements": form.keys(claim.statements),
            "evidence": form.evidence_keys(evidence),
            "reason": claim.reason,
            "denied": claim.denied,
        }
