"""medAL algorithms (ePOCT+) as guidelines. How they are read: decision record 0034."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from medweave.guidelines.imported import Imported
from medweave.guidelines.medal_diagrams import Diagram, Diagrams, age_band, all_of
from medweave.guidelines.medal_file import Json, MedalFile, number, read_medal, whole, words
from medweave.guidelines.medal_observations import observations
from medweave.guidelines.medal_treatments import days_until_back, is_referral, treatments
from medweave.model.guideline import (
    AgeBand,
    Classification,
    Condition,
    Guideline,
    Severity,
    TableValue,
    days_of_months,
)

_MONTHS_OF_A_YEAR = 12
_LIMITS = "Imported from a medAL algorithm; see the report of the import for what is not in it."


def import_medal(path: Path, tables: Path | None = None) -> Imported:
    """The guideline of an algorithm's JSON file, and what of the file is not in it.

    `tables` are the reference tables of its z-scores (found beside the file by themselves).
    Raises `SourceError` where the file is no such algorithm.
    """
    return guideline_of(read_medal(path, tables))


def guideline_of(medal: MedalFile) -> Imported:
    """The guideline of an algorithm that was read."""
    diagrams = Diagrams(medal)
    listed = tuple(observations(diagrams))
    classes = tuple(_classifications(diagrams))
    _note_configuration(medal)
    guideline = Guideline(
        id=_slug(str(medal.document.get("algorithm_name") or "medal")),
        version=_version(medal),
        title=_title(medal),
        observations=listed,
        conditions=tuple(_conditions(medal)),
        classifications=classes,
        groups=diagrams.groups,
        ages=_ages(medal),
        language=medal.languages[0],
        citation=_title(medal),
        developer=str(medal.document.get("author") or ""),
        released=str(medal.document.get("updated_at") or "")[:10],
        limits=_LIMITS,
        tables={
            name: medal.tables[name]
            for each in listed
            if isinstance(each.derived, TableValue)
            for name in (each.derived.male, each.derived.female)
        },
    )
    return Imported(guideline, tuple(medal.notes.found))


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "medal"


def _version(medal: MedalFile) -> str:
    """The version's number, and how often its JSON was made anew: both change its rules."""
    parts = (medal.document.get("version_id"), medal.document.get("json_version"))
    return ".".join(str(part) for part in parts if part is not None) or "1"


def _title(medal: MedalFile) -> str:
    names = (medal.document.get("algorithm_name"), medal.document.get("version_name"))
    return " ".join(dict.fromkeys(str(name) for name in names if name))


def _ages(medal: MedalFile) -> AgeBand:
    """Below the age limit, which is in years."""
    limit = number(medal.config.get("age_limit"))
    return AgeBand(None, None if limit is None else days_of_months(limit * _MONTHS_OF_A_YEAR))


def _conditions(medal: MedalFile) -> Iterator[Condition]:
    for identifier, tree in medal.diagnoses.items():
        yield Condition(identifier, medal.label(tree) or identifier)


def _classifications(diagrams: Diagrams) -> Iterator[Classification]:
    medal = diagrams.medal
    trees: dict[str, Diagram] = {}
    for identifier, diagnosis in medal.final_diagnoses.items():
        tree_id = str(diagnosis.get("diagnosis_id"))
        tree = medal.diagnoses.get(tree_id)
        if tree is None:
            medal.notes.add(
                f"'{medal.label(diagnosis)}'", f"final diagnosis {identifier}", "it has no diagram"
            )
            continue
        if tree_id not in trees:
            trees[tree_id] = Diagram(diagrams, f"tree {tree_id}", tree.get("instances") or {})
        yield _classification(diagrams, diagnosis, tree, trees[tree_id])


def _classification(
    diagrams: Diagrams, diagnosis: Json, tree: Json, diagram: Diagram
) -> Classification:
    medal, identifier = diagrams.medal, str(diagnosis["id"])
    steps = tuple(treatments(diagrams, diagnosis))
    back = [days for days in map(days_until_back, steps) if days is not None]
    urgency = whole(diagnosis.get("level_of_urgency")) or 0
    category = diagrams.category(tree.get("complaint_category", diagnosis.get("cc")))
    return Classification(
        id=identifier,
        label=medal.label(diagnosis) or identifier,
        condition=str(tree["id"]),
        severity=severity_of(urgency),
        rule=all_of((category, diagram.leads_to(diagnosis.get("conditions") or ()))),
        ages=age_band(tree),
        yields_to=tuple(_excluding(medal, diagnosis)),
        treatments=steps,
        refer=any(map(is_referral, steps)),
        follow_up_days=min(back, default=None),
        urgency=urgency,
        source=f"final diagnosis {identifier}",
    )


def _excluding(medal: MedalFile, diagnosis: Json) -> Iterator[str]:
    """The final diagnoses that this one does not hold beside."""
    for other in dict.fromkeys(map(str, diagnosis.get("excluding_final_diagnoses") or ())):
        if other in medal.final_diagnoses:
            yield other
        else:
            medal.notes.add(
                f"the exclusion by {other}",
                f"final diagnosis {diagnosis['id']}",
                "the algorithm has no such final diagnosis",
            )


def severity_of(level_of_urgency: int) -> Severity:
    """The severity of a level of urgency (1 to 10).

    >>> [severity_of(level) for level in (10, 7, 4, 1)]
    ['severe', 'moderate', 'mild', 'none']
    """
    rows = words()["urgency"]
    found: Severity = next(row["severity"] for row in rows if level_of_urgency >= row["from"])
    return found


def _note_configuration(medal: MedalFile) -> None:
    if medal.config.get("minimum_age"):
        medal.notes.add(
            "the minimum age",
            "config.minimum_age",
            "which unit it is in and what it gates, the format does not say: the bands of "
            "complaint categories and diagnoses hold",
        )
