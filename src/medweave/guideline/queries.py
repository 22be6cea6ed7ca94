"""The four parameterised queries of the published IMNCI graph, over any store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from medweave.guideline.statements import DEFINITION, part_id
from medweave.language.stems import stems
from medweave.model.guideline import AgeBand
from medweave.ports import StoreView


@dataclass(frozen=True, slots=True)
class GroupTree:
    """A logic group with what belongs to it: observations, and further groups."""

    group: str
    observations: tuple[str, ...]
    groups: tuple[GroupTree, ...]


def classifications_by_observations(
    store: StoreView, observations: Iterable[str]
) -> list[tuple[str, int]]:
    """Classifications that include any of these observations, those with the most first."""
    counted: Counter[str] = Counter()
    for observation in dict.fromkeys(observations):
        for supported in store.match(None, "includes_observation", observation):
            counted[supported.statement.subject] += 1
    return sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))


def logic_of(store: StoreView, classification: str) -> list[GroupTree]:
    """The logic groups that lead to a classification, nested to any depth."""
    found = store.match(None, "has_classification", classification)
    above = {each.statement.subject for each in found}
    return [
        _tree(store, group, frozenset())
        for group in sorted(above)
        if store.match(None, "belongs_to_logic_group", group, limit=1)
    ]


def _tree(store: StoreView, group: str, open_: frozenset[str]) -> GroupTree:
    parts = [s.statement.subject for s in store.match(None, "belongs_to_logic_group", group)]
    return GroupTree(
        group,
        tuple(part for part in parts if "/observation/" in part),
        tuple(
            _tree(store, part, open_ | {group})
            for part in parts
            if "/observation/" not in part and part not in open_
        ),
    )


def classifications_for_age(store: StoreView, guideline: str, age_days: int) -> list[str]:
    """The classifications of a guideline (`id@version`) for somebody of this age."""
    prefix = part_id(guideline, "classification")
    return sorted(
        each.statement.subject
        for each in store.match(None, "applicable_to")
        if each.statement.subject.startswith(prefix)
        and _band(str(each.statement.object)).has(age_days)
    )


def _band(group: str) -> AgeBand:
    low, high = (None if end == "None" else int(end) for end in group.rsplit("/", 1)[1].split("-"))
    return AgeBand(low, high)


def classifications_for_words(
    store: StoreView, guideline: str, text: str, *, limit: int = 5
) -> list[tuple[str, list[str]]]:
    """Classifications that a text leads to: the observations that share most words with it, the
    groups these belong to, and what the groups lead to; each with the observations that led there.
    """
    seeds = _seeds(store, part_id(guideline, "observation"), text, limit)
    led: dict[str, dict[str, None]] = {}
    for seed in seeds:
        waiting, seen = [seed], {seed}
        while waiting:
            node = waiting.pop()
            for each in store.match(node, "has_classification"):
                led.setdefault(str(each.statement.object), {})[seed] = None
            for each in store.match(node, "belongs_to_logic_group"):
                above = str(each.statement.object)
                if above not in seen:
                    seen.add(above)
                    waiting.append(above)
    ranked = sorted(led.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return [(classification, list(by)) for classification, by in ranked]


def _seeds(store: StoreView, prefix: str, text: str, limit: int) -> list[str]:
    import json

    asked = {stem.text for stem in stems(text)}
    scored = []
    for each in store.match(None, DEFINITION):
        subject = each.statement.subject
        if not subject.startswith(prefix):
            continue
        held = json.loads(str(each.statement.object.value))  # type: ignore[union-attr]
        names = [held["label"], *held.get("aliases", [])]
        best = max(_shared(asked, {s.text for s in stems(name)}) for name in names)
        if best:
            scored.append((-best, subject))
    return [subject for _, subject in sorted(scored)[:limit]]


def _shared(asked: set[str], name: set[str]) -> float:
    common = len(asked & name)
    return common + common / len(name) if name else 0.0
