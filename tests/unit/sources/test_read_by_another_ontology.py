"""`ontology diff --apply`: the base becomes the one that the new ontology makes from the start."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from medweave.errors import SourceError
from medweave.knowledge_base import KnowledgeBase
from medweave.model.ontology import Ontology, OntologyClass, OntologyPredicate
from medweave.ontology.form import read_form
from medweave.ontology.loading import ontology_in
from tests.cli.test_commands import as_json
from tests.commands import medweave

PAPERS = """pmid,abstract
1,Smoking aggravates age-related macular degeneration (AMD).
2,Ranibizumab improves visual acuity. Bevacizumab did not improve visual acuity.
3,Lutein prevents age-related macular degeneration. Smoking causes cataract.
"""
ROWS = """subject,predicate,object,subject_concept,object_concept
zincolan,causes,lumofitis,drug,disease
XYZ1,causes,lumofitis,gene,disease
"""
CHANGES = {
    "a relation goes": lambda old: _without(old, "improve"),
    "a type goes": lambda old: _without(old, "treatment"),
    "a narrower domain": lambda old: _domain(old, "cause", ("Gene",)),
    "a relation no paper speaks of": lambda old: replace(
        old, predicates=(*old.predicates, OntologyPredicate("Implanted in"))
    ),
    "a new type with names": lambda old: replace(
        old, classes=(*old.classes, OntologyClass("Habit", examples=("Lutein",), priority=99))
    ),
}


def _without(ontology: Ontology, term: str) -> Ontology:
    label = term.replace("_", " ").capitalize()
    return replace(
        ontology,
        classes=tuple(
            replace(each, disjoint=tuple(name for name in each.disjoint if name != label))
            for each in ontology.classes
            if each.term != term
        ),
        predicates=tuple(each for each in ontology.predicates if each.term != term),
    )


def _domain(ontology: Ontology, term: str, domain: tuple[str, ...]) -> Ontology:
    changed = (
        replace(each, domain=domain) if each.term == term else each for each in ontology.predicates
    )
    return replace(ontology, predicates=tuple(changed))


def _file(ontology: Ontology, path: Path) -> str:
    path.write_text(json.dumps(ontology.to_json()), "utf-8")
    assert read_form(path.read_text("utf-8"), where="it").digest() == ontology.digest()
    return str(path)


@pytest.fixture
def sources(tmp_path: Path) -> list[str | Path]:
    (tmp_path / "papers.csv").write_text(PAPERS, "utf-8")
    (tmp_path / "rows.csv").write_text(ROWS, "utf-8")
    return [tmp_path / "papers.csv", tmp_path / "rows.csv"]


@pytest.mark.parametrize("change", CHANGES)
def test_the_base_is_the_one_made_from_the_start_and_back(
    change: str, sources: list[str | Path], tmp_path: Path
) -> None:
    old = ontology_in()
    new = CHANGES[change](old)
    by_old, by_new = _file(old, tmp_path / "old.json"), _file(new, tmp_path / "new.json")
    with (
        KnowledgeBase.open("memory:") as base,
        KnowledgeBase.open("memory:") as fresh,
    ):
        base.build(sources, ontology=by_old)
        fresh.build(sources, ontology=by_new)
        before = base.version.hash
        made = base.reread(old, new)
        assert base.version.hash == fresh.version.hash
        assert bool(made.added or made.removed) == (base.version.hash != before)
        assert not base.reread(old, new).documents  # done already
        assert base.build(sources, ontology=by_new).unchanged == 4  # and so for a build
        base.reread(new, old)
        assert base.version.hash == before


def test_what_came_and_went_is_told(tmp_path: Path, sources: list[str | Path]) -> None:
    old = ontology_in()
    new = _domain(_without(old, "improve"), "cause", ("Gene",))
    with KnowledgeBase.open("memory:") as base:
        base.build(sources[:1])
        before = {each.statement.id: each.statement for each in base.knowledge.store.match()}
        (tmp_path / "papers.csv").unlink()  # an abstract is read as the base holds it
        made = base.reread(old, new)
        assert not made.added
        assert {before[each].predicate for each in made.removed} == {"improves", "leads_to"}
        assert len(made.documents) == 3
        named = {each.name for each in base.knowledge.store.documents(made.touched)}
        assert named == {"PMID:2", "PMID:3"}
        assert set(made.removed).isdisjoint(each.statement.id for each in
                                            base.knowledge.store.match())  # fmt: skip


@pytest.mark.parametrize("lost", ["gone", "changed"])
def test_a_source_that_cannot_be_read_again_leaves_the_base_as_it_was(
    lost: str, sources: list[str | Path], tmp_path: Path
) -> None:
    new = _without(ontology_in(), "improve")
    with KnowledgeBase.open(str(tmp_path / "a.db")) as base:
        base.build(sources, ontology="causalamd")
        before = base.version.hash
        if lost == "gone":
            (tmp_path / "rows.csv").unlink()
        else:
            (tmp_path / "rows.csv").write_text(ROWS + "a,causes,b,drug,disease\n", "utf-8")
        with pytest.raises(SourceError, match=r"rows\.csv"):
            base.reread(ontology_in(), new)
        assert base.version.hash == before
        assert not base.check()


def test_who_stops_it_changes_nothing_and_can_begin_again(
    sources: list[str | Path], tmp_path: Path
) -> None:
    new = _without(ontology_in(), "improve")

    def stop(done: int, total: int, what: str) -> None:
        raise KeyboardInterrupt

    with KnowledgeBase.open(str(tmp_path / "a.db")) as base:
        base.build(sources[:1])
        before = base.version.hash
        with pytest.raises(KeyboardInterrupt):
            base.reread(ontology_in(), new, progress=stop)
        assert base.version.hash == before
        assert base.reread(ontology_in(), new).removed


def test_decisions_stay_and_what_was_inferred_goes_with_its_premises(
    sources: list[str | Path],
) -> None:
    old = ontology_in()
    with KnowledgeBase.open("memory:") as base:
        base.build(sources[:1])
        base.reason("causalamd", "rules")
        known = base.knowledge.store.match(predicate="aggravates")
        rejected = next(each.statement.id for each in known)
        base.review(rejected, "rejected", by="Ana")
        base.reread(old, _domain(old, "cause", ("Gene",)))
        left = list(base.knowledge.store.match())
        assert [each.by for each in base.decisions()] == ["Ana"]
        assert rejected not in {each.statement.id for each in left}
        held = {each.statement.id for each in left}
        premises = {name for s in left for item in s.evidence for name in item.premises}
        assert premises <= held
        assert "leads_to" not in {each.statement.predicate for each in left}


def test_what_no_ontology_or_another_one_read_is_left_alone(
    sources: list[str | Path], tmp_path: Path
) -> None:
    third = replace(_without(ontology_in(), "diagnose"), id="third")
    with KnowledgeBase.open("memory:") as base:
        base.build(sources[:1], ontology=_file(third, tmp_path / "third.json"))
        base.build(sources[1:])
        assert not base.reread(ontology_in(), _without(ontology_in(), "cause")).documents


def test_the_command(sources: list[str | Path], tmp_path: Path) -> None:
    new = _file(_without(ontology_in(), "improve"), tmp_path / "new.json")
    kb = str(tmp_path / "a.db")
    as_json("build", "--kb", kb, str(sources[0]))
    found = as_json("ontology", "diff", "causalamd", new, "--kb", kb, "--apply")
    assert found["removed"] == ["improve"]
    assert len(found["statements"]["removed"]) == 2
    assert set(found["statements"]["removed"]) <= set(found["affected"]["statements"])
    assert medweave("ontology", "diff", "causalamd", new, "--apply")[0] == 1  # names no base
