"""What a run has measured, and its form in JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any, Literal

FORM = 1
"""Raised when the meaning of the JSON changes."""
Better = Literal["lower", "higher"]


@dataclass(frozen=True, slots=True)
class Series:
    """What one system measured, or why it could not."""

    name: str
    version: str = ""
    samples: tuple[float, ...] = ()
    reason: str = ""

    @property
    def median(self) -> float | None:
        """The middle of the samples."""
        return median(self.samples) if self.samples else None

    def to_json(self) -> dict[str, Any]:
        """The stable form: figures of no samples are null."""
        return {
            "name": self.name,
            "version": self.version,
            "samples": list(self.samples),
            "median": self.median,
            "p95": percentile(self.samples, 95),
            "low": min(self.samples, default=None),
            "high": max(self.samples, default=None),
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Target:
    """What we aim for: the median, and the 95th percentile where one is promised."""

    text: str
    median: float
    p95: float | None = None

    def met(self, ours: Series, better: Better) -> bool | None:
        """Whether the samples reach it; None where there are none."""
        middle, high = ours.median, percentile(ours.samples, 95)
        if middle is None or high is None:
            return None
        if better == "higher":
            return middle >= self.median
        return middle < self.median and (self.p95 is None or high < self.p95)


@dataclass(frozen=True, slots=True)
class Row:
    """One measured thing, ours beside its peers, from interleaved repeats."""

    group: str
    what: str
    size: int
    """Statements in the base; 0 where there is none."""
    unit: str
    ours: Series
    peers: tuple[Series, ...] = ()
    target: Target | None = None
    better: Better = "lower"
    note: str = ""
    facts: dict[str, Any] = field(default_factory=dict)

    def with_facts(self, **facts: Any) -> Row:
        """The same row, with more said about it."""
        return replace(self, facts={**self.facts, **facts})

    def to_json(self) -> dict[str, Any]:
        """The stable form."""
        target = self.target and {
            "text": self.target.text,
            "median": self.target.median,
            "p95": self.target.p95,
            "met": self.target.met(self.ours, self.better),
        }
        return {
            "group": self.group,
            "what": self.what,
            "size": self.size,
            "unit": self.unit,
            "better": self.better,
            **self.ours.to_json(),
            "peers": [{**peer.to_json(), "ratio": self.ratio(peer)} for peer in self.peers],
            "target": target,
            "note": self.note,
            "facts": self.facts,
        }

    def ratio(self, peer: Series) -> float | None:
        """How many times better ours is than a peer: above 1 we lead, below 1 it does."""
        ours, its = self.ours.median, peer.median
        if ours is None or its is None or not ours or not its:
            return None
        return its / ours if self.better == "lower" else ours / its


def percentile(samples: Sequence[float], percent: int) -> float | None:
    """The nearest-rank percentile: the least sample that so many per cent do not exceed.

    >>> percentile([1.0, 2.0, 3.0, 4.0], 50), percentile([], 50)
    (2.0, None)
    """
    if not samples:
        return None
    return sorted(samples)[max(0, -(-len(samples) * percent // 100) - 1)]
