"""Themes as they were last read: a start need not load the reader of YAML for one that has not changed."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path

from app import places
from app.private_files import write_private
from app.regular_file import read_regular


def find(name: str, source: bytes) -> dict[object, object] | None:
    """The fields of a theme, if the file was read before and says the same now."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        known = json.loads(read_regular(_place(name)))
        if known["source"].encode() == source and isinstance(known["fields"], dict):
            return dict(known["fields"])
    return None


def keep(name: str, source: bytes, fields: Mapping[object, object]) -> None:
    """Remember a theme that is whole; failing to is no reason to fail."""
    with contextlib.suppress(OSError, ValueError, TypeError):
        said = json.dumps({"source": source.decode(), "fields": dict(fields)})
        write_private(_place(name), said.encode())


def _place(name: str) -> Path:
    return places.cache_dir() / "themes" / f"{name}.json"
