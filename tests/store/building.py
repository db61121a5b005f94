"""Notes, claims and conflicts to put in a store under test."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.claims.claim_changes import by_note, diff
from app.claims.ids import conflict_id
from app.store.changes import ConflictChange, FileStat, Gone, NoteChange
from app.store.rows import SHOWN
from app.store.store import Store
from app.words import Claim, Conflict, Note, Reason, Slot, Statement

AT = "2026-06-30T12:00:00+00:00"


def hash_of(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def note(path: str, *texts: str, **fields: Any) -> Note:
    """A note of one-line statements under its title; the neighbours are each other's context."""
    seen: dict[str, int] = {}
    statements = []
    for n, text in enumerate(texts):
        statements.append(
            Statement(
                path, n + 1, n + 1, f"- {text}", text, "bullet", ("Top",),
                before=texts[n - 1] if n else None,
                after=texts[n + 1] if n + 1 < len(texts) else None,
                ordinal=seen.get(text, 0), listed=True, content_hash=hash_of(text),
            )
        )  # fmt: skip
        seen[text] = seen.get(text, 0) + 1
    title = path.rsplit("/", 1)[-1].removesuffix(".md")
    return replace(Note(path, hash_of("\n".join(texts)), title, statements=tuple(statements)), **fields)


def save(store: Store, *notes: Note | Gone, moved: dict[str, str] | None = None, at: str = AT) -> None:
    """What the pipeline does for changed notes: diff against the store, then apply."""
    moved = moved or {}
    paths = {n.path for n in notes} | set(moved.values())
    changes = diff(
        store.claims.by_path(paths, status=SHOWN),
        notes,
        retracted=store.claims.by_path(paths, status=("retracted",)),
        moved=moved,
        taken=store.claims.ids(),
        promoted=store.claims.promoted(),
        at=at,
    )
    groups = by_note(changes)
    batch = [
        NoteChange(n.path, "gone", claims=groups.get(n.path, ()))
        if isinstance(n, Gone)
        else NoteChange(
            n.path,
            note=n,
            stat=FileStat(len(n.content_hash), 1, 1),
            moved_from=moved.get(n.path),
            claims=groups.get(n.path, ()),
        )
        for n in notes
    ]
    store.notes.apply(batch, at, extractor="1")


def says(store: Store, text: str) -> Claim:
    """The claim with this text; there must be exactly one."""
    (claim,) = [c for c in store.claims.all() if c.statement.text == text]
    return claim


def conflict(members: Sequence[str], slot: str = "door code", **fields: Any) -> Conflict:
    made = Conflict(
        conflict_id(members),
        "disagreement",
        tuple(members),
        Slot("memory_slot", slot, ("memory", "", slot)),
        "warn",
        0.9,
        f"Is the {slot} still this?",
        ("guard",),
        (Reason("structural", "contradiction (value)", "HIGH", "4411 ≠ 0087"),),
    )
    return replace(made, **fields)


def open_conflict(store: Store, *texts: str, slot: str = "door code", at: str = AT, **fields: Any) -> str:
    """An open conflict between the claims that say these."""
    made = conflict([says(store, text).id for text in texts], slot, **fields)
    store.conflicts.apply([ConflictChange("opened", made)], at)
    return made.id
