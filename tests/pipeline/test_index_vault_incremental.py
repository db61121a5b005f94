"""Whatever the person does to their notes, reading what changed finds what reading everything would find.

The pipeline is told of every change as by the watcher, so it looks at single notes where that is enough.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.pipeline.index_vault import Pipeline
from app.store.store import Store
from app.vault.settings import VaultSettings
from tests.robust.building import found_afresh, open_sets

PATHS = (
    "A.md",
    "B.md",
    "Rooms/C.md",
    "Rooms/D.md",
    "Daily/2026-03-01.md",
    "Daily/2026-05-09.md",
    "Archive/E.md",
)
LINES = (
    "The garage door code is 4411.",
    "The garage door code is 0087.",
    "The garage door code changed from 4411 to 0087.",
    "The garage door code is no longer 4411.",
    "In staging the request timeout is 30 seconds.",
    "The request timeout is 30 seconds.",
    "The request timeout is 60 seconds.",
    "The request timeout is 1 minute.",
    "- Deploys on Fridays are allowed.",
    "- Never deploy on Fridays.",
    "We use Postgres 14.",
    "We moved from Postgres 14 to Postgres 17.",
    "We use Postgres 17.",
    "The lab runs on Python 3.9 for now.",
    "Checked the export on Python 3.12 today.",
    "Alerts of the shop go out through Zulip.",
    "We dropped Zulip, alerts of the shop go by phone.",
    "Read the shop's alerts in Zulip over breakfast.",
    "Alerts of the shop are back on Zulip.",
    "The API allows 1,000 req/s.",
    "The API allows 5,000 req/s.",
    "Rent:: 900",
    "Rent:: 950",
    "Maybe the garage door code is 5555.",
    "> The garage door code is 6666.",
    "~~The request timeout is 90 seconds.~~",
)
FRONTS = (
    "",
    "---\ndate: 2023-02-01\n---\n",
    "---\ndate: 2026-06-01\n---\n",
    "---\nstatus: draft\n---\n",
    "---\ntrust: canon\n---\n",
)

paths = st.sampled_from(PATHS)
bodies = st.lists(st.sampled_from(LINES), max_size=4)


class Edits(RuleBasedStateMachine):
    @initialize(notes=st.dictionaries(paths, bodies, min_size=2))
    def begin(self, notes: dict[str, list[str]]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="belie-edits-"))
        self.root = self.folder / "vault"
        self.root.mkdir()
        (self.root / "Stays.md").write_text("The well is deep.\n")
        self.store = Store.open(":memory:")
        self.hints: set[str] = set()
        self.line = Pipeline(self.root, self.store, VaultSettings())
        for path, body in notes.items():
            self.save(path, "", body)
        self.line.run()

    def save(self, path: str, front: str, body: list[str]) -> None:
        file = self.root / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(front + "\n\n".join(body) + "\n")
        self.hints.add(path)

    def drawn(self, data: st.DataObject) -> Path:
        path = data.draw(st.sampled_from(self.notes()))
        self.hints.add(path)
        return self.root / path

    def notes(self) -> list[str]:
        return [path for path in PATHS if (self.root / path).exists()]

    @rule(path=paths, front=st.sampled_from(FRONTS), body=bodies)
    def rewrite(self, path: str, front: str, body: list[str]) -> None:
        self.save(path, front, body)

    @precondition(lambda self: self.notes())
    @rule(data=st.data(), line=st.sampled_from(LINES))
    def add_a_line(self, data: st.DataObject, line: str) -> None:
        with self.drawn(data).open("a") as file:
            file.write(f"\n{line}\n")

    @precondition(lambda self: self.notes())
    @rule(data=st.data())
    def drop_a_line(self, data: st.DataObject) -> None:
        file = self.drawn(data)
        lines = file.read_text().splitlines()
        file.write_text("\n".join(lines[:-2]) + "\n")

    @precondition(lambda self: self.notes())
    @rule(data=st.data(), new=paths)
    def move(self, data: st.DataObject, new: str) -> None:
        file = self.drawn(data)
        self.hints.add(new)
        (self.root / new).parent.mkdir(exist_ok=True)
        file.rename(self.root / new)

    @precondition(lambda self: self.notes())
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        self.drawn(data).unlink()

    @rule()
    def restart(self) -> None:
        self.line = Pipeline(self.root, self.store, VaultSettings())

    @invariant()
    def finds_what_a_first_reader_finds(self) -> None:
        if not hasattr(self, "store"):
            return
        self.line.run(self.hints, saved=True)
        self.hints.clear()
        assert open_sets(self.store) == found_afresh(self.root, VaultSettings())

    def teardown(self) -> None:
        if hasattr(self, "store"):
            assert self.store.verify() == []
            self.store.close()
            shutil.rmtree(self.folder)


TestEdits = pytest.mark.campaign(Edits.TestCase)
FULL = os.environ.get("BELIE_CAMPAIGN") == "full"
TestEdits.settings = settings(
    max_examples=400 if FULL else 25, stateful_step_count=30 if FULL else 12, deadline=None
)
