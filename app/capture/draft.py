"""The guard while a statement is being typed: what is held is indexed once, each new wording costs little."""

from __future__ import annotations

from pathlib import Path

from app.capture.guard_check import weigh_in
from app.capture.inbox import as_line, check_place, with_line
from app.capture.inbox_claim import already_there, check_forgotten, new_claims
from app.capture.outcomes import CaptureError, Outcome, Wanted
from app.capture.write import read_inbox
from app.detection.claim_index import ClaimIndex
from app.store.store import Store
from app.vault.settings import VaultSettings


class Draft:
    """Says what would become of a statement; writes nothing. Notes are taken as they were last read."""

    def __init__(self, store: Store, root: Path, settings: VaultSettings, inbox: str, today: str) -> None:
        self._store, self._root, self._settings = store, root, settings
        self._inbox, self._today = inbox, today
        self._index: ClaimIndex | None = None
        self._seen = 0

    def outcome(self, wanted: Wanted) -> Outcome:
        """As `capture` would answer; raises CaptureError where the text cannot be taken."""
        line = as_line(wanted)
        check_place(self._inbox, self._settings)
        check_forgotten(line, self._store, self._settings, self._inbox)
        before = read_inbox(self._root, self._inbox, self._settings.max_bytes)
        after = with_line(self._inbox, before, line, self._today, self._settings)
        new = new_claims(self._store, self._settings, self._inbox, after)
        if not new:
            raise CaptureError("There is no claim in this text.")
        known = already_there(wanted, self._store.claims.standing_in(self._inbox), new)
        if known:
            return Outcome("known", known)
        verdict = weigh_in(self._held(), new, settled=self._store.conflicts.settled_pairs())
        return Outcome("blocked" if verdict.tier == "block" else "stored", new, verdict)

    def _held(self) -> ClaimIndex:
        """What is held now; what others wrote since is brought in."""
        last = self._store.ledger.last_event()
        if self._index is None:
            self._index = ClaimIndex(self._store.claims.active())
        elif last != self._seen:
            changed = self._store.ledger.claims_changed_since(self._seen)
            for id in changed:
                self._index.remove(id)
            for claim in self._store.claims.active(ids=changed) if changed else ():
                self._index.add(claim)
        self._seen = last
        return self._index
