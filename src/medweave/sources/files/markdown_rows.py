"""The row of a page in Markdown: what its front matter says, and a field for each section."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from medweave.errors import SourceError
from medweave.model.document import Skipped
from medweave.sources.files.columns import folded
from medweave.sources.files.row import Cut, Row, Rows
from medweave.sources.files.text import TextFile
from medweave.sources.files.yaml_rows import whole, yaml_text_rows

_FRONT = re.compile(r"\s*---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)(.*)\Z", re.S | re.M)
_TITLE = re.compile(r"#[ \t]+(.+?)[ \t#]*")
_SECTION = re.compile(r"##[ \t]+(.+?)[ \t#]*")
_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_FENCE = ("```", "~~~")


def markdown_rows(file: TextFile) -> Rows:
    """The one row of a page. Raises `SourceError` where it has no front matter."""
    text = whole(file).replace("\r\n", "\n").replace("\r", "\n")
    match = _FRONT.match(text)
    if match is None:
        raise SourceError(
            "this page has no front matter",
            where=str(file.path),
            remedy="begin it with a line '---', then `name:` and `concept:`, then '---' again",
        )
    front = list(yaml_text_rows(match[1] or "{}", file.path))
    if len(front) != 1 or not isinstance(front[0], Row):
        yield _bad_front(front, file.path)
        return
    values = dict(front[0].values)
    for heading, section in _sections(match[2]):
        _put(values, heading, section)
    yield Row(1, values)


def has_front_matter(text: str) -> bool:
    """Whether a page, or the beginning of one, begins with front matter.

    >>> has_front_matter("---\\nname: flu\\n---\\n"), has_front_matter("# Read me\\n")
    (True, False)
    """
    return re.match(r"\s*---[ \t]*\r?\n", text) is not None


def _bad_front(front: list[Any], path: Path) -> Skipped:
    for row in front:
        if not isinstance(row, Row):
            found: Skipped = row.skipped if isinstance(row, Cut) else row
            return Skipped(str(path), found.line + 1, f"its front matter: {found.reason}")
    return Skipped(str(path), 1, "its front matter is more, or less, than one record")


def _sections(body: str) -> Iterator[tuple[str, list[str]]]:
    """The sections with their lines: 'name' for the title, 'description' for what comes first."""
    heading, lines = "description", list[str]()
    fenced = False
    for line in body.split("\n"):
        fenced ^= line.lstrip().startswith(_FENCE)
        title = None if fenced else _TITLE.fullmatch(line)
        section = None if fenced else _SECTION.fullmatch(line)
        if title:
            yield "name", [title[1]]
        elif section and folded(section[1]):
            yield heading, lines
            heading, lines = folded(section[1]), []
        else:
            lines.append(line)
    yield heading, lines


def _put(values: dict[str, Any], name: str, lines: list[str]) -> None:
    """Add a section to the record. The front matter goes before the title and the first text;
    a section that comes twice is put together."""
    section = _content(lines)
    present = values.get(name)
    if not section:
        return
    if present in (None, "", []):
        values[name] = section
    elif name in ("name", "description"):
        return
    elif isinstance(present, list) or isinstance(section, list):
        values[name] = [*_listed(present), *_listed(section)]
    else:
        values[name] = f"{present}\n\n{section}"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _content(lines: list[str]) -> str | list[str]:
    """The entries of a list, or a text with its paragraphs."""
    entries: list[str] = []
    for line in lines:
        if _BULLET.match(line):
            entries.append(_BULLET.sub("", line, count=1).strip())
        elif line.strip() and not (entries and line[0] in " \t"):
            return _paragraphs(lines)
        elif line.strip():
            entries[-1] = _joined(entries[-1], line.strip())
    return [entry for entry in entries if entry]


def _paragraphs(lines: list[str]) -> str:
    found: list[str] = []
    open_ = False
    for line in (line.strip() for line in lines):
        if not line:
            open_ = False
        elif open_:
            found[-1] = f"{found[-1]}\n{line}" if _BULLET.match(line) else _joined(found[-1], line)
        else:
            found.append(line)
            open_ = True
    return "\n\n".join(found)


def _joined(before: str, after: str) -> str:
    """Two lines of a paragraph as one: Chinese needs no space between them."""
    close = not before[-1:].isascii() and not after[:1].isascii()
    return f"{before}{after}" if close else f"{before} {after}".strip()
