"""The conflicts of a store: reading them, what the index made of them, and what was decided about them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal

from app.store import read_conflicts
from app.store.changes import ConflictChange
from app.store.connection import Connection
from app.store.decisions import Decisions
from app.store.errors import Refused
from app.store.index_progress import needs_comparing
from app.store.meta import MetaValues
from app.store.rows import ConflictFilter
from app.store.verdicts import PERSON
from app.store.write_conflicts import apply_conflicts
from app.words import Conflict


class StoredConflicts:
    """Conflicts of every status. They are read in the order of the queue: tier, trust, age; a decision about
    one returns the seq of its event."""

    def __init__(self, connection: Connection, clock: Callable[[], str]) -> None:
        self._connection = connection
        self._clock = clock
        self._meta = MetaValues(connection)

    # reading
    def get(self, id: str) -> Conflict | None:
        with self._connection.reading():
            return read_conflicts.read_conflict(self._connection.database, id)

    def open(self, *, now: str | None = None) -> list[Conflict]:
        """The queue. Those snoozed past `now` (default: the clock) are left out."""
        return self.with_status("open", now=now)

    def all(self) -> list[Conflict]:
        """Conflicts of every status."""
        with self._connection.reading():
            return read_conflicts.read_conflicts(self._connection.database, None, self._clock())

    def with_status(self, status: ConflictFilter, *, now: str | None = None) -> list[Conflict]:
        """Conflicts of a status; `open` and `snoozed` are told apart by `now` (default: the clock)."""
        with self._connection.reading():
            return read_conflicts.read_conflicts(self._connection.database, status, now or self._clock())

    def of_claim(self, claim_id: str) -> list[Conflict]:
        """Every conflict the claim is or was a member of, open ones first."""
        with self._connection.reading():
            return read_conflicts.conflicts_of(self._connection.database, claim_id)

    def touching(
        self, ids: Collection[str], slots: Collection[tuple[str, tuple[str, ...]]] = ()
    ) -> list[Conflict]:
        """Conflicts of any status with one of these claims among their members, and those open in a slot."""
        with self._connection.reading():
            return read_conflicts.conflicts_touching(self._connection.database, ids, slots)

    def ids(self) -> set[str]:
        """Every id ever given."""
        with self._connection.reading():
            return read_conflicts.conflict_ids(self._connection.database)

    def settled_pairs(self) -> set[frozenset[str]]:
        """Pairs of claims inside a conflict a person resolved or dismissed: they must not come back."""
        with self._connection.reading():
            return read_conflicts.settled_pairs(self._connection.database)

    # the index
    def apply(self, changes: Sequence[ConflictChange], at: str) -> None:
        """Write what became of conflicts, in one transaction. A conflict opened in a slot that has an
        open one by then joins it."""
        if changes:
            with self._connection.writing():
                apply_conflicts(self._connection.database, changes, at)

    # decisions
    def keep(
        self, conflict_id: str, winner: str, why: str = "", *, how: str = "", who: str = "person"
    ) -> int:
        """Resolve for the winner: every other member is superseded by it. `how` says by which rule it was
        chosen (`newest`, `trusted`), where it was not named."""
        with self._connection.deciding():
            return self._decisions(who).keep(conflict_id, winner, why, how)

    def dismiss(self, conflict_id: str, why: str = "not a conflict", *, who: str = "person") -> int:
        """Not a conflict, or both true: closed, and the members' pairs do not come back."""
        with self._connection.deciding():
            return self._decisions(who).settle(conflict_id, "dismissed", "dismissed", "dismissed", None, why)

    def resolve(
        self,
        conflict_id: str,
        why: str = "",
        *,
        action: Literal["no_action", "supersede_others"] = "no_action",
        winner: str | None = None,
        how: str = "",
        who: str = "person",
    ) -> int:
        """Resolve without touching claims, or (`supersede_others`, with a winner) as `keep` does."""
        if action == "supersede_others":
            if winner is None:
                raise Refused("Superseding the others needs a winner.")
            return self.keep(conflict_id, winner, why, how=how, who=who)
        with self._connection.deciding():
            return self._decisions(who).settle(conflict_id, "resolved", "resolved", "no_action", winner, why)

    def snooze(self, conflict_id: str, until: str, why: str = "", *, who: str = "person") -> int:
        """Hide an open conflict until an ISO date or time (UNTIL_CHANGE: no date), or until its members
        change, whichever comes first."""
        with self._connection.deciding():
            return self._decisions(who).snooze(conflict_id, until, why)

    def reopen(self, conflict_id: str, why: str = "", *, who: str = "person") -> int:
        """Put a snoozed or settled conflict back in the queue; claims it superseded are active again."""
        with self._connection.deciding():
            needs_comparing(self._meta)  # some of its members may no longer stand in a note
            return self._decisions(who).reopen(conflict_id, why)

    def end_superseded(self, before: Conflict, winner: str, why: str, *, cause: int) -> None:
        """Put on record that a conflict, as it was before, is over since the event `cause` put the winner in
        the place of a member. One that goes on, or was decided, stays as it is."""
        with self._connection.deciding():
            steps = self._decisions(PERSON)
            steps.conflicts.supersede(before, winner, why, cause)
            steps.ledger.flush()

    def _decisions(self, who: str) -> Decisions:
        return Decisions(self._connection.database, self._clock(), who)
