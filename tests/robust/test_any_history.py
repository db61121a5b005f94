"""Whatever is edited, settled, undone and redacted, in any order: the store is what a simple model says."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.pipeline.index_vault import Pipeline
from app.store.changes import AUTOMATIC, UNTIL_CHANGE
from app.store.errors import Refused
from app.store.store import Store
from app.vault.settings import VaultSettings
from app.words import Claim, Conflict

PATHS = ("A.md", "B.md", "C.md")
SUBJECTS = ("garage door code", "request timeout in seconds", "rent")
VALUES = ("4411", "5522", "6633")
LINES = tuple(f"The {subject} is {value}." for subject in SUBJECTS for value in VALUES)
Decided = tuple[str, str | None]
"""What a person decided of a conflict: the status it has, and the winner."""
Steps = dict[str, tuple[str | None, str | None]]
"""A claim, to whom it had lost before, and after."""


@dataclass
class Model:
    """What is known without looking into the store."""

    notes: dict[str, list[str]] = field(default_factory=dict)
    redacted: set[str] = field(default_factory=set)
    decided: dict[str, Decided] = field(default_factory=dict)
    """Conflicts whose last word is a person's, for as long as no line was edited since."""
    lost: dict[str, str] = field(default_factory=dict)
    """Claims that lost, and to whom; an edit of their note does not change that."""
    steps: dict[int, Steps] = field(default_factory=dict)
    """By its event, what a decision did to claims."""

    def standing(self) -> set[tuple[str, str]]:
        """(note, text) of every statement that the store should hold as standing in a note."""
        return {(p, line) for p, lines in self.notes.items() for line in lines if line not in self.redacted}


