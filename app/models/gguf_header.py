"""The header of a GGUF file: enough to tell whether it is whole, and whether an adapter fits a model.

llama.cpp looks at the same things, but some of what it cannot use ends the process.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from app.models.files import Unusable
from app.regular_file import open_regular

_MAGIC = b"GGUF"
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MOST_KEYS, _MOST_TENSORS, _LONGEST_STRING, _LONGEST_ARRAY = 4096, 65_536, 1 << 20, 1 << 22
_BYTES = {
    0: (4, 1), 1: (2, 1), 30: (2, 1), 28: (8, 1),  # F32, F16, BF16, F64
    24: (1, 1), 25: (2, 1), 26: (4, 1), 27: (8, 1),  # I8 to I64
    2: (18, 32), 3: (20, 32), 6: (22, 32), 7: (24, 32), 8: (34, 32),  # Q4_0, Q4_1, Q5_0, Q5_1, Q8_0
    10: (84, 256), 11: (110, 256), 12: (144, 256), 13: (176, 256), 14: (210, 256), 15: (292, 256),  # Q2_K on
    16: (66, 256), 17: (74, 256), 22: (82, 256),  # IQ2_XXS, IQ2_XS, IQ2_S
    18: (98, 256), 21: (110, 256), 19: (50, 256), 29: (56, 256),  # IQ3_XXS, IQ3_S, IQ1_S, IQ1_M
    20: (18, 32), 23: (136, 256),  # IQ4_NL, IQ4_XS
    34: (54, 256), 35: (66, 256), 39: (17, 32),  # TQ1_0, TQ2_0, MXFP4
}  # fmt: skip
"""(bytes, values) of a block, for the types whose end is looked for. Of one that came later only the start
is: nobody can tell where it ends."""


@dataclass(frozen=True, slots=True)
class Header:
    keys: dict[str, Any]
    """Values of arrays are left out."""
    tensors: dict[str, tuple[int, ...]]


def read_header(path: Path) -> Header:
    """Raises Unusable where the file is no GGUF, is damaged, or ends before its last tensor does."""
    try:
        with open_regular(path) as file:
            return _read(file, path)
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror}") from error
    except (struct.error, ValueError, OverflowError) as error:
        raise Unusable(f"{path} is damaged: {error}") from error


def read_model(path: Path) -> Header:
    """As `read_header`; raises Unusable too where the file is whole, but no model."""
    header = read_header(path)
    if header.keys.get("general.type") == "adapter":
        raise Unusable(f"{path} is an adapter: it only tunes another model, and cannot read by itself")
    if not header.tensors:
        raise Unusable(f"{path} is not a model: it holds no weights")
    return header


def fits(adapter: Path, model: Path) -> None:
    """Raises Unusable where a LoRA was not made for a model of this shape."""
    lora, base = read_header(adapter), read_header(model)
    if lora.keys.get("general.type") != "adapter" or lora.keys.get("adapter.type") != "lora":
        raise Unusable(f"{adapter} is not a LoRA adapter")
    ours, theirs = (h.keys.get("general.architecture") for h in (base, lora))
    if ours != theirs:
        raise Unusable(f"{adapter} is for models of the kind “{theirs}”, not “{ours}”")
    for name, shape in lora.tensors.items():
        target, _, part = name.rpartition(".lora_")
        wanted = base.tensors.get(target)
        side = 0 if part == "a" else 1
        if wanted is None or len(shape) != 2 or len(wanted) != 2 or shape[side] != wanted[side]:
            raise Unusable(f"{adapter} does not fit {model.name}: it was made for another model ({name})")


def _read(file: IO[bytes], path: Path) -> Header:
    if file.read(4) != _MAGIC:
        raise Unusable(f"{path} is not a GGUF file")
    version, tensors, keys = _take(file, "IQQ")
    if version not in (2, 3) or keys > _MOST_KEYS or tensors > _MOST_TENSORS:
        raise ValueError(f"a header of version {version} with {keys} keys and {tensors} tensors")
    stored = {}
    for _ in range(keys):
        name = _string(file)
        stored[name] = _value(file, _take(file, "I")[0])
    shapes: dict[str, tuple[int, ...]] = {}
    end = 0
    for _ in range(tensors):
        name = _string(file)
        (dimensions,) = _take(file, "I")
        if dimensions > 4:
            raise ValueError(f"{name} has {dimensions} dimensions")
        shapes[name] = _take(file, f"{dimensions}Q")
        kind, offset = _take(file, "IQ")
        size, values = _BYTES.get(kind, (0, 1))
        end = max(end, offset + math.prod(shapes[name]) // values * size)
    aligned = stored.get("general.alignment") or 32
    if not isinstance(aligned, int) or -(-file.tell() // aligned) * aligned + end > path.stat().st_size:
        raise ValueError("it ends too early")
    return Header(stored, shapes)


def _take(file: IO[bytes], form: str) -> tuple[Any, ...]:
    return struct.unpack(f"<{form}", file.read(struct.calcsize(f"<{form}")))


def _string(file: IO[bytes]) -> str:
    (length,) = _take(file, "Q")
    if length > _LONGEST_STRING:
        raise ValueError(f"a name of {length} bytes")
    data = file.read(length)
    if len(data) < length:
        raise ValueError("it ends too early")
    return data.decode("utf-8", "replace")


def _value(file: IO[bytes], kind: int) -> Any:
    if kind == _STRING:
        return _string(file)
    if kind in _NUMBERS:
        return _take(file, _NUMBERS[kind])[0]
    if kind != _ARRAY:
        raise ValueError(f"a value of the unknown kind {kind}")
    inner, length = _take(file, "IQ")
    if length > _LONGEST_ARRAY or inner == _ARRAY:
        raise ValueError(f"a list of {length} values")
    if inner == _STRING:
        for _ in range(length):
            _string(file)
    else:
        size = struct.calcsize(_NUMBERS[inner]) if inner in _NUMBERS else 0
        if not size or len(file.read(size * length)) < size * length:
            raise ValueError("it ends too early")
    return None
