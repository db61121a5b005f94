"""Writes small GGUF files that are well-formed, and no real model's."""

from __future__ import annotations

import struct
from pathlib import Path

_STRING, _FLOAT = 8, 6
_F32 = 0
_ALIGNED = 32


def adapter(path: Path, *, architecture: str = "llama", width: int = 64, rank: int = 4) -> Path:
    """A LoRA of one matrix, width × width."""
    keys: list[tuple[str, str | float]] = [
        ("general.architecture", architecture),
        ("general.type", "adapter"),
        ("adapter.type", "lora"),
        ("adapter.lora.alpha", 8.0),
    ]
    tensors = [
        ("blk.0.attn_q.weight.lora_a", (width, rank)),
        ("blk.0.attn_q.weight.lora_b", (rank, width)),
    ]
    return _written(path, keys, tensors)


def model(path: Path, *, width: int, kind: int = _F32, data: int | None = None) -> Path:
    """The one matrix such an adapter is for; nothing could run it. Of another kind than float32 the weights
    are given as a number of bytes."""
    tensors = [("blk.0.attn_q.weight", (width, width))]
    return _written(path, [("general.architecture", "llama")], tensors, kind, data)


def _written(
    path: Path,
    keys: list[tuple[str, str | float]],
    tensors: list[tuple[str, tuple[int, int]]],
    kind: int = _F32,
    size: int | None = None,
) -> Path:
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
    for key, value in keys:
        head += _string(key)
        if isinstance(value, str):
            head += struct.pack("<I", _STRING) + _string(value)
        else:
            head += struct.pack("<If", _FLOAT, value)
    data = b""
    for name, shape in tensors:
        head += _string(name) + struct.pack("<I2QIQ", 2, *shape, kind, len(data))
        data += struct.pack("<f", 0.5) * (shape[0] * shape[1]) if size is None else bytes(size)
    path.write_bytes(head + bytes(-len(head) % _ALIGNED) + data)
    return path


def _string(text: str) -> bytes:
    return struct.pack("<Q", len(text)) + text.encode()
