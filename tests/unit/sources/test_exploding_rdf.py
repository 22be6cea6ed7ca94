"""RDF/XML whose entities grow without bound is refused, also as an ontology."""

from __future__ import annotations

from pathlib import Path

import pytest

from medweave.errors import OntologyError, SourceError
from medweave.knowledge_base import KnowledgeBase
from medweave.ontology.loading import ontology_in

HEAD = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:owl="http://www.w3.org/2002/07/owl#" '
    'xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"><owl:Class rdf:about="urn:a">'
    "<rdfs:label>{}</rdfs:label></owl:Class></rdf:RDF>"
)


def _nested(levels: int) -> str:
    inner = (f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, levels + 1))
    entities = '<!ENTITY e0 "aaaaaaaaaa">' + "".join(inner)
    return f"<!DOCTYPE rdf:RDF [{entities}]>" + HEAD.format(f"&e{levels};")


EXPLODING = {
    "nested": _nested(8),
    "long and often": f'<!DOCTYPE rdf:RDF [<!ENTITY a "{"a" * 10_000}">]>'
    + HEAD.format("&a;" * 10_000),
    "in a circle": '<!DOCTYPE rdf:RDF [<!ENTITY a "&b;"><!ENTITY b "&a;">]>' + HEAD.format("&a;"),
    "single quotes": _nested(8).replace('">', "'>").replace(' "', " '"),
}


@pytest.mark.parametrize("name", EXPLODING)
def test_what_grows_without_bound_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "it.rdf").write_text(EXPLODING[name], "utf-8")
    with pytest.raises(OntologyError, match="entities"):
        ontology_in(str(tmp_path / "it.rdf"))
    with KnowledgeBase.open("memory:") as base:
        with pytest.raises(SourceError, match="entities"):
            base.build([tmp_path / "it.rdf"])
        assert not base.stats()["documents"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cut.xml", '<?xml version="1.0"?><PubmedArticleSet><PubmedArticle><MedlineCitation>'),
        ("cut.ttl", "@prefix a: <urn:a:> .\na:one a:two { a:three"),
    ],
)
def test_a_source_of_which_nothing_is_read_is_an_error_of_its_own(
    name: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "good.jsonl").write_text(
        '{"name": "mumps", "concept": "disease", "symptoms": ["fever"]}\n', "utf-8"
    )
    with KnowledgeBase.open("memory:") as base:
        with pytest.raises(SourceError, match=f"{name} line [12]"):
            base.build([tmp_path / name])
        report = base.build([tmp_path / name, tmp_path / "good.jsonl"])
    assert report.documents == 1
    assert [Path(item.file).name for item in report.skipped] == [name]


def test_entities_for_addresses_are_read(tmp_path: Path) -> None:
    text = '<!DOCTYPE rdf:RDF [<!ENTITY mine "urn:mine:"><!ENTITY e "&mine;eyes">]>'
    (tmp_path / "it.owl").write_text(text + HEAD.replace("urn:a", "&e;").format("Eye"), "utf-8")
    assert [each.id for each in ontology_in(str(tmp_path / "it.owl")).classes] == ["urn:mine:eyes"]
