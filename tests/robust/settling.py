"""A vault of many small contradictions, and someone who settles them one after the other, in every way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal, get_args

from app.store.store import Store
from app.vault.settings import VaultSettings
from app.words import Conflict
from app.writeback.conflict_edits import proposal, take_back, write
from app.writeback.redaction import redact, removals, take_out
from tests.robust.building import pipeline
from tests.robust.building import write as write_notes

Step = Literal["resolve", "undo", "write back", "take back", "redact"]
STEPS: tuple[Step, ...] = get_args(Step)
ROOMS = ("attic", "cellar", "kitchen", "hall", "study", "larder", "porch", "nursery")
SETTINGS = VaultSettings()


def secret(room: str) -> str:
    return f"The {room} door code is 44{ROOMS.index(room)}7."


def generate(root: Path) -> Path:
    notes: dict[str, str | bytes] = {}
    for room in ROOMS:
        notes[f"old/{room}.md"] = f"# Doors\n\n- The {room} is large.\n- {secret(room)}\n- It squeaks.\n"
        notes[f"new/{room}.md"] = f"The {room} door code is 0086.\n"
    return write_notes(root, notes)


def versions(root: Path) -> dict[str, set[bytes]]:
    """What each note may hold: as it was, struck, or without the line."""
    found: dict[str, set[bytes]] = {}
    for path in root.rglob("*.md"):
        old = path.read_bytes()
        line = f"- {secret(path.stem)}\n".encode()
        struck = f"- ~~{secret(path.stem)}~~\n".encode()
        found[path.relative_to(root).as_posix()] = {old, old.replace(line, struck), old.replace(line, b"")}
    return found


def settle(root: Path, store: Store, backups: Path, begin: Callable[[Step, str], None]) -> None:
    """Everything there is to do, room by room; says so before each step."""
    pipeline(root, store, SETTINGS).run()
    by_room = {_room(store, conflict): conflict for conflict in store.conflicts.open()}
    for room in ROOMS:
        conflict = by_room[room]
        loser, winner = _members(store, conflict)
        begin("resolve", room)
        seq = store.conflicts.keep(conflict.id, winner)
        begin("undo", room)
        store.ledger.undo(seq)
        store.conflicts.keep(conflict.id, winner)
        begin("write back", room)
        wanted = proposal(store, root, conflict.id, "strike", SETTINGS)
        ((written, _),) = write(store, root, wanted, backups)
        begin("take back", room)
        take_back(store, root, written, backups)
        begin("redact", room)
        claims = store.claims.redactable(loser)
        wanted_edits = removals(root, claims, store.claims.forgotten(), SETTINGS)
        redact(store, claims, loser, "no codes in notes", backups)
        for edit in wanted_edits.edits:
            take_out(store, root, edit)


def _room(store: Store, conflict: Conflict) -> str:
    (claim, *_) = store.claims.all(ids=conflict.members)
    return Path(claim.statement.path).stem


def _members(store: Store, conflict: Conflict) -> tuple[str, str]:
    """The old claim and the new one."""
    claims = {Path(c.statement.path).parent.name: c.id for c in store.claims.all(ids=conflict.members)}
    return claims["old"], claims["new"]