class Histories(RuleBasedStateMachine):
    @initialize(notes=st.dictionaries(st.sampled_from(PATHS), st.sets(st.sampled_from(LINES), max_size=4)))
    def begin(self, notes: dict[str, set[str]]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="belie-histories-"))
        self.root = self.folder / "vault"
        self.root.mkdir()
        (self.root / "Stays.md").write_text("The well is deep.\n")
        self.path = self.folder / "store.db"
        self.store = Store.open(self.path)
        self.model = Model()
        self.line = Pipeline(self.root, self.store, VaultSettings())
        for path, lines in notes.items():
            self.save(path, sorted(lines))
        self.line.run()

    def save(self, path: str, lines: list[str]) -> None:
        (self.root / path).write_text("\n\n".join(lines) + "\n")
        self.model.notes[path] = lines

    def conflicts(self, *, open: bool) -> list[Conflict]:
        found = self.store.conflicts.all()
        return sorted((c for c in found if (c.status == "open") is open), key=lambda c: c.id)

    # what a person does to notes

    @rule(path=st.sampled_from(PATHS), lines=st.sets(st.sampled_from(LINES), max_size=4))
    def edit(self, path: str, lines: set[str]) -> None:
        self.save(path, sorted(lines))
        self.line.run()
        self.model.decided.clear()

    @rule()
    def restart(self) -> None:
        self.store.close()
        self.store = Store.open(self.path)
        self.line = Pipeline(self.root, self.store, VaultSettings())

    # what a person decides

    @precondition(lambda self: self.conflicts(open=True))
    @rule(data=st.data())
    def keep(self, data: st.DataObject) -> None:
        conflict = data.draw(st.sampled_from(self.conflicts(open=True)))
        winner = data.draw(st.sampled_from(conflict.members))
        seq = self.store.conflicts.keep(conflict.id, winner)
        self.model.decided[conflict.id] = ("resolved", winner)
        self.take(seq, {member: (None, winner) for member in conflict.members if member != winner})

    def take(self, seq: int, steps: Steps) -> None:
        self.model.steps[seq] = steps
        self.model.lost |= {id: after for id, (_, after) in steps.items() if after is not None}
        self.model.lost = {
            id: to for id, to in self.model.lost.items() if steps.get(id, ("", ""))[1] is not None
        }

    @precondition(lambda self: self.conflicts(open=True))
    @rule(data=st.data())
    def dismiss(self, data: st.DataObject) -> None:
        conflict = data.draw(st.sampled_from(self.conflicts(open=True)))
        self.store.conflicts.dismiss(conflict.id, "both true")
        self.model.decided[conflict.id] = ("dismissed", None)

    @precondition(lambda self: self.conflicts(open=True))
    @rule(data=st.data(), until=st.sampled_from(("2999-01-01", UNTIL_CHANGE)))
    def snooze(self, data: st.DataObject, until: str) -> None:
        conflict = data.draw(st.sampled_from(self.conflicts(open=True)))
        self.store.conflicts.snooze(conflict.id, until)

    @precondition(lambda self: self.conflicts(open=False))
    @rule(data=st.data())
    def reopen(self, data: st.DataObject) -> None:
        conflict = data.draw(st.sampled_from(self.conflicts(open=False)))
        winner = conflict.winner
        back = {
            c.id
            for c in self.store.claims.with_status("superseded", ids=conflict.members)
            if c.superseded_by == winner
        }
        seq = self.refusable(lambda: self.store.conflicts.reopen(conflict.id))
        if seq is not None:
            self.take(seq, dict.fromkeys(back, (winner, None)))
            self.line.run()

    @precondition(lambda self: self.store.ledger.events(1, decisions=True))
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        seqs = [event.seq for event in self.store.ledger.events(50, decisions=True)]
        seq = data.draw(st.sampled_from(seqs))
        own = self.refusable(lambda: self.store.ledger.undo(seq).seq)
        if own is not None:
            assert next(e for e in self.store.ledger.events(1000) if e.seq == seq).undone
            steps = self.model.steps.pop(seq, {})
            self.take(own, {id: (after, before) for id, (before, after) in steps.items()})
            self.line.run()

    def refusable(self, act: Callable[[], int]) -> int | None:
        """The event; None where it was refused, and then nothing has changed."""
        before = self.everything()
        try:
            seq = act()
        except Refused:
            assert self.everything() == before
            return None
        self.model.decided.clear()
        return seq

    @precondition(lambda self: any(self.store.claims.with_status(("active", "superseded"))))
    @rule(data=st.data())
    def redact(self, data: st.DataObject) -> None:
        claims = sorted(self.store.claims.with_status(("active", "superseded")), key=lambda c: c.id)
        claim = data.draw(st.sampled_from([c for c in claims if c.statement.path in PATHS] or claims[:1]))
        if claim.statement.path not in PATHS:
            return
        self.store.claims.redact(claim.id, "no reason")
        self.model.redacted.add(claim.statement.text)
        involved = {c.id for c in self.store.conflicts.all() if c.resolution in AUTOMATIC}
        self.model.decided = {id: how for id, how in self.model.decided.items() if id not in involved}

    # what must hold after each step

    def everything(self) -> list[object]:
        claims = sorted(self.store.claims.all(), key=lambda c: c.id)
        return [claims, self.store.conflicts.all(), self.store.conflicts.settled_pairs()]

    def stands(self, claim: Claim) -> bool:
        return (claim.statement.path, claim.statement.text) in self.model.standing()

    @invariant()
    def is_what_the_model_says(self) -> None:
        if not hasattr(self, "store"):
            return
        self.line.run()
        held = {
            (c.statement.path, c.statement.text)
            for c in self.store.claims.with_status(("active", "superseded", "candidate"))
            if c.statement.path in PATHS
        }
        assert held == self.model.standing()
        here = {c.id for c in self.store.claims.all() if self.stands(c)}
        lost = {id: winner for id, winner in self.model.lost.items() if id in here}
        assert {c.id: c.superseded_by for c in self.store.claims.with_status("superseded")} == lost
        for id, (status, winner) in self.model.decided.items():
            found = self.store.conflicts.get(id)
            assert found is not None
            assert (found.status, found.winner) == (status, winner)
        for conflict in self.conflicts(open=True):
            assert all(c.status == "active" for c in self.store.claims.all(ids=conflict.members))

    @invariant()
    def holds_together(self) -> None:
        """The chain, the invariants, and that the ledger from its first event tells the tables."""
        if hasattr(self, "store"):
            assert self.store.verify() == []

    @invariant()
    def nothing_redacted_is_left(self) -> None:
        if not hasattr(self, "store"):
            return
        for file in self.folder.glob("store.db*"):
            data = file.read_bytes()
            assert not [text for text in self.model.redacted if text.encode() in data]

    def teardown(self) -> None:
        if not hasattr(self, "store"):
            return
        with Store.open(":memory:") as other:
            other.load(self.store.export())
            assert sorted(other.claims.all(), key=lambda c: c.id) == self.everything()[0]
        self.store.close()
        shutil.rmtree(self.folder)


TestHistories = pytest.mark.campaign(Histories.TestCase)
FULL = os.environ.get("BELIE_CAMPAIGN") == "full"
# 200 histories of 50 steps: 10,000 in all.
TestHistories.settings = settings(
    max_examples=200 if FULL else 12, stateful_step_count=50 if FULL else 12, deadline=None
)
