"""What we write is read by onnxruntime as what was meant."""

import pytest

from scripts.onnx_bytes import FLOAT, INT64, Graph

np = pytest.importorskip("numpy")
onnxruntime = pytest.importorskip("onnxruntime")


def test_a_graph_computes_with_weights_handed_over() -> None:
    graph = Graph("small")
    graph.input("x", FLOAT, ["rows", 2])
    graph.weight("w", [3, 2])
    graph.integers("flat", [-1])
    graph.node("Gemm", ["x", "w"], "doubled", transB=1, alpha=2.0)
    graph.node("Reshape", ["doubled", "flat"], "y")
    graph.output("y", FLOAT, ["numbers"])
    weights = np.array([[1, 0], [0, 1], [1, 1]], "f4")
    options = onnxruntime.SessionOptions()
    options.add_external_initializers(["w"], [onnxruntime.OrtValue.ortvalue_from_numpy(weights)])
    session = onnxruntime.InferenceSession(graph.model({"": 17}), options)
    [found] = session.run(["y"], {"x": np.array([[1, 2], [3, 4]], "f4")})
    assert found.tolist() == [2, 4, 6, 6, 8, 14]
    assert session.get_inputs()[0].shape == ["rows", 2]


def test_large_and_negative_numbers_survive() -> None:
    graph = Graph("numbers")
    graph.integers("held", [-(2**62), 300, 2**62])
    graph.node("Identity", ["held"], "y")
    graph.output("y", INT64, [3])
    [found] = onnxruntime.InferenceSession(graph.model({"": 17})).run(["y"], {})
    assert found.tolist() == [-(2**62), 300, 2**62]
