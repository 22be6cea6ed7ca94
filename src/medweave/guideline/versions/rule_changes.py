"""What was added to a rule, taken from it, or put in another's place, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any
from typing import Literal as OneOf

from medweave.guideline.rule_words import Labels, at_least, leaf_in_words
from medweave.guideline.versions.normal_form import Part
from medweave.guideline.yaml.spans import plain
from medweave.model.json_form import json_of
from medweave.model.logic import Answered, Classified, Compared

How = OneOf["added", "taken", "replaced"]
_LIKE = 0.2
"""Rules that share fewer of their leaves are different rules, not versions of one."""
_ADDED = {
    "all": ("must hold too: ", "need not hold any more: "),
    "any": ("now suffices too: ", "does not suffice any more: "),
    "score": ("now counts too: ", "does not count any more: "),
}


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One change within a rule. `joint` is that of the parts among which it is; `beside` are the
    rules around it, from the outermost on, by what they share in both versions."""

    how: How
    joint: str
    old: str = ""
    new: str = ""
    beside: tuple[tuple[str, str], ...] = ()
    """(in the words of the old version, in those of the new one)."""

    def words(self) -> str:
        """As one line.

        >>> RuleChange("added", "all", new="Stridor").words()
        'must hold too: Stridor'
        """
        if self.how == "replaced":
            wording = f"{self.old} → {self.new}"
        else:
            added, taken = _ADDED[self.joint]
            wording = f"{added}{self.new}" if self.how == "added" else f"{taken}{self.old}"
        around = " › ".join(new for _, new in self.beside)
        return f"in {around}: {wording}" if around else wording

    def to_json(self) -> dict[str, Any]:
        """One of `rule` of a change."""
        return json_of(self, "how among=joint old? new?") | {
            "within": [new for _, new in self.beside],
            "words": self.words(),
        }

    def turned(self) -> RuleChange:
        """The same, from new to old."""
        how: dict[How, How] = {"added": "taken", "taken": "added", "replaced": "replaced"}
        beside = tuple((new, old) for old, new in self.beside)
        return RuleChange(how[self.how], self.joint, self.new, self.old, beside)


def rule_changes(old: Part, new: Part, labels: tuple[Labels, Labels]) -> tuple[RuleChange, ...]:
    """What makes the new rule of the old one; nothing where they mean the same.

    `labels` are those of the two guidelines. Turned around, it gives the same changes turned.
    """
    found = _Changes(labels).between(old, new, (), "")
    return tuple(sorted(found, key=order_of))


def order_of(change: RuleChange) -> tuple[Any, ...]:
    """Where a change comes among others; the same when it is turned, as far as may be."""
    return (
        len(change.beside),
        sorted(max(pair) for pair in change.beside),
        sorted((change.old, change.new)),
        change.joint,
        change.old,
        change.beside,
    )


