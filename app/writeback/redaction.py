"""Redaction from end to end: backups, the store, and where asked the notes themselves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.store.forgotten import RedactedHashes, fold, redacted_indexes
from app.store.store import Store
from app.store.texts import salted_hash
from app.vault.hashing import read_bytes
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Claim
from app.writeback import backups
from app.writeback.apply import apply_for_good
from app.writeback.conflict_edits import WRITTEN
from app.writeback.edits import CannotWrite, Edit
from app.writeback.remove import removal

REMOVED = "removed"
"""The ledger's word for a redacted statement taken out of its note."""


@dataclass(frozen=True, slots=True)
class Removals:
    """What taking the text out of the notes would do, note by note."""

    edits: tuple[Edit, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    """Notes that have to be edited by hand, and why."""


def removals(
    root: Path, claims: Sequence[Claim], forgotten: RedactedHashes, settings: VaultSettings
) -> Removals:
    """The edits for claims that are redacted or about to be; reads the notes, writes nothing."""
    saying = _saying(claims, forgotten)
    edits: list[Edit] = []
    refused: list[tuple[str, str]] = []
    for path in sorted({claim.statement.path for claim in claims if claim.status != "retracted"}):
        try:
            edit = removal(path, read_bytes(root, path, settings.max_bytes), saying, settings)
        except FileNotFoundError:
            continue
        except OSError as error:
            refused.append((path, f"It cannot be read: {error.strerror or error}."))
        except CannotWrite as error:
            refused.append((path, str(error)))
        else:
            edits += [edit] if edit else []
    return Removals(tuple(edits), tuple(refused))


def _saying(claims: Sequence[Claim], forgotten: RedactedHashes) -> RedactedHashes:
    """What is redacted already, and what is about to be."""
    texts = [fold(claim.statement.text) for claim in claims if claim.status != "redacted"]
    return RedactedHashes(
        forgotten.salt, forgotten.hashes | {salted_hash(forgotten.salt, text) for text in texts}
    )


def still_standing(root: Path, store: Store, paths: Collection[str], settings: VaultSettings) -> list[str]:
    """Where in these notes a redacted text still stands, as path:line."""
    forgotten = store.claims.forgotten()
    found: list[str] = []
    for path in sorted(paths):
        try:
            note = read_note(path, read_bytes(root, path, settings.max_bytes), settings)
        except OSError:
            continue
        lines = {note.statements[n].line for n in redacted_indexes(note.statements, forgotten)}
        found += [f"{path}:{line}" for line in sorted(lines)]
    return found


def redact(store: Store, claims: Sequence[Claim], id: str, reason: str, backup_dir: Path) -> int:
    """Take the claims' text out of backups and store; returns the event's number.

    Backups go first, while the text is known: stopped in between, the redaction is simply asked for again.
    """
    paths = {claim.statement.path for claim in claims}
    for claim in claims:
        paths |= {str(e.payload["path"]) for e in store.ledger.history(claim.id) if "path" in e.payload}
    # All of a note's: even a record alone holds hashes of the whole note, on which a line could be tried out.
    ids = {
        str(e.payload.get("backup"))
        for path in paths
        for e in store.ledger.history(path)
        if e.action == WRITTEN
    }
    backups.forget(backup_dir, ids, {claim.statement.text for claim in claims})
    return store.claims.redact(id, reason).seq


def take_out(store: Store, root: Path, edit: Edit) -> None:
    """Make an edit of `removals`; an event of its own, written just before."""
    apply_for_good(root, edit, lambda: _record(store, edit.path))


def _record(store: Store, path: str) -> None:
    store.ledger.record(REMOVED, path, {})
