"""What is imported is held against our shapes, as pyshacl would."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
import pytest

from medweave.errors import OntologyError, SourceError
from medweave.exchange.rdf_reading import read_rdf
from medweave.exchange.shapes import ShapeCheck, our_shapes, read_shapes
from medweave.knowledge_base import KnowledgeBase

if TYPE_CHECKING:
    from medweave.exchange.shapes import Term

SHACL = "http://www.w3.org/ns/shacl#"
ROW = '{"name": "river fever", "concept": "disease", "symptoms": ["fever"]}\n'


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("exported")
    (folder / "one.jsonl").write_text(ROW, "utf-8")
    with KnowledgeBase.open("memory:") as base:
        base.build([folder / "one.jsonl"])
        base.export(folder / "base.ttl", "turtle")
        base.export(folder / "shapes.ttl", "shacl")
    (folder / "base.nt").write_bytes(
        pyoxigraph.serialize(
            pyoxigraph.parse(path=str(folder / "base.ttl")), format=pyoxigraph.RdfFormat.N_TRIPLES
        )
        or b""
    )
    return (folder / "base.nt").read_text("utf-8")


def _mutated(text: str) -> list[str]:
    """The triples with one left out, doubled with another value, or changed in its kind of value:
    for every property that our shapes speak of."""
    paths = {each.path for shape in our_shapes() for each in shape.properties}
    found = []
    lines = text.splitlines()
    for path in sorted(paths):
        at, line = next((n, each) for n, each in enumerate(lines) if f"<{path}>" in each)
        start, _, value = line.partition(f"<{path}> ")
        others = [f'{start}<{path}> "quite another" .', f"{start}<{path}> <urn:another> ."]
        if "^^" in value:
            others.append(line.replace("^^", "^^<urn:odd> .#"))
            others.append(re.sub(r'"[^"]*"\^\^', '"no number"^^', line))
        found.append("\n".join(lines[:at] + lines[at + 1 :]))
        found += ["\n".join([*lines[:at], other, *lines[at + 1 :]]) for other in others]
        found.append("\n".join([*lines, others[0]]))
    return found


def _by_us(text: str) -> set[str]:
    check = ShapeCheck()
    said: dict[Term, dict[str, list[Term]]] = {}
    for quad in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.N_TRIPLES):
        terms = said.setdefault(quad.subject, {})
        terms.setdefault(quad.predicate.value, []).append(quad.object)
    for node, terms in said.items():
        check.take(node, terms)
    return {violation.node for violation in check.violations()}


def _by_pyshacl(text: str) -> set[str]:
    from pyshacl import validate
    from rdflib import Graph, URIRef

    from medweave.exchange.shapes import _short
    from medweave.language.data import shipped

    data = Graph().parse(data=text, format="nt")
    shapes = shipped("exchange", "shapes.ttl").read_text("utf-8")
    _, report, _ = validate(data, shacl_graph=Graph().parse(data=shapes, format="turtle"))
    assert isinstance(report, Graph)
    return {_short(str(node)) for node in report.objects(None, URIRef(f"{SHACL}focusNode"))}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of pyshacl's own making
def test_it_finds_what_pyshacl_finds(exported: str) -> None:
    assert _by_us(exported) == _by_pyshacl(exported) == set()
    mutated = _mutated(exported)
    assert len(mutated) > 60
    different = [text for text in mutated if _by_us(text) != _by_pyshacl(text)]
    assert not different
    assert sum(bool(_by_us(text)) for text in mutated) > 50


def test_a_file_that_breaks_them_leaves_the_base_as_it_was(exported: str, tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text(ROW.replace("river", "lake"), "utf-8")
    lines = exported.splitlines()
    kept = [line for line in lines if "/prov#value>" not in line]
    assert len(kept) < len(lines)
    (tmp_path / "broken.ttl").write_text("\n".join(kept), "utf-8")
    with KnowledgeBase.open(str(tmp_path / "a.db")) as base:
        base.build([tmp_path / "other.jsonl"])
        before = base.version
        with pytest.raises(SourceError, match=r"breaks the shapes .*ev:\w+ lacks value"):
            base.import_([tmp_path / "broken.ttl"])
        assert base.version == before


def test_many_culprits_are_counted(exported: str, tmp_path: Path) -> None:
    kept = [
        line
        for line in exported.splitlines()
        if not re.search(r"#(start|end|field|polarity)>", line)
    ]
    (tmp_path / "broken.ttl").write_text("\n".join(kept), "utf-8")
    with pytest.raises(SourceError, match=r"lacks .*; .*lacks .*\(and \d+ more\)"):
        read_rdf(tmp_path / "broken.ttl")


def test_a_class_below_another_is_of_it(exported: str) -> None:
    narrower = exported.replace("#Document> .", "#Page> .")
    assert _by_us(narrower)
    terms = "urn:medweave:term#"
    below = f"<{terms}Page> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <{terms}Document> .\n"
    assert not _by_us(below + narrower)


def test_shapes_that_say_more_than_is_checked_are_refused() -> None:
    head = "@prefix sh: <http://www.w3.org/ns/shacl#> . <urn:a> a sh:NodeShape ; "
    with pytest.raises(OntologyError, match="'pattern' are not checked"):
        read_shapes(f'{head} sh:property [ sh:path <urn:p> ; sh:pattern "x" ] .'.encode(), "it")
    with pytest.raises(OntologyError, match="'closed' are not checked"):
        read_shapes(f"{head} sh:closed true .".encode(), "it")
