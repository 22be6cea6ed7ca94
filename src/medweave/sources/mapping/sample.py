"""A look at the first rows of a file, column by column, and what kind of text stands there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from medweave.language.segmentation import is_chinese
from medweave.model.document import Skipped
from medweave.sources.files.row import Cut, Row, Rows
from medweave.sources.mapping.lists import LIST_MARKS, split_at

LOOK = 200
"""Rows looked at."""
_MARKS = (LIST_MARKS, "|", "、", "\n", ",，", " ")
"""What parts lists: first the signs that hardly stand for anything else."""
_SOME = 0.25
"""So many of the texts must be parted by a sign for it to be the sign of a list."""
_NAME_WORDS, _PROSE_WORDS = 5, 12
"""A text of at most, and of more than so many words: a name, a sentence."""
_STOP = re.compile(r"[.!?](?:\s|$)|[。！？]")
_STOP_WITHIN = re.compile(r"[.!?]\s+\S|[。！？].")


@dataclass(frozen=True)
class Sample:
    """The first rows of a file, and the rows among them that could not be read."""

    path: Path
    rows: tuple[Row, ...]
    skipped: tuple[Skipped, ...]

    @property
    def columns(self) -> list[str]:
        """All columns, in the order in which the rows first have them."""
        return list(dict.fromkeys(name for row in self.rows for name in row.values))

    def texts(self, column: str) -> list[str]:
        """The texts of a column, empty ones left out; lists are written with semicolons."""
        values = (row.values.get(column) for row in self.rows)
        texts = (
            "; ".join(map(str, value)) if isinstance(value, list) else str(value)
            for value in values
            if value is not None
        )
        return [text for text in texts if text.strip()]


def look(path: Path, rows: Rows) -> Sample:
    """The first of the rows of a file. Raises `SourceError` where it cannot be read."""
    found = list(islice(rows, LOOK))
    others = [row for row in found if not isinstance(row, Row)]
    return Sample(
        path,
        tuple(row for row in found if isinstance(row, Row)),
        tuple(row.skipped if isinstance(row, Cut) else row for row in others),
    )


def list_marks(texts: Sequence[str]) -> str:
    """The characters that part the lists of a column; '' for semicolons, and for no lists at all.

    >>> list_marks(["发热、咳嗽", "皮疹"]), list_marks(["fever, cough"]), list_marks(["a; b, c"])
    ('、', ',，', '')
    """
    plain = [text for text in texts if not text.lstrip().startswith("[")]
    for marks in _MARKS if is_chinese("".join(plain)) else _MARKS[:-1]:  # only there a space parts
        parted = [split_at(text, marks) for text in plain]
        pieces = [piece for parts in parted for piece in parts if piece]
        several = sum(len(parts) > 1 for parts in parted)
        if several and several >= _SOME * len(plain) and _words(pieces) <= _NAME_WORDS:
            return "" if marks == LIST_MARKS else marks
    return ""


def is_prose(texts: Sequence[str]) -> bool:
    """Whether a column holds sentences, not lists of names.

    >>> is_prose(["It begins with fever, then a rash. Rest helps."]), is_prose(["fever, rash."])
    (True, False)
    """
    marks = list_marks(texts)
    pieces = [piece for text in texts for piece in split_at(text, marks) if piece]
    if any(text.lstrip().startswith("[") for text in texts):
        return False
    ended = sum(_STOP.search(text) is not None for text in texts)
    within = any(_STOP_WITHIN.search(piece) for piece in pieces)
    sentences = ended * 2 >= len(texts) and (within or _words(pieces) > _NAME_WORDS)
    return sentences or _words(pieces) > _PROSE_WORDS


def is_naming(texts: Sequence[str]) -> bool:
    """Whether a column holds a different short name in every row."""
    return (
        bool(texts)
        and len(set(texts)) == len(texts)
        and _words(texts) <= _NAME_WORDS
        and not any(text.strip().isdigit() for text in texts)
        and not is_prose(texts)
    )


def _words(texts: Sequence[str]) -> float:
    """Words of a text on average; two Chinese characters count as a word."""
    counts = [len(text) / 2 if is_chinese(text) else len(text.split()) for text in texts]
    return sum(counts) / max(1, len(counts))
