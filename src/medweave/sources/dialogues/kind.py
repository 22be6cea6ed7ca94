"""The kind of dialogues: question pages, tickets, transcripts, in layouts known and unknown."""

from __future__ import annotations

from collections.abc import Collection

from medweave.model.mapping import Mapping
from medweave.model.record import Record
from medweave.sources.dialogues.layout import dialogue_mapping, is_dialogue
from medweave.sources.dialogues.pages import page_mapping
from medweave.sources.dialogues.prompts import REQUESTS, filled, reader
from medweave.sources.dialogues.reading import NAME, dialogues
from medweave.sources.dialogues.tree import DialogueReader, content_of, dialogue_version
from medweave.sources.kinds import ByModel, Extracted, Kind, register
from medweave.sources.names import Naming


def _extract(record: Record, _naming: Naming, activity: str) -> Extracted:
    found = DialogueReader(record.document, record.content, activity)
    found.read()
    return Extracted(found.statements, found.evidence, found.mentions, found.skipped)


def _key(record: Record, _naming: Naming) -> list[object]:
    return [*content_of(record.content), dialogue_version()]


def _layout(columns: Collection[str], named: bool) -> Mapping | None:
    return dialogue_mapping(columns, named=named)


def _columns(mapping: Mapping) -> set[str]:
    used = {column for column, _ in (*mapping.turns, *mapping.sections, *mapping.references)}
    used |= {mapping.transcript_field, mapping.speaker_field, mapping.text_field}
    used |= {mapping.title_field, mapping.key_field, mapping.section_field, mapping.url_field}
    return used | {mapping.sections_field, mapping.language_field, *mapping.also}


register(
    Kind(
        name=NAME,
        read=dialogues,
        extract=_extract,
        key=_key,
        columns=_columns,
        layout=_layout,
        file=page_mapping,
        is_record=is_dialogue,
        by_model=ByModel(reader, filled, REQUESTS),
    )
)
