"""Which final diagnoses of a tree are read together, the severest first, and which stand apart.

A tree may hold diagnoses that a child can have side by side (a hernia, and a suspected torsion).
These are no grades of one condition: a child may surely have the milder while the severer is
open. So the diagnoses of a tree make one condition only as far as the severer of any two excludes
the milder, or the paths to the two need different answers to the same question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from medweave.guideline.medal.file import Json, MedalFile, listed, whole, words
from medweave.model.guideline import Severity

Path = Mapping[str, str]
"""The answers that a path needs, by node."""
_MOST = 2_000
"""Paths of one diagnosis; of more nothing is said."""


def conditions_of(medal: MedalFile, tree: Json) -> list[list[str]]:
    """The final diagnoses of a tree in groups that are read together, the most urgent first."""
    own = [
        identifier
        for identifier, diagnosis in medal.final_diagnoses.items()
        if str(diagnosis.get("diagnosis_id")) == str(tree["id"])
    ]
    own.sort(key=lambda each: -_urgency(medal, each))
    paths: dict[str, list[Path] | None] = {}
    groups: list[list[str]] = []
    for each in own:
        paths[each] = _paths(tree, medal.final_diagnoses[each])
        for group in groups:
            if all(_graded(medal, severer, each, paths) for severer in group):
                group.append(each)
                break
        else:
            groups.append([each])
    return groups


def severity_of(level_of_urgency: int) -> Severity:
    """The severity of a level of urgency (1 to 10).

    >>> [severity_of(level) for level in (10, 7, 4, 1)]
    ['severe', 'moderate', 'mild', 'none']
    """
    rows = words()["urgency"]
    found: Severity = next(row["severity"] for row in rows if level_of_urgency >= row["from"])
    return found


def _urgency(medal: MedalFile, identifier: str) -> int:
    return whole(medal.final_diagnoses[identifier].get("level_of_urgency")) or 0


def _graded(
    medal: MedalFile, severer: str, milder: str, paths: Mapping[str, list[Path] | None]
) -> bool:
    """Whether the milder never holds for certain while the severer is open."""
    if severity_of(_urgency(medal, severer)) == severity_of(_urgency(medal, milder)):
        return True
    excluding = medal.final_diagnoses[milder].get("excluding_final_diagnoses") or ()
    if severer in map(str, excluding):
        return True
    first, second = paths[severer], paths[milder]
    if first is None or second is None:
        return False
    return all(_apart(one, other) for one in first for other in second)


def _apart(one: Path, other: Path) -> bool:
    """Whether two paths need different answers to one question."""
    return any(other.get(node, answer) != answer for node, answer in one.items())


def _paths(tree: Json, diagnosis: Json) -> list[Path] | None:
    """The answers each path to a diagnosis needs; None where there are too many paths."""
    instances = {
        str(instance["id"]): instance
        for instance in listed(tree.get("instances"))
        if instance.get("final_diagnosis_id") is None
    }
    found: list[Path] = []
    for path in _walk(instances, diagnosis.get("conditions") or (), {}, ()):
        found.append(path)
        if len(found) > _MOST:
            return None
    return found


def _walk(
    instances: Mapping[str, Json],
    conditions: Sequence[Json],
    answers: Path,
    before: tuple[str, ...],
) -> Iterator[Path]:
    for condition in conditions:
        node, answer = str(condition["node_id"]), str(condition["answer_id"])
        instance = instances.get(node)
        if instance is None or node in before:
            continue
        required = {**answers, node: answer}
        further = instance.get("conditions") or ()
        if further:
            yield from _walk(instances, further, required, (*before, node))
        else:
            yield required
