"""Documents: what was read, kept so that every quote can be opened in its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from medweave.model.entity import NameMention
from medweave.model.identifiers import digest
from medweave.model.json_form import json_of
from medweave.model.refinement import Refinement
from medweave.model.statement import Activity, Evidence, EvidenceClass, Statement

PLACE = "place in the text"
"""The field that says where a part of a text stands: no words to be found by."""


@dataclass(frozen=True, slots=True)
class Document:
    """One record of a source: a monograph, a page of triples.

    `source` is the path it was read from and `name` what people see and cite. Two copies of a file
    in two folders are two sources, so `id` depends on the path; the hash of a base does not.
    """

    source: str
    name: str
    title: str
    fields: tuple[tuple[str, str], ...]
    """(field, its text), in the order of the record."""
    language: str = "en"
    url: str = ""
    evidence_class: EvidenceClass = "monograph"
    sample: bool = False
    """Marked by its authors as a sample, not for care."""
    line: int = 0
    """First line in the source, counted from 1; 0 where lines mean nothing."""
    id: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", "do:" + digest([self.source, self.name]))

    def text(self, field_name: str) -> str:
        """The text of one field, '' where the record has none."""
        return dict(self.fields).get(field_name, "")

    def words(self) -> str:
        """All that it may be found by."""
        return "\n".join(text for name, text in self.fields if name != PLACE)

    def to_json(self) -> dict[str, Any]:
        """The form that `medweave show` prints."""
        return json_of(self, "id name title source") | {"fields": dict(self.fields)}

    def content_key(self) -> str:
        """A digest of everything that was read, without where from."""
        return digest(
            [
                self.name,
                self.title,
                [list(pair) for pair in self.fields],
                self.language,
                self.url,
                self.evidence_class,
                self.sample,
            ]
        )


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in a source that could not be used, and why. Data in a report, not an error."""

    file: str
    line: int
    reason: str
    rows: int = 0
    """Of how many rows this is the reason, where a source may have it again and again: it is then
    told once, with the number of all."""
    dropped: str = ""
    """For a relation that was read: why it is left out, as `Refinement` counts it."""

    def to_json(self) -> dict[str, Any]:
        """One of `skipped` of a report."""
        return json_of(self, "file line reason")


def merged_by_reason(skipped: Iterable[Skipped]) -> list[Skipped]:
    """The lines of one source, those of one reason that count rows as one line.

    >>> lines = [Skipped("a.csv", 2, "rows of it", 3), Skipped("a.csv", 9, "rows of it", 4)]
    >>> merged_by_reason(lines)
    [Skipped(file='a.csv', line=2, reason='7 rows of it', rows=0, dropped='')]
    """
    counts: dict[tuple[str, str], Skipped] = {}
    found = []
    for item in skipped:
        if not item.rows:
            found.append(item)
            continue
        key = (item.file, item.reason)
        first = counts.get(key, replace(item, rows=0))
        counts[key] = replace(first, rows=first.rows + item.rows)
    found += [
        replace(item, reason=f"{item.rows} {item.reason}", rows=0) for item in counts.values()
    ]
    return found


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything one document contributes: the unit a store adds and removes."""

    document: Document
    build_key: str
    """Content plus mapping, templates, lexicon and code versions: equal keys need no new work."""
    statements: tuple[Statement, ...]
    evidence: tuple[Evidence, ...]
    mentions: tuple[NameMention, ...]
    activity: Activity
    skipped: tuple[Skipped, ...] = ()
    refinement: Refinement | None = None
    """What became of the relations that were read, where these are refined."""
