"""What is different between two versions of a guideline: parts, rules in words, doses.

Order, and names of groups, are no difference. Parts are told apart by their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from typing import Literal as OneOf

from medweave.guideline.logic.graph import yields_to
from medweave.guideline.rule_words import Labels
from medweave.guideline.versions.facts import Facts, facts_of, facts_within, names_within
from medweave.guideline.versions.normal_form import RuleForm
from medweave.guideline.versions.rule_changes import RuleChange, order_of, rule_changes
from medweave.guideline.yaml.spans import plain
from medweave.model.guideline import NO, YES, Classification, Guideline, Observation, answers_of
from medweave.model.json_form import json_of
from medweave.model.logic import Expression

About = OneOf["guideline", "condition", "classification", "treatment", "observation", "table"]
How = OneOf["added", "removed", "changed"]
_ABOUT: tuple[About, ...] = (
    "guideline", "condition", "classification", "treatment", "observation", "table",
)  # fmt: skip
_WORDING = frozenset({
    "label", "aliases", "question", "help", "source", "concept", "title", "language", "citation",
    "developer", "released", "limits", "sample",
})  # fmt: skip
"""What a change of cannot change what a child is given."""
_USUAL = ("", "no", "of any age")
"""What is not told of what came or went."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: of `what` of the part `id`, from `old` to `new`, both in words.

    `rule` tells a changed rule part by part. `what` is "" where the whole part was added or
    removed; its words are then in `new` or `old`.
    """

    about: About
    how: How
    id: str
    label: str
    what: str = ""
    old: str = ""
    new: str = ""
    rule: tuple[RuleChange, ...] = ()

    @property
    def wording(self) -> bool:
        """Whether only words changed, or where they were taken from."""
        return self.how == "changed" and self.what.rsplit(": ", 1)[-1] in _WORDING

    def turned(self) -> Change:
        """The same from new to old; the label stays, as it is the same part."""
        how: dict[How, How] = {"added": "removed", "removed": "added", "changed": "changed"}
        rule = tuple(sorted((each.turned() for each in self.rule), key=order_of))
        return Change(
            self.about, how[self.how], self.id, self.label, self.what, self.new, self.old, rule
        )

    def to_json(self) -> dict[str, Any]:
        """One of `changes`."""
        return json_of(self, "about how id label what? old? new? rule wording")


@dataclass(frozen=True, slots=True)
class Difference:
    """All changes from one guideline to another."""

    old: str
    new: str
    """`id@version` of either."""
    changes: tuple[Change, ...]

    def turned(self) -> Difference:
        """From the new one to the old one."""
        turned = sorted((each.turned() for each in self.changes), key=_order)
        return Difference(self.new, self.old, tuple(turned))

    def to_json(self) -> dict[str, Any]:
        """What `medweave guideline diff --json` prints, without cases."""
        return json_of(self, "old new changes")


def difference(old: Guideline, new: Guideline) -> Difference:
    """What changed from one guideline to another; nothing where they mean the same.

    Raises `GuidelineError` where the rules of either go in circles.

    >>> one = Guideline("g", "1", "G", (Observation("cough", "Cough"),), (), ())
    >>> two = Guideline("g", "2", "G", (Observation("cough", "Cough", danger_sign=True),), (), ())
    >>> [(each.id, each.what, each.old, each.new) for each in difference(one, two).changes]
    [('cough', 'danger sign', 'no', 'yes')]
    """
    found = sorted(_Comparing(old, new).run(), key=_order)
    return Difference(old.name, new.name, tuple(found))


def _order(change: Change) -> tuple[Any, ...]:
    return _ABOUT.index(change.about), change.id, change.what, sorted((change.old, change.new))


class _Comparing:
    def __init__(self, old: Guideline, new: Guideline) -> None:
        self._guidelines = (old, new)
        self._forms = (RuleForm(old.groups), RuleForm(new.groups))
        self._labels = (Labels.of(old), Labels.of(new))
        common = {c.id for c in old.classifications} & {c.id for c in new.classifications}
        self._yields = tuple(
            {
                name: ", ".join(sorted(each for each in others if each in common))
                for name, others in yields_to(guideline).items()
            }
            for guideline in self._guidelines
        )

    def run(self) -> Iterator[Change]:
        old, new = self._guidelines
        yield from self._facts("guideline", "", "", facts_of(old), facts_of(new))
        for about, one, other in (
            ("condition", old.conditions, new.conditions),
            ("classification", old.classifications, new.classifications),
            ("observation", old.observations, new.observations),
        ):
            yield from self._parts(about, _by_id(one), _by_id(other))  # type: ignore[arg-type]
        yield from self._treatments()
        yield from self._tables()

    def _parts(
        self, about: About, old: Mapping[str, Any], new: Mapping[str, Any]
    ) -> Iterator[Change]:
        for name in {**old, **new}:
            if name not in new:
                yield Change(
                    about, "removed", name, old[name].label, old=self._part_in_words(old[name], 0)
                )
            elif name not in old:
                yield Change(
                    about, "added", name, new[name].label, new=self._part_in_words(new[name], 1)
                )
            else:
                facts = [self._of(each[name], at) for at, each in enumerate((old, new))]
                yield from self._facts(about, name, min(old[name].label, new[name].label), *facts)

    def _facts(
        self, about: About, name: str, label: str, old: Facts, new: Facts
    ) -> Iterator[Change]:
        whole = names_within(old) ^ names_within(new)
        for inner in sorted(whole):
            before, after = (
                self._list(facts_within(each, inner), at) for at, each in enumerate((old, new))
            )
            yield Change(about, "changed", name, label, inner, before, after)
        for what in {**old, **new}:
            if what.rpartition(": ")[0] not in whole:
                yield from self._fact(about, name, label, what, (old.get(what), new.get(what)))

    def _fact(
        self,
        about: About,
        name: str,
        label: str,
        what: str,
        facts: tuple[str | Expression | None, str | Expression | None],
    ) -> Iterator[Change]:
        old, new = (
            None if isinstance(fact, str | None) else form.of(fact)
            for form, fact in zip(self._forms, facts, strict=True)
        )
        before, after = (self._fact_in_words(fact, at) for at, fact in enumerate(facts))
        if old is not None and new is not None:
            if old.key != new.key:
                changes = rule_changes(old, new, self._labels)
                yield Change(about, "changed", name, label, what, before, after, changes)
        elif before != after:
            yield Change(about, "changed", name, label, what, before, after)

    def _fact_in_words(self, fact: str | Expression | None, at: int) -> str:
        if fact is None or isinstance(fact, str):
            return fact or ""
        wording = self._forms[at].of(fact).words(self._labels[at])
        return "" if wording == "always" else wording

    def _list(self, facts: Facts, at: int) -> str:
        items = []
        for what, fact in facts.items():
            wording = self._fact_in_words(fact, at)
            if wording in _USUAL or what.rpartition(": ")[2] in _WORDING - {"label"}:
                continue
            items.append(
                wording if what == "label" else f"{what.removesuffix(': label')}: {wording}"
            )
        return "; ".join(items)

    def _of(self, part: Any, at: int) -> Facts:
        facts = facts_of(part)
        if isinstance(part, Classification):
            facts["yields to"] = self._yields[at][part.id]
        return facts

    def _part_in_words(self, part: object, at: int) -> str:
        """What was added or removed, in words."""
        facts = self._of(part, at)
        if isinstance(part, Observation) and _is_yes_or_no(part):
            facts = {k: v for k, v in facts.items() if not k.startswith(_OF_YES_AND_NO)}
        return self._list({k: v for k, v in facts.items() if not k.startswith("label")}, at)

    def _treatments(self) -> Iterator[Change]:
        """Of the classifications that both have; those of others came and went with them."""
        old, new = (_by_id(guideline.classifications) for guideline in self._guidelines)
        for name in [each for each in old if each in new]:
            steps = [_by_id(each[name].treatments) for each in (old, new)]
            for change in self._parts("treatment", *steps):
                where = f"{name}/{change.id}"
                label = f"{min(old[name].label, new[name].label)}: {change.label}"
                yield Change(
                    change.about, change.how, where, label, change.what, change.old, change.new,
                    change.rule,
                )  # fmt: skip

    def _tables(self) -> Iterator[Change]:
        old, new = (guideline.tables for guideline in self._guidelines)
        for name in {**old, **new}:
            if name not in new:
                yield Change("table", "removed", name, name, old=f"{len(old[name])} rows")
            elif name not in old:
                yield Change("table", "added", name, name, new=f"{len(new[name])} rows")
            else:
                for row in {**old[name], **new[name]}:
                    one, other = (_table_row(each[name].get(row)) for each in (old, new))
                    if one != other:
                        yield Change("table", "changed", name, name, f"row {row}", one, other)


def _by_id(parts: Iterable[Any]) -> dict[str, Any]:
    return {part.id: part for part in parts}


def _table_row(row: Mapping[str, float] | None) -> str:
    if row is None:
        return ""
    return ", ".join(f"{z}: {plain(row[z])}" for z in sorted(row, key=lambda z: (len(z), z)))


_OF_YES_AND_NO = tuple(
    f"answer {each.id}: {what}"
    for each in (YES, NO)
    for what in ("label", "aliases", "means", "from", "counts")
)


def _is_yes_or_no(each: Observation) -> bool:
    """Whether its answers are the usual ones, whatever they imply."""
    return tuple(replace(answer, implies=()) for answer in answers_of(each)) == (YES, NO)
