"""Redaction: a tombstone for a claim, its text gone from every table; the ledger's chain still holds."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import peewee

from app.store import embeddings, judgements, readings, rereadings, threads
from app.store.changes import REDACTED
from app.store.connection import Connection
from app.store.decisions import Decisions
from app.store.errors import NotFound, Refused, StoreBusy
from app.store.forgotten import SALT, RedactedHashes, RedactedText, fold, same_words
from app.store.meta import MetaValues
from app.store.read_claims import read_claims
from app.store.texts import AMONG, dump, listed
from app.words import Claim

SCRUB = "scrub"
"""The key in `meta` that says: pages of the file may still hold what was redacted."""
QUESTION = "A claim of this conflict was redacted."
_CONTEXT = ("parent_id", "before_id", "after_id")


class Redacted(NamedTuple):
    """What a redaction did: its event, and the claims that are tombstones now."""

    seq: int
    claims: tuple[str, ...]


def affected(connection: sqlite3.Connection, id: str) -> list[Claim]:
    """The claim, and every other that says the same, has it inside a longer text, or was read from the same
    words; in the order of the notes."""
    claims = {claim.id: claim for claim in read_claims(connection, None)}
    if id not in claims:
        raise NotFound(f"There is no claim {id}.")
    if claims[id].status == "redacted":
        return []
    folded = {other.id: fold(other.statement.text) for other in claims.values() if other.status != "redacted"}
    found = {id}
    fresh = {id}
    while fresh:
        secrets = [RedactedText(folded[one]) for one in fresh]
        fresh = {
            other
            for other, text in folded.items()
            if other not in found
            and (
                any(secret.is_in(text) for secret in secrets)
                or any(_overlaps(claims[other], claims[one]) for one in fresh)
            )
        }
        found |= fresh
    return sorted((claims[one] for one in found), key=lambda c: (c.statement.path, c.statement.line, c.id))


def _overlaps(a: Claim, b: Claim) -> bool:
    """Lines of what is retracted are no longer the note's."""
    return "retracted" not in (a.status, b.status) and same_words(a.statement, b.statement)


def redact(db: peewee.SqliteDatabase, id: str, at: str, who: str, why: str) -> Redacted:
    """Inside the caller's transaction."""
    connection: sqlite3.Connection = db.connection()
    claims = affected(connection, id)
    if not claims:
        raise Refused(f"{id} was redacted already.")
    ids = [claim.id for claim in claims]
    secrets = _secrets(claims)
    if _says(fold(why), secrets):
        raise Refused("The reason repeats the text; give one that does not.")
    conflicts = _conflicts(connection, ids)
    rows = _rows(connection, claims, secrets, conflicts)
    forgotten = RedactedHashes(_salt(connection))

    steps = Decisions(db, at, who)
    first = [id, *(one for one in ids if one != id)]
    # The salt stands in the ledger too, so that the table can be told from it.
    seq = steps.ledger.add("redacted", "claim", id, {"claims": first, "salt": forgotten.salt.hex()}, why=why)
    for claim in claims:
        hash = forgotten.hash(claim.statement.text)
        state = {"status": "redacted", "superseded_by": claim.superseded_by}
        steps.set_claim(claim.id, "tombstone", state, seq, {"remembered": hash.hex()})
        connection.execute(
            "INSERT OR IGNORE INTO redactions (hash, claim_id) VALUES (?, ?)", (hash, claim.id)
        )
    steps.remove_from_open_conflicts(ids, seq, REDACTED)
    steps.ledger.flush()

    near = _lines_around(connection, rows)
    _clear_claims(connection, claims)
    _clear_conflicts(connection, conflicts)
    _clear_texts(connection, rows)
    embeddings.forget(connection, [claim.statement.content_hash for claim in claims])
    judgements.forget(db, [*ids, *near])
    readings.forget(connection, [*ids, *near])
    rereadings.forget(connection, ids)
    threads.forget(connection, ids)
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, '1')", (SCRUB,))
    return Redacted(seq, tuple(ids))


def must_scrub(connection: Connection) -> bool:
    """Was something redacted since the file was rewritten last?"""
    return not connection.read_only and MetaValues(connection).get(SCRUB) == "1"


def scrub(connection: Connection) -> None:
    """Rewrite the file where something was redacted since it was rewritten last."""
    if not must_scrub(connection):
        return
    meta = MetaValues(connection)
    with contextlib.suppress(StoreBusy):
        if connection.rewrite():
            with connection.writing():
                meta.set(SCRUB, "0")


def _lines_around(connection: sqlite3.Connection, rows: Iterable[int]) -> list[str]:
    """Claims that were read with one of these texts around them: their readings hold its words."""
    held = connection.execute(f"SELECT id FROM claims WHERE parent_id {AMONG}", (listed(rows),))
    return sorted(id for (id,) in held)


