"""A statement as the index will read it from the inbox, before it stands there."""

from __future__ import annotations

from dataclasses import replace

from app.capture.inbox import SOURCE
from app.capture.outcomes import CaptureError, Wanted
from app.claims.claim_changes import diff
from app.claims.note_reader import norms
from app.store.forgotten import cleaned
from app.store.rows import SHOWN
from app.store.store import Store
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Claim, Status

_RETRACTED: tuple[Status, ...] = ("retracted",)


def check_forgotten(line: str, store: Store, settings: VaultSettings, inbox: str) -> None:
    said = read_note(inbox, line.encode("utf-8", "replace"), settings).statements
    forgotten = store.claims.forgotten()
    if any(statement.text in forgotten for statement in said):
        raise CaptureError("This text was redacted from the store, so it is not taken in again.")


def new_claims(store: Store, settings: VaultSettings, inbox: str, after: bytes) -> tuple[Claim, ...]:
    """The claims that the index will find new in the inbox."""
    note = cleaned(read_note(inbox, after, settings), store.claims.forgotten())
    changes = diff(
        store.claims.by_path([inbox], status=SHOWN),
        [note],
        retracted=store.claims.by_path([inbox], status=_RETRACTED),
        taken=store.claims.ids(),
        promoted=store.claims.promoted(),
    )
    return tuple(
        replace(c.claim, norms=norms(c.claim.statement, note))
        for c in changes
        if c.kind in ("added", "returned") and c.claim.statement.key != SOURCE
    )


def already_there(wanted: Wanted, held: list[Claim], new: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """The claims of the inbox that say all of this already: today, or (reference facts) whenever."""
    found = {
        claim.statement.text: claim
        for claim in held
        if claim.status == "active"
        and (wanted.verb == "ingest" or claim.statement.date == new[0].statement.date)
    }
    texts = [claim.statement.text for claim in new]
    return tuple(found[text] for text in texts) if all(text in found for text in texts) else ()
