"""Decisions: each one event of its own, the changes that follow from it naming it as their cause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import peewee

from app.store.changes import AUTOMATIC, SUPERSEDED
from app.store.errors import NotFound, Refused
from app.store.event_chain import Capture, LedgerWriter
from app.store.read_conflicts import conflicts_of, read_conflict
from app.store.tables import Claims, Conflicts, Texts
from app.store.texts import TextRef, TextWriter
from app.store.write_conflicts import ConflictWriter, state_of
from app.words import Conflict


class Decisions:
    """One decision, inside the caller's transaction."""

    def __init__(self, db: peewee.SqliteDatabase, at: str, who: str) -> None:
        texts = TextWriter(db.connection())
        self._db = db
        self._at = at
        self._new_texts = texts
        self.ledger = LedgerWriter(db.connection(), texts, at, who)
        self.conflicts = ConflictWriter(db, texts, self.ledger, at)

    def keep(self, id: str, winner: str, why: str, how: str = "") -> int:
        conflict = self._open_conflict(id)
        if winner not in conflict.members:
            raise Refused(f"{winner} is not a member of {id}.")
        if self.claim_state(winner)["status"] != "active":
            raise Refused(f"{winner} no longer stands in a note, so it cannot be kept.")
        seq = self._settle(conflict, "kept", "resolved", "kept", winner, why, {"how": how} if how else {})
        losers = [member for member in conflict.members if member != winner]
        beaten = [member for member in losers if self.claim_state(member)["status"] == "active"]
        for member in beaten:
            self.set_claim(member, "superseded", {"status": "superseded", "superseded_by": winner}, seq)
        self.remove_from_open_conflicts(beaten, seq)
        self.ledger.flush()
        return seq

    def settle(self, id: str, action: str, status: str, resolution: str, winner: str | None, why: str) -> int:
        """Close without touching claims."""
        conflict = self._open_conflict(id)
        if winner is not None and winner not in conflict.members:
            raise Refused(f"{winner} is not a member of {id}.")
        seq = self._settle(conflict, action, status, resolution, winner, why)
        self.ledger.flush()
        return seq

    def snooze(self, id: str, until: str, why: str) -> int:
        conflict = self._open_conflict(id)
        state = {**state_of(conflict), "snoozed_until": until}
        seq = self.set_conflict(conflict, "snoozed", state, why=why, more=self._said(conflict))
        self.ledger.flush()
        return seq

    def reopen(self, id: str, why: str) -> int:
        conflict = self._conflict(id)
        if conflict.status == "open" and conflict.snoozed_until is None:
            raise Refused(f"{id} is open already.")
        restored = [m for m in conflict.members if self._lost_to(m, conflict.winner)]
        standing = [m for m in conflict.members if self.claim_state(m)["status"] == "active"] + restored
        if conflict.status != "open":
            if len(standing) < 2:
                raise Refused(f"{id} cannot be reopened: fewer than two of its claims still stand in a note.")
            self.require_free_slot(conflict)
        state: dict[str, str | None] = {
            "status": "open",
            "resolution": "",
            "winner": None,
            "snoozed_until": None,
        }
        seq = self.set_conflict(conflict, "reopened", state, why=why, more=self._said(conflict))
        for member in restored:
            self.set_claim(member, "restored", {"status": "active", "superseded_by": None}, seq)
        self.ledger.flush()
        return seq

    def promote(self, ids: Sequence[str], why: str) -> int:
        ids = list(dict.fromkeys(ids))
        for id in ids:
            status = self.claim_state(id)["status"]
            if status != "candidate":
                raise Refused(f"{id} is {status}, not a candidate.")
        if not ids:
            raise Refused("No claim was named.")
        # One event for the decision; with several claims the first stands for all.
        payload = {"claims": ids, "texts": self._texts(ids)}
        seq = self.ledger.add("promoted", "claim", ids[0], payload, why=why)
        for id in ids:
            self.set_claim(id, "activated", {"status": "active", "superseded_by": None}, seq)
            Claims.update(promoted=1).where(Claims.id == id).execute(self._db)
        self.ledger.flush()
        return seq

    def supersede(self, old: str, new: str, why: str) -> int:
        """One claim put in the place of another by the person, conflict or not."""
        if old == new:
            raise Refused(f"{old} cannot supersede itself.")
        for id, role in ((old, "superseded"), (new, "put in its place")):
            status = self.claim_state(id)["status"]
            if status != "active":
                raise Refused(f"{id} is {status}, so it cannot be {role}.")
        seq = self.ledger.add(
            "replaced", "claim", old, {"winner": new, "texts": self._texts((old, new))}, why=why
        )
        self.set_claim(old, "superseded", {"status": "superseded", "superseded_by": new}, seq)
        self.remove_from_open_conflicts([old], seq)
        self.ledger.flush()
        return seq

    def capture(
        self, action: Capture, ids: Sequence[str], source: str | None, against: Sequence[str], why: str,
        *, exception: bool,
    ) -> int:  # fmt: skip
        """On record how claims came in; the first stands for all. The source may quote, so it is a text."""
        for id in ids:
            self.claim_state(id)
        payload: dict[str, object] = {"claims": list(ids)}
        if source is not None:
            payload["source"] = self._new_texts.put(source, {})
        if against:
            payload["against"] = list(against)
        if exception:
            payload["exception"] = True
        seq = self.ledger.add(action, "claim", ids[0], payload, why=why)
        self.ledger.flush()
        return seq

    # the steps decisions are made of; undoing one takes the same steps

    def set_claim(
        self, id: str, action: str, state: dict[str, str | None], cause: int,
        more: dict[str, object] | None = None,
    ) -> None:  # fmt: skip
        was = self.claim_state(id)
        Claims.update(**state).where(Claims.id == id).execute(self._db)
        self.ledger.add(action, "claim", id, {**state, "was": was, **(more or {})}, cause=cause)

    def set_conflict(
        self,
        conflict: Conflict,
        action: str,
        state: dict[str, str | None],
        *,
        why: str = "",
        cause: int | None = None,
        more: dict[str, object] | None = None,
    ) -> int:
        resolved_at = None if state["status"] == "open" else self._at
        Conflicts.update(**state, resolved_at=resolved_at).where(Conflicts.id == conflict.id).execute(
            self._db
        )
        payload = {**state, "was": state_of(conflict), **(more or {})}
        return self.ledger.add(action, "conflict", conflict.id, payload, why=why, cause=cause)

    def claim_state(self, id: str) -> dict[str, str | None]:
        query = Claims.select(Claims.status, Claims.superseded_by).where(Claims.id == id)
        state = next(iter(query.dicts().execute(self._db)), None)
        if state is None:
            raise NotFound(f"There is no claim {id}.")
        return dict(state)

    def require_free_slot(self, conflict: Conflict) -> None:
        """Refuse to reopen it while another open conflict holds its slot."""
        holder = self.conflicts.holder(conflict)
        if holder is not None:
            raise Refused(
                f"{conflict.id} cannot be reopened: {holder.id}, about the same thing, is open. "
                "Settle that first."
            )

    def _settle(
        self, conflict: Conflict, action: str, status: str, resolution: str, winner: str | None, why: str,
        how: dict[str, object] | None = None,
    ) -> int:  # fmt: skip
        state = {"status": status, "resolution": resolution, "winner": winner, "snoozed_until": None}
        return self.set_conflict(conflict, action, state, why=why, more=self._said(conflict) | (how or {}))

    def remove_from_open_conflicts(self, beaten: Iterable[str], cause: int, how: str = SUPERSEDED) -> None:
        """Remove these claims from all open conflicts; a conflict with fewer than two members left is
        closed."""
        for member in beaten:
            for other in conflicts_of(self._db, member):
                if other.status != "open" or member not in other.members:
                    continue
                left = [m for m in other.members if m != member and self.claim_state(m)["status"] == "active"]
                if len(left) < 2:
                    self.conflicts.close(other, how, f"{member} was {how}", cause)
                else:
                    self.conflicts.leave(other, [member], cause)

    def _lost_to(self, member: str, winner: str | None) -> bool:
        state = self.claim_state(member)
        return winner is not None and state == {"status": "superseded", "superseded_by": winner}

    def _said(self, conflict: Conflict) -> dict[str, object]:
        return {"texts": self._texts(conflict.members)}

    def _texts(self, members: Sequence[str]) -> dict[str, TextRef]:
        """What the members said when the decision was made."""
        query = (
            Claims.select(Claims.id, Texts.id, Texts.hash)
            .join(Texts, on=(Texts.id == Claims.text_id))
            .where(Claims.id.in_(members))
            .order_by(Claims.id)
        )
        return {claim: TextRef(id, hash.hex()) for claim, id, hash in query.tuples().execute(self._db)}

    def _conflict(self, id: str) -> Conflict:
        conflict = read_conflict(self._db, id)
        if conflict is None:
            raise NotFound(f"There is no conflict {id}.")
        return conflict

    def _open_conflict(self, id: str) -> Conflict:
        conflict = self._conflict(id)
        if conflict.status != "open":
            how = "by an edit" if conflict.resolution in AUTOMATIC else "already"
            raise Refused(f"{id} was {conflict.status} {how}.")
        return conflict
