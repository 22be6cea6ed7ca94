"""A computation in ONNX's format, written without the package `onnx`.

ONNX is a protocol buffer (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto). Only the few
messages are here that a graph needs whose weights lie in another file; numbers of fields are those
of that definition.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

FLOAT, INT32, INT64 = 1, 6, 7
"""Types of numbers."""
_VARINT, _BYTES, _FIXED32 = 0, 2, 5
_SEVEN_BITS = 0x7F
_IR_VERSION = 8
_EXTERNAL = 1
_ATTRIBUTE_FLOAT, _ATTRIBUTE_INT = 1, 2


@dataclass
class Graph:
    """Nodes in the order in which they are computed, and what comes in and goes out."""

    name: str
    nodes: list[bytes] = field(default_factory=list)
    values: list[bytes] = field(default_factory=list)
    inputs: list[bytes] = field(default_factory=list)
    outputs: list[bytes] = field(default_factory=list)

    def input(self, name: str, kind: int, shape: Sequence[int | str]) -> str:
        """Something that comes in; a text in its shape stands for any size."""
        self.inputs.append(_described(name, kind, shape))
        return name

    def output(self, name: str, kind: int, shape: Sequence[int | str]) -> None:
        """Something that goes out."""
        self.outputs.append(_described(name, kind, shape))

    def weight(self, name: str, shape: Sequence[int]) -> str:
        """Floats that are handed over when the graph is loaded."""
        location = _message((1, "location"), (2, "elsewhere"))
        dimensions = [(1, size) for size in shape]
        self.values.append(
            _message(*dimensions, (2, FLOAT), (8, name), (13, location), (14, _EXTERNAL))
        )
        return name

    def integers(self, name: str, values: Sequence[int]) -> str:
        """A list of integers that is part of the graph."""
        raw = struct.pack(f"<{len(values)}q", *values)
        self.values.append(_message((1, len(values)), (2, INT64), (8, name), (9, raw)))
        return name

    def node(
        self, operator: str, inputs: Iterable[str], output: str, *, domain: str = "",
        **attributes: float,
    ) -> str:  # fmt: skip
        """One operation; what it gives is called `output`."""
        made = [(5, _attribute(name, value)) for name, value in attributes.items()]
        given = [(1, name) for name in inputs]
        self.nodes.append(
            _message(*given, (2, output), (3, output), (4, operator), *made, (7, domain))
        )
        return output

    def model(self, operators: Mapping[str, int]) -> bytes:
        """The whole model, for these versions of the sets of operators."""
        graph = _message(
            *((1, node) for node in self.nodes),
            (2, self.name),
            *((5, value) for value in self.values),
            *((11, one) for one in self.inputs),
            *((12, one) for one in self.outputs),
        )
        sets = [(8, _message((1, name), (2, version))) for name, version in operators.items()]
        return _message((1, _IR_VERSION), (7, graph), *sets)


def _described(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    sizes = [(1, _message((1 if isinstance(size, int) else 2, size))) for size in shape]
    tensor = _message((1, kind), (2, _message(*sizes)))
    return _message((1, name), (2, _message((1, tensor))))


def _attribute(name: str, value: float) -> bytes:
    if isinstance(value, int):
        return _message((1, name), (3, value), (20, _ATTRIBUTE_INT))
    return _message((1, name), (2, value), (20, _ATTRIBUTE_FLOAT))


def _message(*fields: tuple[int, int | float | str | bytes]) -> bytes:
    """Fields by number: integers and lengths are varints, a float takes four bytes.

    >>> _message((1, 150)), _message((2, "testing"))
    (b'\\x08\\x96\\x01', b'\\x12\\x07testing')
    """
    parts = []
    for number, value in fields:
        if isinstance(value, int):
            parts.append(_varint(number << 3 | _VARINT) + _varint(value))
        elif isinstance(value, float):
            parts.append(_varint(number << 3 | _FIXED32) + struct.pack("<f", value))
        else:
            held = value.encode() if isinstance(value, str) else value
            parts.append(_varint(number << 3 | _BYTES) + _varint(len(held)) + held)
    return b"".join(parts)


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > _SEVEN_BITS:
        made.append(value & _SEVEN_BITS | _SEVEN_BITS + 1)
        value >>= 7
    made.append(value)
    return bytes(made)
