"""Equation 9 over all dialogues at once, beside the same written slowly and plainly."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from medweave.model.dialogue_tree import HAS_SECTION, TreeKey
from medweave.model.link_weight import LinkWeight
from medweave.model.similar import Direction, ScoreNorm
from medweave.model.vector_links import VectorLink
from medweave.model.vectors import VectorModel, Vectors, VectorTable, unit
from medweave.retrieval.dialogues.dialogue_graph import DialogueGraph
from medweave.retrieval.dialogues.graph_parts import GraphParts, Reference

np = pytest.importorskip("numpy")

MODEL = VectorModel("toy", 3)
SECTIONS = ("symptom", "advice", "history")
IMPORTANCE = {HAS_SECTION: 0.9, "dialogue_caused_by": 1.0, "dialogue_related_to": 0.5,
              "dialogue_similar": 0.4}  # fmt: skip
ONE_WAY = "dialogue_caused_by"
Vector = tuple[float, ...]
VECTORS = some.tuples(*[some.integers(-3, 3)] * 3).filter(any).map(lambda row: single(unit(row)))


def single(row: list[float]) -> Vector:
    """As it is kept: in single precision."""
    return tuple(array("f", row))


@dataclass
class World:
    """Trees with vectors, links, and a message."""

    wholes: dict[str, Vector]
    """By root; each has one document."""
    sections: dict[str, dict[str, Vector]]
    references: list[tuple[str, str, str]]
    alike: list[tuple[str, str]]
    asked: dict[str, Vector]

    def tree(self, root: str) -> TreeKey:
        return TreeKey(root, f"do:{root}")


@some.composite
def worlds(draw: some.DrawFn) -> World:
    roots = [f"dialogue:{number}" for number in range(draw(some.integers(1, 5)))]
    pairs = some.tuples(some.sampled_from(roots), some.sampled_from(roots))
    differ = pairs.filter(lambda pair: pair[0] != pair[1])
    several = len(roots) > 1
    relations = some.sampled_from([ONE_WAY, "dialogue_related_to"])
    return World(
        {root: draw(VECTORS) for root in roots},
        {root: draw(some.dictionaries(some.sampled_from(SECTIONS), VECTORS)) for root in roots},
        draw(some.lists(some.tuples(differ, relations).map(lambda one: (*one[0], one[1]))))
        if several else [],
        draw(some.lists(differ, max_size=3)) if several else [],
        draw(some.dictionaries(some.sampled_from(SECTIONS), VECTORS, min_size=1)),
    )  # fmt: skip


def table(concept: str, rows: dict[str, Vector]) -> VectorTable:
    """Equal vectors share a row, as they do in a base."""
    different = list(dict.fromkeys(rows.values()))
    return VectorTable(
        concept, sorted(rows), [different.index(rows[key]) for key in sorted(rows)],
        Vectors.of(MODEL, different),
    )  # fmt: skip


def graph_of(world: World, weight: LinkWeight, direction: Direction) -> DialogueGraph:
    wholes = {world.tree(root).text(): vector for root, vector in world.wholes.items()}
    by_name = {
        name: {world.tree(root).section(name): held[name]
               for root, held in world.sections.items() if name in held}
        for name in SECTIONS
    }  # fmt: skip
    parts = GraphParts(
        [table("dialogue", wholes)],
        [table(name, rows) for name, rows in by_name.items() if rows],
        [Reference(*one, one[2] != ONE_WAY, n) for n, one in enumerate(world.references)],
        [VectorLink(world.tree(a).text(), world.tree(b).text(), 0.9) for a, b in world.alike],
        IMPORTANCE,
        "dialogue_similar",
    )
    return DialogueGraph(parts, weight, direction)


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def slowly_weighed(here: Vector, other: Vector, kind: str, weight: LinkWeight) -> float:
    beta = (1 + cosine(here, other)) / 2
    lambda_ = weight.lambda_ if weight.weighting == "convex" else 0
    return lambda_ * IMPORTANCE[kind] + (1 - lambda_) * beta


def slowly(
    world: World, weight: LinkWeight, direction: Direction, norm: ScoreNorm
) -> dict[str, float]:
    """S_T of every tree that has any of the sections, by loops."""
    scores = {}
    for root, held in world.sections.items():
        terms = []
        for name, asked in world.asked.items():
            if name not in held:
                continue
            here, links = held[name], list[tuple[Vector, str]]()
            if direction == "both":
                links.append((world.wholes[root], HAS_SECTION))
            for source, target, kind in world.references:
                other = {source: target, target: source}.get(root)
                goes_out = source == root or kind != ONE_WAY or direction == "both"
                if other is not None and name in world.sections[other] and goes_out:
                    links.append((world.sections[other][name], kind))
            for source, target in world.alike:
                other = {source: target, target: source}.get(root)
                if other is not None and name in world.sections[other]:
                    links.append((world.sections[other][name], "dialogue_similar"))
            weights = [slowly_weighed(here, node, kind, weight) for node, kind in links]
            terms.append((1 + cosine(here, asked)) / 2 * max(weights, default=1.0))
        if terms:
            total = {"none": sum(terms), "max": max(terms), "mean": sum(terms) / len(terms)}
            scores[root] = total[norm]
    return scores


WEIGHTS = some.builds(
    LinkWeight, some.sampled_from(["cosine", "convex"]), some.sampled_from([0, 0.3, 0.5, 1])
)


def asked_of(world: World) -> dict[str, object]:
    return {name: np.array(vector, "f4") for name, vector in world.asked.items()}


class TestBesideThePlainReference:
    @settings(max_examples=settings().max_examples)
    @given(
        worlds(), WEIGHTS, some.sampled_from(["both", "out"]),
        some.sampled_from(["none", "mean", "max"]),
    )  # fmt: skip
    def test_all_scores_are_those_of_the_loops(
        self, world: World, weight: LinkWeight, direction: Direction, norm: ScoreNorm
    ) -> None:
        found = graph_of(world, weight, direction).equation9(asked_of(world), 99, norm)
        expected = slowly(world, weight, direction, norm)
        assert {one.tree.root: one.score for one in found} == pytest.approx(expected, abs=1e-5)
        assert [one.score for one in found] == sorted((o.score for o in found), reverse=True)

    @settings(max_examples=settings().max_examples // 2)
    @given(worlds(), WEIGHTS, some.integers(0, 5))
    def test_the_best_few_are_the_first_of_all(
        self, world: World, weight: LinkWeight, k: int
    ) -> None:
        graph = graph_of(world, weight, "both")
        asked = asked_of(world)
        assert graph.equation9(asked, k) == graph.equation9(asked, 99)[:k]

    @settings(max_examples=settings().max_examples // 2)
    @given(worlds(), WEIGHTS, some.sampled_from(["both", "out"]))
    def test_terms_are_the_score_and_their_links_are_there(
        self, world: World, weight: LinkWeight, direction: Direction
    ) -> None:
        graph = graph_of(world, weight, direction)
        for one in graph.equation9(asked_of(world), 99):
            assert one.score == pytest.approx(
                sum(term.similarity * term.weight for term in one.terms), abs=1e-12
            )
            for term in one.terms:
                other = graph.trees[term.linked].root
                if term.link == HAS_SECTION:
                    assert other == one.tree.root
                elif term.link == "":
                    assert (direction, term.weight) == ("out", 1.0)
                else:
                    assert term.section in world.sections[other]

    @settings(max_examples=settings().max_examples // 4)
    @given(worlds(), some.sampled_from(["both", "out"]))
    def test_a_lambda_of_0_is_equation_7(self, world: World, direction: Direction) -> None:
        asked = asked_of(world)
        convex = graph_of(world, LinkWeight("convex", 0), direction).equation9(asked, 99)
        assert convex == graph_of(world, LinkWeight("cosine"), direction).equation9(asked, 99)


class TestByHand:
    """Two trees: `a` says of symptoms what is asked, `b` half of it."""

    WORLD = World(
        {"dialogue:a": (1, 0, 0), "dialogue:b": (1, 0, 0)},
        {"dialogue:a": {"symptom": (0, 1, 0)}, "dialogue:b": {"symptom": (0, 0, 1)}},
        [("dialogue:b", "dialogue:a", ONE_WAY)],
        [],
        {"symptom": (0, 1, 0)},
    )

    def score(self, direction: Direction, weight: LinkWeight) -> dict[str, float]:
        found = graph_of(self.WORLD, weight, direction).equation9(asked_of(self.WORLD), 9)
        return {one.tree.root[-1]: one.score for one in found}

    def test_links_of_either_direction(self) -> None:
        # every cosine between nodes is 0, so all weights are 0.5
        assert self.score("both", LinkWeight()) == {"a": 0.5, "b": 0.25}

    def test_links_that_go_out_and_sections_without_any(self) -> None:
        assert self.score("out", LinkWeight()) == {"a": 1.0, "b": 0.25}

    def test_the_kind_of_a_link_counts(self) -> None:
        # caused by: 0.5 * 1.0 + 0.5 * 0.5
        assert self.score("both", LinkWeight("convex", 0.5)) == {"a": 0.75, "b": 0.375}

    def test_no_dialogues_and_no_sections_in_common(self) -> None:
        empty = World({}, {}, [], [], {"symptom": (0, 1, 0)})
        assert graph_of(empty, LinkWeight(), "both").equation9(asked_of(empty), 3) == []
        other = {"advice": np.array((0, 1, 0), "f4")}
        assert graph_of(self.WORLD, LinkWeight(), "both").equation9(other, 3) == []
