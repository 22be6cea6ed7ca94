"""Web pages: what they say, without the site around it and without what nobody sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

from medweave.errors import SourceError
from medweave.language.data import shipped_yaml
from medweave.language.segmentation import is_chinese
from medweave.sources.texts.whole import WholeText
from medweave.sources.texts.writing import Writer, raised

_CHARSET = re.compile(
    rb"<(?:meta[^>]{0,200}?charset|\?xml[^>]{0,100}?encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.I
)
_LOOK = 4096
_TAG = re.compile(r"<[^>]*>")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BOLD = frozenset(("b", "strong"))
_BOLD_LEVEL, _LONGEST_BOLD = 7, 80
_UNSEEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*[01](?:px|pt|em|%)?\s*(?:;|$)"
    r"|opacity\s*:\s*0(?:\.0*)?\s*(?:;|$)|(?:left|top|text-indent)\s*:\s*-\d{3,}|clip\s*:\s*rect\(0",
    re.I,
)
_WHITE = re.compile(
    r"(?:^|[;{\s])color\s*:\s*(?:white|#f{3}(?:f{3})?|rgba?\(\s*255\s*,\s*255\s*,\s*255[^)]*\)|transparent)",
    re.I,
)
_RULE = re.compile(r"([^{}]{1,500})\{([^{}]{0,2000})\}")
_GROUND = re.compile(
    r"background(?:-color|-image)?\s*:\s*(?!white|#f{3}|none|transparent|inherit|initial|unset"
    r"|rgba?\(\s*255\s*,\s*255\s*,\s*255)",
    re.I,
)
_NAME = re.compile(r"[.#][\w-]+$")
_NAME_OR_TAG = re.compile(r"[.#]?[\w-]+$")
_PARTS = re.compile(r"[\s_-]+|(?<=[a-z])(?=[A-Z])")
_MOST_OF_IT = 0.5
_NOTE = re.compile(r"\b(?:doc-)?(?:foot|end|rear)?note(?:ref|-ref)?s?\b", re.I)
_MARK, _BACK = (
    re.compile(r"[\[(]?(?:\d{1,3}|[a-z*†‡§]{1,2})[\])]?"),
    re.compile(r"[↩↑⏎^\ufe0e\ufe0f]+"),
)
_LINKS, _IN_LINKS = 4, 0.85
"""A list of so many entries, so much of which is in links, only leads elsewhere."""
_ENDS = (".", "。", "!", "?", "！", "？", ";", "；", ",", "，")


def web_page(content: bytes, where: str, writer: Writer | None = None) -> WholeText:
    """A whole text from a page in HTML, or what it adds to a text that is being written.

    Raises `SourceError` where nothing of it can be read.
    """
    writer = writer or Writer(where)
    root, cut = _parsed(decoded(content), where)
    writer.cut = cut
    _Page(writer, root).write()
    return writer.whole()


def decoded(content: bytes) -> str:
    """The text of a page, by what it says of itself, else UTF-8, else what fits.

    >>> decoded("<meta charset=gbk><p>发热".encode("gbk"))[-2:]
    '发热'
    >>> decoded("<p>Sjögren’s".encode("cp1252"))
    '<p>Sjögren’s'
    """
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    named = _CHARSET.search(content[:_LOOK])
    told = named[1].decode("ascii", "ignore") if named else ""
    for encoding in ("utf-8-sig", _superset_encoding(told.lower())):
        try:
            return content.decode(encoding)
        except (UnicodeDecodeError, LookupError, ValueError):
            continue
    with suppress(UnicodeDecodeError):
        text = content.decode("gb18030")
        if is_chinese(_TAG.sub(" ", text)):
            return text
    return content.decode("cp1252", "replace")


def _superset_encoding(told: str) -> str:
    """The encoding that browsers take for one of this name: a larger one of the same family."""
    if told.startswith("gb"):
        return "gb18030"
    return "cp1252" if told in ("iso-8859-1", "latin1", "us-ascii", "ascii") else told


def _parsed(text: str, where: str) -> tuple[Any, str]:
    """The tree of a page, and why it is not the whole page."""
    from lxml import etree

    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True
    )
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text.replace("\0", " "))
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        root = None
    if root is None:
        raise SourceError("this page says nothing", where=where, remedy="leave it out")
    deep = any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log)
    return root, "nested too deeply: what follows is not read" if deep else ""


class _Page:
    """One page on its way into a text."""

    def __init__(self, writer: Writer, root: Any) -> None:
        self._writer = writer
        self._root = root
        _settle_raised(root)
        self._hidden_names = _styled(root, _UNSEEN)
        self._white_names = _styled(root, _WHITE)
        self._grounds = _styled(root, _GROUND, _NAME_OR_TAG)
        self._unseen = 0
        self._buffer: list[str] = []
        self._bold = self._plain = 0
        self._lists: list[str] = []
        self._counts: list[int] = []
        self._is_item = False

    def write(self) -> None:
        """All that the page says, to the writer."""
        title = self._root.find(".//head/title")
        if title is not None and not self._writer.title:
            self._writer.title = "".join(title.itertext())
        link = self._root.find(".//head/link[@rel='canonical']")
        self._writer.url = (link.get("href") or "") if link is not None else self._writer.url
        body = self._root.find(".//body")
        self._walk(self._main(body if body is not None else self._root))
        if self._unseen:
            text = f"{self._unseen} pieces of text that nobody sees on the page are left out"
            self._writer.left_out.append(text)

    def _main(self, body: Any) -> Any:
        """The element that holds what the page says, where it tells which."""
        found = body.xpath(".//main | .//*[@role='main']") or body.xpath(".//article")
        if len(found) != 1:
            return body
        inside, all_ = self._length(found[0]), self._length(body)
        return found[0] if inside >= _MOST_OF_IT * all_ else body

    def _length(self, element: Any) -> int:
        return sum(len(text.strip()) for text in _texts(element, self._is_out))

    def _is_out(self, element: Any) -> bool:
        return _is_about_site(element) or self._is_unseen(element) or _only_links(element)

    def _is_unseen(self, element: Any) -> bool:
        style, names = element.get("style") or "", _names_of(element)
        return (
            element.get("hidden") is not None
            or element.get("aria-hidden") == "true"
            or bool(_words(element) & _page_words()["unseen"])
            or bool(_UNSEEN.search(style) or names & self._hidden_names)
            or (bool(_WHITE.search(style) or names & self._white_names) and self._is_bare(element))
        )

    def _is_bare(self, element: Any) -> bool:
        """Whether nothing lays a ground under an element, on which white letters could be seen."""
        return not any(
            each.get("bgcolor")
            or each.get("background")
            or _GROUND.search(each.get("style") or "")
            or _names_of(each) & self._grounds
            for each in (element, *element.iterancestors())
        )

    def _walk(self, top: Any) -> None:
        from lxml import etree

        walk = etree.iterwalk(top, events=("start", "end"))
        bold, is_over = 0, False
        for event, element in walk:
            tag = element.tag if isinstance(element.tag, str) else ""
            if event == "start":
                is_over = not tag or (element is not top and self._leaves_out(element))
                is_over = is_over or self._start(element, tag)
                if is_over:
                    walk.skip_subtree()  # its end is the next event
                else:
                    bold += tag in _BOLD
                    self._text(element.text, bold)
                continue
            if not is_over:
                bold -= tag in _BOLD
                self._end(tag)
            is_over = False
            if element is not top:
                self._text(element.tail, bold)
        self._flush()

    def _leaves_out(self, element: Any) -> bool:
        if self._is_unseen(element) and not _is_about_site(element):
            self._unseen += any(map(str.strip, element.itertext()))
            return True
        return _is_about_site(element) or _only_links(element)

    def _start(self, element: Any, tag: str) -> bool:
        """Begin an element; whether it is written with all that stands in it."""
        if tag == "br":
            self._buffer.append("\n")
        elif tag in _HEADINGS or element.get("role") == "heading":
            self._flush()
            level = _HEADINGS.get(tag) or _HEADINGS.get(f"h{element.get('aria-level')}", 2)
            self._writer.heading(level, "".join(_texts(element, self._is_out)))
            return True
        elif tag == "table" and _is_data(element):
            self._flush()
            self._table(element)
            return True
        elif tag in _page_words()["blocks"]:
            self._flush()
            if tag in ("ul", "ol"):
                self._lists.append(tag)
                self._counts.append(0)
            elif tag == "li":
                self._is_item = True
                if self._counts:
                    self._counts[-1] += 1
        return False

    def _end(self, tag: str) -> None:
        if tag in _page_words()["blocks"]:
            self._flush()
            if tag in ("ul", "ol") and self._lists:
                self._lists.pop()
                self._counts.pop()
            if tag in ("li", "ul", "ol"):
                self._is_item = False

    def _text(self, text: str | None, bold: int) -> None:
        if not text:
            return
        squeezed = re.sub(r"\s+", " ", text)
        self._buffer.append(squeezed)
        letters = len(squeezed.strip())
        if bold:
            self._bold += letters
        else:
            self._plain += letters

    def _flush(self) -> None:
        """Write what has come together since the last block ended."""
        text = "".join(self._buffer).strip()
        bold = self._bold and not self._plain
        self._buffer, self._bold, self._plain = [], 0, 0
        if not text:
            return
        if self._is_item:
            ordered = bool(self._lists) and self._lists[-1] == "ol"
            mark = f"{self._counts[-1]}. " if ordered else "- "
            self._writer.item(text, len(self._lists) - 1, mark)
            self._is_item = False
        elif bold and len(text) <= _LONGEST_BOLD and "\n" not in text and not text.endswith(_ENDS):
            self._writer.heading(_BOLD_LEVEL, text)
        else:
            self._writer.paragraph(text)

    def _table(self, table: Any) -> None:
        caption = table.find("caption")
        if caption is not None:
            self._writer.paragraph("".join(_texts(caption, self._is_out)))
        for row in table.iter("tr"):
            cells = [
                "".join(_texts(cell, self._is_out))
                for cell in row
                if cell.tag in ("td", "th") and not self._is_unseen(cell)
            ]
            self._writer.row(cells)


def _texts(element: Any, is_out: Any) -> Iterator[str]:
    """The texts in an element, without those of parts that are left out; what stands on a line of
    its own is parted by a blank."""
    from lxml import etree

    apart = {"br", *_page_words()["blocks"]}
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, part in walk:
        if part is not element and part.tag in apart:
            yield " "
        if event == "end":
            if part is not element and part.tail:
                yield part.tail
        elif not isinstance(part.tag, str) or (part is not element and is_out(part)):
            walk.skip_subtree()
        elif part.text:
            yield part.text


def _is_about_site(element: Any) -> bool:
    words = _page_words()
    if element.tag == "aside" and _is_note(element):
        return False
    if element.tag in words["elements"] or (element.get("role") or "") in words["roles"]:
        return True
    if element.tag == "header":
        return not any(True for _ in element.iterancestors("article", "main"))
    return element.tag not in ("body", "html", "main", "article") and bool(
        _words(element) & words["words"]
    )


def _settle_raised(root: Any) -> None:
    """Take out the marks of notes, and write a power as one."""
    for link in list(root.iter("a")):
        in_raised = link.getparent() is not None and link.getparent().tag == "sup"
        inside = link.getparent() if in_raised else link
        is_raised = in_raised or link.find("sup") is not None
        mark = "".join(inside.itertext()).strip()
        if _BACK.fullmatch(mark) or (_MARK.fullmatch(mark) and (is_raised or _is_note(link))):
            _empty(inside)
    for power in root.iter("sup"):
        beside, above = power.getprevious(), power.getparent()
        before = above.text if beside is None and above is not None else getattr(beside, "tail", "")
        power.text = raised((before or "").rstrip(), power.text or "")


def _is_note(element: Any) -> bool:
    """Whether an element calls itself a note, or the way to one."""
    named = (element.get(name) or "" for name in ("role", "epub:type", "class"))
    return bool(_NOTE.search(" ".join(named)))


def _empty(element: Any) -> None:
    behind = element.tail
    element.clear()
    element.tail = behind


def _words(element: Any) -> set[str]:
    """The words of its class and id, each alone and the whole name as one."""
    named = f"{element.get('class') or ''} {element.get('id') or ''}".split()
    found = {re.sub(r"[_-]", "", name).lower() for name in named}
    return found | {part.lower() for name in named for part in _PARTS.split(name)}


def _only_links(element: Any) -> bool:
    """Whether a list only leads to other pages."""
    if element.tag not in ("ul", "ol"):
        return False
    links = element.xpath(".//a[@href]")
    if len(links) < _LINKS:
        return False
    inside = sum(len("".join(link.itertext()).strip()) for link in links)
    return inside >= _IN_LINKS * max(1, len("".join("".join(element.itertext()).split())))


def _is_data(table: Any) -> bool:
    """Whether a table holds cells and is not there for the looks of the page."""
    if table.get("role") == "presentation" or table.find(".//table") is not None:
        return False
    inside = table.xpath("count(.//h1|.//h2|.//h3|.//h4|.//article|.//main)")
    rows = table.xpath("count(.//tr)")
    cells = table.xpath("count(.//td|.//th)")
    return not inside and cells > rows


def _names_of(element: Any) -> set[str]:
    """An element's own name, classes and id, as a style names them."""
    names = {f".{name}" for name in (element.get("class") or "").split()}
    return {str(element.tag), f"#{element.get('id') or ''}", *names}


def _styled(root: Any, look: re.Pattern[str], name: re.Pattern[str] = _NAME) -> frozenset[str]:
    """Classes and ids to which the style of the page itself gives such a look."""
    rules = (rule for style in root.iter("style") for rule in _RULE.findall(style.text or ""))
    names = (
        each.strip() for names, told in rules if look.search(told) for each in names.split(",")
    )
    return frozenset(each for each in names if name.match(each))


@cache
def _page_words() -> dict[str, frozenset[str]]:
    content = shipped_yaml("sources", "texts", "page_words.yaml")
    return {name: frozenset(words) for name, words in content.items()}
