"""What a base's owner added to the vocabulary: the base remembers it."""

from __future__ import annotations

from pathlib import Path

from medweave.errors import SourceError, VocabularyError
from medweave.ports import StoreView
from medweave.vocabulary.vocabulary import Vocabulary, load_vocabulary, shipped_texts

_NOTE = "vocabulary"


def added_vocabulary(store: StoreView, path: Path | None) -> list[tuple[str, str]]:
    """The user's addition to the vocabulary: the one given now, else the one the base remembers."""
    if path is None:
        note = store.note(_NOTE)
        return [("the base's own vocabulary", note)] if note else []
    text = vocabulary_text(path)
    load_vocabulary([*shipped_texts(), (str(path), text)])
    return [("the base's own vocabulary", text)]


def vocabulary_with(path: Path | None) -> Vocabulary:
    """The vocabulary that ships with what a file adds, where there is no base to remember it.

    Raises `SourceError` or `VocabularyError` for what is wrong with the file.
    """
    added = [(str(path), vocabulary_text(path))] if path else []
    return load_vocabulary([*shipped_texts(), *added])


def vocabulary_text(path: Path) -> str:
    """The text of a vocabulary. Raises `SourceError` where it cannot be read."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(
            "this vocabulary cannot be read", where=str(path), remedy="give a UTF-8 YAML file"
        ) from error


def remember_words(store: StoreView, own: str, known: Vocabulary) -> None:
    """Keep the added vocabulary in the base, before anything is written in its words."""
    if not own:
        return
    note = store.note(_NOTE)
    if note != own:
        _check_words(note or "", store, known)
        store.set_note(_NOTE, own)


def _check_words(note: str, store: StoreView, known: Vocabulary) -> None:
    """A vocabulary that takes another's place must have all words that the base uses."""
    old = load_vocabulary([*shipped_texts(), ("the base's own vocabulary", note or "{}")])
    gone = [concept for concept in old.concepts if concept not in known.concepts]
    missing = [concept for concept in gone if store.count_mentioned_as(concept)]
    if note:
        missing += [
            name for name in store.tally().predicates if old.find(name) and not known.find(name)
        ]
    if missing:
        raise VocabularyError(
            f"this vocabulary lacks words that the base uses: {', '.join(missing[:5])}",
            remedy="add them to the file",
        )
