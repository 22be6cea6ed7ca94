"""PubTator without its annotations: titles and abstracts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from medweave.model.document import Skipped
from medweave.sources.files.row import Cut, Row, Rows
from medweave.sources.files.text import examined, opened

_PASSAGE = re.compile(r"(?P<id>[^|\t]{1,200})\|(?P<part>[ta])\|(?P<text>.*)")


def is_pubtator(beginning: str) -> bool:
    """Whether a file begins with a title as PubTator writes one.

    >>> is_pubtator("227508|t|Naloxone reverses the effect.\\n227508|a|It did.")
    True
    """
    first = next((line for line in beginning.splitlines() if line.strip()), "")
    match = _PASSAGE.match(first.lstrip("\ufeff"))
    return match is not None and match["part"] == "t"


def pubtator_rows(path: Path) -> Rows:
    """Each document; lines of annotations are passed over."""
    file = examined(path)
    with opened(file) as stream:
        yield from _documents(stream)
    if file.ends:
        yield Cut(Skipped(str(path), 0, file.ends))


def _documents(lines: Iterator[str]) -> Iterator[Row]:
    current: Row | None = None
    for number, line in enumerate(lines, 1):
        match = _PASSAGE.match(line.rstrip("\r\n"))
        if not match:
            continue
        if match["part"] == "t":
            if current:
                yield current
            current = Row(number, {"pmid": match["id"], "title": match["text"], "abstract": ""})
        elif current and current.values["pmid"] == match["id"]:
            current.values["abstract"] = match["text"]
    if current:
        yield current
