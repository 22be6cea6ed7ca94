"""Where the names of EmCare's rules are looked up: in its libraries, or in its sheets."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from medweave.guideline.emcare.cql import (
    Library,
    Name,
    Operation,
    Term,
    UnreadError,
    Value,
    read_term,
)
from medweave.guideline.emcare.files import EmCareFiles
from medweave.guideline.emcare.observations import Observed, folded
from medweave.guideline.emcare.rules import Referent
from medweave.guideline.emcare.workbook import SheetRow
from medweave.model.guideline import Observation

_COMBINED = {"c", "clas"}
"""What sheets call the sheet of combined findings."""


@dataclass
class Classes:
    """Classifications by where their rule stands, and by label."""

    by_rule: dict[tuple[str, str], str] = field(default_factory=dict)
    """(library or sheet, the name of its rule, folded) → classification."""
    ids: set[str] = field(default_factory=set)
    called: dict[str, str] = field(default_factory=dict)
    """A label, folded → classification; the first of a label."""

    def of(self, place: str, rule: str) -> str:
        """The classification whose rule this is, or ''."""
        return self.by_rule.get((place, folded(rule)), "")


@dataclass
class LibraryScope:
    """Names as one library sees them."""

    library: Library
    files: EmCareFiles
    observed: Observed
    classes: Classes

    def referent(self, name: Name) -> Referent | None:
        """What a name stands for in this library, or in one it includes."""
        if not name.library:
            return self._own(name.name)
        included = self.library.includes.get(name.library, "")
        library = self.files.libraries.get(included)
        if "zscore" in included.lower():
            return Referent(observation=_score(name.name, self.observed))
        if library is None:
            return None
        return LibraryScope(library, self.files, self.observed, self.classes)._own(name.name)

    def _own(self, name: str) -> Referent | None:
        place = self.library.name
        found = self.classes.of(place, name)
        if found:
            return Referent(classification=found)
        definition = self.library.definitions.get(name)
        if definition is not None:
            key = f"{name} ({place})"
            return Referent(definition=definition.term, key=key, scope=self)
        code = self.library.codes.get(name)
        return None if code is None else self._code(code.code)

    def _code(self, code: str) -> Referent:
        if self.library.name.lower().endswith("condition"):
            return Referent(classification=code if code in self.classes.ids else "")
        return _observation_or_answer(code, self.observed)


@dataclass
class SheetScope:
    """Names as the rows of one sheet see them."""

    sheet: str
    files: EmCareFiles
    observed: Observed
    classes: Classes
    _rows: dict[str, SheetRow] = field(default_factory=dict)
    _children: dict[str, list[SheetRow]] = field(default_factory=lambda: defaultdict(list))

    @property
    def rows(self) -> tuple[SheetRow, ...]:
        """All its rows."""
        workbook = self.files.workbook
        return workbook.sheets.get(self.sheet, ()) if workbook else ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if row["parentId"]:
                self._children[row["parentId"]].append(row)
            if row["id"] and (row["initialExpression"] or row["calculatedExpression"]):
                for called in (row["id"], row["label"]):
                    if called:
                        self._rows.setdefault(folded(called), row)

    def row(self, name: str) -> SheetRow | None:
        """The row that defines a name."""
        return self._rows.get(folded(name))

    def referent(self, name: Name) -> Referent | None:
        """What a name stands for in this sheet, or in the workbook."""
        prefix = name.library.lower()
        if prefix == "o":
            return self._observation(name.name)
        if prefix in {"v", "val"}:
            return self._answer(name.name)
        if prefix == "z":
            return Referent(observation=_score(name.name, self.observed))
        if prefix in _COMBINED:
            return self._combined(name.name)
        if prefix == "cond":
            return Referent(classification=self.classes.called.get(folded(name.name), ""))
        return (
            self._defined(name.name)
            or self._observation(name.name)
            or self._combined(name.name)
            or self._answer(name.name)
        )

    def _defined(self, name: str) -> Referent | None:
        row = self.row(name)
        found = self.classes.of(self.sheet, name) or (
            self.classes.of(self.sheet, row["id"]) if row else ""
        )
        if found:
            return Referent(classification=found)
        if row is None or row["id"] in self.observed.by_id:
            return None
        return Referent(definition=self.term(row), key=f"{row['id']} ({self.sheet})", scope=self)

    def term(self, row: SheetRow, depth: int = 0) -> Term:
        """What a row says: its expression, and one of those of the rows below it."""
        text = row["initialExpression"] or row["calculatedExpression"]
        head = None if text in {"", "{{cql}}"} else read_term(text)
        below = [
            self.term(child, depth + 1)
            for child in self._children.get(row["id"], ()) if row["id"] and depth < 9  # noqa: PLR2004
            if child["type"] == "{{cql}}" and (child["initialExpression"] or child["id"])
        ]  # fmt: skip
        if head is not None and _names_itself(head, row):
            raise UnreadError(f"'{row['id']}' is defined by itself")
        if not below:
            if head is None:
                raise UnreadError(f"'{row['id']}' says nothing")
            return head
        either = below[0]
        for other in below[1:]:
            either = Operation("or", (either, other))
        return either if head is None else Operation("and", (head, either))

    def _observation(self, name: str) -> Referent | None:
        found = self.observed.called.get(folded(name))
        if found is None and name in self.observed.by_id:
            found = name
        if found is not None:
            return Referent(observation=found)
        for code in self.observed.answers.get(folded(name), ()):
            if code in self.observed.part_of:
                return _observation_or_answer(code, self.observed)
        return None

    def _answer(self, name: str) -> Referent | None:
        codes = self.observed.answers.get(folded(name), [])
        return Referent(answer=codes[0]) if codes else None

    def _combined(self, name: str) -> Referent | None:
        for title in self.files.workbook.sheets if self.files.workbook else ():
            if title.lower().startswith("l.") and title != self.sheet:
                scope = SheetScope(title, self.files, self.observed, self.classes)
                row = scope.row(name)
                if row is not None:
                    key = f"{row['id']} ({title})"
                    return Referent(definition=scope.term(row), key=key, scope=scope)
        return None


def _observation_or_answer(code: str, observed: Observed) -> Referent:
    """A code of a question, of one of the answers of a question with several, or an answer."""
    if code in observed.by_id:
        return Referent(observation=code)
    if code in observed.part_of:
        return Referent(observation=observed.part_of[code], answer=code)
    return Referent(answer=code)


def _score(name: str, observed: Observed) -> str:
    """A z-score that the guideline works out from tables which it does not hold."""
    identifier = f"zscore.{name}"
    observed.add(
        Observation(identifier, name, kind="number", unit="1", source=f"EmCare z-score {name}")
    )
    return identifier


def _names_itself(term: Term, row: SheetRow) -> bool:
    match term:
        case Name(name, ""):
            return folded(name) in {folded(row["id"]), folded(row["label"])}
        case Value():
            return False
    return False
