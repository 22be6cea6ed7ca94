"""The arithmetic of a graph's shape, held against document K's own figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.model.topology import Topology, average_neighbours, density

K_NODES, K_EDGES = 34_788, 601_475
"""Table 3 of document K, which gives 34.58 neighbours on average and a density of 9.94e-4."""


def test_the_figures_of_document_k_follow_from_its_counts() -> None:
    assert round(average_neighbours(K_NODES, K_EDGES), 2) == 34.58
    assert round(density(K_NODES, K_EDGES), 6) == 9.94e-4
    assert density(K_NODES, K_EDGES) == pytest.approx(34.58 / (K_NODES - 1), rel=1e-4)


def test_a_graph_of_all_edges_has_density_one() -> None:
    nodes = 7
    assert density(nodes, nodes * (nodes - 1) // 2) == 1.0


@pytest.mark.parametrize("nodes", [0, 1])
def test_next_to_nothing_has_no_density(nodes: int) -> None:
    assert density(nodes, 0) == average_neighbours(nodes, 0) == 0.0


@given(st.dictionaries(st.integers(0, 10_000), st.integers(1, 50)))
def test_bins_hold_every_node_once_where_it_belongs(degrees: dict[int, int]) -> None:
    bins = Topology(degrees=degrees).bins()
    assert sum(of["nodes"] for of in bins) == sum(degrees.values())
    for of in bins:
        held = sum(n for degree, n in degrees.items() if of["from"] <= degree <= of["to"])
        assert of["nodes"] == held
    assert bins[-1]["to"] == max(degrees, default=0)
