"""Makes `src/medweave/embedding/minilm.onnx`: `python -m scripts.minilm_graph`.

It is the computation of all-MiniLM-L6-v2, a BERT of six layers (Devlin et al. 2019,
arXiv:1810.04805), without its weights.

Weights go by the names they have in the model's own file, and are used as they lie there: a matrix
of weights is (outputs, inputs), so it is transposed while it is multiplied. Attention, and the sum
with what came in before it is normalised, are operators of onnxruntime itself (`com.microsoft`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from medweave.embedding.minilm import GRAPH, INPUTS, OUTPUT
from scripts.onnx_bytes import FLOAT, INT32, Graph

LAYERS, HEADS, EPSILON = 6, 12, 1e-12
WORDS, LENGTH, KINDS, SIZE, INNER = 30_522, 512, 2, 384, 1_536
_OWN = "com.microsoft"
_OPERATORS = {"": 17, _OWN: 1}


def shapes() -> Iterator[tuple[str, list[int]]]:
    """The weights, by their names in the model's own file."""
    for name, rows in (("word", WORDS), ("position", LENGTH), ("token_type", KINDS)):
        yield f"embeddings.{name}_embeddings.weight", [rows, SIZE]
    yield from _pair("embeddings.LayerNorm", [SIZE])
    for layer in range(LAYERS):
        part = f"encoder.layer.{layer}"
        for name in ("query", "key", "value"):
            yield from _pair(f"{part}.attention.self.{name}", [SIZE, SIZE])
        yield from _pair(f"{part}.attention.output.dense", [SIZE, SIZE])
        yield from _pair(f"{part}.attention.output.LayerNorm", [SIZE])
        yield from _pair(f"{part}.intermediate.dense", [INNER, SIZE])
        yield from _pair(f"{part}.output.dense", [SIZE, INNER])
        yield from _pair(f"{part}.output.LayerNorm", [SIZE])


def _pair(name: str, shape: list[int]) -> Iterator[tuple[str, list[int]]]:
    yield f"{name}.weight", shape
    yield f"{name}.bias", shape[:1]


def minilm_graph() -> bytes:
    """The model; its weights are handed over when it is loaded."""
    graph = Graph("all-MiniLM-L6-v2")
    for name, shape in shapes():
        graph.weight(name, shape)
    tokens, mask, positions, kinds = INPUTS
    graph.input(tokens, INT32, ["texts", "length"])
    graph.input(mask, INT32, ["texts", "length"])
    graph.input(positions, INT32, ["length"])
    graph.input(kinds, INT32, ["one"])
    graph.integers("rows", [-1, SIZE])
    states = _embedded(graph)
    graph.node("Shape", [states], "shape")
    states = graph.node("Reshape", [states, "rows"], "embedded_rows")
    for layer in range(LAYERS):
        states = _layer(graph, layer, states)
    graph.node("Reshape", [states, "shape"], OUTPUT)
    graph.output(OUTPUT, FLOAT, ["texts", "length", SIZE])
    return graph.model(_OPERATORS)


def _embedded(graph: Graph) -> str:
    """What stands for each token before the first layer: its word, position and kind."""
    tokens, _, positions, kinds = INPUTS
    words = graph.node("Gather", ["embeddings.word_embeddings.weight", tokens], "words")
    places = graph.node("Gather", ["embeddings.position_embeddings.weight", positions], "places")
    kind = graph.node("Gather", ["embeddings.token_type_embeddings.weight", kinds], "kind")
    placed = graph.node("Add", [words, places], "placed")
    summed = graph.node("Add", [placed, kind], "summed")
    weights = ["embeddings.LayerNorm.weight", "embeddings.LayerNorm.bias"]
    return graph.node("LayerNormalization", [summed, *weights], "embedded", epsilon=EPSILON)


def _layer(graph: Graph, layer: int, states: str) -> str:
    """One layer: what each token hears from the others, then what it makes of it."""
    of = f"encoder.layer.{layer}."
    heard = graph.node("Reshape", [_attention(graph, of, states), "rows"], f"{of}heard")
    taken = _dense(graph, f"{of}attention.output.dense", heard)
    states = _added(graph, f"{of}attention.output.LayerNorm", taken, states)
    wide = graph.node("Gemm", [states, f"{of}intermediate.dense.weight"], f"{of}wide", transB=1)
    bent = graph.node("BiasGelu", [wide, f"{of}intermediate.dense.bias"], f"{of}bent", domain=_OWN)
    narrow = _dense(graph, f"{of}output.dense", bent)
    return _added(graph, f"{of}output.LayerNorm", narrow, states)


def _attention(graph: Graph, of: str, states: str) -> str:
    asked = []
    for part in ("query", "key", "value"):
        made = _dense(graph, f"{of}attention.self.{part}", states)
        asked.append(graph.node("Reshape", [made, "shape"], f"{of}{part}"))
    return graph.node(
        "MultiHeadAttention", [*asked, "", INPUTS[1]], f"{of}attended", domain=_OWN,
        num_heads=HEADS,
    )  # fmt: skip


def _dense(graph: Graph, name: str, states: str) -> str:
    return graph.node("Gemm", [states, f"{name}.weight", f"{name}.bias"], f"{name}.made", transB=1)


def _added(graph: Graph, name: str, made: str, before: str) -> str:
    return graph.node(
        "SkipLayerNormalization",
        [made, before, f"{name}.weight", f"{name}.bias"],
        f"{name}.made",
        domain=_OWN,
        epsilon=EPSILON,
    )


if __name__ == "__main__":
    Path(GRAPH).write_bytes(minilm_graph())
