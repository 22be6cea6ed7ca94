"""Texts as sources of a base: recognised last, built, shown, removed, read again when changed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medweave import KnowledgeBase
from medweave.errors import NotFoundError, SourceError
from medweave.model.document import Document
from medweave.model.passage import passage_of
from medweave.sources.mapping.layouts import find_mapping
from medweave.sources.reading import layout, source_files
from medweave.sources.texts.reading import whole_file
from medweave.sources.texts.whole import WholeText
from tests.commands import medweave
from tests.made_documents import docx, epub, lines, paragraph, pdf, said

LEAFLET = "BLIXOL\n\nDosage\n\nOne tablet a day.\n\nSide effects\n\nNausea is common.\n"
FACTS = "subject,predicate,object\nflu,has_symptom,fever\n"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def handbook(folder: Path) -> Path:
    page = [said("Dosage", 72, 740, 16), *lines(["Give one tablet a day.", "Never more."])]
    return pdf(folder / "handbook.pdf", [page, lines(["Keep it dry."])])


def everything(folder: Path) -> Path:
    """A folder with a text of each format."""
    write(folder, "leaflet.txt", LEAFLET)
    write(folder, "guide.md", "# Fever\n\nDrink water.\n")
    write(folder, "web/page.html", "<title>Cough</title><p>Honey helps.</p>")
    write(folder, "corpus.jsonl", '{"_id": "d1", "title": "Flu", "text": "Rest in bed."}\n')
    docx(folder / "ward.docx", paragraph("多喝水。"))
    epub(folder / "book.epub", {"a.xhtml": "<p>Sleep well.</p>"})
    write(folder, "README.md", "# About this folder\n")
    return folder


def documents(base: KnowledgeBase) -> list[Document]:
    return list(base.knowledge.store.documents())


def as_json(*arguments: object) -> Any:
    return json.loads(medweave(*arguments, "--json").out)


def names(base: KnowledgeBase) -> list[str]:
    return sorted(document.name for document in documents(base))


def test_a_folder_of_texts_is_built_and_found_unchanged(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    handbook(everything(tmp_path))
    with KnowledgeBase.open("memory:") as base:
        made = base.build([tmp_path])
        assert (made.skipped, made.statements) == ((), 0)
        wholes = {name.rpartition("#")[0] for name in names(base)}
        assert wholes == {
            "leaflet.txt", "guide.md", "page.html", "d1", "ward.docx", "book.epub", "handbook.pdf"
        }  # fmt: skip
        assert base.build([tmp_path]).unchanged == made.documents


def test_texts_come_last_among_the_kinds(tmp_path: Path) -> None:
    kinds = {
        write(tmp_path, "talk.txt", "Patient: It hurts.\nDoctor: Where?\n"): "dialogues",
        write(tmp_path, "MindMap/train.txt", "flu\thas_symptom\tfever\n" * 2): "triples",
        write(tmp_path, "abstract.txt", "PMID 227508\nA title\nAn abstract."): "abstracts",
        write(tmp_path, "flu.md", "---\nname: flu\nconcept: disease\n---\n# Flu\n"): "monographs",
        write(tmp_path, "post.md", "---\ntitle: Flu\nlayout: post\n---\n# Flu\n\nRest.\n"): "texts",
        write(tmp_path, "notes.txt", "Buy milk.\n"): "texts",
        write(tmp_path, "a.jsonl", '{"id": 1, "context": "Rest.", "url": "x"}\n'): "texts",
        write(tmp_path, "b.jsonl", '{"pmid": 1, "text": "Rest."}\n'): "abstracts",
    }
    for path, kind in kinds.items():
        found = layout(path)[0]
        assert found is not None, path
        assert found.kind == kind, path


@pytest.mark.parametrize(
    "row", [{"id": 1, "text": "Rest.", "label": "a"}, {"text": "Rest."}, {"id": 1, "question": "?"}]
)
def test_rows_that_may_be_anything_are_texts_only_where_somebody_says_so(
    tmp_path: Path, row: dict[str, object]
) -> None:
    path = write(tmp_path, "a.jsonl", json.dumps(row))
    assert layout(path)[0] is None
    if "text" in row:
        with KnowledgeBase.open("memory:") as base:
            assert base.build([path], mapping=find_mapping("texts")).documents == 1


@pytest.mark.parametrize("name", ["leaflet.txt", "corpus.jsonl"])
def test_a_mapping_may_say_of_which_class_texts_are(tmp_path: Path, name: str) -> None:
    everything(tmp_path)
    mapping = write(tmp_path, "ours.yaml", "name: ours\nkind: texts\nevidence_class: guideline\n")
    with KnowledgeBase.open("memory:") as base:
        base.build([tmp_path / name], mapping=find_mapping(str(mapping)))
        assert {document.evidence_class for document in documents(base)} == {"guideline"}


def test_rows_keep_their_ids_titles_and_addresses(tmp_path: Path) -> None:
    rows = [
        {"_id": "d1", "title": "Flu", "text": "Rest in bed.", "url": "https://example.org/flu"},
        {"id": 7, "context": "多喝水。", "url": "javascript:alert(1)"},
        {"_id": "d1", "text": "Another."},
        {"_id": "d2", "text": "  "},
    ]
    path = write(tmp_path, "a.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    with KnowledgeBase.open("memory:") as base:
        made = base.build([path])
        found = {document.name: document for document in documents(base)}
        assert sorted(found) == ["7#1", "d1#1", "d1~2#1"]
        assert [(s.line, s.reason) for s in made.skipped] == [
            (3, "another text under the id 'd1' stands above: kept as well"),
            (4, "no text"),
        ]
        first, second = found["d1#1"], found["7#1"]
        assert (first.title, first.url, first.line) == ("Flu", "https://example.org/flu", 1)
        assert (second.language, second.url) == ("zh", "")


def test_a_passage_is_cited_by_its_page_and_heading_in_its_language(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    page = [said("禁忌", 72, 740, 16), *lines(["对本品过敏者禁用，肝功能不全者慎用。"])]
    pdf(tmp_path / "说明书.pdf", [lines(["first page"]), page])
    handbook(tmp_path)
    with KnowledgeBase.open("memory:") as base:
        base.build([tmp_path])
        titles = {document.name: document.title for document in documents(base)}
    assert titles["handbook.pdf#1"] == "handbook.pdf, p. 1, Dosage"
    assert titles["说明书.pdf#2"] == "说明书.pdf，第2页，禁忌"


def test_a_changed_text_is_read_again_and_what_it_has_no_longer_goes(tmp_path: Path) -> None:
    path = write(tmp_path, "leaflet.txt", LEAFLET)
    with KnowledgeBase.open("memory:") as base:
        base.build([path])
        before = names(base)
        write(tmp_path, "leaflet.txt", LEAFLET.replace("Side effects\n\nNausea is common.\n", ""))
        made = base.build([path])
        assert (made.unchanged, made.removed) == (len(before) - 1, 1)
        path.unlink()
        write(tmp_path, "leaflet.txt", LEAFLET)
        base.build([path])
        assert names(base) == before


@pytest.mark.parametrize("how", ["name", "path", "folder"])
def test_a_text_is_removed_with_all_its_passages(tmp_path: Path, how: str) -> None:
    text = write(tmp_path, "texts/leaflet.txt", LEAFLET)
    facts = write(tmp_path, "facts.csv", FACTS)
    with KnowledgeBase.open("memory:") as base:
        base.build([facts])
        before, hash_before = names(base), base.version.hash
        count = base.build([text]).documents
        assert count > 1
        named = {"name": "leaflet.txt", "path": str(text), "folder": str(text.parent)}[how]
        assert base.remove(named) == count
        assert (names(base), base.version.hash) == (before, hash_before)
        with pytest.raises(NotFoundError):
            base.remove("leaflet.txt")


def test_removing_one_text_leaves_those_with_names_like_it(tmp_path: Path) -> None:
    ids = ("a", "a#1", "a#b", "ab")
    rows = "".join(json.dumps({"_id": name, "text": "Rest."}) + "\n" for name in ids)
    with KnowledgeBase.open(str(tmp_path / "kb.db")) as base:
        base.build([write(tmp_path, "a.jsonl", rows)])
        assert base.remove("a") == 1
        assert names(base) == ["a#1#1", "a#b#1", "ab#1"]


def test_one_bad_text_stops_no_build(tmp_path: Path) -> None:
    everything(tmp_path)
    write(tmp_path, "empty.txt", "")
    write(tmp_path, "broken.docx", "no archive")
    (tmp_path / "photo.txt").write_bytes(b"\x89PNG\0\0\0\0" * 50)
    with KnowledgeBase.open("memory:") as base:
        made = base.build([tmp_path])
        told = {Path(skipped.file).name for skipped in made.skipped}
    assert told == {"empty.txt", "broken.docx", "photo.txt"}
    assert made.documents == 7


def test_commands_show_and_remove_texts(tmp_path: Path) -> None:
    kb, leaflet = str(tmp_path / "kb.db"), write(tmp_path, "leaflet.txt", LEAFLET)
    report = as_json("add", "--kb", kb, "texts", str(leaflet))
    assert (report["documents"], report["skipped"]) == (2, [])
    _, out, _ = medweave("show", "--kb", kb, "leaflet.txt")
    assert out.splitlines()[1].startswith(
        "leaflet.txt#2  leaflet.txt, Side effects: Side effects Nausea"
    )
    _, out, _ = medweave("show", "--kb", kb, "leaflet.txt#2")
    assert "heading: BLIXOL › Side effects" in out
    assert "characters 36 to 66 of leaflet.txt" in out
    shown = as_json("show", "--kb", kb, "leaflet.txt")["documents"]
    assert [document["name"] for document in shown] == ["leaflet.txt#1", "leaflet.txt#2"]
    assert as_json("remove", "--kb", kb, "leaflet.txt")["removed"] == 2


def test_passages_know_their_place_in_the_base(tmp_path: Path) -> None:
    path = write(tmp_path, "leaflet.txt", LEAFLET)
    whole = whole_file(path)
    with KnowledgeBase.open("memory:") as base:
        base.build([path])
        passages = [passage_of(document) for document in base.documents_called("leaflet.txt")]
    assert all(p and whole.text[p.start : p.end] == p.text for p in passages)


def test_how_far_a_book_is_read_is_told(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    told = list[tuple[int, int, str]]()
    path = handbook(tmp_path)
    with KnowledgeBase.open("memory:") as base:
        base.build([path], progress=lambda done, total, what: told.append((done, total, what)))
    assert told == [(1, 2, "handbook.pdf"), (2, 2, "handbook.pdf")]


def test_what_tells_of_a_folder_is_read_only_by_its_name(tmp_path: Path) -> None:
    readme = write(tmp_path, "README.txt", "About this folder.\n")
    with pytest.raises(SourceError, match="no data files"):
        source_files([tmp_path])
    assert source_files([readme]) == [readme.resolve()]


MAKERS: dict[str, Callable[[Path], Path]] = {
    "pdf": handbook,
    "docx": lambda folder: docx(folder / "a.docx", paragraph("Rest.", style="H1") * 3),
    "epub": lambda folder: epub(folder / "a.epub", {"a.xhtml": "<h1>Rest</h1><p>Sleep.</p>"}),
    "html": lambda folder: write(folder, "a.html", "<table><tr><td>1<td>2</table><ul><li>x</ul>"),
    "md": lambda folder: write(folder, "a.md", "# Rest\n\n- a\n\n|a|b|\n|-|-|\n|1|2|\n"),
}


@pytest.mark.parametrize("format_", MAKERS)
def test_files_broken_by_chance_are_read_or_refused(tmp_path: Path, format_: str) -> None:
    if format_ == "pdf":
        pytest.importorskip("pypdfium2")
    path = MAKERS[format_](tmp_path)
    whole, chance = path.read_bytes(), random.Random(7)
    for _ in range(40):
        content = bytearray(whole)
        for _ in range(chance.choice((1, 4, 20))):
            place = chance.randrange(len(content))
            if chance.random() < 0.3:
                del content[place : place + chance.randrange(1, 60)]
            else:
                content[place] = chance.randrange(256)
            content = content or bytearray(b"x")
        path.write_bytes(content)
        try:
            assert isinstance(whole_file(path), WholeText)
        except SourceError as error:
            assert error.where
            assert error.remedy


def test_rich_text_is_refused_and_not_read_with_its_marks(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text(r"{\rtf1\ansi {\b Gout} is treated with colchicine.\par}", "utf-8")
    with pytest.raises(SourceError, match="rich text"):
        whole_file(path)
