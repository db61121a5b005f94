"""Writes a BERT encoder as an ONNX graph, straight from its weights as numpy arrays; torch has no part in it.

The graph uses onnxruntime's own fused operators (domain `com.microsoft`), so loading it needs no optimizer
pass. Weights are kept as float32, as float16 (widened once at load), or as int8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from app.models.mpnet import DISTANCES, LONGEST, as_bert
from app.models.onnx_file import FLOAT
from app.models.onnx_graph import CONTRIB, PRECISIONS, Graph, Precision, WrongShape

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Array = NDArray[numpy.generic]

__all__ = ["PRECISIONS", "Classified", "Pooled", "Precision", "Shape", "WrongShape", "build"]


@dataclass(frozen=True, slots=True)
class Shape:
    """What of the config.json of a BERT or an MPNet decides its graph."""

    layers: int
    heads: int
    hidden: int
    epsilon: float = 1e-12
    mpnet: bool = False

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Shape:
        """Raises WrongShape, saying what does not fit."""
        if config.get("model_type") not in ("bert", "mpnet"):
            raise WrongShape(f"the model is of type “{config.get('model_type')}”, not bert or mpnet")
        if config.get("hidden_act", "gelu") != "gelu":
            raise WrongShape(f"the activation “{config.get('hidden_act')}” is not gelu")
        if config.get("position_embedding_type", "absolute") != "absolute":
            raise WrongShape("its positions are not absolute")
        try:
            return cls(
                int(config["num_hidden_layers"]),
                int(config["num_attention_heads"]),
                int(config["hidden_size"]),
                float(config.get("layer_norm_eps", 1e-12)),
                config["model_type"] == "mpnet",
            )
        except (KeyError, TypeError, ValueError) as error:
            raise WrongShape(f"its configuration lacks {error}") from error


@dataclass(frozen=True, slots=True)
class Pooled:
    """Ends in one vector a text: the mean of its tokens (or the first one's), of length one if wanted."""

    by: Literal["mean", "cls"] = "mean"
    normalized: bool = True


@dataclass(frozen=True, slots=True)
class Classified:
    """Ends in one logit a label: pooler, then classifier."""

    labels: int


def build(
    weights: Mapping[str, Array],
    shape: Shape,
    head: Pooled | Classified,
    precision: Precision = "fp32",
    *,
    about: Mapping[str, str] | None = None,
) -> bytes:
    """The model as a file: input_ids, token_type_ids (batch × tokens, int64) → `vectors` or `logits`. There
    is no mask: all texts of a batch have the same length, and without one attention takes a third less time.

    `weights` has the names of a saved BertModel or BertForSequenceClassification (with or without the leading
    `bert.`), or of an MPNet's. Raises WrongShape when one is missing or has another shape.
    """
    graph = Graph(as_bert(weights) if shape.mpnet else _plain_names(weights), precision)
    x = graph.flat(_embeddings(graph, shape), shape.hidden)
    needs_all = isinstance(head, Pooled) and head.by == "mean"
    for n in range(shape.layers):
        last = n == shape.layers - 1
        x = _layer(graph, shape, f"encoder.layer.{n}", x, only_first=last and not needs_all)
    if isinstance(head, Pooled):
        _pool(graph, head, _texts(graph, shape, x) if needs_all else x)
        out = ("vectors", shape.hidden)
    else:
        _classify(graph, shape, head, x)
        out = ("logits", head.labels)
    return graph.written(out, about or {})


def _plain_names(weights: Mapping[str, Array]) -> dict[str, Array]:
    return {name.removeprefix("bert."): value for name, value in weights.items()}


def _embeddings(graph: Graph, shape: Shape) -> str:
    """Word + position + segment, layer-normed."""
    words = graph.rows("embeddings.word_embeddings.weight", "input_ids", shape.hidden)
    kinds = graph.rows("embeddings.token_type_embeddings.weight", "token_type_ids", shape.hidden)
    table = graph.floats(
        graph.weight("embeddings.position_embeddings.weight", (None, shape.hidden)), "places"
    )
    places = graph.node("Slice", [table, graph.ints([0]), _length(graph), graph.ints([0])])
    x = graph.node("Add", [graph.node("Add", [words, kinds]), places])
    return _norm(graph, shape, "embeddings.LayerNorm", x)


def _length(graph: Graph) -> str:
    return graph.node("Gather", [graph.node("Shape", ["input_ids"]), graph.ints([1])])


def _layer(graph: Graph, shape: Shape, at: str, x: str, *, only_first: bool) -> str:
    """One row a token in and out. `only_first`: what comes after looks at the first token of a text alone, so
    no other goes past attention."""
    mixed, x = _attention(graph, shape, f"{at}.attention.self", x, only_first=only_first)
    x = _joined(graph, shape, f"{at}.attention.output", mixed, x)
    inner = graph.weight(f"{at}.intermediate.dense.weight", (None, shape.hidden))
    wide = graph.product(x, inner, at + ".wide")
    wide_bias = graph.floats(graph.weight(f"{at}.intermediate.dense.bias", (len(inner),)), at + ".wide.bias")
    # Not by the fused BiasGelu: it gives the same and takes half as long again.
    wide = graph.node("Gelu", [graph.node("Add", [wide, wide_bias])], domain=CONTRIB)
    return _joined(graph, shape, f"{at}.output", wide, x)


def _attention(graph: Graph, shape: Shape, at: str, x: str, *, only_first: bool) -> tuple[str, str]:
    """What each token takes from the others, and the rows that go on from here. Query, key and value by
    themselves: taking one wide product apart costs more than three narrow ones."""
    parts = [f"{at}.{name}" for name in ("query", "key", "value")]
    qkv = [(graph.weight(f"{part}.weight", (shape.hidden, shape.hidden)), part) for part in parts]
    bias = graph.concatenated([graph.weight(f"{part}.bias", (shape.hidden,)) for part in parts])
    if only_first:
        x, before = graph.first_token(_texts(graph, shape, x)), x
        query = graph.node("Unsqueeze", [graph.product(x, *qkv[0]), graph.ints([1])])
        key, value = (_texts(graph, shape, y) for y in graph.products(before, qkv[1:]))
    else:
        query, key, value = (_texts(graph, shape, y) for y in graph.products(x, qkv))
    inputs = [query, key, value, graph.floats(bias, at + ".bias")]
    if shape.mpnet:
        inputs += ["", _position_bias(graph, shape, only_first=only_first)]
    mixed = graph.node("MultiHeadAttention", inputs, domain=CONTRIB, num_heads=shape.heads)
    return graph.flat(mixed, shape.hidden), x


def _position_bias(graph: Graph, shape: Shape, *, only_first: bool) -> str:
    """What attention adds for the distance of two tokens, 1 × heads × tokens × tokens: the same in all
    layers."""
    import numpy

    name, first = "position_bias", "first_position_bias"
    if not graph.made(name):
        zero, one = graph.scalar(0, numpy.int64), graph.scalar(1, numpy.int64)
        places = graph.node("Range", [zero, graph.node("Squeeze", [_length(graph)]), one])
        rows = graph.node("Unsqueeze", [places, graph.ints([1])])
        middle = graph.ints([LONGEST - 1])
        distances = graph.node("Add", [graph.node("Sub", [places, rows]), middle])
        table = graph.constant(graph.weight(DISTANCES, (shape.heads, 2 * LONGEST - 1))[None], DISTANCES)
        graph.node("Gather", [table, distances], out=name, axis=2)
        graph.node("Slice", [name, graph.ints([0]), graph.ints([1]), graph.ints([2])], out=first)
    return first if only_first else name


def _texts(graph: Graph, shape: Shape, rows: str) -> str:
    """Rows as batch × tokens × hidden again; that copies nothing."""
    if not graph.made("text_sizes"):
        sizes = [graph.node("Shape", ["input_ids"]), graph.ints([shape.hidden])]
        graph.node("Concat", sizes, out="text_sizes", axis=0)
    return graph.node("Reshape", [rows, "text_sizes"])


def _joined(graph: Graph, shape: Shape, at: str, x: str, before: str) -> str:
    """Dense, plus what came before, layer-normed. Not by the fused SkipLayerNormalization: on CPUs it is
    much slower than its parts."""
    dense = graph.product(x, graph.weight(f"{at}.dense.weight", (shape.hidden, None)), at)
    bias = graph.floats(graph.weight(f"{at}.dense.bias", (shape.hidden,)), at + ".bias")
    return _norm(
        graph, shape, f"{at}.LayerNorm", graph.node("Add", [graph.node("Add", [dense, bias]), before])
    )


def _norm(graph: Graph, shape: Shape, at: str, x: str) -> str:
    scale = graph.floats(graph.weight(f"{at}.weight", (shape.hidden,)), at + ".gamma")
    bias = graph.floats(graph.weight(f"{at}.bias", (shape.hidden,)), at + ".beta")
    return graph.node("LayerNormalization", [x, scale, bias], axis=-1, epsilon=shape.epsilon)


def _pool(graph: Graph, head: Pooled, x: str) -> None:
    pooled = x
    if head.by == "mean":
        sizes = graph.node("Shape", ["input_ids"])
        count = graph.node("Cast", [graph.node("Gather", [sizes, graph.ints([1])])], to=FLOAT)
        share = graph.node("Expand", [graph.node("Reciprocal", [count]), sizes])
        shares = graph.node("Unsqueeze", [share, graph.ints([1])])
        # A product, not a sum: ReduceSum adds in another order when the batch holds a single text.
        pooled = graph.node("Squeeze", [graph.node("MatMul", [shares, x]), graph.ints([1])])
    if head.normalized:
        graph.node("LpNormalization", [pooled], out="vectors", axis=1, p=2)
    else:
        graph.node("Identity", [pooled], out="vectors")


def _classify(graph: Graph, shape: Shape, head: Classified, x: str) -> None:
    square = (shape.hidden, shape.hidden)
    first = x
    for name, size, last in (
        ("pooler.dense", square, False),
        ("classifier", (head.labels, shape.hidden), True),
    ):
        # So small that they stay floats whatever the rest is.
        matrix = graph.floats(graph.weight(f"{name}.weight", size).T, name)
        bias = graph.floats(graph.weight(f"{name}.bias", (size[0],)), name + ".bias")
        dense = graph.node("Gemm", [first, matrix, bias], out="logits" if last else None)
        first = dense if last else graph.node("Tanh", [dense])
