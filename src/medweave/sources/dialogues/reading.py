"""Dialogues: one record for each, with its turns, the sections it has itself, and references.

Personal data is masked here, before anything is kept: whatever comes behind this module sees the
masked text alone, and all places in a document are places in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from medweave.language.segmentation import language_of
from medweave.language.sentences import sentences
from medweave.model.dialogue import Dialogue, Given, Reference, Turn
from medweave.model.document import Document, Skipped
from medweave.model.identifiers import digest
from medweave.model.mapping import Mapping
from medweave.model.record import Record
from medweave.model.statement import Place
from medweave.sources.dialogues.masking import Masking
from medweave.sources.dialogues.pages import TRANSCRIPT, page_rows
from medweave.sources.dialogues.personal_names import names_in
from medweave.sources.dialogues.transcripts import Utterance, is_name
from medweave.sources.dialogues.values import (
    column_turns,
    joined,
    references_of,
    texts_of,
    turns_of,
)
from medweave.sources.files.row import Row, plain
from medweave.sources.files.rows import data_stem
from medweave.sources.kinds import Opened, Records
from medweave.vocabulary.dialogue_references import relation_called
from medweave.vocabulary.dialogue_template import shipped_template

_SUMMARY_MARK = "@"
"""Before the name of a column that tells which section another column is."""
_LONGEST_TITLE = 80
_LONGEST_ID = 200
_FIRST = 5000
"""Characters by which a dialogue's language is told."""


NAME = "dialogues"
_LETTERS = 20
"""So many letters of what is said are as much work as a row."""


def dialogues(opened: Opened) -> Records:
    """One record for each row in which anybody says anything, or that has a section."""
    path, mapping, source = opened.path, opened.mapping, opened.source
    seen: dict[str, str] = {}
    rows = page_rows(path) if mapping.name == TRANSCRIPT else opened.rows
    for row in rows:
        if not isinstance(row, Row):
            yield row
            continue
        content = _RowContent(row, mapping, source)
        content.read()
        yield from (Skipped(str(path), row.line, reason) for reason in content.lost)
        if not content.turns and not content.given:
            yield Skipped(str(path), row.line, "nobody says anything in this dialogue")
            continue
        if not opened.keep_personal_data:
            content.mask()
        yield from _named(content, path, seen)


def _named(
    row_content: _RowContent, path: Path, seen: dict[str, str]
) -> Iterator[Record | Skipped]:
    """The record under its id; another of the same id is told apart by what it says."""
    content = row_content.content()
    identifier = row_content.identifier() or f"{data_stem(path)}#{content[:10]}"
    name = identifier
    if seen.get(name, content) != content:
        name = f"{identifier}~{content[:6]}"
    if seen.get(name) == content:
        yield Skipped(str(path), row_content.row.line, "the same record stands above")
        return
    if name != identifier:
        reason = f"another dialogue with the id '{identifier}' stands above: kept as '{name}'"
        yield Skipped(str(path), row_content.row.line, reason)
    seen[name] = content
    yield row_content.record(name)


