"""XML of abstracts: PubMed's, and BioC.

Read as a stream: a file of any size takes the memory of one record. Entities that a file declares
itself are refused, and nothing outside the file is ever looked at (defusedxml).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from medweave.errors import SourceError
from medweave.model.document import Skipped
from medweave.sources.files.row import MAX_RECORD, TOO_LONG, Cut, Row, Rows
from medweave.sources.files.text import examined, opened

_PUBMED = ("PubmedArticle", "PubmedBookArticle")
_BIOC = ("document",)
_LINE = 1


def is_pubmed_xml(beginning: str) -> bool:
    """Whether XML holds records of PubMed.

    >>> is_pubmed_xml("<?xml version='1.0'?><PubmedArticleSet><PubmedArticle>")
    True
    """
    return "<PubmedArticle" in beginning or "<MedlineCitation" in beginning


def is_bioc_xml(beginning: str) -> bool:
    """Whether XML is BioC.

    >>> is_bioc_xml("<collection><source>PubMed</source>")
    True
    """
    return "<collection" in beginning and "<source" in beginning


def pubmed_rows(path: Path) -> Rows:
    """Each article or book chapter of PubMed's XML."""
    return _rows(path, _PUBMED, _pubmed_values)


def bioc_rows(path: Path) -> Rows:
    """Each document of BioC XML."""
    return _rows(path, _BIOC, _bioc_values)


def _rows(path: Path, tags: tuple[str, ...], values: Callable[[Element], dict[str, Any]]) -> Rows:
    file = examined(path)
    try:
        for element in _elements(path, tags):
            length = sum(map(len, element.itertext()))
            yield (
                Skipped(str(path), 0, TOO_LONG) if length > MAX_RECORD else Row(0, values(element))
            )
    except ParseError as error:
        line, column = error.position
        yield Cut(
            Skipped(str(path), line, f"the XML breaks off here: {error.msg}, column {column}")
        )
        return
    if file.ends:
        yield Cut(Skipped(str(path), 0, file.ends))


def _elements(path: Path, tags: tuple[str, ...]) -> Iterator[Element]:
    """The elements of these tags; each is gone when the next one is asked for."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    with opened(examined(path)) as stream:
        try:
            root: Element | None = None
            for event, element in iterparse(stream, events=("start", "end")):
                if root is None:
                    root = element
                if event == "end" and element.tag in tags:
                    yield element
                    root.clear()
        except DefusedXmlException as error:
            raise SourceError(
                "this XML declares entities of its own, or points outside of itself",
                where=str(path),
                remedy="give it without a document type of its own",
            ) from error


def _pubmed_values(article: Element) -> dict[str, Any]:
    sections = [_section(part) for part in article.findall(".//Abstract/AbstractText")]
    dois = [e for e in article.findall(".//ArticleId") if e.get("IdType") == "doi"]
    dois += [e for e in article.findall(".//ELocationID") if e.get("EIdType") == "doi"]
    return {
        "pmid": _text(article.find(".//PMID")),
        "doi": _text(dois[0]) if dois else "",
        "title": _text(article.find(".//ArticleTitle")) or _text(article.find(".//BookTitle")),
        "abstract": " ".join(section for section in sections if section),
        "date": _date(article),
    }


def _section(part: Element) -> str:
    """A part of a structured abstract, its label before it as MEDLINE and PubTator have it."""
    text, label = _text(part), (part.get("Label") or "").strip()
    return f"{label}: {text}" if label and label != "UNLABELLED" and text else text


def _date(article: Element) -> str:
    found = article.find(".//Article/ArticleDate")
    date = found if found is not None else article.find(".//JournalIssue/PubDate")
    if date is None:
        return ""
    return " ".join(
        _text(part) for part in date if part.tag in ("Year", "Month", "Day", "MedlineDate")
    )


def _bioc_values(document: Element) -> dict[str, Any]:
    passages = [
        {
            "infons": {i.get("key") or "": _text(i) for i in passage.findall("infon")},
            "text": "".join(passage.findtext("text") or ""),
        }
        for passage in document.findall("passage")
    ]
    return bioc_document(_text(document.find("id")), passages)


def bioc_document(identifier: str, passages: list[dict[str, Any]]) -> dict[str, Any]:
    """A document of BioC, in XML or JSON: its title, and all other passages as its abstract."""
    titles = [p["text"] for p in passages if _kind(p) in ("title", "front")]
    rest = [p["text"] for p in passages if _kind(p) not in ("title", "front")]
    whole = titles or not rest
    return {
        "pmid": identifier,
        "title": titles[0].strip() if titles else "",
        "abstract": " ".join(text.strip() for text in (*titles[1:], *rest)) if whole else "",
        "text": "" if whole else "\n".join(text.strip() for text in rest),
    }


def _kind(passage: dict[str, Any]) -> str:
    infons = passage.get("infons") or {}
    return str(infons.get("type") or infons.get("section_type") or "").lower()


def _text(element: Element | None) -> str:
    """All text of an element, that of inline markup too, in single spaces."""
    return "" if element is None else " ".join("".join(element.itertext()).split())
