"""One publication in every layout of abstracts is one and the same record."""

from __future__ import annotations

from pathlib import Path

import pytest

from medweave.errors import SourceError
from medweave.model.document import Skipped
from medweave.model.record import Record
from medweave.sources.abstracts.layouts import abstract_mapping, file_mapping
from medweave.sources.abstracts.reading import TEXT, abstracts
from medweave.sources.files.row import Cut, Row
from medweave.sources.kinds import Opened
from medweave.sources.mapping.side_tables import Tables

TITLE = "Naloxone reverses the effect of clonidine."
ABSTRACT = "AIM: To see < what. RESULTS: It did, 103 times."
PUBMED = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "https://example.org/a.dtd">
<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">227508</PMID><Article>
<ArticleTitle>{TITLE.replace("effect", "<i>effect</i>")}</ArticleTitle>
<Abstract><AbstractText Label="AIM">To see &lt; what.</AbstractText>
<AbstractText Label="RESULTS">It did, 10<sup>3</sup> times.</AbstractText></Abstract>
</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"""
BIOC = f"""<?xml version="1.0"?><!DOCTYPE collection SYSTEM "BioC.dtd">
<collection><source>PubMed</source><date/><key/><document><id>227508</id>
<passage><infon key="type">title</infon><offset>0</offset><text>{TITLE}</text></passage>
<passage><infon key="type">abstract</infon><offset>60</offset>
<text>{ABSTRACT.replace("<", "&lt;")}</text></passage></document></collection>"""
LAYOUTS = {
    "a.xml": PUBMED,
    "b.xml": BIOC,
    "c.nbib": f"PMID- 227508\nOWN - NLM\nTI  - Naloxone reverses the effect\n      of clonidine.\n"
    f"AB  - {ABSTRACT}\n",
    "d.ris": f"TY  - JOUR\nAN  - PMID:227508\nTI  - {TITLE}\nAB  - {ABSTRACT}\nER  - \n",
    "e.txt": f"227508|t|{TITLE}\n227508|a|{ABSTRACT}\n227508\t0\t8\tNaloxone\tChemical\tD009270\n",
    "f.txt": f"pmid 227508\n{TITLE}\n{ABSTRACT}",
}


def read(path: Path, text: str) -> list[Record | Skipped | Cut]:
    path.write_text(text, "utf-8")
    mapping = file_mapping(path, False)
    assert mapping is not None
    return list(abstracts(Opened(path, mapping, iter(()), Tables(path.parent, mapping))))


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_makes_the_same_text_under_the_same_id(name: str, tmp_path: Path) -> None:
    [record] = read(tmp_path / name, LAYOUTS[name])
    assert isinstance(record, Record)
    assert record.document.text(TEXT) == f"{TITLE}\n{ABSTRACT}"
    assert record.document.name == "PMID:227508"
    assert record.document.url == "https://pubmed.ncbi.nlm.nih.gov/227508/"


@pytest.mark.parametrize("entity", ['"aaaa"', 'SYSTEM "file:///etc/hostname"'])
def test_entities_of_its_own_make_a_file_unreadable(entity: str, tmp_path: Path) -> None:
    text = f"<!DOCTYPE PubmedArticleSet [<!ENTITY a {entity}>]><PubmedArticleSet><PubmedArticle>"
    text += "<PMID>1</PMID><ArticleTitle>&a;</ArticleTitle></PubmedArticle></PubmedArticleSet>"
    with pytest.raises(SourceError, match="declares entities"):
        read(tmp_path / "a.xml", text)


def test_what_stands_before_a_break_is_read(tmp_path: Path) -> None:
    text = PUBMED.replace("</PubmedArticleSet>", "<PubmedArticle><PMID>2</PMID>")
    record, cut = read(tmp_path / "a.xml", text)
    assert isinstance(record, Record)
    assert isinstance(cut, Cut)


def rows(*values: dict[str, object]) -> list[Record | Skipped | Cut]:
    mapping = abstract_mapping()
    given = (Row(number, dict(each)) for number, each in enumerate(values, 1))
    path = Path("a.jsonl")
    return list(abstracts(Opened(path, mapping, given, Tables(path.parent, mapping))))


def test_one_text_is_kept_as_it_is() -> None:
    [record] = rows({"id": "NCT00001615", "text": "  A study\n\nof steroids. "})
    assert isinstance(record, Record)
    assert record.document.text(TEXT) == "  A study\n\nof steroids. "
    assert record.document.url == "https://clinicaltrials.gov/study/NCT00001615"


def test_the_same_abstract_twice_is_one_and_another_text_under_its_id_is_kept() -> None:
    first = {"pmid": 7, "title": "A", "abstract": "b"}
    found = rows(first, first, {**first, "abstract": "c"})
    assert [r.document.name for r in found if isinstance(r, Record)] == ["PMID:7", "PMID:7~2"]
    assert [s.reason for s in found if isinstance(s, Skipped)] == [
        "the same abstract stands above",
        "another text under the id 'PMID:7' stands above: kept as well",
    ]


def test_a_path_or_a_script_is_no_address() -> None:
    [record] = rows({"id": "../../etc/passwd", "text": "x", "url": "javascript:alert(1)"})
    assert isinstance(record, Record)
    assert record.document.url == ""
