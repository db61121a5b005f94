"""`belie --plain`: the queue as lines of text and typed answers; for screen readers and bare terminals.

Nothing is drawn: no boxes, no colours, no cursor moves, one thing per line, and every line stands for itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta

from app.cli.opened import Opened, opened, read
from app.cli.readers import models, warn_about_models
from app.conflicts.title import conflict_title
from app.plain import shown
from app.store.errors import StoreError
from app.store.store import Store
from app.store.winner import most_trusted, newest
from app.words import Claim, Conflict

_LAYERS = {"state": "trusted note", "entity": "record", "memory": "note"}
_WEEK = 7
_HELP = (
    "A number keeps that line; the others become history.",
    "n keeps the newest, t the most trusted, where there is one.",
    "b: both are true. x: not a conflict. z: snooze it for a week.",
    "s: skip it for now. u: undo your last decision. r: read this one again.",
    "q: quit. Your decisions are kept.",
)


@dataclass
class _Desk:
    """Where one works through the queue."""

    vault: Opened
    ask: Callable[[], str | None]
    say: Callable[[str], None]
    skipped: set[str] = field(default_factory=set)

    @property
    def store(self) -> Store:
        return self.vault.store


def run_plain(
    folder: str | None, ask: Callable[[], str | None] | None = None, say: Callable[[str], None] = print
) -> int:
    """Work through the open conflicts that `check` reports; 0 when none is left, 1 when some are."""
    with models(None) as host, opened(folder, look=False, host=host) as vault:
        say(f"Belie. Reading {shown(str(vault.root))}.")
        if (done := read(vault)) is not None:
            warn_about_models(done, host)
        desk = _Desk(vault, ask or _typed, say)
        counts = vault.store.counts()
        say(f"{counts.notes} notes, {counts.claims} statements, {_conflicts(counts.open)}.")
        while (conflict := _next(desk)) is not None:
            _describe(desk, conflict)
            if not _answer(desk, conflict):
                break
        left = vault.store.counts().open
        say("Nothing is left to settle." if not left else f"{_conflicts(left)} left.")
        return 1 if left else 0


def _conflicts(count: int) -> str:
    return f"{count} open {'conflict' if count == 1 else 'conflicts'}"


def _typed() -> str | None:
    try:
        return input("Your answer: ")
    except EOFError:
        return None


def _next(desk: _Desk) -> Conflict | None:
    return next((c for c in desk.store.conflicts.open() if c.id not in desk.skipped), None)


def _members(desk: _Desk, conflict: Conflict) -> list[Claim]:
    found = {claim.id: claim for claim in desk.store.claims.all(ids=conflict.members)}
    return [found[id] for id in conflict.members if id in found]


def _describe(desk: _Desk, conflict: Conflict) -> None:
    left = sum(c.id not in desk.skipped for c in desk.store.conflicts.open())
    desk.say("")
    desk.say(f"{left} to go. {conflict.kind.capitalize()}, {conflict.confidence:.0%} sure.")
    members = _members(desk, conflict)
    desk.say(conflict_title(conflict, members))
    for number, claim in enumerate(members, start=1):
        s = claim.statement
        desk.say(f"{number}: {shown(s.text)}")
        desk.say(f"   from {shown(s.path)}, line {s.line}, {s.date or 'undated'}, {_LAYERS[claim.layer]}")
    for reason in conflict.reasons:
        if reason.stage != "slot" and reason.detail:
            desk.say(f"Why: {shown(reason.detail).replace('≠', 'is not')}")


def _answer(desk: _Desk, conflict: Conflict) -> bool:
    """Take answers until one moves on; False: the person leaves."""
    while True:
        typed = desk.ask()
        if typed is None or (word := typed.strip().lower()) == "q":
            return False
        if word in ("", "?", "h", "help"):
            for line in _HELP:
                desk.say(line)
        elif word == "r":
            _describe(desk, conflict)
        elif word == "s":
            desk.skipped.add(conflict.id)
            return True
        elif (done := _decide(desk, conflict, word)) is not None:
            desk.say(done)
            return True


def _decide(desk: _Desk, conflict: Conflict, word: str) -> str | None:
    """What was done, in a sentence; None where nothing was, which has been said."""
    store, members = desk.store, _members(desk, conflict)
    try:
        if word == "u":
            store.ledger.undo()
            read(desk.vault)
            return "Undone."
        if word == "b":
            store.conflicts.dismiss(conflict.id, "both are true")
            return "Settled: both true."
        if word == "x":
            store.conflicts.dismiss(conflict.id)
            return "Settled: not a conflict."
        if word == "z":
            until = (date.today() + timedelta(days=_WEEK)).isoformat()
            store.conflicts.snooze(conflict.id, until)
            return f"Snoozed until {until}."
        kept = _kept(word, members)
        if kept is not None:
            store.conflicts.keep(conflict.id, kept.id, how={"n": "newest", "t": "trusted"}.get(word, ""))
            return f"Kept: {shown(kept.statement.text)}"
    except StoreError as error:
        desk.say(shown(str(error)))
        return None
    desk.say("That is no answer here. A question mark lists them.")
    return None


def _kept(word: str, members: list[Claim]) -> Claim | None:
    if word == "n":
        return newest(members)
    if word == "t":
        return most_trusted(members)
    number = int(word) if word.isascii() and word.isdigit() else 0
    return members[number - 1] if 1 <= number <= len(members) else None
