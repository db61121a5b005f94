"""Reads weights kept as safetensors, by numpy alone, and widens those that are kept as whole numbers."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.regular_file import read_regular

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Array = NDArray[numpy.generic]
    Weights = Mapping[str, Array]

_KINDS = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1",
    "U8": "u1", "BOOL": "?",
}  # fmt: skip
_LONGEST_HEADER = 100_000_000
SCALE, FAR, FAR_VALUES = ".scale", ".far", ".far.values"
"""Whole numbers have a scale for each row; the few values too large for it stand beside them, with the places
they belong to."""


def load(path: Path) -> dict[str, Array]:
    """Raises ValueError where the file is damaged, or OSError."""
    data = read_regular(path)
    if path.suffix == ".gz":
        try:
            data = gzip.decompress(data)
        except (EOFError, OSError) as error:
            raise ValueError(str(error)) from error
    return read(data)


def read(data: bytes) -> dict[str, Array]:
    """Eight bytes with the length of a JSON header, the header, the numbers. Raises ValueError."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or not 2 <= length <= min(_LONGEST_HEADER, len(data) - 8):
        raise ValueError("its header is cut short")
    header = json.loads(data[8 : 8 + length])
    if not isinstance(header, dict):
        raise ValueError("its header is not an object")
    body = memoryview(data)[8 + length :]
    return {name: _array(name, about, body) for name, about in header.items() if name != "__metadata__"}


def _array(name: str, about: Any, body: memoryview) -> Array:
    import numpy

    try:
        kind, shape = str(about["dtype"]), tuple(int(size) for size in about["shape"])
        start, end = (int(place) for place in about["data_offsets"])
    except (KeyError, TypeError) as error:
        raise ValueError(f"its header does not describe {name}") from error
    half = kind == "BF16"  # the upper half of a float, which numpy has no name for
    if not half and kind not in _KINDS:
        raise ValueError(f"{name} is kept as {kind}")
    element = numpy.dtype("<u2" if half else _KINDS[kind])
    if min(shape, default=0) < 0 or not 0 <= start <= end <= len(body):
        raise ValueError(f"{name} lies outside the file")
    if end - start != math.prod(shape) * element.itemsize:
        raise ValueError(f"{name} has another size than its header says")
    found = numpy.frombuffer(body[start:end], element).reshape(shape)
    return (found.astype(numpy.uint32) << 16).view(numpy.float32) if half else found


def widened(weights: Weights, name: str) -> NDArray[numpy.float32]:
    """One weight as floats, however it is kept."""
    import numpy

    value = numpy.asarray(weights[name], dtype=numpy.float32)
    if (scale := weights.get(name + SCALE)) is not None:
        value = value * numpy.asarray(scale, dtype=numpy.float32)[:, None]
    if (far := weights.get(name + FAR)) is not None:
        value.reshape(-1)[far] = weights[name + FAR_VALUES]
    return value


def all_widened(weights: Weights) -> dict[str, Array]:
    """Those kept as whole numbers as floats, the others as they are."""
    return {
        name: widened(weights, name) if name + SCALE in weights else value
        for name, value in weights.items()
        if not name.endswith((SCALE, FAR, FAR_VALUES))
    }
