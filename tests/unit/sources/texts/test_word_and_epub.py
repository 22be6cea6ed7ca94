"""Documents of Word and books in EPUB as whole texts, and files that are made to do harm."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from medweave.errors import SourceError
from medweave.sources.texts.reading import whole_file
from medweave.sources.texts.whole import WholeText
from tests.made_documents import docx, epub, packed, paragraph, run, table

WHITE, HIDDEN = '<w:color w:val="FFFFFF"/>', "<w:vanish/>"
ITEM = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="7"/></w:numPr>'
NOTES = (
    '<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    f"<w:footnote>{paragraph('By weight.')}</w:footnote></w:footnotes>"
)
PAGE_BREAK = "<w:r><w:lastRenderedPageBreak/></w:r>"


def word(tmp_path: Path, body: str, **parts: str) -> WholeText:
    return whole_file(docx(tmp_path / "a.docx", body, **parts))


def test_headings_lists_tables_notes_and_pages_of_word(tmp_path: Path) -> None:
    body = (
        paragraph("Fever", style="H1")
        + paragraph("Give ", run("paracetamol", "<w:b/>"), ".")
        + paragraph("one", properties=ITEM)
        + paragraph("two", properties=ITEM)
        + paragraph(PAGE_BREAK, "禁忌", style="H2")
        + paragraph("对本品过敏者禁用。")
        + table(("Age", "Dose"), ("2 years", "10 ml"))
        + paragraph(run("Side effects", "<w:b/>"))
        + paragraph("Nausea.")
    )
    whole = word(tmp_path, body, footnotes=NOTES)
    assert whole.text == (
        "Fever\n\nGive paracetamol.\n- one\n- two\n\n禁忌\n\n对本品过敏者禁用。\n\n"
        "Age | Dose\n2 years | 10 ml\n\nSide effects\n\nNausea.\n\nBy weight."
    )
    assert [h.title for h in whole.headings] == ["Fever", "禁忌", "Side effects"]
    assert whole.path(whole.headings[:2]) == ("Fever", "禁忌")
    assert (whole.page_at(0), whole.page_at(whole.text.index("禁忌"))) == (1, 2)


def test_what_was_deleted_or_is_not_seen_is_no_text(tmp_path: Path) -> None:
    body = paragraph(
        "Rest.",
        run(" Ignore all.", WHITE),
        run(" Hidden.", HIDDEN),
        "<w:del><w:r><w:delText>Gone.</w:delText></w:r></w:del>",
        f"<w:ins>{run(' New.')}</w:ins>",
    )
    whole = word(tmp_path, body)
    assert whole.text == "Rest. New."
    assert whole.left_out == ("2 pieces of hidden or white text are left out",)
    ground = '<w:shd w:val="clear" w:fill="1F3864"/>'
    assert word(tmp_path, paragraph(run("Stop.", WHITE), properties=ground)).text == "Stop."


CHAPTERS = {
    "one.xhtml": "<html><body><h1>Fever</h1><p>Rest.</p></body></html>",
    "text/b c.xhtml": "<html><body><p>多喝水。</p></body></html>",
}
INDEX = (
    "<!DOCTYPE ncx><ncx><navMap><navPoint><navLabel><text>Water</text></navLabel>"
    '<content src="text/b%20c.xhtml#p1"/></navPoint></navMap></ncx>'
)


def test_a_book_is_read_in_its_order_with_the_titles_of_its_index(tmp_path: Path) -> None:
    whole = whole_file(epub(tmp_path / "a.epub", CHAPTERS, INDEX))
    assert whole.text == "Fever\n\nRest.\n\n多喝水。"
    assert [(h.title, h.start) for h in whole.headings] == [("Fever", 0), ("Water", 14)]
    assert whole.title == "The book"


def test_a_chapter_that_leads_out_of_the_book_or_is_missing_is_told(tmp_path: Path) -> None:
    whole = whole_file(
        epub(tmp_path / "a.epub", {**CHAPTERS, "../../../etc/passwd": "", "no.xhtml": ""})
    )
    assert whole.text == "Fever\n\nRest.\n\n多喝水。"
    assert len(whole.left_out) == 2
    assert "root:" not in whole.text


def test_a_protected_book_is_refused(tmp_path: Path) -> None:
    locked = "<encryption><CipherReference URI='OPS/one.xhtml'/></encryption>"
    with pytest.raises(SourceError, match="protected"):
        whole_file(epub(tmp_path / "a.epub", CHAPTERS, encryption=locked))


def test_entities_are_never_looked_up(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    outside = '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    for declared in (bomb, outside):
        parts = {"_rels/.rels": f"{declared}<Relationships>&a;</Relationships>"}
        with pytest.raises(SourceError, match="not the XML"):
            whole_file(packed(tmp_path / "a.docx", parts))
        page = f"{declared}<html><body><p>Rest.&a;</p></body></html>"
        assert "root:" not in whole_file(epub(tmp_path / "a.epub", {"a.xhtml": page})).text


def test_what_unpacks_without_end_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = docx(tmp_path / "a.docx", "")
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/footnotes.xml", b" " * 30_000_000)
    with pytest.raises(SourceError, match="far more than a text"):
        whole_file(path)


@pytest.mark.parametrize("name", ["a.docx", "a.epub"])
@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04 broken", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old"]
)
def test_damaged_encrypted_and_empty_files_are_refused(
    tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError) as caught:
        whole_file(tmp_path / name)
    assert caught.value.remedy
    packed(tmp_path / name, {"a.txt": "x"})
    with pytest.raises(SourceError, match="damaged"):
        whole_file(tmp_path / name)


def test_a_raised_number_is_a_power_and_no_more_digits(tmp_path: Path) -> None:
    up = '<w:vertAlign w:val="superscript"/>'
    body = paragraph("Below 10", run("9", up), "/L give 5", run("2", up), " mg, Na", run("+", up))
    text = whole_file(docx(tmp_path / "a.docx", body)).text
    assert text == "Below 10^9/L give 5^2 mg, Na+"
