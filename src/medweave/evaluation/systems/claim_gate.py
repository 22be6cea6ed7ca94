"""The claim gate: a sentence is supported only where all its claims are."""

from __future__ import annotations

from collections.abc import Callable

from medweave.evaluation.items import Item, Ranked
from medweave.model.claim import Verified


class ClaimGate:
    """Holds each sentence against a base, as `medweave verify` does."""

    def __init__(self, verify: Callable[[str], Verified]) -> None:
        self._verify = verify

    def rank(self, item: Item) -> Ranked:
        """One label: what is supported in part is unsupported."""
        whole = self._verify(item.text).verdict == "supported"
        return Ranked(("supported" if whole else "unsupported",), 1.0)