class _Changes:
    def __init__(self, labels: tuple[Labels, Labels]) -> None:
        self._old, self._new = labels
        self._known: dict[str, dict[str, Part]] = {}

    def between(
        self, old: Part, new: Part, beside: tuple[tuple[str, str], ...], joint: str
    ) -> Iterator[RuleChange]:
        if old.key == new.key:
            return
        for joined in ("all", "any"):
            if joined in (old.joint, new.joint) and _near_joint(old, new, joined):
                parts = _parts_as(old, joined), _parts_as(new, joined)
                yield from self._among(joined, *parts, beside)
                return
        if old.joint == new.joint == "not":
            yield from self.between(old.parts[0], new.parts[0], (*beside, ("not", "not")), "all")
        elif old.joint == new.joint == "if" and any(
            a.key == b.key for a, b in zip(old.parts, new.parts, strict=True)
        ):
            for side, a, b in zip(("if", "then"), old.parts, new.parts, strict=True):
                yield from self.between(a, b, (*beside, (side, side)), "all")
        elif old.joint == new.joint == "score":
            yield from self._scores(old, new, beside)
        else:
            wordings = old.words(self._old), new.words(self._new)
            if wordings[0] == wordings[1]:  # two things that are called alike
                wordings = f"{wordings[0]} [{_ids(old)}]", f"{wordings[1]} [{_ids(new)}]"
            yield RuleChange("replaced", joint or "all", *wordings, beside)

    def _scores(
        self, old: Part, new: Part, beside: tuple[tuple[str, str], ...]
    ) -> Iterator[RuleChange]:
        if old.count != new.count:
            yield RuleChange(
                "replaced",
                "score",
                at_least(old.count, old.scores),
                at_least(new.count, new.scores),
                beside,
            )
        points = [
            {(part.key, score): part for part, score in zip(each.parts, each.scores, strict=True)}
            for each in (old, new)
        ]
        gone = [(k[1], p) for k, p in points[0].items() if k not in points[1]]
        come = [(k[1], p) for k, p in points[1].items() if k not in points[0]]
        for score, part in gone:
            wording = _with_points(part.words(self._old), score)
            yield RuleChange("taken", "score", wording, "", beside)
        for score, part in come:
            wording = _with_points(part.words(self._new), score)
            yield RuleChange("added", "score", "", wording, beside)
        if old.count == new.count and not gone and not come:  # one part is counted more often
            wordings = old.words(self._old), new.words(self._new)
            yield RuleChange("replaced", "score", *wordings, beside)

    def _among(
        self,
        joint: str,
        old: tuple[Part, ...],
        new: tuple[Part, ...],
        beside: tuple[tuple[str, str], ...],
    ) -> Iterator[RuleChange]:
        shared = {part.key for part in old} & {part.key for part in new}
        gone = [part for part in old if part.key not in shared]
        come = [part for part in new if part.key not in shared]
        for a, b in self._paired(gone, come):
            gone.remove(a)
            come.remove(b)
            inner = beside
            if a.joint in ("all", "any", "score") or b.joint in ("all", "any", "score"):
                inner = (*beside, self._named(a, b))
            yield from self.between(a, b, inner, joint)
        for part in gone:
            yield RuleChange("taken", joint, part.words(self._old), "", beside)
        for part in come:
            yield RuleChange("added", joint, "", part.words(self._new), beside)

    def _paired(self, old: Iterable[Part], new: Iterable[Part]) -> list[tuple[Part, Part]]:
        """Parts that are versions of one another, the likest first; the same from either side."""
        likeness = [(self._alike(a, b), a, b) for a, b in product(old, new)]
        ranked = sorted(
            (each for each in likeness if each[0] >= _LIKE),
            key=lambda each: (-each[0], sorted((each[1].key, each[2].key))),
        )
        pairs: list[tuple[Part, Part]] = []
        taken: set[tuple[str, str]] = set()
        for _, a, b in ranked:
            if ("old", a.key) not in taken and ("new", b.key) not in taken:
                taken |= {("old", a.key), ("new", b.key)}
                pairs.append((a, b))
        return pairs

    def _alike(self, old: Part, new: Part) -> float:
        """From 0 to 1: leaves are alike that ask about the same, and rules by their leaves."""
        if old.joint == new.joint == "not":
            return self._alike(old.parts[0], new.parts[0])
        if old.leaf is not None and new.leaf is not None:
            return 1.0 if _subject(old) == _subject(new) != "" else 0.0
        if {"leaf", "not"} & {old.joint, new.joint}:
            return 0.0
        mine, others = set(self._leaves(old)), set(self._leaves(new))
        return len(mine & others) / len(mine | others)

    def _leaves(self, part: Part) -> dict[str, Part]:
        if part.key not in self._known:
            found = {part.key: part} if part.leaf is not None else {}
            for each in part.parts:
                found |= self._leaves(each)
            self._known[part.key] = found
        return self._known[part.key]

    def _named(self, old: Part, new: Part) -> tuple[str, str]:
        """A rule that changed, by what joins it and a part that it kept."""
        mine, others = self._leaves(old), self._leaves(new)
        first = min(set(mine) & set(others))
        pair = mine[first], others[first]
        wordings = [
            f"“{f'{part.joint} of ' if part.joint in ('all', 'any') else ''}"
            f"{leaf_in_words(leaf.leaf, labels) if leaf.leaf else ''} …”"
            for part, leaf, labels in zip((old, new), pair, (self._old, self._new), strict=True)
        ]
        return wordings[0], wordings[1]


def _with_points(wording: str, score: float) -> str:
    return wording if score == 1 else f"{wording} [{plain(score)}]"


def _parts_as(part: Part, joint: str) -> tuple[Part, ...]:
    return part.parts if part.joint == joint else (part,)


def _near_joint(old: Part, new: Part, joint: str) -> bool:
    """Whether both are of this joint, or one is a part of the other, or like one."""
    if old.joint == new.joint == joint:
        return True
    whole, single = (old, new) if old.joint == joint else (new, old)
    return any(part.key == single.key for part in whole.parts)


def _subject(part: Part) -> str:
    """What a leaf is about."""
    match part.leaf:
        case Answered(name, _) | Compared(name, _, _):
            return f"observation {name}"
        case Classified():
            return ""
        case _:
            return type(part.leaf).__name__


def _ids(part: Part) -> str:
    match part.leaf:
        case Answered(name, answer):
            return f"{name} is {answer}"
        case Compared(name):
            return name
        case Classified(name):
            return name
        case _:
            return part.key[:6]
