"""What the panes show, read from the store and the vault in one go; runs in threads, touches no widget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from app.store.store import Store
    from app.strategies.rules import Rule
    from app.tui.commands import Tab
    from app.tui.difference import Span
    from app.tui.surroundings import Surroundings
    from app.words import Claim, Conflict, Layer

_QUEUE_LIMIT = 2000
"""A queue longer than this is not worked through by hand; the rest follows as it empties."""


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One conflict of the queue with what its line says about the members."""

    conflict: Conflict
    notes: tuple[str, ...]
    layers: tuple[Layer, ...]
    newest_date: str | None
    sides: tuple[str, ...] = ()
    """What each member says, for the title."""
    newest: int | None = None
    """The member that alone is the newest, by number."""
    most_trusted: int | None = None
    still_said: bool = False
    """All members stand in their notes as before."""

    @property
    def id(self) -> str:
        return self.conflict.id

    @property
    def words(self) -> str:
        """Everything a search may find it by, in small letters."""
        return "\n".join((self.conflict.question, *self.sides, *self.notes)).casefold()


@dataclass(frozen=True, slots=True)
class MemberView:
    """One member as its card shows it."""

    number: int
    claim: Claim
    around: Surroundings
    differs: tuple[Span, ...]
    """Where its words differ from the other members'."""
    option: str = ""
    """What keeping it would mean, in the words of the title; empty where the title quotes the whole."""


class Suggested(NamedTuple):
    """A member by its number, and why."""

    number: int
    why: str


@dataclass(frozen=True, slots=True)
class DetailView:
    """One conflict, whole."""

    conflict: Conflict
    members: tuple[MemberView, ...]
    newest: int | None
    most_trusted: int | None
    suggestion: Suggested | None = None
    """The member to propose; it is marked before the person decides and never taken by itself."""

    @property
    def still_said(self) -> bool:
        """All members stand in their notes as before."""
        return all(member.claim.status == "active" for member in self.members)


def read_queue(store: Store, tab: Tab, now: str) -> tuple[QueueRow, ...]:
    """The conflicts of a tab in the order of the queue; settled ones newest first."""
    if tab == "settled":
        settled = store.conflicts.with_status("resolved", now=now) + store.conflicts.with_status(
            "dismissed", now=now
        )
        conflicts = sorted(settled, key=lambda c: (c.resolved_at or "", c.id), reverse=True)
    else:
        conflicts = store.conflicts.with_status(tab, now=now)
    conflicts = conflicts[:_QUEUE_LIMIT]
    wanted = {member for conflict in conflicts for member in conflict.members}
    claims = {claim.id: claim for claim in store.claims.all(ids=wanted)} if wanted else {}
    return tuple(_queue_row(conflict, claims) for conflict in conflicts)


def _queue_row(conflict: Conflict, claims: dict[str, Claim]) -> QueueRow:
    from app.conflicts.title import sides
    from app.store.winner import most_trusted, newest

    members = [claims[id] for id in conflict.members if id in claims]
    whole = members if len(members) == len(conflict.members) else []
    dates = [claim.statement.date for claim in members if claim.statement.date]
    return QueueRow(
        conflict,
        notes=tuple(dict.fromkeys(claim.note for claim in members)),
        layers=tuple(claim.layer for claim in members),
        newest_date=max(dates, default=None),
        sides=sides(conflict, members),
        newest=_number(whole, newest(whole)),
        most_trusted=_number(whole, most_trusted(whole)),
        still_said=bool(whole) and all(claim.status == "active" for claim in whole),
    )


def read_detail(store: Store, vault: Path, conflict_id: str, rules: Sequence[Rule] = ()) -> DetailView | None:
    """A conflict with its members in the order of the conflict, their notes' lines around them, and what the
    person's strategy (`rules`) would keep."""
    from app.conflicts.title import options, sides
    from app.store.winner import most_trusted, newest
    from app.tui.difference import differing
    from app.tui.surroundings import surroundings, written_words

    conflict = store.conflicts.get(conflict_id)
    if conflict is None:
        return None
    found = {claim.id: claim for claim in store.claims.all(ids=conflict.members)}
    claims = [found[id] for id in conflict.members if id in found]
    marks = differing([written_words(claim.statement) for claim in claims])
    named = options(sides(conflict, claims)) or ("",) * len(claims)
    members = tuple(
        MemberView(number, claim, surroundings(vault, claim.statement), tuple(spans), option)
        for number, (claim, spans, option) in enumerate(zip(claims, marks, named, strict=True), start=1)
    )
    return DetailView(
        conflict,
        members,
        _number(claims, newest(claims)),
        _number(claims, most_trusted(claims)),
        _suggested(store, conflict, claims, rules),
    )


def read_line(store: Store, vault: Path, claim_id: str) -> MemberView | None:
    """One claim with its note's lines around it; it has no number, since there is nothing to choose."""
    from app.tui.surroundings import WIDE_CONTEXT_LINES, surroundings

    claim = store.claims.get(claim_id)
    return (
        MemberView(0, claim, surroundings(vault, claim.statement, WIDE_CONTEXT_LINES), ())
        if claim is not None
        else None
    )


def _suggested(
    store: Store, conflict: Conflict, claims: Sequence[Claim], rules: Sequence[Rule]
) -> Suggested | None:
    # Loaded in the reading thread: a start does not wait for it.
    from app.strategies.suggest import suggest

    found = suggest(store, conflict, rules)
    number = _number(claims, next((claim for claim in claims if found and claim.id == found.claim), None))
    return Suggested(number, found.why) if found is not None and number is not None else None


def _number(claims: Sequence[Claim], wanted: Claim | None) -> int | None:
    """A member's number, counted from 1."""
    return next((number for number, claim in enumerate(claims, start=1) if claim is wanted), None)
