"""How parent and child speak: a frame is two lengths, a JSON head and a body of raw bytes."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import IO, Any

Head = dict[str, Any]

_LENGTHS = struct.Struct(">II")
LARGEST = 256 * 1024 * 1024
"""A longer frame is not one of ours: the stream is out of step."""


class Garbled(ValueError):
    """The stream holds no frame; nothing after it can be trusted."""


def encode(head: Head, body: bytes = b"") -> bytes:
    # ASCII only: a note may hold half a surrogate pair, which UTF-8 cannot carry.
    text = json.dumps(head, separators=(",", ":")).encode("ascii")
    return _LENGTHS.pack(len(text), len(body)) + text + body


class Decoder:
    """Takes bytes as they come and gives whole frames."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[Head, bytes]]:
        self._held += data
        while len(self._held) >= _LENGTHS.size:
            text, body = _LENGTHS.unpack_from(self._held)
            end = _LENGTHS.size + text + body
            if text + body > LARGEST:
                raise Garbled("a frame longer than any that is sent")
            if len(self._held) < end:
                return
            frame = bytes(self._held[_LENGTHS.size : end])
            del self._held[:end]
            yield _head(frame[:text]), frame[text:]


def read(source: IO[bytes]) -> tuple[Head, bytes] | None:
    """The next frame of a blocking stream; None when it ended."""
    lengths = source.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    text, body = _LENGTHS.unpack(lengths)
    if text + body > LARGEST:
        raise Garbled("a frame longer than any that is sent")
    frame = source.read(text + body)
    return (_head(frame[:text]), frame[text:]) if len(frame) == text + body else None


def _head(text: bytes) -> Head:
    try:
        head = json.loads(text)
    except ValueError as error:
        raise Garbled(str(error)) from error
    if not isinstance(head, dict):
        raise Garbled("a head that is no object")
    return head
