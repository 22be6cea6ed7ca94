"""How evidence speaks, as the one text that every store keeps of it, and the evidence out of that.

Of a source most evidence speaks alike, so a store keeps the text once, and it is read once.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from medweave.model.identifiers import canonical_json
from medweave.model.statement import Evidence, Place


def manner_of(evidence: Evidence) -> str:
    """How evidence speaks, apart from where and what it says, as canonical JSON: numbers as they
    were written, which the hash needs."""
    return canonical_json(
        [
            evidence.evidence_class,
            evidence.polarity,
            evidence.strength,
            evidence.confidence,
            evidence.knowledge_level,
            evidence.agent_type,
            evidence.method,
        ]
    )


def evidence_that_speaks(
    manner: str,
    *,
    statement: str,
    document: str,
    place: Place,
    quote: str,
    cites: str | None,
    premises: str | None,
    activity: str,
) -> Evidence:
    """The evidence of a manner; `cites` and `premises` are JSON, None or '' for none."""
    of_class, polarity, strength, confidence, level, agent, method = _read(manner)
    return Evidence(
        statement=statement,
        document=document,
        place=place,
        quote=quote,
        evidence_class=of_class,
        polarity=polarity,
        strength=strength,
        confidence=confidence,
        knowledge_level=level,
        agent_type=agent,
        method=method,
        cites=tuple(json.loads(cites)) if cites else (),
        premises=tuple(json.loads(premises)) if premises else (),
        activity=activity,
    )


@lru_cache(maxsize=1024)
def _read(manner: str) -> tuple[Any, ...]:
    return tuple(json.loads(manner))
