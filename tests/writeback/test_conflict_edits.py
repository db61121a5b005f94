"""From a decision to the note and back through the index: claims, conflicts and ledger stay in step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.store.store import Store
from app.vault.settings import vault_settings
from app.words import Claim
from app.writeback.conflict_edits import WRITTEN, proposal, take_back, write
from app.writeback.edits import STYLES, CannotWrite, NoteChanged, Style
from tests.robust.building import DISPUTED, pipeline
from tests.robust.building import write as put

LOSING, WINNING = "The garage door code is 4411.", "The garage door code is 0087."


class World:
    def __init__(self, folder: Path, notes: dict[str, str | bytes]) -> None:
        self.root = put(folder / "vault", notes)
        self.backups = folder / "backups"
        self.store = Store.open(folder / "state" / "store.db")
        self.index = pipeline(self.root, self.store)
        self.settings = vault_settings(self.root)
        self.look()

    def look(self) -> None:
        self.index.run([path.name for path in self.root.rglob("*.md")])
        assert self.store.verify() == []

    def claim(self, text: str) -> Claim:
        return next(c for c in self.store.claims.all() if c.statement.text == text)

    def keep(self, text: str) -> str:
        (conflict,) = self.store.conflicts.open()
        self.store.conflicts.keep(conflict.id, self.claim(text).id)
        return conflict.id

    def write(self, conflict: str, style: Style) -> list[int]:
        wanted = proposal(self.store, self.root, conflict, style, self.settings)
        return [seq for seq, _ in write(self.store, self.root, wanted, self.backups)]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, dict(DISPUTED))


@pytest.mark.parametrize("style", STYLES)
def test_the_decision_stands_after_the_note_says_so_too(world: World, style: Style) -> None:
    conflict = world.keep(WINNING)
    loser, winner = world.claim(LOSING).id, world.claim(WINNING).id
    (seq,) = world.write(conflict, style)
    world.look()
    after = world.store.claims.get(loser)
    assert after is not None
    assert after.status == ("retracted" if style == "replace" else "superseded")
    assert after.superseded_by == winner
    if style in ("annotate", "strike"):
        assert after.statement.struck
    if style == "frontmatter":
        assert after.silent
    assert world.store.conflicts.open() == []
    settled = world.store.conflicts.get(conflict)
    assert settled is not None and settled.resolution == "kept"
    take_back(world.store, world.root, seq, world.backups)
    assert (world.root / "Garage.md").read_text() == DISPUTED["Garage.md"]
    world.look()
    back = world.store.claims.get(loser)
    assert back is not None and (back.status, back.superseded_by) == ("superseded", winner)
    assert world.store.conflicts.open() == []


@pytest.mark.parametrize("style", STYLES)
def test_who_has_never_seen_the_vault_finds_no_conflict(world: World, style: Style) -> None:
    world.write(world.keep(WINNING), style)
    with Store.open(":memory:") as fresh:
        pipeline(world.root, fresh).run()
        assert fresh.conflicts.open() == []


def test_striking_by_hand_ends_an_open_conflict_too(world: World) -> None:
    (conflict,) = world.store.conflicts.open()
    (world.root / "Garage.md").write_text(f"~~{LOSING}~~\n")
    world.look()
    ended = world.store.conflicts.get(conflict.id)
    assert ended is not None and (ended.status, ended.resolution) == ("resolved", "edited")


def test_the_ledger_tells_of_it_and_holds_no_text(world: World) -> None:
    conflict = world.keep(WINNING)
    (seq,) = world.write(conflict, "strike")
    take_back(world.store, world.root, seq, world.backups)
    undone, written = world.store.ledger.events(limit=2)
    assert (written.action, written.target_kind, written.target_id) == (WRITTEN, "note", "Garage.md")
    assert written.undone and written.who == "person"
    assert set(written.payload) == {"style", "backup", "conflict", "winner", "losers"}
    assert "4411" not in json.dumps(dict(written.payload))
    assert (undone.action, undone.target_id) == ("undo", str(seq))
    assert world.store.verify() == []
    with pytest.raises(CannotWrite, match="undone already"):
        take_back(world.store, world.root, seq, world.backups)
    with pytest.raises(CannotWrite, match="no edit"):
        take_back(world.store, world.root, 1, world.backups)
    with pytest.raises(CannotWrite, match="no event"):
        take_back(world.store, world.root, 10_000, world.backups)


def test_nothing_is_proposed_without_a_winner(world: World) -> None:
    (conflict,) = world.store.conflicts.open()
    with pytest.raises(CannotWrite, match="keep one first"):
        proposal(world.store, world.root, conflict.id, "strike", world.settings)
    with pytest.raises(CannotWrite, match="no conflict"):
        proposal(world.store, world.root, "c-ffffffff", "strike", world.settings)


def test_several_losers_in_one_note_are_one_edit(tmp_path: Path) -> None:
    world = World(
        tmp_path,
        {"Garage.md": f"{LOSING}\n\n# Again\n\nThe garage door code is 5522.\n", "House.md": f"{WINNING}\n"},
    )
    conflict = world.keep(WINNING)
    wanted = proposal(world.store, world.root, conflict, "strike", world.settings)
    assert [edit.path for edit in wanted.edits] == ["Garage.md"]
    assert wanted.edits[0].lines == (1, 5)
    whole = proposal(world.store, world.root, conflict, "frontmatter", world.settings)
    assert whole.edits[0].after.count(b"superseded_by") == 1
    assert len(whole.losers[0]) == 2
    (seq,) = world.write(conflict, "strike")
    assert (world.root / "Garage.md").read_text() == (
        f"~~{LOSING}~~\n\n# Again\n\n~~The garage door code is 5522.~~\n"
    )
    take_back(world.store, world.root, seq, world.backups)
    assert b"~" not in (world.root / "Garage.md").read_bytes()


def test_the_winners_own_note_is_not_superseded_as_a_whole(tmp_path: Path) -> None:
    world = World(tmp_path, {"Garage.md": f"{LOSING}\n\n# Later\n\n{WINNING}\n"})
    if not world.store.conflicts.open():
        pytest.fail("the two should disagree")
    wanted = proposal(world.store, world.root, world.keep(WINNING), "frontmatter", world.settings)
    assert wanted.edits == ()
    assert "same note" in wanted.refused[0][1]


def test_a_note_saved_between_diff_and_yes_is_left_alone(world: World) -> None:
    wanted = proposal(world.store, world.root, world.keep(WINNING), "strike", world.settings)
    (world.root / "Garage.md").write_text(f"{LOSING} And more.\n")
    before = world.store.ledger.last_event()
    with pytest.raises(NoteChanged):
        write(world.store, world.root, wanted, world.backups)
    assert world.store.ledger.last_event() == before
