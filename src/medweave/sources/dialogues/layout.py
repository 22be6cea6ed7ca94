"""Dialogues in a layout nobody has described: what its columns are called says what they are."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.model.identifiers import digest
from medweave.model.mapping import Mapping
from medweave.sources.files.columns import folded
from medweave.vocabulary.dialogue_references import relation_called
from medweave.vocabulary.dialogue_template import shipped_template

_NAME = "dialogues"
TURNS = "turns"
"""The column in which the rows of one dialogue are put together."""
_OWN = ("date", "specialty", "tags", "title", "url", "language", "references", "sections")
"""What a record of the own layout may have besides its id and its turns."""


def dialogue_words() -> dict[str, Any]:
    """The words of `dialogue_words.yaml`, by role."""
    return shipped_yaml("sources", "dialogues", "dialogue_words.yaml")


def dialogue_mapping(columns: Collection[str], *, named: bool = False) -> Mapping | None:
    """How to read a file of dialogues, question pages or tickets; None where it is none.

    `asked`: somebody says that it is one, so that less must show that it is one of tickets.

    >>> found = dialogue_mapping(["id", "question", "answer", "related_to"])
    >>> found.turns, found.references
    ((('question', 'patient'), ('answer', 'doctor')), (('related_to', 'related_to'),))
    >>> dialogue_mapping(["name", "symptoms"]) is None
    True
    """
    by_name = {folded(column): column for column in reversed(list(columns))}

    def called(role: str) -> str:
        return next((by_name[word] for word in dialogue_words()[role] if word in by_name), "")

    if TURNS in by_name and not _rows(called):
        _expect_own(called, by_name)
    parts = _turns(called) or _rows(called) or _questions(called)
    parts = parts or _ticket(called, by_name, named=named)
    if parts is None:
        return None
    used = {str(value) for value in parts.values() if isinstance(value, str)}
    used |= {column for column, _ in parts.get("turns", ())}
    known: dict[str, Any] = {
        **parts,
        "key_field": called("id"),
        "url_field": called("url"),
        "language_field": by_name.get("language", ""),
        "title_field": parts.get("title_field") or _unless(called("title"), used),
        "sections_field": by_name.get("sections", ""),
        "references": _references(called, by_name, used),
        "also": tuple(c for c in map(called, ("date", "specialty", "tags")) if c and c not in used),
    }
    used |= {known["key_field"], known["title_field"], *known["also"]}
    used |= {column for column, _ in known["references"]}
    known["sections"] = _sections(columns, used)
    return Mapping(
        name=_NAME, kind="dialogues", version=digest(sorted(map(repr, known.items())), 6),
        evidence_class="dialogue", **known,
    )  # fmt: skip


def _expect_own(called: Any, by_name: dict[str, str]) -> None:
    """The own layout has these columns, though the first records of a file may have none of them.

    They are not expected where a column of another name serves.
    """
    for name in _OWN:
        if name not in dialogue_words() or not called(name):
            by_name.setdefault(name, name)


def is_dialogue(record: dict[str, Any]) -> bool:
    """Whether an object is one dialogue, and no list of records with something around it.

    >>> is_dialogue({"id": 7, "turns": [{"speaker": "patient", "text": "It hurts."}]})
    True
    >>> is_dialogue({"conversations": [{"id": 7, "turns": "Q: Is it flu? A: No."}]})
    False
    """
    found = dialogue_mapping(list(record))
    if found is None or not found.transcript_field:
        return found is not None
    turns = record.get(found.transcript_field)
    entries = (
        [entry for entry in turns if isinstance(entry, dict)] if isinstance(turns, list) else []
    )
    speakers = set(dialogue_words()["turn_speaker"])
    return all(speakers & {str(name).lower() for name in entry} for entry in entries)


def _unless(column: str, used: set[str]) -> str:
    return "" if column in used else column


def _turns(called: Any) -> dict[str, Any] | None:
    """A column with the whole conversation."""
    column = called("turns")
    return {"transcript_field": column} if column else None


def _rows(called: Any) -> dict[str, Any] | None:
    speaker, text = called("speaker"), called("text")
    if not (called("id") and speaker and text) or text == called("id"):
        return None
    return {"speaker_field": speaker, "text_field": text, "transcript_field": TURNS}


def _questions(called: Any) -> dict[str, Any] | None:
    question, answered = called("patient"), called("doctor")
    return (
        {"turns": ((question, "patient"), (answered, "doctor"))} if question and answered else None
    )


def _ticket(called: Any, by_name: dict[str, str], *, named: bool) -> dict[str, Any] | None:
    """A ticket: an id, what it is about, and what came of it or what it has to do with others."""
    title, description, comments = called("title"), called("description"), called("comments")
    outcome = called("outcome") or comments or _references(called, by_name, set())
    is_ticket = named or called("ticket_id") or called("ticket_only")
    if not (called("id") and (title or description) and outcome and is_ticket):
        return None
    turns = [(description, "patient")] if description else [(title, "patient")]
    turns += [(comments, "other")] if comments and comments != description else []
    return {"turns": tuple(turns), "title_field": title}


def _references(
    called: Any, by_name: dict[str, str], used: set[str]
) -> tuple[tuple[str, str], ...]:
    found = {called("references"): ""} if called("references") else {}
    for name, column in by_name.items():
        if column in used or shipped_template().section_called(name):
            continue
        relation = relation_called(name) or relation_called(column)
        if relation:
            found.setdefault(column, relation)
    return tuple(sorted((column, relation) for column, relation in found.items()))


def _sections(columns: Collection[str], used: set[str]) -> tuple[tuple[str, str], ...]:
    template = shipped_template()
    found = {c: template.section_called(folded(c)) for c in columns if c not in used}
    return tuple((column, section) for column, section in sorted(found.items()) if section)
