"""Documents of Word (DOCX): headings by their styles, lists, tables, notes; pages as Word last
laid them out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from medweave.errors import SourceError
from medweave.sources.texts.packed import Parts, part_beside, parts_of
from medweave.sources.texts.whole import WholeText
from medweave.sources.texts.writing import Writer, raised

_RELATIONS = "_rels/.rels"
_DOCUMENT = "/officeDocument"
_DEEPEST = 60
_OUT = frozenset(("del", "moveFrom", "Fallback", "instrText", "delText", "pict", "object", "rPr"))
"""What was taken out, what stands there a second time, and what is no text."""
_TITLE_LEVEL, _BOLD_LEVEL, _LONGEST_BOLD = 1, 8, 80
_ENDS = (".", "。", "!", "?", "！", "？", ";", "；", ",", "，")
_TINY, _DIGITS = 2, 4
"""A size in half points that nobody reads."""
_OFF = ("0", "false", "off", "none")


def word_document(path: Path) -> WholeText:
    """A whole text from a document. Raises `SourceError` where it cannot be read."""
    writer = Writer(str(path))
    with parts_of(path) as parts:
        name = _document(parts, str(path))
        _Document(parts, name, writer).write()
        if "docProps/core.xml" in parts:
            title = parts.xml("docProps/core.xml").find("{*}title")
            writer.title = (title.text or "") if title is not None else ""
    return writer.whole()


def _document(parts: Parts, where: str) -> str:
    for relation in parts.xml(_RELATIONS):
        if (relation.get("Type") or "").endswith(_DOCUMENT):
            return part_beside("", (relation.get("Target") or "").lstrip("/"))
    raise SourceError("this is no document of Word", where=where, remedy="save it as .docx")


def _tag(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _value(element: Any, path: str) -> str | None:
    found = element.find(path)
    if found is None:
        return None
    return next((value for name, value in found.attrib.items() if name.endswith("}val")), "")


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < _DIGITS else otherwise


def _is_on(properties: Any, name: str) -> bool:
    value = _value(properties, f"{{*}}{name}")
    return value is not None and value not in _OFF


class _Document:
    """One document on its way into a text."""

    def __init__(self, parts: Parts, name: str, writer: Writer) -> None:
        self._parts = parts
        self._name = name
        self._writer = writer
        self._levels = self._styles()
        self._lists = self._lists_of_styles()
        self._ordered = self._numbering()
        self._counts: Counter[tuple[str, int]] = Counter()
        self._unseen = 0
        self._before = ""
        """What was read last: raised numbers are read by what stands before them."""
        self._bold = self._plain = 0
        self._has_pages = False
        self._shaded = False

    def write(self) -> None:
        """All blocks of the document, then its notes."""
        body = self._parts.xml(self._name).find("{*}body")
        self._blocks(body if body is not None else (), 0)
        for notes in ("footnotes.xml", "endnotes.xml"):
            name = part_beside(self._name, notes)
            if name in self._parts:
                for note in self._parts.xml(name):
                    self._blocks(note, 0)
        if self._unseen:
            text = f"{self._unseen} pieces of hidden or white text are left out"
            self._writer.left_out.append(text)

    def _beside(self, name: str) -> Any:
        part = part_beside(self._name, name)
        return self._parts.xml(part) if part in self._parts else ()

    def _styles(self) -> dict[str, int]:
        """The level of each style that is one of headings; 0 for entries of a contents list."""
        found = dict[str, int]()
        for style in self._beside("styles.xml"):
            identifier = _attribute(style, "styleId")
            name = (_value(style, "{*}name") or "").lower()
            outline = _number(_value(style, "{*}pPr/{*}outlineLvl"), _BOLD_LEVEL)
            if name == "title":
                found[identifier] = _TITLE_LEVEL
            elif name.startswith("heading "):
                found[identifier] = _number(name[8:], 1) + 1
            elif outline < _BOLD_LEVEL:
                found[identifier] = outline + 2
            elif name.startswith("toc "):
                found[identifier] = 0
        return found

    def _lists_of_styles(self) -> dict[str, tuple[str, str]]:
        """The list of each style that makes entries of one, and how deep."""
        found = dict[str, tuple[str, str]]()
        for style in self._beside("styles.xml"):
            number = _value(style, "{*}pPr/{*}numPr/{*}numId")
            if number:
                depth = _value(style, "{*}pPr/{*}numPr/{*}ilvl") or "0"
                found[_attribute(style, "styleId")] = number, depth
        return found

    def _numbering(self) -> dict[tuple[str, int], bool]:
        """For each list and depth whether its entries are counted."""
        numbering = self._beside("numbering.xml")
        if not len(numbering):
            return {}
        by_id = {
            _attribute(each, "abstractNumId"): each
            for each in numbering.iterfind(".//{*}abstractNum")
        }
        found = dict[tuple[str, int], bool]()
        for number in numbering.iterfind(".//{*}num"):
            kind = by_id.get(_value(number, "{*}abstractNumId") or "")
            for level in kind.iterfind(".//{*}lvl") if kind is not None else ():
                depth = _attribute(level, "ilvl")
                ordered = _value(level, "{*}numFmt") not in ("bullet", "none", None)
                found[_attribute(number, "numId"), _number(depth, 0)] = ordered
        return found

    def _blocks(self, elements: Any, depth: int) -> None:
        for element in elements:
            tag = _tag(element)
            if tag == "p":
                self._paragraph(element)
            elif tag == "tbl":
                self._table(element, depth)
            elif tag not in _OUT and depth < _DEEPEST:
                self._blocks(element, depth + 1)  # what wraps blocks: sdt, ins, customXml

    def _paragraph(self, element: Any) -> None:
        self._bold = self._plain = 0
        properties = element.find("{*}pPr")
        shaded, self._shaded = self._shaded, self._shaded or _is_shaded(properties)
        text = "".join(self._texts(element, 0)).strip()
        self._shaded = shaded
        for box in element.iterfind(".//{*}txbxContent"):
            self._blocks(box, 1)
        if not text:
            return
        style = (_value(properties, "{*}pStyle") or "") if properties is not None else ""
        level = self._levels.get(style)
        told = _value(properties, "{*}outlineLvl") if properties is not None else None
        outline = _number(told, _BOLD_LEVEL)
        if outline < _BOLD_LEVEL:
            level = outline + 2
        if level == 0:
            return  # the list of contents says again what the headings say
        if level:
            self._writer.heading(level, text)
        elif properties is not None and (item := self._item(properties, style)):
            self._writer.item(text, *item)
        elif self._looks_like_heading(text):
            self._writer.heading(_BOLD_LEVEL, text)
        else:
            self._writer.paragraph(text)

    def _looks_like_heading(self, text: str) -> bool:
        short = len(text) <= _LONGEST_BOLD and "\n" not in text and not text.endswith(_ENDS)
        return short and bool(self._bold) and not self._plain

    def _item(self, properties: Any, style: str) -> tuple[int, str] | None:
        """The depth and mark of an entry of a list, by itself or by its style."""
        by_style, depth_of_style = self._lists.get(style, ("", "0"))
        number = _value(properties, "{*}numPr/{*}numId") or by_style
        if number in ("", "0"):
            return None
        told = _value(properties, "{*}numPr/{*}ilvl") or depth_of_style
        depth = _number(told, 0)
        if not self._ordered.get((number, depth)):
            return depth, "- "
        self._counts[number, depth] += 1
        for other in [key for key in self._counts if key[0] == number and key[1] > depth]:
            del self._counts[other]
        return depth, f"{self._counts[number, depth]}. "

    def _texts(self, element: Any, depth: int) -> Iterator[str]:
        """The pieces of text in a paragraph that are seen."""
        for part in element:
            tag = _tag(part)
            if tag == "r":
                yield from self._run(part)
            elif tag not in _OUT and tag not in ("pPr", "txbxContent") and depth < _DEEPEST:
                yield from self._texts(part, depth + 1)

    def _run(self, run: Any) -> Iterator[str]:
        properties = run.find("{*}rPr")
        text = "".join(self._pieces(run))
        shaded = self._shaded or _is_shaded(properties)
        if properties is not None and text.strip() and _is_unseen(properties, shaded=shaded):
            self._unseen += 1
            return
        if properties is not None and _value(properties, "{*}vertAlign") == "superscript":
            text = raised(self._before, text)
        self._before = text or self._before
        bold = properties is not None and _is_on(properties, "b")
        if bold:
            self._bold += len(text.strip())
        else:
            self._plain += len(text.strip())
        yield text

    def _pieces(self, run: Any) -> Iterator[str]:
        for part in run:
            tag = _tag(part)
            if tag == "t":
                yield part.text or ""
            elif tag == "tab":
                yield " "
            elif tag == "noBreakHyphen":
                yield "-"
            elif tag == "lastRenderedPageBreak":
                self._page()
            elif tag in ("br", "cr"):
                yield "\n"

    def _page(self) -> None:
        """A page begins with the block that is being read: where in it, is not kept."""
        if not self._has_pages:
            self._writer.page(at=0)
            self._has_pages = True
        self._writer.page()

    def _table(self, table: Any, depth: int) -> None:
        rows = [row.findall("{*}tc") for row in table.findall("{*}tr")]
        if all(len(cells) == 1 for cells in rows):  # a frame, and no table
            for (cell,) in rows:
                self._shaded = _is_shaded(cell.find("{*}tcPr"))
                self._blocks(cell, depth + 1)
        else:
            for cells in rows:
                self._writer.row([self._cell(cell) for cell in cells])
        self._shaded = False

    def _cell(self, cell: Any) -> str:
        self._shaded = _is_shaded(cell.find("{*}tcPr"))
        return " ".join("".join(self._texts(part, 0)) for part in cell.iterfind(".//{*}p"))


def _attribute(element: Any, name: str) -> str:
    return next((value for key, value in element.attrib.items() if key.endswith(f"}}{name}")), "")


def _is_shaded(properties: Any) -> bool:
    """Whether something has a ground of a colour of its own, on which white letters are seen."""
    if properties is None:
        return False
    ground = properties.find("{*}shd")
    fill = _attribute(ground, "fill").lower() if ground is not None else ""
    return fill not in ("", "auto", "ffffff") or properties.find("{*}highlight") is not None


def _is_unseen(properties: Any, *, shaded: bool) -> bool:
    if _is_on(properties, "vanish") or _is_on(properties, "webHidden"):
        return True
    size = _value(properties, "{*}sz") or ""
    white = (_value(properties, "{*}color") or "").lower() == "ffffff"
    return (white and not shaded) or _number(size, _TINY + 1) <= _TINY
