"""The logic of a guideline as trees of boxes, to be drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal as OneOf

from medweave.guideline.logic.explanations import ages_in_words
from medweave.guideline.logic.graph import yields_to
from medweave.guideline.logic.values import classification_names
from medweave.guideline.rule_words import (
    Labels,
    at_least,
    leaf_in_words,
)
from medweave.guideline.versions.normal_form import RuleForm, group_named
from medweave.guideline.yaml.spans import plain
from medweave.model import logic
from medweave.model.guideline import ANY_AGE, Classification, Guideline, rules_of

Shape = OneOf["pink", "yellow", "green", "plain", "joint", "not", "leaf", "derived", "holds"]
"""The first four are classifications by their colour."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box with its words, and what it rests on.

    `edge` says what it is to the box it hangs on, where that needs words ("if", "2 points").
    """

    shape: Shape
    words: str
    notes: tuple[str, ...] = ()
    """More lines: ages, severity, what goes before it."""
    parts: tuple[Box, ...] = ()
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Trees, one for each classification (and for what is worked out), a title, and words."""

    title: str
    words: str
    trees: tuple[Box, ...]

    def told(self, words: Callable[[str], str]) -> Drawing:
        """The same in other words: those of a language."""

        def box(each: Box) -> Box:
            return replace(
                each,
                words=words(each.words),
                notes=tuple(map(words, each.notes)),
                parts=tuple(map(box, each.parts)),
                edge=words(each.edge),
            )

        return Drawing(words(self.title), words(self.words), tuple(map(box, self.trees)))


def drawing_of(guideline: Guideline, classification: str = "") -> Drawing:
    """The logic of one classification, by id, label or alias; of all where none is named.

    With one classification come the observations that its rule needs and that are worked out by
    rules, a tree each. A group is drawn where it is first used, and then only named. Raises
    `FindingsError` where nothing is called so, `GuidelineError` where groups go in circles.

    >>> from medweave.model.guideline import Condition, Observation
    >>> held = Classification("cold", "Cold", "c", "mild", logic.Answered("cough", "yes"), "green")
    >>> small = Guideline("g", "1", "G", (Observation("cough", "Cough"),),
    ...                   (Condition("c", "Cough"),), (held,))
    >>> box = drawing_of(small, "Cold").trees[0]
    >>> box.words, box.notes, [part.words for part in box.parts]
    ('Cold', ('mild, green',), ['Cough'])
    """
    chosen = guideline.classifications
    title = f"{guideline.title or guideline.id} {guideline.version}"
    if classification:
        identifier = classification_names(guideline).find(classification)
        chosen = tuple(each for each in chosen if each.id == identifier)
        title = f"{chosen[0].label}: {title}"
    boxes = _Boxes(guideline)
    if classification:
        wording = RuleForm(guideline.groups).in_words(chosen[0].rule, boxes.labels)
        words = f"{chosen[0].label} holds where {wording}"
    else:
        words = f"The rules of {len(chosen)} classifications"
    trees = tuple(boxes.classification(each) for each in chosen)
    worked_out = boxes.worked_out(chosen[0]) if classification else ()
    return Drawing(title, words, (*trees, *worked_out))


