"""Writing what became of notes and their claims, with one event for each change."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from app.store import forgotten
from app.store.changes import ClaimChange, NoteChange
from app.store.codec import CLAIM_COLUMNS, NORM_COLUMNS, claim_row, norm_rows
from app.store.event_chain import BELIE, LedgerWriter
from app.store.read_claims import read_claims
from app.store.texts import AMONG, TextRef, TextWriter, dump, listed, pool_of
from app.words import TRUST, Claim, Statement, Status

MEMBER_KIND = {"memory": "memory", "entity": "entity", "state": "project_state"}
"""The conflict model's names for the layers."""

_INSERT_CLAIM = (
    f"INSERT INTO claims ({', '.join(CLAIM_COLUMNS)}, extractor) "
    f"VALUES ({', '.join('?' * (len(CLAIM_COLUMNS) + 1))})"
)
_KEPT_COLUMNS = {"id", "status", "first_seen", "superseded_by"}
"""Never written from what was computed outside the transaction: a decision may have come in between."""
_WRITTEN = [n for n, column in enumerate(CLAIM_COLUMNS) if column not in _KEPT_COLUMNS]
_TEXT = CLAIM_COLUMNS.index("text_id")
# The same words may stand in two rows of texts; a claim keeps the one the ledger names.
_UPDATE_CLAIM = (
    "UPDATE claims SET "
    + ", ".join(f"{CLAIM_COLUMNS[n]} = {'coalesce(?, text_id)' if n == _TEXT else '?'}" for n in _WRITTEN)
    + ", extractor = ? WHERE id = ?"
)
_INSERT_NORM = f"INSERT INTO norms ({', '.join(NORM_COLUMNS)}) VALUES ({', '.join('?' * len(NORM_COLUMNS))})"
_STATEMENT_FIELDS = tuple(f.name for f in fields(Statement))
_CLAIM_FIELDS = ("layer", "entity", "project", "silent", "previous")
"""What belongs to the claim's own row; its note's title, aliases and properties are the note's."""
_POSITION = {"line", "end_line", "in_line"}


_NOTE_COLUMNS = (
    "path", "content_hash", "title", "aliases", "tags", "properties", "date", "project", "layer", "entity",
    "draft", "silent", "problems", "state", "moved_to",
)  # fmt: skip
_UPSERT_NOTE = (
    f"INSERT INTO notes ({', '.join(_NOTE_COLUMNS)}) VALUES ({', '.join('?' * len(_NOTE_COLUMNS))})"
    " ON CONFLICT (path) DO UPDATE SET "
    + ", ".join(f"{column} = excluded.{column}" for column in _NOTE_COLUMNS[1:])
)


def apply_notes(
    connection: sqlite3.Connection, changes: Sequence[NoteChange], at: str, extractor: str
) -> None:
    """Inside the caller's transaction."""
    known = forgotten.read(connection)
    changes = [forgotten.cleaned_change(change, known) for change in changes]
    texts = TextWriter(connection)
    ledger = LedgerWriter(connection, texts, at, BELIE)
    _write_notes(connection, changes)
    _carry_retracted(connection, ledger, changes)
    batch = _Batch(connection, texts, ledger, at, extractor)
    for change in changes:
        batch.add(change)
    batch.flush()


def _write_notes(connection: sqlite3.Connection, changes: Sequence[NoteChange]) -> None:
    """Every note's row first: claims refer to them."""
    for change in changes:
        if change.moved_from is not None and change.moved_from != change.path:
            connection.execute(
                "UPDATE notes SET state = 'gone', moved_to = ? WHERE path = ?",
                (change.path, change.moved_from),
            )
    for change in changes:
        note, stat = change.note, change.stat
        if note is not None:
            connection.execute(
                _UPSERT_NOTE,
                (
                    change.path, note.content_hash, note.title, dump(note.aliases), dump(note.tags),
                    dump(note.properties), note.date, note.project, note.layer, note.entity, note.draft,
                    note.silent, dump(note.problems), "present", None,
                ),
            )  # fmt: skip
        elif change.state == "unreadable":
            connection.execute(
                "INSERT INTO notes (path, title, problems, state) VALUES (?, ?, ?, 'unreadable')"
                " ON CONFLICT (path) DO UPDATE SET state = 'unreadable', problems = excluded.problems",
                (change.path, change.path, dump([change.problem or "cannot be read"])),
            )
        elif change.state == "gone":
            connection.execute("UPDATE notes SET state = 'gone' WHERE path = ?", (change.path,))
        else:
            connection.execute("UPDATE notes SET state = 'present' WHERE path = ?", (change.path,))
        if stat is not None:
            connection.execute(
                "UPDATE notes SET size = ?, mtime_ns = ?, inode = ?, indexed_ns = ? WHERE path = ?",
                (stat.size, stat.mtime_ns, stat.inode, stat.indexed_ns, change.path),
            )


def _carry_retracted(
    connection: sqlite3.Connection, ledger: LedgerWriter, changes: Sequence[NoteChange]
) -> None:
    """Retracted claims follow their note, so that their text is known again when it returns there."""
    moves = [(c.moved_from, c.path) for c in changes if c.moved_from is not None]
    retracted = "SELECT id FROM claims WHERE path = ? AND status IN ('retracted', 'redacted') ORDER BY id"
    # All are looked up before any is moved: two notes may have traded names.
    followers = [(new, old, [id for (id,) in connection.execute(retracted, (old,))]) for old, new in moves]
    for new, old, ids in followers:
        if ids:
            ledger.add("moved", "note", new, {"from": old, "claims": ids})
            connection.executemany("UPDATE claims SET path = ? WHERE id = ?", [(new, id) for id in ids])


