"""A fork: the ledger replayed to a point, decisions in it, the difference, applying and discarding."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.forks import files
from app.forks.apply import apply, decisions
from app.forks.diff import Difference, differences
from app.store.errors import Refused
from app.store.replay import kept, replay
from app.store.store import Store
from tests.store.building import note, open_conflict, save, says


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as store:
        save(store, note("a.md", "Code 1.", "Code 3."), note("b.md", "Code 2.", "Code 4."))
        yield store


def forked(store: Store, name: str = "what-if", seq: int | None = None) -> Store:
    assert isinstance(store.path, Path)
    files.make(store, name, seq)
    return files.open_fork(store.path, name)


def state(store: Store) -> tuple[dict, dict]:
    """Claims and conflicts as the tables have them; when one was settled is another matter."""
    told = kept(store.connection.raw)
    return told.claims, {id: row | {"resolved_at": None} for id, row in told.conflicts.items()}


def diff(fork: Store, present: Store) -> list[Difference]:
    return differences(
        (fork.conflicts.all(), fork.claims.all()), (present.conflicts.all(), present.claims.all())
    )


def test_a_fork_of_the_present_is_the_present(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    store.conflicts.keep(id, says(store, "Code 1.").id, "tried it")
    with forked(store) as fork:
        assert diff(fork, store) == []
        assert list(fork.claims.all()) == list(store.claims.all())
        assert fork.conflicts.all() == store.conflicts.all()
        assert fork.ledger.history(id) == store.ledger.history(id)
        assert fork.verify() == []
        assert fork.forked_at == store.ledger.last_event()


def test_its_file_is_private(store: Store, tmp_path: Path) -> None:
    forked(store).close()
    mode = (tmp_path / "store.fork-what-if.db").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_at_any_point_it_is_what_the_ledger_told_until_then(store: Store) -> None:
    one = open_conflict(store, "Code 1.", "Code 2.")
    store.conflicts.snooze(one, "2030-01-01")
    store.conflicts.reopen(one)
    store.conflicts.keep(one, says(store, "Code 1.").id)
    save(store, note("a.md", "Code 1 again.", "Code 3."), at="2026-07-01T00:00:00+00:00")
    two = open_conflict(store, "Code 3.", "Code 4.", slot="other", at="2026-07-02T00:00:00+00:00")
    store.conflicts.dismiss(two, "both hold")
    store.ledger.undo()
    for seq in range(store.ledger.last_event() + 1):
        with forked(store, f"at-{seq}", seq) as fork:
            at = fork.forked_at
            assert at is not None and at >= seq
            told = replay(store.connection.raw, at)
            held = kept(fork.connection.raw)
            claims, conflicts = held.claims, held.conflicts
            assert claims == {id: {k: row.get(k) for k in claims[id]} for id, row in told.claims.items()}
            assert conflicts == {
                id: {k: row.get(k) for k in conflicts[id]} for id, row in told.conflicts.items()
            }
            assert fork.verify() == []


def test_an_event_in_the_middle_of_a_decision_means_the_whole_of_it(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    seq = store.conflicts.keep(id, says(store, "Code 1.").id)
    with forked(store, seq=seq) as fork:
        assert says(fork, "Code 2.").status == "superseded"
        assert fork.forked_at == seq + 1


def test_deciding_in_a_fork_changes_nothing_else(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    before = store.ledger.last_event()
    with forked(store) as fork:
        fork.conflicts.keep(id, says(fork, "Code 2.").id)
        assert store.ledger.last_event() == before
        loser = says(store, "Code 1.").id
        winner = says(store, "Code 2.").id
        assert diff(fork, store) == [
            Difference(
                "conflict",
                id,
                "Code: 1 or 2?",
                f"resolved: kept, for {winner}",
                "open",
                "Is the door code still this?",
            ),
            Difference("claim", loser, "Code 1.", f"superseded by {winner}", "active"),
        ]


def test_what_came_after_the_point_is_only_in_the_present(store: Store) -> None:
    seq = store.ledger.last_event()
    save(store, note("c.md", "Code 9."), at="2026-07-01T00:00:00+00:00")
    id = open_conflict(store, "Code 1.", "Code 9.", at="2026-07-01T00:00:01+00:00")
    with forked(store, seq=seq) as fork:
        assert [(d.kind, d.id, d.fork) for d in diff(fork, store)] == [
            ("conflict", id, None),
            ("claim", says(store, "Code 9.").id, None),
        ]


def test_to_keep_the_other_take_the_decision_back_in_the_fork_and_apply(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    seq = store.conflicts.keep(id, says(store, "Code 1.").id, "thought so")
    with forked(store) as fork:
        fork.ledger.undo(seq)
        fork.conflicts.keep(id, says(fork, "Code 2.").id, "tried the door")
        steps = apply(fork, store, "what-if")
        assert [(s.decision.action, s.refused) for s in steps] == [("undo", None), ("kept", None)]
        assert apply(fork, store, "what-if") == []  # done is done
    conflict = store.conflicts.get(id)
    assert conflict is not None and conflict.winner == says(store, "Code 2.").id
    assert store.ledger.events(1, decisions=True)[0].why == "tried the door (from the fork what-if)"
    assert store.verify() == []


def test_what_was_taken_back_in_the_fork_is_not_applied(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    with forked(store) as fork:
        fork.conflicts.dismiss(id)
        fork.ledger.undo()
        assert decisions(fork) == []


def test_decisions_that_no_longer_fit_are_refused_with_the_reason(store: Store) -> None:
    settled = open_conflict(store, "Code 1.", "Code 2.")
    grown = open_conflict(store, "Code 3.", "Code 4.", slot="other")
    with forked(store) as fork:
        fork.conflicts.keep(settled, says(fork, "Code 1.").id)
        fork.conflicts.dismiss(grown, "both hold")
        store.conflicts.dismiss(settled)
        save(store, note("c.md", "Code 5."))
        open_conflict(store, "Code 3.", "Code 5.", slot="other")  # joins the open one
        before = state(store)
        first, second = apply(fork, store, "what-if")
        assert first.refused == f"{settled} was dismissed already."
        newcomer = says(store, "Code 5.").id
        assert second.refused == f"{grown} has a member that was not there: {newcomer}. Decide it anew."
        assert state(store) == before
        assert [d.seq for d in decisions(fork)] == [first.decision.seq, second.decision.seq]


def test_a_conflict_the_present_never_saw(store: Store) -> None:
    with forked(store) as fork:
        id = open_conflict(fork, "Code 1.", "Code 2.")
        fork.conflicts.dismiss(id)
        (step,) = apply(fork, store, "what-if")
        assert step.refused == f"There is no conflict {id} any more."


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Keep the old pump!", "keep-the-old-pump"), ("../a/b", "a-b"), ("Über Öl", "uber-ol"),
        ("a.db", "a-db"), ("x" * 41, "x" * 40), ("-a-", "a"),
    ],
)  # fmt: skip
def test_a_fork_is_named_as_one_likes_and_kept_under_a_plain_name(
    store: Store, tmp_path: Path, name: str, kept: str
) -> None:
    files.make(store, name)
    assert files.names(tmp_path / "store.db") == [kept] == [files.slug(name)]
    files.open_fork(tmp_path / "store.db", name).close()
    with pytest.raises(Refused, match="already"):
        files.make(store, kept)


@pytest.mark.parametrize("name", ["", "..", "--", "日本"])
def test_a_name_without_a_letter_or_digit_is_refused(store: Store, name: str) -> None:
    with pytest.raises(Refused, match="letter or a digit"):
        files.make(store, name)


def test_listing_discarding_and_what_is_not_there(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with pytest.raises(Refused, match="There is no event 999"):
        files.make(store, "far", 999)
    assert files.names(path) == []
    forked(store, "two").close()
    forked(store, "one").close()
    assert files.names(path) == ["one", "two"]
    with pytest.raises(Refused, match="already"):
        files.make(store, "one")
    files.discard(path, "one")
    assert files.names(path) == ["two"]
    for act in (files.discard, files.open_fork):
        with pytest.raises(Refused, match="There is no fork one"):
            act(path, "one")
    assert store.verify() == []


EXAMPLES = 1000 if os.environ.get("BELIE_CAMPAIGN") == "full" else 15
NAMES = ["keep first", "keep last", "dismiss", "resolve", "snooze", "reopen", "undo", "replace"]
WAYS = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 2)), max_size=8)


def decide(store: Store, way: str, ids: list[str], which: int) -> None:
    """One decision, as far as it makes sense; the same in any store of the same state."""
    id = ids[which]
    conflict = store.conflicts.get(id)
    assert conflict is not None
    members = conflict.members
    try:
        match way:
            case "keep first":
                store.conflicts.keep(id, members[0])
            case "keep last":
                store.conflicts.keep(id, members[-1])
            case "dismiss":
                store.conflicts.dismiss(id)
            case "resolve":
                store.conflicts.resolve(id, winner=members[0])
            case "snooze":
                store.conflicts.snooze(id, "2999-01-01")
            case "reopen":
                store.conflicts.reopen(id)
            case "undo":
                store.ledger.undo()
            case "replace":
                store.claims.supersede(members[0], members[-1])
    except Refused:
        pass


@pytest.mark.campaign
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=WAYS, inside=WAYS)
def test_fork_then_apply_equals_deciding_directly(
    before: list[tuple[str, int]], inside: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("forks")
    with Store.open(folder / "store.db") as store:
        save(store, note("a.md", *(f"Code {n}." for n in range(6))))
        ids = [
            open_conflict(store, "Code 0.", "Code 1.", slot="a"),
            open_conflict(store, "Code 1.", "Code 2.", "Code 3.", slot="b"),
            open_conflict(store, "Code 4.", "Code 5.", slot="c"),
        ]
        for way, which in before:
            decide(store, way, ids, which)
    shutil.copy(folder / "store.db", folder / "direct.db")
    with Store.open(folder / "store.db") as store, Store.open(folder / "direct.db") as direct:
        with forked(store) as fork:
            for way, which in inside:
                decide(fork, way, ids, which)
                decide(direct, way, ids, which)
            assert state(fork) == state(direct)
            assert fork.verify() == []
            steps = apply(fork, store, "what-if")
        assert [step.refused for step in steps if step.refused] == []
        assert state(store) == state(direct)
        assert store.verify() == []
    shutil.rmtree(folder)
