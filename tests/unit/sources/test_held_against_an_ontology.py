"""`build --ontology O`: what other sources say is held against O, and nothing is lost uncounted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from medweave.graph.builder import BuildReport
from medweave.knowledge_base import KnowledgeBase

ONTOLOGY = """
id: mine
classes:
  - {label: Disease}
  - {label: Eye disease, parent: Disease}
  - {label: Drug}
  - {label: Gene}
  - {label: Device}
predicates:
  - {label: Treat, domain: [Drug, Device], range: [Disease]}
  - {label: Prevent, domain: [Gene], range: [Disease]}
  - {label: Implanted in, domain: [Device], range: [Eye disease], inverse: Holds}
  - {label: Has symptom, domain: [Drug]}
"""
ROWS = """subject,predicate,object,subject_concept,object_concept
zincolan,treats,lumofitis,drug,disease
XYZ1,treats,lumofitis,gene,disease
XYZ1,prevents,lumofitis,gene,disease
stentor,implanted in,glarosis,device,eye disease
stentor,implanted in,lumofitis,device,disease
glarosis,holds,stentor,eye disease,device
foo,implanted in,glarosis,,eye disease
foo,glorifies,bar,,
zap,treats,lumofitis,gadget,disease
glarosis,holds,glarosis,eye disease,eye disease
"""


def _built(tmp_path: Path, name: str, text: str, ontology: str = ONTOLOGY) -> BuildReport:
    (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "o.yaml").write_text(ontology, "utf-8")
    with KnowledgeBase.open(str(tmp_path / "a.db")) as base:
        return base.build([tmp_path / name], ontology=str(tmp_path / "o.yaml"))


def _counted(report: BuildReport) -> dict[str, Any]:
    assert report.refinement is not None
    found = report.refinement.to_json()
    assert found["read"] == found["evidence"] + found["repeated"] + sum(found["dropped"].values())
    assert sum(found["checked"].values()) == found["evidence"]
    assert len(report.refinement.changes) >= sum(found["dropped"].values())
    return found


def test_rows_are_held_against_domains_and_ranges(tmp_path: Path) -> None:
    report = _built(tmp_path, "rows.csv", ROWS)
    found = _counted(report)
    assert found["read"] == 10
    assert found["dropped"] == {"domain": 1, "range": 1, "label": 1, "self": 1}
    assert found["checked"] == {"allowed": 4, "type_unknown": 1, "relation_unknown": 1}
    reasons = [each.reason for each in report.skipped]
    assert any("mine does not let 'implanted_in' take a disease" in reason for reason in reasons)
    assert any("'glorifies', which is no predicate" in reason for reason in reasons)
    assert not any("'implanted_in', which is no predicate" in reason for reason in reasons)


def test_what_the_vocabulary_lacks_is_kept_under_its_label(tmp_path: Path) -> None:
    _built(tmp_path, "rows.csv", ROWS)
    with KnowledgeBase.open(str(tmp_path / "a.db"), read_only=True) as base:
        said = {
            (each.statement.predicate, each.statement.qualifier("subject_role"))
            for each in base.knowledge.store.match()
        }
    assert {("implanted_in", "device"), ("holds", "eye disease")} <= said
    assert ("protects_from", None) in said  # a gene that prevents: the vocabulary narrows nothing


def test_monographs_are_held_against_it(tmp_path: Path) -> None:
    found = _counted(
        _built(
            tmp_path,
            "m.jsonl",
            '{"name": "river fever", "concept": "disease", "symptoms": ["fever", "headache"],'
            ' "drugs": ["zincolan"], "description": "River fever is bad."}\n',
        )
    )
    assert found["dropped"] == {"domain": 2}
    assert found["checked"]["allowed"] == 1


def test_rdf_is_held_against_it_by_the_types_it_has_there(tmp_path: Path) -> None:
    text = """@prefix : <http://x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :Device rdfs:label "Device" . :Disease rdfs:label "Disease" . :treat rdfs:label "treat" .
    :s a :Device ; rdfs:label "stentor" ; :treat :l . :l a :Disease ; :treat :s ; :odd :s .
    """
    found = _counted(_built(tmp_path, "g.ttl", text))
    assert found["dropped"] == {"domain": 1}
    assert found["checked"] == {"allowed": 1, "relation_unknown": 3}


@pytest.mark.parametrize("ontology", ["", "causalamd"])
def test_without_one_nothing_is_held_against_any(ontology: str, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(ROWS, "utf-8")
    with KnowledgeBase.open("memory:") as base:
        report = base.build([tmp_path / "rows.csv"], ontology=ontology)
    if not ontology:
        assert report.refinement is None
        return
    assert report.refinement is not None
    of_it = [each.why for each in report.refinement.changes if "XYZ1 | prev" in each.before]
    assert "domain" not in of_it


def test_another_ontology_reads_the_source_again(tmp_path: Path) -> None:
    _built(tmp_path, "rows.csv", ROWS)
    assert _built(tmp_path, "rows.csv", ROWS).unchanged == 1
    wider = ONTOLOGY.replace("domain: [Gene]", "domain: [Gene, Drug]")
    assert _built(tmp_path, "rows.csv", ROWS, wider).unchanged == 0