class _Boxes:
    def __init__(self, guideline: Guideline) -> None:
        self.labels = Labels.of(guideline)
        self._guideline = guideline
        self._yields = yields_to(guideline)
        self._derived = {
            each.id: each for each in guideline.observations if each.derived is not None
        }
        self._drawn: set[str] = set()
        self._open: list[str] = []

    def classification(self, each: Classification) -> Box:
        self._drawn = set()
        notes = [f"{each.severity}, {each.colour}" if each.colour else each.severity]
        if each.ages != ANY_AGE:
            notes.append(f"age {ages_in_words(each.ages)}")
        before = [self.labels.classifications.get(name, name) for name in self._yields[each.id]]
        if before:
            notes.append(f"not beside: {'; '.join(before)}")
        return Box(each.colour or "plain", each.label, tuple(notes), (self._box(each.rule),))

    def worked_out(self, each: Classification) -> tuple[Box, ...]:
        """What its rule needs that is worked out by rules, and what that needs, once each."""
        groups = self._guideline.groups

        def behind(part: logic.Expression) -> list[logic.Expression]:
            match part:
                case logic.GroupReference(name) if name in groups:
                    return [groups[name]]
                case logic.Answered(name) | logic.Compared(name):
                    return [rule for _, rule in self._rules(name)]
                case _:
                    return []

        parts = logic.walk_on([each.rule], behind)
        named = (p.observation for p in parts if isinstance(p, logic.Answered | logic.Compared))
        return tuple(self._tree(name) for name in dict.fromkeys(named) if self._rules(name))

    def _rules(self, name: str) -> tuple[tuple[str, logic.Expression], ...]:
        """(answer that it gives, rule) of an observation that is worked out."""
        return rules_of(self._derived[name].derived) if name in self._derived else ()

    def _tree(self, name: str) -> Box:
        self._drawn = set()
        rules, answers = self._rules(name), self.labels.answers
        note = "worked out" if len(rules) == 1 else "worked out: the first that is true"
        boxes = tuple(
            self._box(rule, answer and (answers.get((name, answer)) or "Yes"))
            for answer, rule in rules
        )
        return Box("derived", self.labels.observations[name], (note,), boxes)

    def _box(  # noqa: PLR0911 - one for each kind
        self, rule: logic.Expression, edge: str = ""
    ) -> Box:
        match rule:
            case logic.AllOf(parts):
                return self._joint("ALL of these", parts, edge)
            case logic.AnyOf(parts):
                return self._joint("ANY of these", parts, edge)
            case logic.AtLeast(count, parts, scores):
                points = set(scores) - {1.0}
                edges = (
                    [f"{plain(s)} point{'' if s == 1 else 's'}" for s in scores] if points else []
                )
                label = f"{at_least(count, scores).upper()} these"
                return self._joint(label, parts, edge, edges)
            case logic.Guarded(guard, part, material):
                label = "IF … THEN, ELSE TRUE" if material else "IF … THEN"
                return self._joint(label, (guard, part), edge, ["if", "then"])
            case logic.Negation(logic.Answered() | logic.Compared() | logic.Classified() as leaf):
                return Box("not", f"NOT {self._wording(leaf)}", (), (), edge)
            case logic.Negation(part):
                return Box("not", "NOT", (), (self._box(part),), edge)
            case logic.GroupReference(name):
                return self._group(name, edge)
            case logic.Classified():
                return Box("holds", self._wording(rule), (), (), edge)
            case logic.Answered(name) | logic.Compared(name) if name in self._derived:
                return Box("derived", self._wording(rule), ("worked out",), (), edge)
            case _:
                return Box("leaf", self._wording(rule), (), (), edge)

    def _wording(self, leaf: logic.Expression) -> str:
        return leaf_in_words(leaf, self.labels)

    def _joint(
        self,
        label: str,
        parts: tuple[logic.Expression, ...],
        edge: str,
        edges: list[str] | None = None,
    ) -> Box:
        labels = edges or [""] * len(parts)
        boxes = tuple(self._box(part, each) for part, each in zip(parts, labels, strict=True))
        return Box("joint", label if parts else f"{label}: nothing", (), boxes, edge)

    def _group(self, name: str, edge: str) -> Box:
        rule = group_named(name, self._guideline.groups, self._open)
        if name in self._drawn:
            return Box("leaf", f"group {name}", ("drawn above",), (), edge)
        self._drawn.add(name)
        self._open.append(name)
        found = self._box(rule, edge)
        self._open.pop()
        return Box(found.shape, found.words, (f"group {name}", *found.notes), found.parts, edge)


def boxes_of(tree: Box) -> Iterator[tuple[Box, int | None]]:
    """Every box of a tree, each before its parts, with the place of the box it hangs on.

    >>> [(box.words, above) for box, above in boxes_of(Box("joint", "a", (), (Box("leaf", "b"),)))]
    [('a', None), ('b', 0)]
    """
    waiting: list[tuple[Box, int | None]] = [(tree, None)]
    place = 0
    while waiting:
        box, above = waiting.pop()
        yield box, above
        waiting.extend((part, place) for part in reversed(box.parts))
        place += 1
