"""Reasoning over a base: what follows is kept apart, with its premises, and goes with them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from medweave.errors import ConfigurationError
from medweave.knowledge_base import KnowledgeBase
from medweave.reasoning.reason import hermit_is_there

ONTOLOGY = """
id: eyes
classes:
  - {label: Disease, disjoint: [Treatment]}
  - {label: Treatment}
  - {label: Body part}
predicates:
  - {label: Part of, characteristics: [transitive, irreflexive], inverse: Has part}
  - {label: Harms, domain: [Treatment], parent: Concerns}
  - {label: Spares, domain: [Treatment], disjoint: [Harms]}
  - {label: Concerns}
"""
ROWS = """subject,predicate,object,subject_concept,object_concept,document
fovea,part of,macula,body_part,body_part,one
macula,part of,retina,body_part,body_part,two
laser,harms,retina,treatment,body_part,two
"""
ENGINES = [
    "rules",
    pytest.param(
        "hermit",
        marks=pytest.mark.skipif(not hermit_is_there(), reason="no owlready2, or no Java"),
    ),
]


class World:
    """A base made of rows, and the ontology it is reasoned over by."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.ontology = str(folder / "eyes.yaml")
        Path(self.ontology).write_text(ONTOLOGY, "utf-8")
        self.base = KnowledgeBase.open(str(folder / "eyes.db"))
        self.add(ROWS)

    def add(self, rows: str, name: str = "rows.csv") -> None:
        """Rows, as a source of the base."""
        (self._folder / name).write_text(rows, "utf-8")
        self.base.build([self._folder / name])

    def inferred(self) -> set[tuple[str, str, str]]:
        """What the base holds that was inferred, in names."""
        entities = self.base.knowledge.entities
        return {
            (
                entities.get(each.statement.subject).name("en"),
                each.statement.predicate,
                entities.get(str(each.statement.object)).name("en"),
            )
            for each in self.base.knowledge.store.match()
            if all(item.inferred for item in each.evidence)
        }


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.base.close()


@pytest.mark.parametrize("engine", ENGINES)
def test_what_follows_is_kept_apart_with_its_premises(world: World, engine) -> None:
    before = world.base.version.hash
    said = {each.statement.id for each in world.base.knowledge.store.match()}
    found = world.base.reason(world.ontology, engine)
    assert found.consistent
    assert found.engine == engine
    assert world.inferred() >= {
        ("fovea", "part_of", "retina"),
        ("retina", "has_part", "fovea"),
        ("macula", "has_part", "fovea"),
        ("laser", "concerns", "retina"),
    }
    assert all(each.why and set(each.why) <= said for each in found.inferred)
    assert world.base.version.hash == before
    assert world.base.forget_inferred() == len(found.inferred)
    assert not world.inferred()
    assert world.base.check() == []


def test_what_follows_goes_with_its_premises_and_comes_again(world: World) -> None:
    world.base.reason(world.ontology, "rules")
    world.base.remove("one")
    assert world.inferred() == {("retina", "has_part", "macula"), ("laser", "concerns", "retina")}
    world.base.reason(world.ontology, "rules")
    assert world.inferred() == {("retina", "has_part", "macula"), ("laser", "concerns", "retina")}


def test_the_premises_alone_are_enough(world: World) -> None:
    found = world.base.reason(world.ontology, "rules")
    far = next(
        each
        for each in found.inferred
        if each.statement.subject.endswith("fovea") and each.statement.predicate == "part_of"
    )
    assert len(far.why) == 2
    assert far.axiom == "part of is TransitiveProperty"


@pytest.mark.skipif(not hermit_is_there(), reason="no owlready2, or no Java")
def test_hermit_and_the_rules_infer_the_same(world: World) -> None:
    by_rules = world.base.reason(world.ontology, "rules")
    assert world.base.reason(world.ontology, "hermit").inferred == by_rules.inferred


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("rows", "culprits", "axiom"),
    [
        ("glaucoma,harms,retina,disease,body_part", 1, "disjointWith"),
        ("retina,part of,fovea,body_part,body_part", 3, "Irreflexive"),
        ("laser,spares,retina,treatment,body_part", 2, "propertyDisjointWith"),
    ],
)
def test_a_contradiction_keeps_nothing_and_names_who(
    world: World, engine, rows: str, culprits: int, axiom: str
) -> None:
    world.add(f"{ROWS.splitlines()[0]}\n{rows},three\n", "more.csv")
    before = world.base.version
    found = world.base.reason(world.ontology, engine)
    assert not found.consistent
    assert world.base.version == before
    assert culprits in {len(each.statements) for each in found.inconsistencies}
    assert any(axiom in each.axiom for each in found.inconsistencies)


def test_a_denied_statement_is_no_premise(world: World) -> None:
    world.add(
        "subject,predicate,object,subject_concept,object_concept,polarity,document\n"
        "laser,harms,fovea,treatment,body_part,-1,three\n",
        "denied.csv",
    )
    world.base.reason(world.ontology, "rules")
    assert ("laser", "concerns", "fovea") not in world.inferred()


def test_hermit_is_refused_where_it_is_not(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(ConfigurationError, match="Java"):
        world.base.reason(world.ontology, "hermit")
    assert world.base.reason(world.ontology).engine == "rules"


def test_the_form_has_names_and_premises(world: World) -> None:
    form = world.base.reason(world.ontology, "rules").to_json(world.base.knowledge)
    assert (form["engine"], form["consistent"]) == ("rules", True)
    assert form["inferred"] == len(form["statements"])
    assert {"id", "subject", "predicate", "object", "qualifiers", "inferred", "why"} <= set(
        form["statements"][0]
    )
    json.dumps(form)
