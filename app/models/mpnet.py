"""MPNet's weights under the names of a BERT's: all but how it tells where tokens stand to each other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Array = NDArray[numpy.generic]

DISTANCES = "encoder.distances"
"""Heads × distances: what attention adds where one token stands so far before or behind another."""
LONGEST = 512
"""Tokens of a text; distances run from -511 to 511."""
_FIRST_PLACE = 2
"""The table of positions begins with padding."""
_FARTHEST = 128
_RENAMED = (
    ("attention.attn.q.", "attention.self.query."),
    ("attention.attn.k.", "attention.self.key."),
    ("attention.attn.v.", "attention.self.value."),
    ("attention.attn.o.", "attention.output.dense."),
    ("attention.LayerNorm.", "attention.output.LayerNorm."),
    ("classifier.dense.", "pooler.dense."),
    ("classifier.out_proj.", "classifier."),
)


def as_bert(weights: Mapping[str, Array]) -> dict[str, Array]:
    """`weights` as a saved MPNetForSequenceClassification has them, with or without the leading `mpnet.`."""
    import numpy

    out: dict[str, Array] = {}
    for name, value in weights.items():
        plain = name.removeprefix("mpnet.")
        for theirs, ours in _RENAMED:
            plain = plain.replace(theirs, ours)
        out[plain] = value
    table = numpy.asarray(out.pop("encoder.relative_attention_bias.weight"), dtype=numpy.float32)
    out[DISTANCES] = numpy.ascontiguousarray(table[_buckets(len(table))].T)
    places = "embeddings.position_embeddings.weight"
    out[places] = out[places][_FIRST_PLACE:]
    width = out[places].shape[1]
    out["embeddings.token_type_embeddings.weight"] = numpy.zeros((2, width), numpy.float32)
    return out


def _buckets(count: int) -> NDArray[numpy.int64]:
    """For each distance the row of the table: exact for near ones, ever coarser for far ones, the first half
    for what stands before."""
    import numpy

    back = -numpy.arange(1 - LONGEST, LONGEST)
    half = count // 2
    exact = half // 2
    far = numpy.abs(back)
    with numpy.errstate(divide="ignore"):
        coarse = exact + numpy.log(far / exact) / math.log(_FARTHEST / exact) * (half - exact)
    steps = numpy.where(far < exact, far, numpy.minimum(half - 1, numpy.maximum(coarse, 0).astype(int)))
    return (back < 0) * half + steps
