"""The model's computation that ships is the one that its script makes."""

from medweave.embedding.minilm import GRAPH
from scripts.minilm_graph import minilm_graph


def test_what_ships_is_what_the_script_makes() -> None:
    assert GRAPH.read_bytes() == minilm_graph()
