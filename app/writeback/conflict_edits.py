"""From a settled conflict to edits of the losing notes, and their place in the ledger."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.store.store import Store
from app.vault.hashing import read_bytes
from app.vault.settings import VaultSettings
from app.words import Claim, Conflict
from app.writeback import apply as writing
from app.writeback.diff import combine
from app.writeback.edits import Applied, AsBefore, CannotWrite, Edit, Style
from app.writeback.propose import propose

WRITTEN = "written"
"""The ledger's word for an edit of a note."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What writing a conflict back would do, note by note."""

    conflict: Conflict
    winner: Claim
    edits: tuple[Edit, ...]
    losers: tuple[tuple[str, ...], ...]
    """The claims each edit is about."""
    refused: tuple[tuple[Claim, str], ...] = ()
    """Losing claims whose note is left alone, and why."""


def proposal(
    store: Store,
    root: Path,
    conflict_id: str,
    style: Style,
    settings: VaultSettings,
    *,
    winner: str | None = None,
) -> Proposal:
    """The edits of a conflict that was settled for a winner; reads the losing notes, writes nothing.

    `winner` names the member where none has been decided on yet: what keeping it would write.
    """
    conflict = store.conflicts.get(conflict_id)
    if conflict is None:
        raise CannotWrite(f"There is no conflict {conflict_id}.")
    undecided = conflict.status == "open" and winner in conflict.members
    chosen = conflict.winner or (winner if undecided else None)
    kept = store.claims.get(chosen) if chosen else None
    if kept is None:
        raise CannotWrite(f"{conflict_id} was not settled for one of its members: keep one first.")
    if kept.status == "redacted":
        raise CannotWrite(f"{kept.id} was redacted, so there is nothing to point to.")
    losers = [
        claim
        for claim in store.claims.with_status(("superseded", "active"), ids=conflict.members)
        if claim.id != kept.id
    ]
    edits: dict[str, Edit] = {}
    about: dict[str, list[str]] = {}
    refused: list[tuple[Claim, str]] = []
    for claim in losers:
        path = claim.statement.path
        known = edits.get(path)
        if known is not None and style == "frontmatter":
            about[path].append(claim.id)
            continue
        try:
            data = known.after if known else _read(root, path, settings)
            if style == "frontmatter" and path == kept.statement.path:
                raise CannotWrite("The winner stands in the same note.")
            edit = propose(data, claim, kept, style, settings)
            edits[path] = combine(known, edit) if known else edit
            about.setdefault(path, []).append(claim.id)
        except CannotWrite as error:
            refused.append((claim, str(error)))
    return Proposal(
        conflict,
        kept,
        tuple(edits.values()),
        tuple(tuple(about[path]) for path in edits),
        tuple(refused),
    )


def write(store: Store, root: Path, wanted: Proposal, backups: Path) -> list[tuple[int, Applied]]:
    """Make the edits, each an event; stops at the first that cannot be made, with the rest untouched."""
    done: list[tuple[int, Applied]] = []
    for edit, losers in zip(wanted.edits, wanted.losers, strict=True):
        seqs: list[int] = []

        def announce(applied: Applied, edit: Edit = edit, losers: Sequence[str] = losers,
                     seqs: list[int] = seqs) -> None:  # fmt: skip
            payload = {
                "style": edit.style,
                "backup": applied.id,
                "conflict": wanted.conflict.id,
                "winner": wanted.winner.id,
                "losers": list(losers),
            }
            seqs.append(store.ledger.record(WRITTEN, edit.path, payload))

        applied = writing.apply(root, edit, backups, announce)
        done.append((seqs[0], applied))
    return done


def take_back(store: Store, root: Path, seq: int, backups: Path) -> Applied:
    """Undo the edit an event tells of; an event of its own."""
    found = [event for event in store.ledger.events(limit=1, before=seq + 1) if event.seq == seq]
    if not found:
        raise CannotWrite(f"There is no event {seq}.")
    event = found[0]
    if event.action != WRITTEN or event.target_kind != "note":
        raise CannotWrite(f"Event {seq} ({event.action}) is no edit of a note.")
    if event.undone:
        raise CannotWrite(f"Event {seq} was undone already.")
    applied = writing.read_applied(backups, str(event.payload.get("backup", "")))
    if applied.path != event.target_id:
        raise CannotWrite(f"The backup of event {seq} belongs to another note.")
    # The event comes last: stopped in between, the edit can be taken back once more and is found to be.
    with contextlib.suppress(AsBefore):
        writing.undo(root, applied)
    store.ledger.record("undo", str(seq), {"undoes": WRITTEN}, kind="event")
    return applied


def _read(root: Path, path: str, settings: VaultSettings) -> bytes:
    try:
        return read_bytes(root, path, settings.max_bytes)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be read: {error.strerror or error}.") from error
