"""Files of PubTator: abstracts with the places of what they mention.

    227508|t|Naloxone reverses the effect.
    227508|a|It did.
    227508<tab>0<tab>8<tab>Naloxone<tab>Chemical<tab>D009270

A title and an abstract, then a line for each mention; places count from the title, with one
character between both. Documents are parted by empty lines. A line of a relation has its type and
the identifiers of both ends (`227508<tab>CID<tab>D009270<tab>D003000`).
Source: Wei, Kao and Lu, "PubTator: a web-based text mining tool for assisting biocuration" (2013).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from medweave.model.document import Skipped
from medweave.sources.files.row import Row, Rows
from medweave.sources.files.text import examined, opened

_PASSAGE = re.compile(r"(?P<id>[^|\t]+)\|(?P<part>[ta])\|(?P<text>.*)")
_PLACE = re.compile(r"\d{1,9}")
_FIELDS = 5
"""id, start, end, text, class; what follows is an identifier."""
_RELATION = 4
"""id, type, and the identifiers of both ends."""


def is_pubtator(path: Path) -> bool:
    """Whether the first line that is not empty is a title. Raises `SourceError`: no such file."""
    with opened(examined(path)) as stream:
        first = next((line for line in stream if line.strip()), "")
    match = _PASSAGE.match(first)
    return match is not None and match["part"] == "t"


def pubtator_rows(path: Path) -> Rows:
    """Each document as a record with `id`, `text`, `mentions` and, if any, `relations`.

    One that is broken is skipped.
    """
    for line, block in _blocks(path):
        made = _document(block)
        yield Skipped(str(path), line, made) if isinstance(made, str) else Row(line, made)


def _blocks(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The lines of each document, and where it begins."""
    block: list[str] = []
    start = 1
    with opened(examined(path)) as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                start = start if block else number
                block.append(line.rstrip("\r\n"))
            elif block:
                yield start, block
                block = []
    if block:
        yield start, block


def _document(lines: list[str]) -> dict[str, Any] | str:
    passages = [match for match in map(_PASSAGE.match, lines) if match]
    if not passages or passages[0]["part"] != "t":
        return "a document without a title"
    text = "\n".join(match["text"] for match in passages)
    mentions = []
    relations = []
    for line in lines[len(passages) :]:
        fields = line.split("\t")
        if len(fields) == _RELATION:
            relations.append({"subject": fields[2], "predicate": fields[1], "object": fields[3]})
        if len(fields) < _FIELDS:
            continue
        _, start, end, written, concept, *identifier = fields
        if not (_PLACE.fullmatch(start) and _PLACE.fullmatch(end)):
            return f"places must be numbers: {start[:20]}, {end[:20]}"
        if text[int(start) : int(end)] != written:
            return f"'{written[:40]}' does not stand at {start} to {end}"
        mention = {"start": int(start), "end": int(end), "concept": concept}
        mentions.append({**mention, "identifier": identifier[0]} if identifier else mention)
    made = {"id": passages[0]["id"], "text": text, "mentions": mentions}
    return {**made, "relations": relations} if relations else made
