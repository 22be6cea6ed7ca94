"""Saved cases under two versions of a guideline: which of them come out otherwise, and how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from medweave.errors import MedweaveError
from medweave.guideline.case_reader import CaseReader
from medweave.guideline.findings_json import findings_of, read_record, whole_record
from medweave.guideline.logic.graph import Graph
from medweave.model.assessment import STANDS, Assessment, TreatmentRow

_OUT = ("excluded", "not_applicable")
_NOTHING = "not in it"
"""The status of a classification that a guideline has not."""


@dataclass(frozen=True, slots=True)
class ChangedCase:
    """A case that comes out otherwise: each change in words, old and new.

    `matters`: what stands, is given or is referred changes, or the case cannot be read any more.
    """

    id: str
    changes: tuple[tuple[str, str, str], ...]
    """(what, old, new)."""
    matters: bool

    def to_json(self) -> dict[str, Any]:
        """One of `changed` of `cases`."""
        changes = [{"what": what, "old": old, "new": new} for what, old, new in self.changes]
        return {"id": self.id, "changes": changes, "matters": self.matters}


@dataclass(frozen=True, slots=True)
class Rerun:
    """What a new version makes of saved cases; `unread` are those neither version can read."""

    old: str
    new: str
    cases: int
    changed: tuple[ChangedCase, ...]
    unread: tuple[tuple[str, str], ...] = ()
    """(case, why)."""

    def sentence(self) -> str:
        """All of it in one sentence.

        >>> Rerun("g@1", "g@2", 120, ()).sentence()
        'g@2 changes 0 of 120 cases'
        """
        text = f"{self.new} changes {len(self.changed)} of {self.cases} cases"
        matter = sum(each.matters for each in self.changed)
        if self.changed:
            text += f"; in {matter} of them what stands, is given or is referred"
        if self.unread:
            text += f"; {len(self.unread)} could not be read"
        return text

    def to_json(self) -> dict[str, Any]:
        """`cases` of what `medweave guideline diff --json` prints."""
        return {
            "cases": self.cases,
            "summary": self.sentence(),
            "changed": [each.to_json() for each in self.changed],
            "unread": [{"id": name, "why": why} for name, why in self.unread],
        }


def rerun(old: Graph, new: Graph, lines: Iterable[str]) -> Rerun:
    """Records of findings, one JSON object a line, under both guidelines; each reads their texts by
    its own names.

    A record that names what only one version has is a change; one that neither can read is told.
    """
    changed: list[ChangedCase] = []
    unread: list[tuple[str, str]] = []
    count = 0
    readers = [CaseReader(graph) for graph in (old, new)]
    for count, line in enumerate(lines, 1):
        name = f"line {count}"
        try:
            record = whole_record(read_record(line, where=name))
        except MedweaveError as error:
            unread.append((name, str(error)))
            continue
        name = str(record.get("id") or name)
        found = [_assessed(reader, record) for reader in readers]
        if isinstance(found[0], str) and isinstance(found[1], str):
            unread.append((name, found[0]))
            continue
        case = _compared(name, found[0], found[1])
        if case.changes:
            changed.append(case)
    return Rerun(old.guideline.name, new.guideline.name, count, tuple(changed), tuple(unread))


def _assessed(reader: CaseReader, record: Mapping[str, Any]) -> Assessment | str:
    try:
        return reader.assess(findings_of(record))
    except MedweaveError as error:
        return str(error)


def _compared(name: str, old: Assessment | str, new: Assessment | str) -> ChangedCase:
    if isinstance(old, str) or isinstance(new, str):
        wordings = [each if isinstance(each, str) else "can be read" for each in (old, new)]
        return ChangedCase(name, (("the record", wordings[0], wordings[1]),), matters=True)
    changes = list(_statuses(old, new))
    matters = any(set(change[1:]) & set(STANDS) for change in changes)
    rows = [
        *_sides(_rows(old), _rows(new)),
        ("referred", old.refer or "no", new.refer or "no"),
        ("come back", _back(old), _back(new)),
    ]
    given = [row for row in rows if row[1] != row[2]]
    if (old.refer is None) is (new.refer is None):  # the reason alone says what is said above
        given = [row for row in given if row[0] != "referred"]
    return ChangedCase(name, (*changes, *given), matters or bool(given))


def _statuses(old: Assessment, new: Assessment) -> Iterable[tuple[str, str, str]]:
    mine, others = (
        {each.id: each.status for each in assessment.classifications} for assessment in (old, new)
    )
    labels = {each.id: each.label for each in (*old.classifications, *new.classifications)}
    for name in {**mine, **others}:
        before, after = mine.get(name, _NOTHING), others.get(name, _NOTHING)
        ways = ["out" if each in (*_OUT, _NOTHING) else each for each in (before, after)]
        if ways[0] != ways[1]:
            yield labels[name], before, after


def _rows(assessment: Assessment) -> dict[str, None]:
    return dict.fromkeys(_row(row) for row in assessment.treatments)


def _row(row: TreatmentRow) -> str:
    parts = [row.label, row.formulation]
    parts += [f"{q.value:g} {q.unit}" for q in (row.dose, row.amount) if q is not None]
    parts += [_counted(row.times_per_day, "time") + " a day"] if row.times_per_day else []
    parts += [f"for {_counted(row.days, 'day')}"] if row.days else []
    parts += ["if it turns out so"] if row.missing else []
    return ", ".join(dict.fromkeys(part for part in parts if part))


def _counted(number: float, what: str) -> str:
    return f"{number:g} {what}{'' if number == 1 else 's'}"


def _sides(old: Mapping[str, None], new: Mapping[str, None]) -> Iterator[tuple[str, str, str]]:
    """What only either gives."""
    yield from (("given", each, "") for each in old if each not in new)
    yield from (("given", "", each) for each in new if each not in old)


def _back(assessment: Assessment) -> str:
    wordings = (
        f"in {_counted(row.days, 'day')} {row.when}".strip() for row in assessment.follow_ups
    )
    return ", ".join(dict.fromkeys(wordings)) or "no"
