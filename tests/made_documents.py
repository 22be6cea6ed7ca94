"""Small documents of every format, made by hand for tests: PDF, DOCX, EPUB."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


def packed(path: Path, parts: Mapping[str, str]) -> Path:
    """A file of these parts."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def run(text: str, properties: str = "") -> str:
    """A run of a paragraph of Word."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def paragraph(*runs: str, style: str = "", properties: str = "") -> str:
    """A paragraph of Word; a run without markup is a text."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    inside = "".join(each if each.startswith("<") else run(each) for each in runs)
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{inside}</w:p>"


def table(*rows: Sequence[str]) -> str:
    """A table of Word."""
    made = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in made) + "</w:tbl>"


def docx(path: Path, body: str, **parts: str) -> Path:
    """A document of Word; headings have the styles H1 and H2, entries of a list the number 7."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="H{n}"><w:name w:val="heading {n}"/></w:style>'
        for n in (1, 2)
    )
    return packed(
        path,
        {
            "_rels/.rels": f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="r" '
            f'Type="{_RELATION}" Target="word/document.xml"/></Relationships>',
            "word/styles.xml": f'<w:styles xmlns:w="{_WORD}">{styles}</w:styles>',
            "word/document.xml": f'<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body>'
            "</w:document>",
            **{f"word/{name}.xml": text for name, text in parts.items()},
        },
    )


def epub(path: Path, chapters: Mapping[str, str], index: str = "", **parts: str) -> Path:
    """A book of these chapters, by their names; `index` is an NCX."""
    items = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>'
        for n, name in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(chapters)))
    ncx = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>' if index else ""
    files = {
        "META-INF/container.xml": "<container><rootfiles><rootfile full-path='OPS/book.opf'/>"
        "</rootfiles></container>",
        "OPS/book.opf": "<package><metadata><title>The book</title></metadata>"
        f"<manifest>{items}{ncx}</manifest><spine>{spine}</spine></package>",
        **{f"OPS/{name}": text for name, text in chapters.items() if text},
        **({"OPS/toc.ncx": index} if index else {}),
        **{f"META-INF/{name}.xml": text for name, text in parts.items()},
    }
    return packed(path, files)


def said(
    text: str,
    x: float,
    y: float,
    size: float = 11,
    *,
    bold: bool = False,
    before: str = "",
    mode: int = 0,
) -> str:
    """An instruction of a page of PDF: a text at a place, counted from below; `before` may choose
    a colour ("1 1 1 rg"), `mode` 3 is invisible."""
    if text.isascii():
        font, shown = "F2" if bold else "F1", f"({text.translate(_ESCAPES)})"
    else:
        font, shown = "F3", f"<{text.encode('utf-16-be').hex()}>"
    return f"q {before} BT /{font} {size} Tf {mode} Tr 1 0 0 1 {x} {y} Tm {shown} Tj ET Q"


_ESCAPES = str.maketrans({"(": "\\(", ")": "\\)", "\\": "\\\\"})
PICTURE = "q 595 0 0 842 0 0 cm /Im Do Q"
"""A picture as large as the page."""


def lines(texts: Iterable[str], x: float = 72, y: float = 700, size: float = 11) -> list[str]:
    """Lines one below the other."""
    return [said(text, x, y - 14 * n, size) for n, text in enumerate(texts)]


def pdf(
    path: Path,
    pages: Sequence[Sequence[str]],
    outline: Sequence[tuple[str, int]] = (),
    more: str = "",
) -> Path:
    """A PDF of these pages, each of them instructions; `outline` has titles with their pages, from
    0; `more` goes into its trailer."""
    kids = " ".join(f"{10 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /Outlines 3 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>",
        _first_mark(len(pages), len(outline)),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>",
        "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H "
        "/DescendantFonts [7 0 R] >>",
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo "
        "<< /Registry (Adobe) /Ordering (GB1) /Supplement 0 >> /FontDescriptor 8 0 R /DW 1000 >>",
        "<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] "
        "/ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>",
        "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray "
        "/BitsPerComponent 8 /Length 1 >>\nstream\n\x80\nendstream",
    ]
    for n, page in enumerate(pages):
        content = "\n".join(page)
        objects += [
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R "
            f"/F2 5 0 R /F3 6 0 R >> /XObject << /Im 9 0 R >> >> /Contents {11 + 2 * n} 0 R >>",
            f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        ]
    objects += _marks(len(pages), outline)
    path.write_bytes(_file(objects, more))
    return path


def _first_mark(pages: int, count: int) -> str:
    first = 10 + 2 * pages
    reach = f"/First {first} 0 R /Last {first + count - 1} 0 R /Count {count}" if count else ""
    return f"<< /Type /Outlines {reach} >>"


def _marks(pages: int, outline: Sequence[tuple[str, int]]) -> list[str]:
    first = 10 + 2 * pages
    made = []
    for n, (title, page) in enumerate(outline):
        beside = f"/Prev {first + n - 1} 0 R " if n else ""
        beside += f"/Next {first + n + 1} 0 R" if n + 1 < len(outline) else ""
        made.append(
            f"<< /Title ({title}) /Parent 3 0 R {beside} /Dest [{10 + 2 * page} 0 R /Fit] >>"
        )
    return made


def _file(objects: Sequence[str], more: str) -> bytes:
    found, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(found))
        found += f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1")
    start = len(found)
    rows = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    found += f"xref\n0 {count}\n0000000000 65535 f \n{rows}".encode()
    return (
        found
        + f"trailer\n<< /Size {count} /Root 1 0 R {more} >>\nstartxref\n{start}\n%%EOF".encode()
    )
