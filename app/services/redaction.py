"""The words of claims taken out of everything Belie keeps: forks, backups, store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app import places
from app.forks.redact import redact_forks
from app.store.store import Store
from app.words import Claim
from app.writeback.redaction import redact


def forget(store: Store, claims: Sequence[Claim], id: str, reason: str) -> int:
    """`claims` are all that go with the one of this id; returns the event's number."""
    if isinstance(store.path, Path):
        redact_forks(store.path, id, reason)
    return redact(store, claims, id, reason, places.backups_dir())
