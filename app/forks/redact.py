"""Redaction reaches forks too: they hold the same texts."""

from __future__ import annotations

from pathlib import Path

from app.forks import files


def redact_forks(store: Path, claim: str, why: str) -> list[str]:
    """Take the text out of every fork; one that does not know the claim, and so could not tell where it is
    said, is discarded. Returns the names of those."""
    discarded = []
    for name in files.names(store):
        with files.open_fork(store, name) as fork:
            known = fork.claims.get(claim)
            if known is not None and known.status != "redacted":
                fork.claims.redact(claim, why)
        if known is None:
            files.discard(store, name)
            discarded.append(name)
    return discarded
