"""Files of two columns: a word and its tag, with an empty line behind each sentence.

    breast<tab>B-Disease
    cancer<tab>I-Disease
    is<tab>O

`B-` begins a mention, `I-` goes on with it, `O` is outside of any. Words are put together with one
space between them, since the text as it was is lost.
Source: Ramshaw and Marcus, "Text chunking using transformation-based learning" (1995).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from medweave.model.document import Skipped
from medweave.sources.files.row import Row, Rows
from medweave.sources.files.text import examined, opened

OUTSIDE = "O"
_COLUMNS = 2
_DOCUMENT = "-DOCSTART-"
_Word = tuple[str, str]


def is_iob(path: Path) -> bool:
    """Whether the first line that is not empty is a word with a tag."""
    with opened(examined(path)) as stream:
        first = next((line for line in stream if line.strip()), "")
    fields = first.rstrip("\r\n").split("\t")
    return len(fields) == _COLUMNS and _is_tag(fields[1])


def iob_rows(path: Path) -> Rows:
    """Each sentence as a record with `id` (its number), `text` and `mentions`.

    A sentence with a line that is no word and tag is skipped.
    """
    for number, (line, words) in enumerate(_sentences(path), 1):
        if isinstance(words, str):
            yield Skipped(str(path), line, words)
        else:
            yield Row(line, {"id": str(number), **_record(words)})


def _sentences(path: Path) -> Iterator[tuple[int, list[_Word] | str]]:
    """The words of each sentence, or what is wrong with it, and where it begins."""
    words: list[_Word] = []
    start, wrong = 1, ""
    with opened(examined(path)) as stream:
        for number, line in enumerate((*stream, ""), 1):
            word, *tags = line.rstrip("\r\n").split("\t")
            if not line.strip() or word == _DOCUMENT:
                if words or wrong:
                    yield start, wrong or words
                words, wrong, start = [], "", number + 1
            elif len(tags) == 1 and _is_tag(tags[0]) and word.strip():
                words.append((word, tags[0]))
            else:
                wrong = wrong or "a line that is not a word and its tag"


def _is_tag(tag: str) -> bool:
    return tag == OUTSIDE or (tag[:2] in ("B-", "I-") and len(tag) > len("B-"))


def _record(words: list[_Word]) -> dict[str, Any]:
    text = ""
    mentions: list[dict[str, Any]] = []
    before = OUTSIDE
    for word, tag in words:
        text += f" {word}" if text else word
        kind, _, concept = tag.partition("-")
        if kind == "I" and before[2:] == concept:
            mentions[-1]["end"] = len(text)
        elif kind != OUTSIDE:
            mentions.append({"start": len(text) - len(word), "end": len(text), "concept": concept})
        before = tag
    return {"text": text, "mentions": mentions}
