"""Spans found in texts held against labelled ones: the same place, or any that overlaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from medweave.evaluation.items import Item
from medweave.evaluation.measures.classification import Measure, harmonic, ratio
from medweave.evaluation.outcomes import Outcome

Span = tuple[int, int, str]
"""Start, end and class."""


@dataclass(frozen=True, slots=True)
class SpanCounts:
    """For each item how many spans of some classes there are, are found, and are right."""

    gold: list[int]
    found: list[int]
    right: list[int]
    """Found at exactly the place of a labelled one of their class."""
    touching: list[int]
    """Found where a labelled one of their class overlaps them."""
    touched: list[int]
    """Labelled, and overlapped by a found one of their class."""

    def measures(self) -> dict[str, Measure]:
        """Precision, recall and F1 of exact places, and of those that overlap."""
        precision, recall = ratio(self.right, self.found), ratio(self.right, self.gold)
        near, seen = ratio(self.touching, self.found), ratio(self.touched, self.gold)
        return {
            "precision": precision,
            "recall": recall,
            "f1": harmonic(precision, recall),
            "relaxed_precision": near,
            "relaxed_recall": seen,
            "relaxed_f1": harmonic(near, seen),
        }


def span_counts(
    items: Sequence[Item],
    outcomes: Sequence[Outcome],
    classes: Sequence[str],
    *,
    typed: bool = True,
) -> SpanCounts:
    """Count the spans of these classes; unless `typed`, of whichever of them."""
    counts = SpanCounts([], [], [], [], [])
    for item, outcome in zip(items, outcomes, strict=True):
        gold = {_as(span, typed) for span in _gold(item) if span[2] in classes}
        found = {_as(span, typed) for span in _found(outcome) if span[2] in classes}
        counts.gold.append(len(gold))
        counts.found.append(len(found))
        counts.right.append(len(gold & found))
        counts.touching.append(sum(_touches(span, gold) for span in found))
        counts.touched.append(sum(_touches(span, found) for span in gold))
    return counts


def measures_of(
    items: Sequence[Item], outcomes: Sequence[Outcome], classes: Sequence[str]
) -> dict[str, Measure]:
    """F1, precision and recall of all spans; of several classes, also each one's and of any."""
    parts = {"": classes}
    measures: dict[str, Measure] = {}
    if len(classes) > 1:
        parts |= {f"{name}_": [name] for name in classes}
        untyped = span_counts(items, outcomes, classes, typed=False).measures()
        measures = {f"untyped_{kind}": untyped[kind] for kind in ("f1", "relaxed_f1")}
    for name, some in parts.items():
        counted = span_counts(items, outcomes, some).measures()
        kinds = ("f1", "relaxed_f1") if name else ("f1", "relaxed_f1", "precision", "recall")
        measures |= {f"{name}{kind}": counted[kind] for kind in kinds}
    return measures


def spans_by_class(
    items: Sequence[Item], outcomes: Mapping[str, Sequence[Outcome]], classes: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Precision, recall and F1 of each system on each class."""
    everything = range(len(items))
    for system, some in outcomes.items():
        for name in classes:
            counts = span_counts(items, some, [name])
            yield {
                "system": system,
                "class": name,
                "labelled": sum(counts.gold),
                "found": sum(counts.found),
                **{kind: round(m(everything), 4) for kind, m in counts.measures().items()},
            }


def missed_spans(items: Sequence[Item], outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """What is labelled and nothing found overlaps, as it is written, the most frequent first."""
    return _counted(
        (item.text[start:end], name)
        for item, outcome in zip(items, outcomes, strict=True)
        for start, end, name in _gold(item)
        if not _touches((start, end, name), _found(outcome))
    )


def wrong_spans(items: Sequence[Item], outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """What is found and is not labelled so at this very place, the most frequent first."""
    return _counted(
        (item.text[start:end], name)
        for item, outcome in zip(items, outcomes, strict=True)
        for start, end, name in _found(outcome) - _gold(item)
    )


def _counted(forms: Iterator[tuple[str, str]]) -> list[dict[str, Any]]:
    counted = Counter(forms)
    ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return [{"written": form, "class": name, "times": n} for (form, name), n in ordered]


def _as(span: Span, typed: bool) -> Span:
    return span if typed else (*span[:2], "")


def _gold(item: Item) -> set[Span]:
    return {(m.start, m.end, m.concept) for m in item.mentions}


def _found(outcome: Outcome) -> set[Span]:
    return {(f.start, f.end, f.concept) for f in outcome.found}


def _touches(span: Span, others: set[Span]) -> bool:
    start, end, name = span
    return any(name == other and start < to and at < end for at, to, other in others)
