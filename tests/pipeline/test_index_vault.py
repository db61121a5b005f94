"""The pipeline on real folders: what becomes of claims and conflicts when the person works on their notes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.claims import note_reader
from app.pipeline import comparing as comparing_module
from app.pipeline import index_vault as pipeline_module
from app.pipeline.around import Around
from app.pipeline.index_vault import Pipeline
from app.pipeline.messages import Progress
from app.store.errors import StoreBusy
from app.store.store import Store
from app.store.stored_conflicts import StoredConflicts
from app.vault.settings import vault_settings
from app.words import Claim, Conflict
from tests.robust.building import (
    DISPUTED,
    DISPUTED_MEMBERS,
    contents,
    found_afresh,
    members,
    open_sets,
    pipeline,
    write,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", {**DISPUTED, "Boat.md": "The boat is moored at the north quay.\n"})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as store:
        yield store
        assert store.verify() == []


def the_conflict(store: Store) -> Conflict:
    (conflict,) = store.conflicts.open()
    return conflict


def says(store: Store, text: str) -> Claim:
    (claim,) = (c for c in store.claims.all() if c.statement.text == text)
    return claim


def test_a_vault_becomes_claims_and_conflicts_and_is_left_alone(root: Path, store: Store) -> None:
    before = contents(root)
    run = pipeline(root, store).run()
    assert run.changed == 3
    assert store.counts().notes == 3
    assert open_sets(store) == {DISPUTED_MEMBERS}
    assert contents(root) == before


def test_a_second_run_finds_nothing_to_do(root: Path, store: Store) -> None:
    pipeline(root, store).run()
    last = store.ledger.last_event()
    again = pipeline(root, store).run()
    assert again.changed == 0
    assert store.ledger.last_event() == last


def test_editing_one_side_away_ends_the_conflict_and_putting_it_back_reopens_it(
    root: Path, store: Store
) -> None:
    line = pipeline(root, store)
    line.run()
    first = the_conflict(store)
    (root / "House.md").write_text("# Doors\n\nThe garage door code is 4411.\n")
    line.run()
    assert store.conflicts.open() == []
    (ended,) = store.conflicts.with_status("resolved")
    assert (ended.id, ended.resolution) == (first.id, "edited")
    assert says(store, "The garage door code is 0087.").status == "retracted"
    (root / "House.md").write_text(DISPUTED["House.md"])
    line.run()
    assert the_conflict(store).id == first.id
    assert members(store, the_conflict(store)) == DISPUTED_MEMBERS
    assert [e.action for e in store.ledger.history(first.id)] == ["opened", "edited", "reopened"]


def test_a_reworded_line_is_a_new_claim_that_knows_the_old_one(root: Path, store: Store) -> None:
    line = pipeline(root, store)
    line.run()
    old = says(store, "The garage door code is 0087.")
    (root / "House.md").write_text("# Doors\n\nThe garage door code is 0088.\n")
    line.run()
    new = says(store, "The garage door code is 0088.")
    assert (new.previous, new.id != old.id) == (old.id, True)
    assert members(store, the_conflict(store)) == {
        ("Garage.md", "The garage door code is 4411."),
        ("House.md", "The garage door code is 0088."),
    }


@pytest.mark.parametrize("new", ["Garage doors.md", "Deep/er/Garage.md"])
def test_a_moved_note_keeps_its_claims_and_its_conflict(root: Path, store: Store, new: str) -> None:
    line = pipeline(root, store)
    line.run()
    conflict, claim = the_conflict(store), says(store, "The garage door code is 4411.")
    (root / new).parent.mkdir(parents=True, exist_ok=True)
    (root / "Garage.md").rename(root / new)
    line.run()
    assert says(store, "The garage door code is 4411.").id == claim.id
    assert store.claims.standing_in(new) and not store.claims.standing_in("Garage.md")
    assert the_conflict(store).id == conflict.id
    assert store.counts().notes == 3


def test_a_deleted_note_takes_its_claims_back(root: Path, store: Store) -> None:
    line = pipeline(root, store)
    line.run()
    (root / "Garage.md").unlink()
    line.run()
    claim = says(store, "The garage door code is 4411.")
    assert claim.status == "retracted"
    assert store.conflicts.open() == []
    assert store.counts().notes == 2
    write(root, {"Garage.md": DISPUTED["Garage.md"]})
    line.run()
    assert says(store, "The garage door code is 4411.").id == claim.id
    assert open_sets(store) == {DISPUTED_MEMBERS}


def outgrown(path: Path) -> None:
    with path.open("ab") as file:
        file.truncate(11 * 1024 * 1024)


def test_a_note_that_outgrew_the_limit_takes_nothing_back(root: Path, store: Store) -> None:
    line = pipeline(root, store)
    line.run()
    outgrown(root / "Garage.md")
    line.run()
    assert open_sets(store) == {DISPUTED_MEMBERS}


def test_a_note_that_cannot_be_read_takes_nothing_back(
    root: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = pipeline(root, store)
    line.run()

    def refuse(folder: Path, path: str, limit: int) -> bytes:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(note_reader, "read_bytes", refuse)
    (root / "Garage.md").write_text("Something else entirely.\n")
    line.run()
    assert says(store, "The garage door code is 4411.").status == "active"
    assert open_sets(store) == {DISPUTED_MEMBERS}
    assert ("Garage.md", "Permission denied") in store.notes.problems()
    monkeypatch.undo()
    line.run(suspects={"Garage.md"})
    assert says(store, "The garage door code is 4411.").status == "retracted"
    assert store.notes.problems() == []


def test_a_note_that_never_could_be_read_is_forgotten_when_it_goes(
    root: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = note_reader.read_bytes

    def refuse(folder: Path, path: str, limit: int) -> bytes:
        if path == "Locked.md":
            raise PermissionError(13, "Permission denied", path)
        return real(folder, path, limit)

    monkeypatch.setattr(note_reader, "read_bytes", refuse)
    write(root, {"Locked.md": "The safe is red.\n"})
    line = pipeline(root, store)
    line.run()
    assert store.notes.problems() == [("Locked.md", "Permission denied")]
    (root / "Locked.md").unlink()
    line.run()
    assert store.notes.problems() == []


def test_a_note_that_goes_while_being_read_is_no_trouble(
    root: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = note_reader.read_bytes

    def vanish(folder: Path, path: str, limit: int) -> bytes:
        if path == "Boat.md":
            (folder / path).unlink(missing_ok=True)
        return real(folder, path, limit)

    monkeypatch.setattr(note_reader, "read_bytes", vanish)
    pipeline(root, store).run()
    assert store.notes.problems() == []
    assert open_sets(store) == {DISPUTED_MEMBERS}


@pytest.mark.parametrize("bare", [False, True], ids=["gone", "empty mount point"])
def test_an_unmounted_vault_takes_nothing_back(root: Path, store: Store, bare: bool) -> None:
    line = pipeline(root, store)
    line.run()
    away = root.with_name("unmounted")
    root.rename(away)
    if bare:
        root.mkdir()
    for each in (line, pipeline(root, store)):
        each.run()
        assert open_sets(store) == {DISPUTED_MEMBERS}
        assert all(claim.status == "active" for claim in store.claims.all())
    if bare:
        root.rmdir()
    away.rename(root)
    assert line.run().changed == 0
    assert open_sets(store) == {DISPUTED_MEMBERS}


def test_a_draft_holds_candidates_that_conflict_when_promoted(root: Path, store: Store) -> None:
    write(root, {"House.md": "---\nstatus: draft\n---\nThe garage door code is 0087.\n"})
    line = pipeline(root, store)
    line.run()
    claim = says(store, "The garage door code is 0087.")
    assert (claim.status, store.conflicts.open()) == ("candidate", [])
    store.claims.promote([claim.id])
    line.run()
    assert open_sets(store) == {DISPUTED_MEMBERS}
    # The note is still a draft; what the person promoted stays so when it is read again.
    write(root, {"House.md": "---\nstatus: draft\n---\nThe garage door code is 0087.\n\nMore to come.\n"})
    line.run()
    assert open_sets(store) == {DISPUTED_MEMBERS}


def test_an_active_claim_whose_note_becomes_a_draft_is_a_candidate(root: Path, store: Store) -> None:
    line = pipeline(root, store)
    line.run()
    write(root, {"House.md": "---\nstatus: draft\n---\nThe garage door code is 0087.\n"})
    line.run()
    assert says(store, "The garage door code is 0087.").status == "candidate"
    assert store.conflicts.open() == []


def test_a_promotion_is_compared_by_a_run_that_reads_nothing(
    root: Path, store: Store, tmp_path: Path
) -> None:
    write(root, {"House.md": "---\nstatus: draft\n---\nThe garage door code is 0087.\n"})
    line = pipeline(root, store)
    line.run()
    with Store.open(tmp_path / "store.db") as another:
        another.claims.promote([says(another, "The garage door code is 0087.").id])
    line.run()
    assert open_sets(store) == {DISPUTED_MEMBERS}


Decision = Callable[[Store, Conflict], object]
DECISIONS: dict[str, Decision] = {
    "keep": lambda store, conflict: store.conflicts.keep(conflict.id, conflict.members[0]),
    "dismiss": lambda store, conflict: store.conflicts.dismiss(conflict.id),
    "resolve": lambda store, conflict: store.conflicts.resolve(conflict.id, "looked into it"),
    "snooze": lambda store, conflict: store.conflicts.snooze(conflict.id, "2999-01-01"),
}


@pytest.mark.parametrize("decide", DECISIONS.values(), ids=DECISIONS.keys())
@pytest.mark.parametrize("fresh", [False, True], ids=["same process", "next start"])
def test_a_decision_survives_whatever_is_read_later(
    root: Path, store: Store, decide: Decision, fresh: bool
) -> None:
    line = pipeline(root, store)
    line.run()
    conflict = the_conflict(store)
    decide(store, conflict)
    decided = store.conflicts.get(conflict.id)
    statuses = {claim.id: claim.status for claim in store.claims.all()}
    edits: list[dict[str, str | bytes]] = [
        {"Boat.md": "The boat is moored at the south quay.\n"},
        {"House.md": "# Doors\n\nNew words above.\n\nThe garage door code is 0087.\n\nAnd below.\n"},
        {"Garage.md": "\ufeff" + DISPUTED["Garage.md"].replace("\n", "\r\n")},
    ]
    for edit in edits:
        write(root, edit)
        (pipeline(root, store) if fresh else line).run()
        assert store.conflicts.open() == []
        assert store.conflicts.get(conflict.id) == decided
        now = {claim.id: claim.status for claim in store.claims.all()}
        assert {id: now[id] for id in conflict.members} == {id: statuses[id] for id in conflict.members}


def test_a_decision_survives_a_full_index_with_new_rules(
    root: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline(root, store).run()
    store.conflicts.dismiss(the_conflict(store).id, "two doors")
    monkeypatch.setattr(pipeline_module, "EXTRACTOR", "rules-next")
    run = pipeline(root, store).run()
    assert run.changed == 3
    assert store.progress.extractor.startswith("rules-next-")
    assert store.conflicts.open() == []
    assert pipeline(root, store).run().changed == 0


def test_a_dismissed_pair_comes_back_when_a_member_says_something_else(root: Path, store: Store) -> None:
    line = pipeline(root, store)
    line.run()
    first = the_conflict(store)
    store.conflicts.dismiss(first.id, "two doors")
    write(root, {"House.md": "# Doors\n\nThe garage door code is 0099.\n"})
    line.run()
    second = the_conflict(store)
    assert second.id != first.id
    assert members(store, second) == {
        ("Garage.md", "The garage door code is 4411."),
        ("House.md", "The garage door code is 0099."),
    }
    dismissed = store.conflicts.get(first.id)
    assert dismissed is not None and dismissed.status == "dismissed"


def test_keeping_one_supersedes_the_other_and_losing_the_winner_does_not_bring_it_back(
    root: Path, store: Store
) -> None:
    line = pipeline(root, store)
    line.run()
    winner = says(store, "The garage door code is 0087.")
    store.conflicts.keep(the_conflict(store).id, winner.id)
    line.run()
    loser = says(store, "The garage door code is 4411.")
    assert (loser.status, loser.superseded_by) == ("superseded", winner.id)
    # The person then rewrites the winner: the kept decision is about a text that is gone, the loser was
    # set aside by the person and stays so until they say otherwise.
    write(root, {"House.md": "# Doors\n\nNothing about doors.\n"})
    line.run()
    assert says(store, "The garage door code is 4411.").status == "superseded"
    assert says(store, "The garage door code is 0087.").status == "retracted"
    assert store.conflicts.open() == []
    write(root, {"House.md": DISPUTED["House.md"]})
    line.run()
    assert says(store, "The garage door code is 0087.").status == "active"
    assert store.conflicts.open() == []


def test_undoing_a_keep_brings_the_conflict_back(root: Path, store: Store) -> None:
    line = pipeline(root, store)
    line.run()
    conflict = the_conflict(store)
    store.conflicts.keep(conflict.id, conflict.members[0])
    line.run()
    store.ledger.undo()
    line.run()
    assert the_conflict(store).id == conflict.id
    assert open_sets(store) == {DISPUTED_MEMBERS}


def test_taking_away_the_word_that_settled_a_pair_brings_the_pair_back(root: Path, store: Store) -> None:
    write(
        root, {"Change.md": "---\ndate: 2026-05-01\n---\nThe garage door code changed from 4411 to 0087.\n"}
    )
    line = pipeline(root, store)
    line.run()
    assert store.conflicts.open() == []
    (root / "Change.md").unlink()
    line.run()
    assert open_sets(store) == found_afresh(root) == {DISPUTED_MEMBERS}
    write(
        root, {"Change.md": "---\ndate: 2026-05-01\n---\nThe garage door code changed from 4411 to 0087.\n"}
    )
    line.run()
    assert store.conflicts.open() == []


def test_a_run_cut_short_is_taken_up_where_it_stopped(root: Path, store: Store) -> None:
    write(root, {f"More/{n}.md": f"The lamp number {n} is {n} cm high.\n" for n in range(450)})
    reads = 0

    def stop_after_the_first_batch(progress: Progress) -> None:
        nonlocal reads
        reads += progress.stage == "reading"

    short = Pipeline(
        root,
        store,
        vault_settings(root),
        around=Around(on_progress=stop_after_the_first_batch, stopping=lambda: reads > 0),
    )
    done = short.run().changed
    assert 0 < done < 453
    assert store.counts().notes == done
    run = pipeline(root, store).run()
    assert run.changed == 453 - done
    assert open_sets(store) == {DISPUTED_MEMBERS}
    assert pipeline(root, store).run().changed == 0


def test_comparing_that_failed_is_made_up_for(
    root: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "House.md").unlink()
    line = pipeline(root, store)
    line.run()
    assert store.conflicts.open() == []

    def busy(*_: object) -> None:
        raise StoreBusy("another process is writing")

    write(root, {"House.md": DISPUTED["House.md"]})
    with monkeypatch.context() as broken:
        broken.setattr(StoredConflicts, "apply", busy)
        with pytest.raises(StoreBusy):
            line.run()
    line.run()
    assert open_sets(store) == {DISPUTED_MEMBERS}


def test_rules_that_trip_over_one_statement_keep_it_and_go_on(
    root: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = note_reader.norm_rules.normalize

    def trip(statement: object, note: object) -> object:
        if "boat" in statement.text:  # type: ignore[attr-defined]
            raise RecursionError
        return real(statement, note)  # type: ignore[arg-type]

    monkeypatch.setattr(note_reader.norm_rules, "normalize", trip)
    pipeline(root, store).run()
    assert says(store, "The boat is moored at the north quay.").norms == ()
    assert open_sets(store) == {DISPUTED_MEMBERS}


def test_a_reader_that_trips_over_one_note_says_so_and_goes_on(
    root: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = note_reader.read_note

    def trip(path: str, data: bytes, settings: object) -> object:
        if path == "Boat.md":
            raise IndexError
        return real(path, data, settings)  # type: ignore[arg-type]

    monkeypatch.setattr(note_reader, "read_note", trip)
    pipeline(root, store).run()
    assert store.notes.problems() == [("Boat.md", "cannot be understood (IndexError)")]
    assert open_sets(store) == {DISPUTED_MEMBERS}


def test_two_pipelines_on_one_store_take_turns(root: Path, store: Store, tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.db") as other:
        left, right = pipeline(root, store), pipeline(root, other)
        left.run()
        assert right.run().changed == 0
        write(root, {"House.md": "# Doors\n\nThe garage door code is 0088.\n"})
        left.run()
        assert right.run().changed == 0
        assert open_sets(other) == found_afresh(root)
        # What the left one read, the right one has not; it must not take it for gone.
        write(
            root,
            {"Shed.md": "The shed padlock code is 1234.\n", "Barn.md": "The shed padlock code is 9876.\n"},
        )
        left.run()
        write(root, {"Boat.md": "The boat is moored at the south quay.\n"})
        right.run()
        assert open_sets(store) == open_sets(other) == found_afresh(root)
        # A date in the frontmatter changes no text, but what the claims say of each other.
        write(root, {"House.md": "---\ndate: 2026-06-01\n---\n# Doors\n\nThe garage door code is 0088.\n"})
        write(root, {"Garage.md": "---\ndate: 2024-01-01\n---\nThe garage door code is 4411.\n"})
        left.run()
        assert {c.kind for c in store.conflicts.open()} == {"stale", "disagreement"}
        write(root, {"Boat.md": "The boat is moored at the east quay.\n"})
        right.run()
        assert {c.kind for c in store.conflicts.open()} == {"stale", "disagreement"}
        assert open_sets(store) == found_afresh(root)


def test_claims_another_process_writes_while_comparing_are_not_taken_for_gone(
    root: Path, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = pipeline(root, store)
    line.run()
    write(root, {"Boat.md": "The boat is moored at the south quay.\n"})
    real = comparing_module.assemble
    came = False

    def meanwhile(*arguments: object) -> object:
        nonlocal came
        if not came:
            came = True
            write(
                root,
                {
                    "Shed.md": "The shed padlock code is 1234.\n",
                    "Barn.md": "The shed padlock code is 9876.\n",
                },
            )
            with Store.open(tmp_path / "store.db") as other:
                pipeline(root, other).run()
                assert len(other.conflicts.open()) == 2
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(comparing_module, "assemble", meanwhile)
    line.run()
    assert came
    assert len(store.conflicts.open()) == 2
    assert open_sets(store) == found_afresh(root)


def test_a_copied_vault_is_read_like_the_first(root: Path, store: Store, tmp_path: Path) -> None:
    pipeline(root, store).run()
    copy = tmp_path / "copy"
    shutil.copytree(root, copy)
    with Store.open(":memory:") as other:
        pipeline(copy, other).run()
        assert [c.id for c in other.conflicts.open()] == [c.id for c in store.conflicts.open()]
        assert {c.id for c in other.claims.active()} == {c.id for c in store.claims.active()}


def test_a_save_that_puts_the_old_time_back_is_noticed_when_hinted_at(root: Path, store: Store) -> None:
    line = pipeline(root, store)
    old = (root / "House.md").stat()
    for path in root.iterdir():
        os.utime(path, ns=(1_000_000_000, 1_000_000_000))
    line.run()
    (root / "House.md").write_text("# Doors\n\nThe garage door code is 4411.\n")
    os.utime(root / "House.md", ns=(1_000_000_000, 1_000_000_000))
    assert old.st_size == (root / "House.md").stat().st_size
    line.run(suspects={"House.md"})
    assert store.conflicts.open() == []


@pytest.mark.parametrize("others", [False, True], ids=["one saved", "one saved, one unseen"])
def test_after_a_save_only_the_saved_note_is_looked_at(root: Path, store: Store, others: bool) -> None:
    line = pipeline(root, store)
    line.run()
    write(root, {"House.md": "# Doors\n\nThe garage door code is 4411.\n"})
    if others:  # a program whose events were lost; the next look at everything finds it
        write(root, {"Boat.md": "The boat is moored at the south quay.\n"})
    run = line.run({"House.md"}, saved=True)
    assert (run.narrow, run.changed, store.conflicts.open()) == (True, 1, [])
    assert line.run().changed == (1 if others else 0)


@pytest.mark.parametrize(
    "what", ["gone", "new", "moved", "a folder", "grown", "a link", "behind a link", "nothing"]
)
def test_where_that_is_not_enough_the_whole_vault_is_looked_at(
    root: Path, store: Store, tmp_path: Path, what: str
) -> None:
    write(root, {"Rooms/Attic.md": "The attic lamp is red.\n"})
    settings = replace(vault_settings(root), max_bytes=2000)
    line = Pipeline(root, store, settings)
    line.run()
    house, hints = root / "House.md", {"House.md"}
    match what:
        case "gone":
            house.unlink()
        case "new":
            write(root, {"Shed.md": "The shed is dry.\n"})
            hints = {"Shed.md"}
        case "moved":
            house.rename(root / "Home.md")
            hints = {"House.md", "Home.md"}
        case "a folder":
            hints = {"Rooms"}
        case "grown":
            house.write_text("The house is large.\n\n" * 200)
        case "a link":
            house.rename(tmp_path / "House.md")
            house.symlink_to(tmp_path / "House.md")
        case "behind a link":
            (root / "Rooms").rename(tmp_path / "Rooms")
            (root / "Rooms").symlink_to(tmp_path / "Rooms")
            hints = {"Rooms/Attic.md"}
        case "nothing":
            hints = set()
    run = line.run(hints, saved=True)
    assert not run.narrow
    with Store.open(":memory:") as other:
        Pipeline(root, other, settings).run()
        if what != "grown":  # its claims are kept: nobody took back what it says
            assert open_sets(store) == open_sets(other)
    assert store.verify() == []


def test_newcomers_join_the_open_conflict_of_their_slot(root: Path, store: Store) -> None:
    line = pipeline(root, store)
    line.run()
    (first,) = store.conflicts.open()
    for number, code in enumerate(("1111", "2222")):
        write(root, {f"2026-03-0{number + 1}.md": f"The garage door code is {code}.\n"})
        line.run()
        (now,) = store.conflicts.open()
        assert now.id == first.id and len(now.members) == 3 + number
        assert set(now.members) > set(first.members)
    (root / "2026-03-01.md").unlink()
    line.run()
    (now,) = store.conflicts.open()
    assert (now.id, len(now.members)) == (first.id, 3)
    assert len(store.conflicts.all()) == 1


@pytest.mark.parametrize("how", ["resolved", "dismissed"])
def test_what_was_settled_stays_so_until_the_text_of_a_member_changes(
    root: Path, store: Store, how: str
) -> None:
    line = pipeline(root, store)
    line.run()
    (conflict,) = store.conflicts.open()
    store.conflicts.dismiss(conflict.id, "two doors") if how == "dismissed" else store.conflicts.resolve(
        conflict.id, "fine"
    )
    # A newcomer to the slot opens a question of its own; the settled pair is not in it again.
    write(root, {"Shed.md": "The garage door code is 1111.\n"})
    line.run()
    settled = store.conflicts.get(conflict.id)
    assert settled is not None and (settled.status, settled.members) == (how, conflict.members)
    (root / "Shed.md").unlink()
    line.run()
    pipeline(root, store).run()
    assert store.conflicts.open() == []
    write(root, {"House.md": "# Doors\n\nThe garage door code is 0088.\n"})
    line.run()
    (again,) = store.conflicts.open()
    assert again.id != conflict.id
    settled = store.conflicts.get(conflict.id)
    assert settled is not None and settled.status == how


def test_new_settings_read_every_note_again(root: Path, store: Store) -> None:
    pipeline(root, store).run()
    narrower = replace(vault_settings(root), max_bytes=123_456)
    assert Pipeline(root, store, narrower).run().changed == 3
    assert Pipeline(root, store, narrower).run().changed == 0


def test_a_note_moved_over_another_with_the_same_words(root: Path, store: Store) -> None:
    write(root, {"Twice.md": "The garage door code is 4411.\n\nThe garage door code is 4411.\n"})
    line = pipeline(root, store)
    line.run()
    (root / "Twice.md").rename(root / "Garage.md")
    line.run()
    assert store.verify() == []
    assert open_sets(store) == found_afresh(root)


def test_who_writes_to_the_canon_is_told_that_it_is_disputed(root: Path, store: Store) -> None:
    write(root, {"Canon.md": "---\ntrust: canon\n---\nThe ferry fare is 12 euros.\n"})
    write(root, {"Trip.md": "The ferry fare is 15 euros.\n"})
    live = pipeline(root, store)
    assert live.run().canon == []  # a first reading writes nothing anew
    write(root, {"Canon.md": "---\ntrust: canon\n---\nThe ferry fare is 14 euros.\n"})
    (told,) = live.run().canon
    assert "14 euros" in told.question or "15 euros" in told.question
    write(root, {"Trip.md": "The ferry fare is 15 euros.\nThe ferry is blue.\n"})
    assert live.run().canon == []
