"""An ONNX graph in the making: nodes, and weights in the precision asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from app.models.onnx_file import FLOAT, INT64, Attribute, Model, Node, Value

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Array = NDArray[numpy.generic]
    Factor = tuple[NDArray[numpy.float32], str]
    """A matrix and its name."""

Precision = Literal["fp32", "fp16", "int8"]
PRECISIONS: tuple[Precision, ...] = ("fp32", "fp16", "int8")
CONTRIB = "com.microsoft"
_OPSET = 17
_WEIGHT_LIMIT = 63
"""Int8 weights use seven bits: CPUs without VNNI add two products in 16 bits, where eight would overflow."""


class WrongShape(ValueError):
    """The weights are not those of a BERT encoder this writer knows."""


@dataclass(slots=True)
class Graph:
    """Nodes and constants as they come; names are made here."""

    weights: Mapping[str, Array]
    precision: Precision
    nodes: list[Node] = field(default_factory=list)
    constants: dict[str, Array] = field(default_factory=dict)

    def weight(self, name: str, shape: tuple[int | None, ...]) -> NDArray[numpy.float32]:
        import numpy

        found = self.weights.get(name)
        if found is None:
            raise WrongShape(f"the weights lack {name}")
        if len(found.shape) != len(shape) or any(
            want not in (None, have) for want, have in zip(shape, found.shape, strict=True)
        ):
            raise WrongShape(f"{name} is {'×'.join(map(str, found.shape))}, which does not fit")
        return numpy.asarray(found, dtype=numpy.float32)

    def node(
        self,
        op: str,
        inputs: Sequence[str],
        *,
        out: str | None = None,
        domain: str = "",
        **attributes: Attribute,
    ) -> str:
        out = out or f"{op}_{len(self.nodes)}"
        self.nodes.append(Node(op, inputs, out, domain, attributes))
        return out

    def made(self, name: str) -> bool:
        """Is there a node that gives this?"""
        return any(name == node.output for node in self.nodes)

    def constant(self, value: Array, name: str) -> str:
        self.constants[name] = value
        return name

    def ints(self, values: Sequence[int]) -> str:
        import numpy

        return self._once("ints_" + "_".join(map(str, values)), numpy.array(values, numpy.int64))

    def scalar(self, value: float, kind: type[numpy.generic]) -> str:
        import numpy

        return self._once(f"{kind.__name__}_{value:g}", numpy.array(value, kind))

    def _once(self, name: str, value: Array) -> str:
        return name if name in self.constants else self.constant(value, name)

    def floats(self, value: NDArray[numpy.float32], name: str) -> str:
        """A constant the operators see as float32. Vectors are not worth shortening."""
        import numpy

        if self.precision == "fp32" or value.ndim < 2 or not _fits_half(value):
            return self.constant(value, name)
        half = self.constant(value.astype(numpy.float16), name + ".half")
        return self.node("Cast", [half], to=FLOAT)  # folded into a constant when the model is loaded

    def concatenated(self, parts: Sequence[NDArray[numpy.float32]]) -> NDArray[numpy.float32]:
        import numpy

        return numpy.concatenate(parts)

    def rows(self, name: str, indices: str, width: int) -> str:
        """Rows of a table; only those looked up are widened."""
        import numpy

        table = self.weight(name, (None, width))
        if self.precision == "fp32" or not _fits_half(table):
            return self.node("Gather", [self.constant(table, name), indices])
        if self.precision == "fp16":
            half = self.node("Gather", [self.constant(table.astype(numpy.float16), name), indices])
            return self.node("Cast", [half], to=FLOAT)
        scale = numpy.maximum(numpy.abs(table).max(axis=1, keepdims=True), 1e-12) / 127
        whole = self.constant(numpy.round(table / scale).astype(numpy.int8), name)
        row = self.node("Cast", [self.node("Gather", [whole, indices])], to=FLOAT)
        return self.node("Mul", [row, self.node("Gather", [self.constant(scale, name + ".scale"), indices])])

    def flat(self, x: str, width: int) -> str:
        """One row a token, whatever text it belongs to."""
        return self.node("Reshape", [x, self.ints([-1, width])])

    def product(self, x: str, matrix: NDArray[numpy.float32], name: str) -> str:
        """Rows times the transposed matrix (outputs × inputs, as they are saved)."""
        return self.products(x, [(matrix, name)])[0]

    def products(self, x: str, factors: Sequence[Factor]) -> list[str]:
        """Rows times several transposed matrices."""
        if self.precision == "int8":
            return self._whole_products(x, factors)
        return [self.node("MatMul", [x, self.floats(matrix.T, name)]) for matrix, name in factors]

    def _whole_products(self, x: str, factors: Sequence[Factor]) -> list[str]:
        """Rows times several matrices, in whole numbers. Every row of activations gets a scale of its own:
        one for the whole batch, as dynamic quantization usually has, loses more and makes an answer depend on
        the rest of its batch."""
        import numpy

        # Two passes that only read are faster than one that writes every activation's absolute value.
        high, low = (self.node(op, [x], axes=[-1], keepdims=0) for op in ("ReduceMax", "ReduceMin"))
        largest = self.node("Max", [high, self.node("Neg", [low]), self.scalar(1e-9, numpy.float32)])
        step = self.node("Mul", [largest, self.scalar(1 / 127, numpy.float32)])
        one, middle = self.scalar(1.0, numpy.float32), self.scalar(128, numpy.uint8)
        middles = self.node("Expand", [middle, self.node("Shape", [step])])
        rounded = self.node("QuantizeLinear", [x, step, middles], axis=0)
        column = self.node("Unsqueeze", [step, self.ints([1])])
        made = []
        for matrix, name in factors:
            scale = numpy.maximum(numpy.abs(matrix).max(axis=1), 1e-12) / _WEIGHT_LIMIT
            whole = self.constant(numpy.round(matrix / scale[:, None]).astype(numpy.int8).T, name)
            scales = self.constant(scale, name + ".scale")
            product = self.node("MatMulIntegerToFloat", [rounded, whole, one, scales, middle], domain=CONTRIB)
            made.append(self.node("Mul", [product, column]))
        return made

    def first_token(self, x: str) -> str:
        import numpy

        return self.node("Gather", [x, self.scalar(0, numpy.int64)], axis=1)

    def written(self, out: tuple[str, int], about: Mapping[str, str]) -> bytes:
        """The file's content."""
        name, width = out
        texts = ("input_ids", "token_type_ids")
        return Model(
            self.nodes,
            self.constants,
            [Value(given, INT64, ("batch", "tokens")) for given in texts],
            [Value(name, FLOAT, ("batch", width))],
            {"": _OPSET, CONTRIB: 1},
            {"precision": self.precision, **about},
        ).written()


def _fits_half(value: NDArray[numpy.float32]) -> bool:
    import numpy

    return bool(numpy.abs(value).max(initial=0.0) < 65_000)
