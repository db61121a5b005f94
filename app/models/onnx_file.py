"""Writes an ONNX file: its protobuf messages, as far as a graph of Belie's needs them.

The package `onnx` would do it too, and takes 27 MB. Field numbers are those of onnx.proto.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Array = NDArray[numpy.generic]

FLOAT, INT64 = 1, 7
"""Element types, as a Cast or an input names them."""
_ELEMENTS = {"float32": FLOAT, "uint8": 2, "int8": 3, "int64": INT64, "float16": 10}
_IR_VERSION = 9
_VARINT, _BYTES, _FIXED32 = 0, 2, 5
Attribute = int | float | Sequence[int]


@dataclass(frozen=True, slots=True)
class Node:
    """One operator."""

    op: str
    inputs: Sequence[str]
    output: str
    domain: str = ""
    attributes: Mapping[str, Attribute] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Value:
    """An input or output of the graph; a size that is a name is whatever it is given."""

    name: str
    element: int
    sizes: Sequence[int | str]


@dataclass(frozen=True, slots=True)
class Model:
    nodes: Sequence[Node]
    constants: Mapping[str, Array]
    inputs: Sequence[Value]
    outputs: Sequence[Value]
    opsets: Mapping[str, int]
    about: Mapping[str, str]

    def written(self) -> bytes:
        graph = _joined(
            *(_message(1, _node(node)) for node in self.nodes),
            _text(2, "bert"),
            *(_message(5, _tensor(name, value)) for name, value in self.constants.items()),
            *(_message(11, _value(value)) for value in self.inputs),
            *(_message(12, _value(value)) for value in self.outputs),
        )
        return _joined(
            _number(1, _IR_VERSION),
            _text(2, "belie"),
            _message(7, graph),
            *(_message(8, _joined(_text(1, name), _number(2, n))) for name, n in self.opsets.items()),
            *(_message(14, _joined(_text(1, key), _text(2, said))) for key, said in self.about.items()),
        )


def _node(node: Node) -> bytes:
    return _joined(
        *(_text(1, name) for name in node.inputs),
        _text(2, node.output),
        _text(3, ""),
        _text(4, node.op),
        *(_message(5, _attribute(name, value)) for name, value in node.attributes.items()),
        _text(7, node.domain),
    )


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, float):
        return _joined(_text(1, name), _tag(2, _FIXED32), struct.pack("<f", value), _number(20, 1))
    if isinstance(value, int):
        return _joined(_text(1, name), _number(3, value), _number(20, 2))
    return _joined(_text(1, name), *(_number(8, n) for n in value), _number(20, 7))


def _tensor(name: str, value: Array) -> bytes:
    return _joined(
        *(_number(1, size) for size in value.shape),
        _number(2, _ELEMENTS[value.dtype.name]),
        _text(8, name),
        _message(9, value.astype(value.dtype.newbyteorder("<"), order="C", copy=False).tobytes()),
    )


def _value(value: Value) -> bytes:
    sizes = (_text(2, size) if isinstance(size, str) else _number(1, size) for size in value.sizes)
    shape = _joined(*(_message(1, size) for size in sizes))
    tensor = _joined(_number(1, value.element), _message(2, shape))
    return _joined(_text(1, value.name), _message(2, _message(1, tensor)))


def _joined(*parts: bytes) -> bytes:
    return b"".join(parts)


def _tag(number: int, kind: int) -> bytes:
    return _varint(number << 3 | kind)


def _number(number: int, value: int) -> bytes:
    return _tag(number, _VARINT) + _varint(value)


def _text(number: int, value: str) -> bytes:
    return _message(number, value.encode())


def _message(number: int, content: bytes) -> bytes:
    return b"".join((_tag(number, _BYTES), _varint(len(content)), content))


def _varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; a negative number as if it had 64 bits."""
    return bytes(_sevens(value & 0xFFFF_FFFF_FFFF_FFFF))


def _sevens(value: int) -> Iterable[int]:
    while value > 0x7F:
        yield value & 0x7F | 0x80
        value >>= 7
    yield value