@dataclass
class _RowContent:
    """What one row tells, as it is being read."""

    row: Row
    mapping: Mapping
    source: str
    turns: list[Utterance] = field(default_factory=list)
    given: list[tuple[str, str, str]] = field(default_factory=list)
    """(section as called, field, text)."""
    title: str = ""
    also: list[tuple[str, str]] = field(default_factory=list)
    references: list[tuple[str, ...]] = field(default_factory=list)
    """(type as called, target, field, quote)."""
    lost: list[str] = field(default_factory=list)
    masked: tuple[tuple[str, int], ...] = ()

    def read(self) -> None:
        """Fill all parts from the row."""
        values, mapping = self.row.values, self.mapping
        self._read_turns()
        for column, section in mapping.sections:
            self._read_section(column, section)
        sections = values.get(mapping.sections_field)
        if isinstance(sections, dict):
            for name, value in sections.items():
                self._give(str(name), f"{mapping.sections_field}.{name}", joined(value))
        elif sections not in (None, ""):
            self.lost.append(f"'{mapping.sections_field}' is no mapping of sections")
        self.title = " ".join(joined(values.get(mapping.title_field)).split())
        for column in mapping.also:
            text = "; ".join(texts_of(values.get(column)))
            self.also += [(column, text)] if text else []
        for column, relation in mapping.references:
            self._read_references(column, relation, values.get(column))

    def _read_turns(self) -> None:
        mapping, found = self.mapping, list[Utterance]()
        if mapping.transcript_field:
            found += turns_of(self.row.values.get(mapping.transcript_field))
        for column, speaker in mapping.turns:
            known: Any = speaker
            for turn in column_turns(self.row.values.get(column), known):
                found.append(turn)
        self.turns = [turn for turn in found if turn.text.strip()]
        empty = len(found) - len(self.turns)
        if empty:
            self.lost.append(f"{empty} empty turn{'s' if empty > 1 else ''}")

    def _read_section(self, column: str, section: str) -> None:
        text = joined(self.row.values.get(column))
        if not section.startswith(_SUMMARY_MARK):
            self._give(section, column, text)
            return
        summary = plain(self.row.values.get(section.removeprefix(_SUMMARY_MARK)))
        if shipped_template().section_called(summary):
            self._give(summary, column, text)
        elif text:
            self.also.append((column, text))

    def _give(self, section: str, column: str, text: str) -> None:
        if not text:
            return
        if not shipped_template().section_called(section):
            self.lost.append(f"the template has no section '{section}'")
        else:
            self.given.append((section, column, text))

    def _read_references(self, column: str, relation: str, value: Any) -> None:
        for kind, target, quote in references_of(value):
            called = kind or relation or "related_to"
            if not relation_called(called):
                self.lost.append(f"'{called}' in '{column}' is taken for related_to")
                called = "related_to"
            self.references.append((called, target, column, quote))

    def identifier(self) -> str:
        """The id that the record has itself, '' for none."""
        text = " ".join(plain(self.row.values.get(self.mapping.key_field)).split())
        return text[:_LONGEST_ID]

    def content(self) -> str:
        """A digest of what is told, by which two dialogues of one id are told apart."""
        turns = [[turn.speaker, turn.text] for turn in self.turns]
        rest = [*self.given, *self.also, *self.references]
        return digest([turns, [list(part) for part in rest], self.title])

    def mask(self) -> None:
        """Put marks in the place of personal data, in all that is kept."""
        introductions = {f"My name is {turn.label}." for turn in self.turns if is_name(turn.label)}
        labels = {text for text in introductions if names_in([text]).whole}
        texts = [turn.text for turn in self.turns]
        texts += [text for _, _, text in self.given] + [text for _, text in self.also]
        masking = Masking([*texts, self.title, *labels])
        masked = masking.masked
        self.turns = [Utterance(turn.speaker, masked(turn.text)) for turn in self.turns]
        self.given = [(name, column, masked(text)) for name, column, text in self.given]
        self.also = [(column, masked(text)) for column, text in self.also]
        self.references = [(*parts, masked(quote)) for *parts, quote in self.references]
        self.title = masked(self.title)
        masking.counts["name"] += len(labels)  # labels are not kept: who speaks is
        self.masked = tuple(sorted((k, n) for k, n in masking.counts.items() if n))

    def record(self, name: str) -> Record:
        """The record of this row, under the name that its document gets."""
        turns = tuple(Turn(n, t.speaker, t.text) for n, t in enumerate(self.turns, 1))
        given = [*self.given, *self._answers(turns)]
        references, quotes = self._placed_references()
        fields = {turn.field: turn.text for turn in turns}
        fields |= {column: text for _, column, text in self.given}
        fields |= {column: text for column, text in [*self.also, *quotes] if column not in fields}
        values, mapping = self.row.values, self.mapping
        language = plain(values.get(mapping.language_field)) or mapping.language
        document = Document(
            source=self.source,
            name=name,
            title=self.title[:_LONGEST_TITLE] or _title(turns, self.given) or name,
            fields=tuple(fields.items()),
            language=language or language_of(" ".join(fields.values())[:_FIRST]),
            url=plain(values.get(mapping.url_field)),
            evidence_class="dialogue",
            sample=values.get("sample") is True,
            line=self.row.line,
        )
        dialogue = Dialogue(
            id=name,
            turns=turns,
            given=tuple(Given(*parts) for parts in given),
            references=references,
            namespace=mapping.namespace,
        )
        return Record(
            document,
            NAME,
            mapping,
            dialogue,
            weight=1 + sum(1 + len(turn.text) // _LETTERS for turn in turns),
            unique=True,
            masked=self.masked,
        )

    def _placed_references(self) -> tuple[tuple[Reference, ...], list[tuple[str, str]]]:
        """The references with their places, and the fields that these are in."""
        quotes: dict[str, str] = {}
        found = []
        for called, target, column, quote in self.references:
            held = f"{quotes[column]}; " if column in quotes else ""
            quotes[column] = held + quote
            place = Place(column, len(held), len(held) + len(quote))
            found.append(Reference(called, target, place, quote))
        return tuple(found), list(quotes.items())

    def _answers(self, turns: tuple[Turn, ...]) -> list[tuple[str, str, str]]:
        """The doctor's turns as a section, where a field tells which they are."""
        value = plain(self.row.values.get(self.mapping.section_field))
        section = dict(self.mapping.section_values).get(value, "")
        answers = (turn for turn in turns if turn.speaker == "doctor")
        return [(section, turn.field, turn.text) for turn in answers] if section else []


def _title(turns: tuple[Turn, ...], given: list[tuple[str, str, str]]) -> str:
    """The beginning of what the patient says first, or of what there is."""
    messages = [turn.text for turn in turns if turn.speaker == "patient"]
    texts = [*messages, *(turn.text for turn in turns), *(text for _, _, text in given)]
    first = next((sentence for text in texts for _, _, sentence in sentences(text)), "")
    return " ".join(first.split())[:_LONGEST_TITLE]
