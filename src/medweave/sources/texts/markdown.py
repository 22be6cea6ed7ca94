"""Markdown: what it says, without the signs that say how it looks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from medweave.errors import SourceError
from medweave.sources.texts.web_page import web_page
from medweave.sources.texts.whole import WholeText
from medweave.sources.texts.writing import Writer, glue

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT = re.compile(r"\A\s*---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
_TITLE = re.compile(r"^title\s*:\s*[\"']?(.+?)[\"']?\s*$", re.M)
_LISTS = {"bullet_list_open": "- ", "ordered_list_open": ""}


def markdown_text(raw: str, where: str) -> WholeText:
    """A whole text from Markdown.

    >>> markdown_text("# Doses\\n\\n1. **one** a\\n   day\\n2. [two](x.md)", "a.md").text
    'Doses\\n\\n1. one a day\\n2. two'
    """
    from markdown_it import MarkdownIt

    text = raw.replace("\r\n", "\n").replace("\r", "\n")
    writer = Writer(where)
    if front := _FRONT.match(text):
        found = _TITLE.search(front[1])
        writer.title = found[1] if found else ""
        text = text[front.end() :]
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    _Blocks(writer, where).write(tokens)
    return writer.whole()


class _Blocks:
    """The blocks of a page on their way into a text."""

    def __init__(self, writer: Writer, where: str) -> None:
        self._writer = writer
        self._where = where
        self._lists: list[tuple[str, int]] = []
        """The lists that are open: the mark of each, or '' and the number of its next entry."""
        self._mark = ""
        self._level = 0
        self._cells: list[str] | None = None

    def write(self, tokens: Sequence[Token]) -> None:
        """All blocks, in their order."""
        for token in tokens:
            if token.type == "inline":
                self._inline(_block_text(token.children or ()))
            elif token.type in ("fence", "code_block"):
                self._writer.paragraph(token.content)
            elif token.type == "html_block":
                self._html(token.content)
            else:
                self._open_or_close(token)

    def _open_or_close(self, token: Token) -> None:
        kind = token.type
        if kind == "heading_open":
            self._level = int(token.tag[1:])
        elif kind in _LISTS:
            self._lists.append((_LISTS[kind], int(token.attrGet("start") or 1)))
        elif kind in ("bullet_list_close", "ordered_list_close"):
            self._lists.pop()
        elif kind == "list_item_open":
            mark, number = self._lists[-1]
            self._mark = mark or f"{number}. "
            self._lists[-1] = mark, number + 1
        elif kind == "list_item_close":
            self._mark = ""
        elif kind == "tr_open":
            self._cells = []
        elif kind == "tr_close":
            self._writer.row(self._cells or [])
            self._cells = None

    def _inline(self, text: str) -> None:
        if self._cells is not None:
            self._cells.append(text)
        elif self._level:
            self._writer.heading(self._level, text)
            self._level = 0
        elif self._mark:
            self._writer.item(text, len(self._lists) - 1, self._mark)
            self._mark = ""
        else:
            self._writer.paragraph(text)

    def _html(self, content: str) -> None:
        try:
            web_page(content.encode(), self._where, self._writer)
        except SourceError:
            return  # a comment, or an element that closes another


def _block_text(tokens: Sequence[Token]) -> str:
    pieces = list[str]()
    for token, following in pairwise([*tokens, None]):
        if token is None:
            break
        if token.type in ("text", "code_inline"):
            pieces.append(token.content)
        elif token.type == "image":
            pieces.append(_block_text(token.children or ()))
        elif token.type == "hardbreak":
            pieces.append("\n")
        elif token.type == "softbreak":
            begins = following.content[:1] if following else ""
            pieces.append(glue(pieces[-1] if pieces else "", begins))
    return "".join(pieces)
