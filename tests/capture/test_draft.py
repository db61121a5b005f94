"""While typing, the guard answers as it will when the statement is stored, and writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.capture.capture import capture
from app.capture.draft import Draft
from app.capture.outcomes import CaptureError, Wanted
from app.pipeline.index_vault import Pipeline
from app.store.store import Store
from app.vault.settings import VaultSettings
from tests.robust.building import contents, write

TODAY = "2026-11-16"
NOTES = {"Rules.md": "Never deploy on Fridays.\n", "Garage.md": "The garage door code is 4411.\n"}


class Desk:
    def __init__(self, root: Path, store: Store) -> None:
        self.root, self.store = root, store
        self.pipeline = Pipeline(root, store, VaultSettings())
        self.pipeline.run()
        self.draft = Draft(store, root, VaultSettings(), "Inbox.md", TODAY)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store.open(tmp_path / "store.db") as store:
        yield Desk(write(tmp_path / "vault", NOTES), store)


@pytest.mark.parametrize(
    ("text", "status", "tier"),
    [
        ("Friday deploys are fine.", "blocked", "block"),
        ("The attic has 3 windows.", "stored", "clean"),
        ("The garage door code is 4411.", "stored", "clean"),
    ],
)
def test_it_says_what_capture_says(desk: Desk, text: str, status: str, tier: str) -> None:
    wanted = Wanted("remember", text)
    before, events = contents(desk.root), desk.store.ledger.last_event()
    drafted = desk.draft.outcome(wanted)
    assert (drafted.status, drafted.verdict.tier) == (status, tier)
    assert (contents(desk.root), desk.store.ledger.last_event()) == (before, events)
    stored = capture(wanted, desk.pipeline, "Inbox.md", TODAY)
    assert (stored.status, stored.verdict) == (drafted.status, drafted.verdict)
    assert [c.id for c in stored.claims] == [c.id for c in drafted.claims]


def test_asking_twice_gives_the_same_answer(desk: Desk) -> None:
    wanted = Wanted("remember", "The garage door code is 0087.")
    first = desk.draft.outcome(wanted)
    assert first.verdict.against
    desk.draft.outcome(Wanted("remember", "The garage door code is 1."))
    assert desk.draft.outcome(wanted) == first


def test_what_is_written_meanwhile_counts(desk: Desk) -> None:
    wanted = Wanted("remember", "The cellar code is 12.")
    assert desk.draft.outcome(wanted).verdict.tier == "clean"
    (desk.root / "Cellar.md").write_text("The cellar code is 99.\n")
    desk.pipeline.run()
    assert desk.draft.outcome(wanted).verdict.against
    (desk.root / "Cellar.md").unlink()
    desk.pipeline.run()
    assert desk.draft.outcome(wanted).verdict.tier == "clean"


def test_what_stands_there_already_is_known(desk: Desk) -> None:
    wanted = Wanted("remember", "The attic has 3 windows.")
    capture(wanted, desk.pipeline, "Inbox.md", TODAY)
    assert desk.draft.outcome(wanted).status == "known"


@pytest.mark.parametrize("text", ["", "   ", "# A heading", "```", "x" * 3_000])
def test_text_that_cannot_be_taken_is_said(desk: Desk, text: str) -> None:
    with pytest.raises(CaptureError):
        desk.draft.outcome(Wanted("remember", text))
