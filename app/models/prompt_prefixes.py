"""Beginnings that every prompt of a kind shares, as llama.cpp evaluated them, kept on disk between runs.

Only our own constant words: what was evaluated of a note stays in memory, or its text would lie in a second
place that a redaction would have to know of.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Sequence
from pathlib import Path

from app.private_files import write_private
from app.regular_file import read_regular

PAYS = 0.05
"""Seconds of evaluation; what is quicker than this is not worth a file."""
_MOST_FILES = 4
"""Files: of an older prompt or another model they are of no use, and each is some megabytes."""
_DIGEST = 32


class Prefixes:
    """The files of one model, by what they begin with. Whatever goes wrong only costs time."""

    def __init__(self, folder: Path, model: str) -> None:
        self._folder, self._model = folder, model

    def load(self, tokens: Sequence[int]) -> bytes | None:
        """What was saved for these tokens; None where there is nothing, or it is damaged."""
        path = self._path(tokens)
        try:
            stored = read_regular(path)
        except OSError:
            return None
        data = stored[_DIGEST:]
        if hashlib.blake2b(data, digest_size=_DIGEST).digest() == stored[:_DIGEST]:
            return data
        with contextlib.suppress(OSError):
            path.unlink()
        return None

    def save(self, tokens: Sequence[int], data: bytes, seconds: float) -> None:
        """Keep it whole or not at all, unless evaluating it anew takes no longer than reading a file."""
        if not tokens or seconds < PAYS:
            return
        with contextlib.suppress(OSError):
            write_private(self._path(tokens), hashlib.blake2b(data, digest_size=_DIGEST).digest() + data)
            self._clear()

    def _path(self, tokens: Sequence[int]) -> Path:
        named = f"{self._model}\0{' '.join(map(str, tokens))}".encode()
        return self._folder / f"{hashlib.blake2b(named, digest_size=12).hexdigest()}.state"

    def _clear(self) -> None:
        """The newest stay."""
        files = sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for path in files[_MOST_FILES:]:
            path.unlink()
