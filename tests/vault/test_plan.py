"""A plan sorts every path into what became of it, and never takes "cannot see it" for "deleted"."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from app.vault.hashing import hash_bytes, hash_file
from app.vault.plan import Move, Plan, plan
from app.vault.settings import VaultSettings
from app.vault.walk import TOO_LARGE, Ignored, Seen, Unreadable, Walk, walk, walk_if_there
from app.words import Known

LATER = 100_000_000_000
"""A clock reading long after every file time used here."""


def known(*notes: Known) -> dict[str, Known]:
    return {note.path: note for note in notes}


def note(path: str, text: str = "text", mtime: int = 1, inode: int = 1) -> Known:
    return Known(path, len(text), mtime, inode, hash_bytes(text.encode()), LATER)


def seen(path: str, text: str = "text", mtime: int = 1, inode: int = 1) -> Seen:
    return Seen(path, len(text), mtime, inode)


def hashes(**texts: str | None) -> Callable[[str], str | None]:
    """Answers for these notes (named without .md) only; asking for another is an error."""
    given_texts = {f"{name}.md": text for name, text in texts.items()}

    def hash_of(path: str) -> str | None:
        text = given_texts[path]
        return None if text is None else hash_bytes(text.encode())

    return hash_of


def test_same_stat_is_unchanged_without_a_hash() -> None:
    assert plan(Walk((seen("a.md"),)), known(note("a.md")), hashes()) == Plan(unchanged=("a.md",))


def test_other_size_time_or_inode_is_hashed() -> None:
    was = known(note("a.md"))
    for now, text in [(seen("a.md", "other"), "other"), (seen("a.md", "next"), "next")]:
        assert plan(Walk((now._replace(mtime_ns=2),)), was, hashes(a=text)).modified == ("a.md",)
    assert plan(Walk((seen("a.md", inode=2),)), was, hashes(a="next")).modified == ("a.md",)


def test_same_content_under_another_stat_is_touched() -> None:
    for now in (seen("a.md", mtime=2), seen("a.md", inode=2)):
        found = plan(Walk((now,)), known(note("a.md")), hashes(a="text"))
        assert found == Plan(touched=("a.md",)) and found.is_empty


def test_a_time_close_to_the_last_reading_is_not_trusted() -> None:
    at = 50_000_000_000
    for mtime, asked in [(at + 1, True), (at, True), (at - 2_000_000_000, True), (at - 2_000_000_001, False)]:
        was = known(note("a.md", "text", mtime)._replace(indexed_ns=at))
        calls: list[str] = []

        def hash_of(path: str, calls: list[str] = calls) -> str:
            calls.append(path)
            return hash_bytes(b"next")

        found = plan(Walk((seen("a.md", "next", mtime),)), was, hash_of)
        assert bool(calls) == asked, mtime
        assert found == (Plan(modified=("a.md",)) if asked else Plan(unchanged=("a.md",)))


def test_a_note_read_too_soon_is_noted_anew_and_then_rests() -> None:
    was = note("a.md")._replace(indexed_ns=0)
    assert plan(Walk((seen("a.md"),)), known(was), hashes(a="text")).touched == ("a.md",)
    assert plan(Walk((seen("a.md"),)), known(was._replace(indexed_ns=LATER)), hashes()).unchanged == ("a.md",)


def test_a_suspect_is_hashed_although_its_stat_is_the_same() -> None:
    was, now = known(note("a.md")), Walk((seen("a.md"),))
    assert plan(now, was, hashes(a="next"), suspects={"a.md"}).modified == ("a.md",)
    assert plan(now, was, hashes(a="text"), suspects={"a.md"}) == Plan(unchanged=("a.md",))


def test_a_changed_note_that_cannot_be_read_is_unreadable() -> None:
    found = plan(Walk((seen("a.md", mtime=2),)), known(note("a.md")), hashes(a=None))
    assert found == Plan(unreadable=("a.md",))


def test_new_and_deleted() -> None:
    found = plan(Walk((seen("b.md", "longer text"),)), known(note("a.md")), hashes())
    assert found == Plan(new=("b.md",), deleted=("a.md",))


def test_a_first_index_hashes_nothing() -> None:
    found = plan(Walk((seen("a.md"), seen("b.md"))), {}, hashes())
    assert found == Plan(new=("a.md", "b.md"))


def test_a_move_is_found_by_content() -> None:
    found = plan(Walk((seen("b.md"),)), known(note("a.md")), hashes(b="text"))
    assert found == Plan(moved=(Move("a.md", "b.md", hash_bytes(b"text")),))
    found = plan(Walk((seen("b.md", "next"),)), known(note("a.md")), hashes(b="next"))
    assert found == Plan(new=("b.md",), deleted=("a.md",))


def test_an_arrival_that_may_be_a_move_but_cannot_be_read() -> None:
    found = plan(Walk((seen("b.md"),)), known(note("a.md")), hashes(b=None))
    assert found == Plan(deleted=("a.md",), unreadable=("b.md",))


def test_a_copy_is_new_and_the_original_stays() -> None:
    found = plan(Walk((seen("a.md"), seen("b.md"))), known(note("a.md")), hashes())
    assert found == Plan(new=("b.md",), unchanged=("a.md",))


def test_equal_notes_move_by_name_first_then_in_order() -> None:
    was = known(note("old/x.md"), note("old/y.md"), note("old/z.md"))
    now = Walk((seen("a.md"), seen("b.md"), seen("new/y.md")))
    found = plan(now, was, lambda _: hash_bytes(b"text"))
    assert [move[:2] for move in found.moved] == [
        ("old/x.md", "a.md"),
        ("old/y.md", "new/y.md"),
        ("old/z.md", "b.md"),
    ]


def test_one_note_went_and_two_copies_came() -> None:
    now = Walk((seen("a.md"), seen("sub/x.md")))
    found = plan(now, known(note("x.md")), lambda _: hash_bytes(b"text"))
    assert [move[:2] for move in found.moved] == [("x.md", "sub/x.md")]
    assert found.new == ("a.md",)


def test_empty_notes_never_move() -> None:
    found = plan(Walk((seen("b.md", ""),)), known(note("a.md", "")), hashes())
    assert found == Plan(new=("b.md",), deleted=("a.md",))


def test_everything_below_an_unreadable_folder_is_unreadable() -> None:
    was = known(note("p/a.md"), note("p/q/b.md"), note("pp/c.md"), note("d.md"))
    found = plan(Walk((seen("d.md"),), (), (Unreadable("p", "permission denied"),)), was, hashes())
    assert found == Plan(deleted=("pp/c.md",), unchanged=("d.md",), unreadable=("p/a.md", "p/q/b.md"))


def test_a_note_below_an_unreadable_folder_is_no_source_of_a_move() -> None:
    now = Walk((seen("copy.md"),), (), (Unreadable("p", "permission denied"),))
    assert plan(now, known(note("p/a.md")), hashes()) == Plan(new=("copy.md",), unreadable=("p/a.md",))


def test_a_note_that_cannot_be_looked_at_is_unreadable() -> None:
    found = plan(Walk((), (), (Unreadable("a.md", "input/output error"),)), known(note("a.md")), hashes())
    assert found == Plan(unreadable=("a.md",))


def test_a_note_that_outgrew_the_limit_is_present() -> None:
    found = plan(Walk((), (Ignored("a.md", TOO_LARGE),)), known(note("a.md")), hashes())
    assert found == Plan(unreadable=("a.md",))


def test_a_note_replaced_by_a_link_is_gone() -> None:
    found = plan(Walk((), (Ignored("a.md", "link out of the vault"),)), known(note("a.md")), hashes())
    assert found == Plan(deleted=("a.md",))


def test_a_missing_or_unmounted_vault_deletes_nothing(tmp_path: Path) -> None:
    was = known(note("a.md"), note("sub/b.md"))
    for root in (tmp_path / "nowhere", tmp_path):
        found = plan(walk_if_there(root, VaultSettings()), was, hashes())
        assert found == Plan(unreadable=("a.md", "sub/b.md"))
    (tmp_path / "picture.png").touch()
    assert plan(walk(tmp_path, VaultSettings()), was, hashes()) == Plan(deleted=("a.md", "sub/b.md"))


# Properties

_paths = st.builds(
    lambda folder, name: f"{folder}{name}.md",
    st.sampled_from(["", "p/", "p/q/", "r/"]),
    st.sampled_from("abcd"),
)
_texts = st.sampled_from(["", "one", "two", "three"])
_files = st.dictionaries(_paths, st.tuples(_texts, st.integers(0, 3), st.integers(1, 3)), max_size=10)
_blocked = st.sets(st.sampled_from(["", "p", "p/q", "a.md", "r/b.md"]), max_size=2)
_indexed = st.sampled_from([0, 1, LATER])


class World:
    """A vault as files (path to text, time, inode), some of which cannot be read."""

    def __init__(
        self, files: Mapping[str, tuple[str, int, int]], blocked: set[str], mute: set[str], order: int
    ) -> None:
        self.files = dict(files)
        self.mute = mute
        visible = [
            Seen(path, len(text), mtime, inode)
            for path, (text, mtime, inode) in files.items()
            if not any(path == top or path.startswith(f"{top}/") or not top for top in blocked)
        ]
        unreadable = [Unreadable(path, "permission denied") for path in blocked]
        shuffle = random.Random(order).shuffle
        shuffle(visible)
        shuffle(unreadable)
        self.walk = Walk(tuple(visible), (), tuple(unreadable), not files)

    def hash_of(self, path: str) -> str | None:
        return None if path in self.mute else hash_bytes(self.files[path][0].encode())


def remembered(files: Mapping[str, tuple[str, int, int]], indexed: int, order: int) -> dict[str, Known]:
    rows = [
        Known(path, len(text), mtime, inode, hash_bytes(text.encode()), indexed)
        for path, (text, mtime, inode) in files.items()
    ]
    random.Random(order).shuffle(rows)
    return known(*rows)


def apply(found: Plan, world: World, was: Mapping[str, Known]) -> dict[str, Known]:
    """What an index that carries out the plan knows afterwards."""
    after = dict(was)
    stats = {note.path: note for note in world.walk.seen}
    for path in found.deleted:
        del after[path]
    for move in found.moved:
        del after[move.old]
    for path in (*found.new, *found.modified, *found.touched, *(move.new for move in found.moved)):
        content_hash = world.hash_of(path)
        if content_hash is not None:
            after[path] = Known(*stats[path], content_hash, LATER)
    return after


@given(_files, _files, _blocked, st.sets(_paths, max_size=2), _indexed, st.sets(_paths, max_size=2))
def test_every_path_lands_in_exactly_one_class(
    before: dict[str, tuple[str, int, int]],
    now: dict[str, tuple[str, int, int]],
    blocked: set[str],
    mute: set[str],
    indexed: int,
    suspects: set[str],
) -> None:
    world, was = World(now, blocked, mute, 0), remembered(before, indexed, 0)
    found = plan(world.walk, was, world.hash_of, suspects=suspects)
    placed = [
        *found.new,
        *found.modified,
        *found.deleted,
        *found.touched,
        *found.unchanged,
        *found.unreadable,
        *(move.old for move in found.moved),
        *(move.new for move in found.moved),
    ]
    assert sorted(placed) == sorted(was.keys() | {note.path for note in world.walk.seen})


@given(_files, _files, _blocked, st.sets(_paths, max_size=2), _indexed)
def test_carrying_out_a_plan_leaves_nothing_to_do(
    before: dict[str, tuple[str, int, int]],
    now: dict[str, tuple[str, int, int]],
    blocked: set[str],
    mute: set[str],
    indexed: int,
) -> None:
    world, was = World(now, blocked, mute, 0), remembered(before, indexed, 0)
    after = apply(plan(world.walk, was, world.hash_of), world, was)
    again = plan(world.walk, after, world.hash_of)
    assert again.modified == again.deleted == again.moved == again.touched == ()
    # A note that could not be read is still to be had, and stays so until it can.
    assert set(again.new) <= mute
    if not mute and not blocked and now:
        assert again.unchanged == tuple(sorted(now)) and again.unreadable == ()


@given(
    _files, _files, _blocked, st.sets(_paths, max_size=2), _indexed, st.integers(1, 99), st.integers(1, 99)
)
def test_the_order_of_what_comes_in_does_not_matter(
    before: dict[str, tuple[str, int, int]],
    now: dict[str, tuple[str, int, int]],
    blocked: set[str],
    mute: set[str],
    indexed: int,
    one: int,
    other: int,
) -> None:
    a, b = World(now, blocked, mute, one), World(now, blocked, mute, other)
    assert plan(a.walk, remembered(before, indexed, one), a.hash_of) == plan(
        b.walk, remembered(before, indexed, other), b.hash_of
    )


@given(_files, _files, _blocked)
def test_what_cannot_be_seen_is_never_deleted_or_moved(
    before: dict[str, tuple[str, int, int]], now: dict[str, tuple[str, int, int]], blocked: set[str]
) -> None:
    world, was = World(now, blocked, set(), 0), remembered(before, LATER, 0)
    found = plan(world.walk, was, world.hash_of)
    for path in (*found.deleted, *(move.old for move in found.moved)):
        assert path not in now
        assert not any(path == top or path.startswith(f"{top}/") or not top for top in blocked)


def test_on_a_real_folder(tmp_path: Path) -> None:
    def hash_of(path: str) -> str | None:
        return hash_file(tmp_path / path)

    for name in ("same", "edited", "gone", "moving", "touched"):
        (tmp_path / f"{name}.md").write_text(f"about {name}")
    first = walk(tmp_path, VaultSettings())
    was = {
        item.path: Known(*item, hash_of(item.path) or "", item.mtime_ns + 3_000_000_000)
        for item in first.seen
    }
    assert plan(first, was, hash_of).unchanged == tuple(sorted(was))

    (tmp_path / "edited.md").write_text("about something else")
    (tmp_path / "gone.md").unlink()
    (tmp_path / "sub").mkdir()
    (tmp_path / "moving.md").rename(tmp_path / "sub" / "moved.md")
    os.utime(tmp_path / "touched.md", ns=(1, 1))
    (tmp_path / "fresh.md").write_text("nothing known of this")
    assert plan(walk(tmp_path, VaultSettings()), was, hash_of) == Plan(
        new=("fresh.md",),
        modified=("edited.md",),
        deleted=("gone.md",),
        moved=(Move("moving.md", "sub/moved.md", hash_bytes(b"about moving")),),
        touched=("touched.md",),
        unchanged=("same.md",),
    )