def _secrets(claims: Iterable[Claim]) -> list[RedactedText]:
    texts = {fold(text) for c in claims for text in (c.statement.text, c.statement.quote) if text}
    # Conflicts keep what they quote as JSON.
    return [RedactedText(text) for text in sorted(texts | {dump(text)[1:-1] for text in texts})]


def _says(folded: str, secrets: Iterable[RedactedText]) -> bool:
    return any(secret.is_in(folded) for secret in secrets)


def _salt(connection: sqlite3.Connection) -> bytes:
    found = connection.execute("SELECT value FROM meta WHERE key = ?", (SALT,)).fetchone()
    if found:
        return bytes.fromhex(found[0])
    salt = os.urandom(16)
    connection.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (SALT, salt.hex()))
    return salt


def _conflicts(connection: sqlite3.Connection, ids: Sequence[str]) -> list[str]:
    """Every conflict one of them was ever in: its question and reasons speak of what they say."""
    sql = f"SELECT DISTINCT conflict_id FROM conflict_members WHERE member_id {AMONG}"
    return sorted(id for (id,) in connection.execute(sql, (listed(ids),)))


def _rows(
    connection: sqlite3.Connection,
    claims: Sequence[Claim],
    secrets: Sequence[RedactedText],
    conflicts: Sequence[str],
) -> set[int]:
    """The rows of texts that must go: those that say it anywhere in the vault, what conflicts made of it, and
    reasons given about them that name its value."""
    rows = {
        id
        for id, body in connection.execute("SELECT id, body FROM texts WHERE body IS NOT NULL")
        if _says(fold(body), secrets)
    }
    ids = [claim.id for claim in claims]
    for pair in connection.execute(f"SELECT text_id, quote_id FROM claims WHERE id {AMONG}", (listed(ids),)):
        rows |= set(pair)
    values = _values(claims)
    told = connection.execute(
        "SELECT json_extract(e.payload, '$.detail[0]'), e.why_id, t.body FROM events e"
        f" LEFT JOIN texts t ON t.id = e.why_id WHERE e.target_id {AMONG}",
        (listed([*conflicts, *ids]),),
    )
    for detail, why_id, why in told:
        if detail is not None:
            rows.add(detail)
        if why and any(value in fold(why) for value in values):
            rows.add(why_id)
    spared = connection.execute(f"SELECT text_id FROM claims WHERE id NOT {AMONG}", (listed(ids),))
    return rows - {id for (id,) in spared}


def _values(claims: Sequence[Claim]) -> set[str]:
    """What a reason would name: the claims' values, and every word with a digit in it."""
    words = {word for claim in claims for word in fold(claim.statement.text).split()}
    values = {fold(norm.value) for claim in claims for norm in claim.norms if norm.value}
    return {value for value in values if value} | {w for w in words if any(c.isdigit() for c in w)}


def _clear_claims(connection: sqlite3.Connection, claims: Sequence[Claim]) -> None:
    for claim in claims:
        connection.execute(
            "UPDATE claims SET parent_id = NULL, before_id = NULL, after_id = NULL, key = NULL, cells = '[]',"
            " tags = '[]', content_hash = '' WHERE id = ?",
            (claim.id,),
        )
        connection.execute("DELETE FROM norms WHERE claim_id = ?", (claim.id,))
    for path in {claim.statement.path for claim in claims if claim.statement.form == "property"}:
        own = [c for c in claims if c.statement.path == path and c.statement.form == "property"]
        keys = {c.statement.key for c in own}
        kept = [(key, "" if key.strip() in keys else value) for key, value in own[0].properties]
        connection.execute("UPDATE notes SET properties = ? WHERE path = ?", (dump(kept), path))


def _clear_conflicts(connection: sqlite3.Connection, ids: Sequence[str]) -> None:
    """What is left of an open one is found again by its members, and worded anew."""
    connection.executemany(
        "UPDATE conflicts SET question = ?, reasons = '[]', slot_subject = '', slot_key = '[]' WHERE id = ?",
        [(QUESTION, id) for id in ids],
    )


def _clear_texts(connection: sqlite3.Connection, rows: Collection[int]) -> None:
    """The body goes and the salt with it: nobody can try words on the hash that the ledger keeps."""
    gone = (listed(rows),)
    connection.execute(
        f"UPDATE claims SET quote_id = text_id WHERE quote_id {AMONG} AND status <> 'redacted'", gone
    )
    for column in _CONTEXT:
        connection.execute(f"UPDATE claims SET {column} = NULL WHERE {column} {AMONG}", gone)
    connection.execute(f"UPDATE texts SET body = NULL, salt = x'' WHERE id {AMONG}", gone)
