"""Rules in a form in which what means the same looks the same.

Groups are put in their places, nested ANDs and ORs are one, what is said twice is said once, and
neither order nor names of groups count. Each part has a key made of its contents, so that large
rules with shared groups are compared without being written out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Literal as OneOf

from medweave.errors import GuidelineError
from medweave.guideline.rule_words import (
    Labels,
    at_least,
    guarded,
    joined,
    leaf_in_words,
    rule_in_words,
    scored,
)
from medweave.model import logic

Joint = OneOf["leaf", "all", "any", "not", "if", "score"]
_WRITTEN_OUT = 60
"""So many leaves are written out in words; larger rules are named or counted."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a rule; `key` is the same for parts that mean the same."""

    joint: Joint
    key: str
    size: int
    """How many leaves it has, written out."""
    parts: tuple[Part, ...] = ()
    leaf: logic.Expression | None = None
    count: float = 0
    scores: tuple[float, ...] = ()
    """Of "score": what must be reached, and what each part gives."""
    group: str = ""
    """The group it was the whole of, for words only."""

    def words(self, labels: Labels) -> str:
        """In words, by these labels."""
        if self.leaf is not None:
            return leaf_in_words(self.leaf, labels)
        if self.size > _WRITTEN_OUT:
            named = f"group {self.group}" if self.group else f"a rule of {self.size:,} parts"
            return f"{named} ({self.key[:6]})"
        wordings = [part.words(labels) for part in self.parts]
        match self.joint:
            case "not":
                return f"not {wordings[0]}"
            case "if":
                return guarded(*wordings, material=False)
            case "score":
                return joined(at_least(self.count, self.scores), scored(wordings, self.scores))
            case _:
                return joined(f"{self.joint} of", wordings)


class RuleForm:
    """Brings the rules of one guideline into the form."""

    def __init__(self, groups: Mapping[str, logic.Expression]) -> None:
        self._groups = groups
        self._known: dict[str, Part] = {}
        self._open: list[str] = []

    def of(self, rule: logic.Expression) -> Part:  # noqa: PLR0911 - one for each kind
        """A rule in the form. Raises `GuidelineError` where groups go in circles.

        >>> cough = logic.Answered("cough", "yes")
        >>> form = RuleForm({"g": logic.AnyOf((cough,))})
        >>> form.of(logic.AllOf((logic.GroupReference("g"), cough))).key == form.of(cough).key
        True
        """
        match rule:
            case logic.Aged(None, None):
                return _leaf(logic.Constant(True))
            case logic.GroupReference(name):
                return self._group(name)
            case logic.Negation(part):
                return _negated(self.of(part))
            case logic.AllOf(parts):
                return _together("all", [self.of(part) for part in parts])
            case logic.AnyOf(parts):
                return _together("any", [self.of(part) for part in parts])
            case logic.Guarded(guard, part, True):
                return _together("any", [_negated(self.of(guard)), self.of(part)])
            case logic.Guarded(guard, part):
                return _made("if", (self.of(guard), self.of(part)))
            case logic.AtLeast(count, parts, scores):
                points = scores or (1.0,) * len(parts)
                return _made("score", tuple(map(self.of, parts)), count, tuple(map(float, points)))
            case leaf:
                return _leaf(leaf)

    def in_words(self, rule: logic.Expression, labels: Labels) -> str:
        """A rule in words, its groups written out unless that is too long."""
        part = self.of(rule)
        return part.words(labels) if part.size <= _WRITTEN_OUT else rule_in_words(rule, labels)

    def _group(self, name: str) -> Part:
        if name not in self._known:
            rule = group_named(name, self._groups, self._open)
            self._open.append(name)
            self._known[name] = replace(self.of(rule), group=name)
            self._open.pop()
        return self._known[name]


def group_named(
    name: str, groups: Mapping[str, logic.Expression], open_: Collection[str]
) -> logic.Expression:
    """The rule of a group; `GuidelineError` where it is not defined, or stands in itself (`open_`
    are the groups that it stands in)."""
    if name in open_ or name not in groups:
        problem = "goes in circles" if name in open_ else "is not defined"
        raise GuidelineError(
            f"the group '{name}' {problem}", where=name, remedy="mend the rules of the guideline"
        )
    return groups[name]


def _leaf(leaf: logic.Expression) -> Part:
    return Part("leaf", _key(_plain(leaf)), 1, leaf=leaf)


def _plain(leaf: logic.Expression) -> str:
    """1 and 1.0 are the same number."""
    if isinstance(leaf, logic.Compared):
        leaf = replace(leaf, limit=float(leaf.limit))
    return repr(leaf)


def _key(text: str) -> str:
    return blake2b(text.encode(), digest_size=12).hexdigest()


def _negated(part: Part) -> Part:
    return part.parts[0] if part.joint == "not" else _made("not", (part,))


def _made(
    joint: Joint, parts: tuple[Part, ...], count: float = 0, scores: tuple[float, ...] = ()
) -> Part:
    keys = [part.key for part in parts]
    if joint in ("all", "any"):
        keys.sort()
    elif joint == "score":
        keys = sorted(f"{score!r} {key}" for score, key in zip(scores, keys, strict=True))
    key = _key(" ".join([joint, repr(float(count)), *keys]))
    return Part(joint, key, sum(part.size for part in parts), parts, None, count, scores)


def _together(joint: Joint, parts: list[Part]) -> Part:
    nothing = _leaf(logic.Constant(joint == "all"))
    flat: dict[str, Part] = {}
    for part in parts:
        for each in part.parts if part.joint == joint else (part,):
            if each.key != nothing.key:
                flat.setdefault(each.key, each)
    if not flat:
        return nothing
    alone = next(iter(flat.values()))
    if len(flat) == 1 and not _applies_or_not(alone):
        return alone
    return _made(joint, tuple(flat.values()))


def _applies_or_not(part: Part) -> bool:
    """Whether it means another thing in AND than in OR: IF, or NOT IF."""
    return part.joint == "if" or (part.joint == "not" and part.parts[0].joint == "if")
