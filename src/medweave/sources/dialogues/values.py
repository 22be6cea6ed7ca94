"""What the fields of a dialogue's record may hold: turns, texts, references, in many shapes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from medweave.model.dialogue import Speaker
from medweave.sources.dialogues.layout import dialogue_words
from medweave.sources.dialogues.transcripts import Utterance, speaker_of, turns_in
from medweave.sources.files.row import plain
from medweave.vocabulary.dialogue_references import mentioned_in, relation_called


def turns_of(value: Any) -> list[Utterance]:
    """Turns out of whatever holds them: a transcript, a list of turns, of texts or of pairs.

    >>> turns_of([{"role": "user", "content": "It hurts."}])
    [Utterance(speaker='patient', text='It hurts.', label='user')]
    """
    if isinstance(value, str):
        listed = _json_list(value)
        return (
            turns_in(value) or [Utterance("other", value)] if listed is None else turns_of(listed)
        )
    if isinstance(value, dict):
        return [
            Utterance(*_side(str(key)), text)
            for key, some in value.items()
            for text in texts_of(some)
        ]
    found = []
    for entry in value if isinstance(value, list) else ():
        found += _turn(entry)
    return found


def _side(label: str) -> tuple[Speaker]:
    return (speaker_of(label) or "other",)


def _turn(entry: Any) -> list[Utterance]:
    if isinstance(entry, str):
        return turns_in(entry) or [Utterance("other", entry)]
    match entry:
        case [str(label), str(text)]:
            return [Utterance(speaker_of(label) or "other", text, label)]
    if not isinstance(entry, dict):
        return [Utterance("other", plain(entry))]
    label = plain(_first(entry, "turn_speaker"))
    held = _first(entry, "turn_text")
    text = joined(_only_text(entry, label) if held is None else held)
    if not label and not text:
        return turns_of({key: some for key, some in entry.items() if isinstance(some, str)})
    return [Utterance(speaker_of(label) or "other", text, label)]


def _only_text(entry: dict[str, Any], label: str) -> Any:
    """What a turn says where that is called as nobody knows: the one text beside the speaker."""
    texts = [value for value in entry.values() if isinstance(value, str) and value.strip()]
    others = [text for text in texts if text.strip() != label]
    return others[0] if label and len(others) == 1 else None


def column_turns(value: Any, speaker: Speaker) -> list[Utterance]:
    """The turns in a column of one speaker's; entries that tell their speaker keep it."""
    if isinstance(value, list) and speaker == "other":
        return turns_of(value)
    return [Utterance(speaker, text) for text in texts_of(value)]


def _first(entry: dict[str, Any], role: str) -> Any:
    by_name = {str(name).lower(): value for name, value in entry.items()}
    return next((by_name[word] for word in dialogue_words()[role] if word in by_name), None)


def references_of(value: Any) -> Iterator[tuple[str, str, str]]:
    """(type, id, quote) of each reference in a field: records, or texts such as "SUP-12; #8"."""
    if isinstance(value, str) and (listed := _json_list(value)) is not None:
        value = listed
    entries = value if isinstance(value, list) else [value]
    for entry in entries:
        if isinstance(entry, dict):
            target = plain(_first(entry, "reference_id")).lstrip("#")
            kind = plain(_first(entry, "reference_type"))
            if target:
                yield kind, target, f"{kind} {target}".strip()
        else:
            for text in plain(entry).replace("；", ";").replace(",", ";").split(";"):
                if text.strip():
                    yield _reference_in(text.strip())


def _reference_in(text: str) -> tuple[str, str, str]:
    """A reference written as text: "145", "#145", "caused_by: 145", "copied from ticket 145"."""
    kind, mark, target = text.rpartition(":")
    if mark and relation_called(kind):
        return kind.strip(), target.strip().lstrip("#"), text
    found = next(iter(mentioned_in(text)), None)
    if found is not None:
        return found.relation, found.target, text
    words = text.split()
    for cut in range(len(words) - 1, 0, -1):
        if relation_called(" ".join(words[:cut])):
            return " ".join(words[:cut]), " ".join(words[cut:]).lstrip("#"), text
    return "", text.lstrip("#"), text


def _json_list(value: str) -> list[Any] | None:
    if not value.lstrip().startswith("["):
        return None
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, list) and any(parsed) else None


def texts_of(value: Any) -> list[str]:
    """All texts in a value: of a list each, of a record the one that is its text."""
    if isinstance(value, list):
        return [text for entry in value for text in texts_of(entry)]
    if isinstance(value, dict):
        inner = _first(value, "turn_text")
        return texts_of(_first(value, "turn_texts") if inner is None else inner)
    text = plain(value)
    return [text] if text else []


def joined(value: Any) -> str:
    """All texts in a value, a line each."""
    return "\n".join(texts_of(value))
