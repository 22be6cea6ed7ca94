"""The computation of all-MiniLM-L6-v2, a BERT of six layers (Devlin et al. 2019, arXiv:1810.04805).

Weights go by the names they have in the model's own file, and are used as they lie there: a matrix
of weights is (outputs, inputs), so it is transposed while it is multiplied. Attention, and the sum
with what came in before it is normalised, are operators of onnxruntime itself (`com.microsoft`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from medweave.embedding.onnx_bytes import FLOAT, INT32, Graph

LAYERS, HEADS, EPSILON = 6, 12, 1e-12
INPUTS = ("tokens", "mask", "positions", "kinds")
"""Numbers of tokens (texts, length); 1 for a token and 0 for what fills up (texts, length); the
positions 0, 1, …(length); 0 (1)."""
OUTPUT = "states"
"""What stands for each token: (texts, length, size)."""
UNUSED = ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias")
"""What the file has besides."""
_OWN = "com.microsoft"
_OPERATORS = {"": 17, _OWN: 1}

Shapes = Mapping[str, Sequence[int]]


def minilm_graph(shapes: Shapes) -> bytes:
    """The model, for weights of these shapes; they are handed over when it is loaded."""
    graph = Graph("all-MiniLM-L6-v2")
    for name, shape in shapes.items():
        graph.weight(name, shape)
    tokens, mask, positions, kinds = INPUTS
    graph.input(tokens, INT32, ["texts", "length"])
    graph.input(mask, INT32, ["texts", "length"])
    graph.input(positions, INT32, ["length"])
    graph.input(kinds, INT32, ["one"])
    size = shapes["embeddings.word_embeddings.weight"][1]
    graph.integers("rows", [-1, size])
    states = _embedded(graph)
    graph.node("Shape", [states], "shape")
    states = graph.node("Reshape", [states, "rows"], "embedded_rows")
    for layer in range(LAYERS):
        states = _layer(graph, layer, states)
    graph.node("Reshape", [states, "shape"], OUTPUT)
    graph.output(OUTPUT, FLOAT, ["texts", "length", size])
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
