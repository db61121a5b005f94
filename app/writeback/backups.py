"""Backups that Belie made of notes, looked through for what is to be forgotten."""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from pathlib import Path

from app.regular_file import read_regular
from app.store.forgotten import RedactedText, fold


def forget(folder: Path, ids: Collection[str], texts: Collection[str]) -> int:
    """Remove these backups, and any that says one of the texts; returns how many."""
    secrets = [RedactedText(fold(text)) for text in texts]
    removed = 0
    for backup in sorted(folder.glob("*.bak")) if folder.is_dir() else ():
        if backup.stem in ids or _says(backup, secrets):
            for file in (backup, backup.with_suffix(".json")):
                with contextlib.suppress(FileNotFoundError):
                    file.unlink()
            removed += 1
    return removed


def _says(backup: Path, secrets: Collection[RedactedText]) -> bool:
    try:
        folded = fold(read_regular(backup).decode("utf-8", "replace"))
    except OSError:
        return False
    return any(secret.is_in(folded) for secret in secrets)
