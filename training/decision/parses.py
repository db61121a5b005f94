"""Parses kept on disk between runs of the training scripts."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from pathlib import Path

from app.reading.parser import Parse, parse

_AT_ONCE = 4000


def kept_parses(texts: Iterable[str], cache: Path) -> dict[str, Parse]:
    known: dict[str, Parse] = pickle.loads(cache.read_bytes()) if cache.exists() else {}
    missing = sorted({text for text in texts if text} - known.keys(), key=len)
    for start in range(0, len(missing), _AT_ONCE):
        some = missing[start : start + _AT_ONCE]
        known.update(zip(some, parse(some), strict=True))
        cache.write_bytes(pickle.dumps(known))
        print(f"{start + len(some)} of {len(missing)} texts parsed", flush=True)
    return known
