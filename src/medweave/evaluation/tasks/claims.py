"""The task `claims`: is what a sentence says supported by a base?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from medweave.evaluation.items import Item, Ranked, Trainer
from medweave.evaluation.measures.classification import Measure, right, share, share_of
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.systems.baselines import Majority
from medweave.evaluation.task import Request, register
from medweave.language.segmentation import index_terms
from medweave.model.claim import Verified
from medweave.model.statement import Literal, SupportedStatement
from medweave.vocabulary.knowledge import Knowledge

SUPPORTED, UNSUPPORTED = "supported", "unsupported"


class ClaimGate:
    """Holds each sentence against a base, as `medweave verify` does."""

    def __init__(self, verify: Callable[[str], Verified]) -> None:
        self._verify = verify

    def rank(self, item: Item) -> Ranked:
        """One label: what is supported in part is unsupported."""
        whole = self._verify(item.text).verdict == "supported"
        return Ranked(("supported" if whole else "unsupported",), 1.0)


class TokenOverlap:
    """The share of a sentence's words that one record of a thing it names has: its names, its
    predicate in words, its qualifiers or its text. The threshold is the best on the items."""

    def __init__(self, knowledge: Knowledge, items: Sequence[Item]) -> None:
        self._knowledge = knowledge
        self._scores = {item.id: self._score(item.text) for item in items}
        labelled = [(self._scores[i.id], i.expected[0] == "supported") for i in items]

        def right(threshold: float) -> int:
            return sum((score >= threshold) == supported for score, supported in labelled)

        thresholds = sorted({score for score, _ in labelled} | {2.0})
        self.threshold = max(thresholds, key=right)

    def rank(self, item: Item) -> Ranked:
        """Supported from the threshold on."""
        score = self._scores[item.id]
        return Ranked(("supported" if score >= self.threshold else "unsupported",), score)

    def _score(self, text: str) -> float:
        words = set(index_terms(text))
        store = self._knowledge.store
        things = {match.named[0].entity for match in self._knowledge.dictionary.find(text)}
        found = [s for thing in sorted(things) for s in store.match(thing)]
        found += [s for thing in sorted(things) for s in store.match(None, None, thing)]
        shares = (len(words & self._words(each)) / len(words) for each in found if words)
        return max(shares, default=0.0)

    def _words(self, supported: SupportedStatement) -> set[str]:
        statement = supported.statement
        said = [statement.predicate.replace("_", " ")]
        if isinstance(statement.object, Literal):
            said.append(str(statement.object.value))
        for entity in statement.entities:
            said += self._knowledge.entities.get(entity).all_names()
        return {word for each in said for word in index_terms(each)}


def plan(request: Request) -> Plan:
    """What is run. Token overlap has the threshold at which it does best on these very items."""
    data, _ = request.read(claim_item)
    base = request.base
    systems: dict[str, Trainer] = {
        OURS: lambda _: ClaimGate(base.verify),
        "token overlap": lambda _: TokenOverlap(base.knowledge, data.items),
        "majority": lambda _: Majority(data.items),
    }
    return request.plan("claims", data, systems, measures_of)


def claim_item(record: Mapping[str, Any], identifier: str) -> Item | str:
    """A sentence, whether a base supports it, and in which way it is wrong where it is.

    >>> claim_item({"text": "Gout is a fever.", "label": "unsupported"}, "1").expected
    ('unsupported',)
    """
    text, label = record.get("text"), record.get("label")
    if not isinstance(text, str) or not text.strip():
        return "no text"
    if label not in (SUPPORTED, UNSUPPORTED):
        return f"no label, or none of {SUPPORTED}, {UNSUPPORTED}"
    kind = record.get("kind")
    return Item(identifier, (str(label),), text, facts=(str(kind),) if kind else ())


def measures_of(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
    """How many are told right; of the wrong sentences those caught, in all and by kind, and of the
    right ones those let through."""
    hits = right(outcomes)
    wrong = [item.expected[0] == UNSUPPORTED for item in items]
    measures = {
        "accuracy": share(hits),
        "caught": share_of(hits, wrong),
        "kept": share_of(hits, [not each for each in wrong]),
    }
    kinds = sorted({kind for item in items for kind in item.facts})
    for kind in kinds:
        among = [kind in item.facts for item in items]
        measures[f"by_kind {kind}"] = share_of(hits, among)
    return measures


register("claims", plan)