class _Batch:
    """Rows of one transaction, collected and then written table by table."""

    def __init__(
        self, connection: sqlite3.Connection, texts: TextWriter, ledger: LedgerWriter, at: str, extractor: str
    ) -> None:
        self._connection = connection
        self._texts = texts
        self._ledger = ledger
        self._at = at
        self._extractor = extractor
        self._added: list[tuple[Any, ...]] = []
        self._changed: list[tuple[Any, ...]] = []
        self._statuses: list[tuple[str, str]] = []
        self._renormed: list[str] = []
        self._norms: list[tuple[Any, ...]] = []
        self._relayered: list[tuple[str, int, str]] = []

    def add(self, change: NoteChange) -> None:
        stored = {
            c.id: c for c in read_claims(self._connection, None, ids=[c.claim.id for c in change.claims])
        }
        pool = pool_of(self._connection, stored)
        shifted: dict[str, tuple[int, int]] = {}
        for claim_change in change.claims:
            # Another process may have read the same note: what it added is there already.
            now = stored.get(claim_change.claim.id)
            if now is not None and now.status == "redacted":
                continue  # read before it was redacted; a tombstone takes no text
            if now is not None:
                self._change_claim(claim_change, now, pool, shifted)
            elif claim_change.before is None:
                self._add_claim(claim_change.claim, pool)
        if shifted:
            self._ledger.add("shifted", "note", change.path, {"lines": shifted})

    def _add_claim(self, claim: Claim, pool: dict[str, TextRef]) -> None:
        if not claim.first_seen:
            claim = replace(claim, first_seen=self._at)
        row, text = claim_row(claim, lambda body: self._texts.put(body, pool))
        self._added.append((*row, self._extractor))
        self._norms.extend(norm_rows(claim))
        s = claim.statement
        payload: dict[str, object] = {
            "path": s.path, "line": s.line, "end_line": s.end_line, "date": s.date, "text": text,
            "status": claim.status,
        }  # fmt: skip
        if claim.previous is not None:
            payload["previous"] = claim.previous
        self._ledger.add("added", "claim", claim.id, payload)

    def _change_claim(
        self, change: ClaimChange, now: Claim, pool: dict[str, TextRef], shifted: dict[str, tuple[int, int]]
    ) -> None:
        claim = change.claim
        changed = _changed_fields(now, claim)
        if change.kind != "retracted" and now.norms != claim.norms:
            self._renormed.append(claim.id)
            self._norms.extend(norm_rows(claim))
            changed.append("norms")
        status = _status(change, now)
        if status == "candidate" and now.status == "active" and self._was_promoted(claim.id):
            status = "active"
        if status != now.status:
            self._statuses.append((status, claim.id))
            changed.append("status")
        if not changed:
            return
        row, text = claim_row(claim, lambda body: self._texts.put(body, pool))
        written = (None if n == _TEXT and "text" not in changed else row[n] for n in _WRITTEN)
        self._changed.append((*written, self._extractor, claim.id))
        if "layer" in changed:
            self._relayered.append((MEMBER_KIND[claim.layer], TRUST[claim.layer], claim.id))
        s = claim.statement
        if set(changed) <= _POSITION:
            shifted[claim.id] = (s.line, s.end_line)
            return
        payload: dict[str, object] = {
            "path": s.path, "line": s.line, "end_line": s.end_line, "date": s.date, "fields": changed,
        }  # fmt: skip
        if "text" in changed:
            payload["text"] = text
        if "status" in changed:
            payload |= {"status": status, "was": {"status": now.status}}
        if "previous" in changed:
            payload["previous"] = claim.previous
        self._ledger.add(
            _action(now.status, status, moved=s.path != now.statement.path), "claim", claim.id, payload
        )

    def _was_promoted(self, id: str) -> bool:
        """A person's promotion outlasts the note's being a draft."""
        return bool(self._connection.execute("SELECT promoted FROM claims WHERE id = ?", (id,)).fetchone()[0])

    def flush(self) -> None:
        self._ledger.flush()
        execute = self._connection.executemany
        execute(_INSERT_CLAIM, self._added)
        execute(_UPDATE_CLAIM, self._changed)
        execute("UPDATE claims SET status = ? WHERE id = ?", self._statuses)
        self._connection.execute(f"DELETE FROM norms WHERE claim_id {AMONG}", (listed(self._renormed),))
        execute(_INSERT_NORM, self._norms)
        execute(
            "UPDATE conflict_members SET member_kind = ?, member_layer_trust = ? WHERE member_id = ?",
            self._relayered,
        )


def _changed_fields(before: Claim, after: Claim) -> list[str]:
    if before.statement is after.statement:
        names: list[str] = []
    else:
        names = [f for f in _STATEMENT_FIELDS if getattr(before.statement, f) != getattr(after.statement, f)]
    return names + [f for f in _CLAIM_FIELDS if getattr(before, f) != getattr(after, f)]


def _status(change: ClaimChange, now: Claim) -> Status:
    """The claim's next status, from the one it has at this moment."""
    wanted = change.claim.status
    if change.kind == "retracted":
        return "retracted"
    if now.superseded_by is not None:
        return "superseded"
    return wanted if wanted in ("active", "candidate") else now.status


def _action(was: Status, status: Status, *, moved: bool) -> str:
    """The event's name; `edit` is the person's own work in their editor."""
    if was != status:
        if status == "retracted":
            return "edit"
        if was == "retracted":
            return "returned"
        if status in ("active", "candidate"):
            return "promoted" if status == "active" else "demoted"
    return "moved" if moved else "updated"
