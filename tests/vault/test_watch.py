"""A watcher notices every way of saving, and one save leads to one update."""

from __future__ import annotations

import errno
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.vault import watch_inotify
from app.vault.hashing import hash_file
from app.vault.plan import Plan, plan
from app.vault.settings import VaultSettings
from app.vault.walk import walk_if_there
from app.vault.watch import Watcher
from app.vault.watch_batch import Batch
from app.vault.watch_observer import (
    Lost,
    Observer,
    ObserverFactory,
    RecursiveObserver,
    Touched,
    system_observer,
)
from app.words import Known
from tests.vault.editors import WAYS, Save, git, real_vim

# Watchdog's own recursive observer says this of itself now and then; it does no harm.
pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")

PATIENCE = 20.0
SETTINGS = VaultSettings()
BEFORE = "The garage code is 4411.\n"
AFTER = BEFORE + "It was changed to 0087.\nNobody wrote it down.\n"


def no_watches_left(root: Path, touched: Touched, lost: Lost) -> Observer:
    raise OSError(errno.ENOSPC, "inotify watch limit reached")


class Desk:
    """A vault, a watcher on it, and an index that carries out each plan at once.

    Hold `busy` while saving: looking waits for it, so that a slow machine cannot make two updates of one.
    """

    def __init__(
        self,
        root: Path,
        factory: ObserverFactory = system_observer,
        *,
        poll: float = 0.05,
        rescan: float = 3600.0,
    ) -> None:
        self.root = root
        self.busy = threading.Lock()
        self.hints: list[frozenset[str] | None] = []
        self.plans: list[Plan] = []
        self.modes: list[str] = []
        self.known: dict[str, Known] = {}
        self._news = threading.Condition()
        self.watcher = Watcher(
            root,
            SETTINGS,
            self._look,
            on_mode=self._note_mode,
            rescan=rescan,
            poll=poll,
            observer_factory=factory,
        )

    def open(self) -> None:
        self.watcher.start()
        self._update(None)

    @property
    def changes(self) -> list[Plan]:
        return [found._replace(unchanged=(), touched=()) for found in self.plans if not found.is_empty]

    def wait(self, until: Callable[[], object], what: str) -> None:
        with self._news:
            assert self._news.wait_for(until, PATIENCE), f"{what}: hints {self.hints}, modes {self.modes}"

    def wait_for_plan(self, test: Callable[[Plan], object], what: str, since: int = 0) -> None:
        """Wait for a plan like this, the first `since` plans left aside."""
        self.wait(lambda: any(test(found) for found in self.plans[since:]), what)

    def wait_for_change(self) -> None:
        self.wait(lambda: self.changes, "no change was seen")

    def settle(self) -> list[Plan]:
        """The changes so far; whatever the watcher still had to say about them has been said."""
        with self.busy:
            (self.root / "sentinel.md").write_text("a last word")
        self.wait_for_plan(lambda found: "sentinel.md" in found.new, "no sentinel was seen")
        return [found for found in self.changes if found.new != ("sentinel.md",)]

    def hinted(self) -> set[str]:
        """Every path hinted at; there must have been no hint at everything."""
        assert None not in self.hints
        return {path for hint in self.hints for path in hint or ()} - {"sentinel.md"}

    def _look(self, hint: frozenset[str] | None) -> None:
        with self.busy:
            found = self._update(hint)
        with self._news:
            self.hints.append(hint)
            self.plans.append(found)
            self._news.notify_all()

    def _update(self, hint: frozenset[str] | None) -> Plan:
        now = time.time_ns()
        seen = walk_if_there(self.root, SETTINGS)
        found = plan(seen, self.known, self._hash_of, suspects=hint or ())
        stats = {note.path: note for note in seen.seen}
        for path in (*found.deleted, *(move.old for move in found.moved)):
            del self.known[path]
        for path in (*found.new, *found.modified, *found.touched, *(move.new for move in found.moved)):
            self.known[path] = Known(*stats[path], self._hash_of(path) or "", now)
        return found

    def _hash_of(self, path: str) -> str | None:
        return hash_file(self.root / path)

    def _note_mode(self, mode: str) -> None:
        with self._news:
            self.modes.append(mode)
            self._news.notify_all()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    (folder / "sub").mkdir(parents=True)
    (folder / "note.md").write_text(BEFORE)
    (folder / "sub" / "a.md").write_text("Alpha.\n")
    (folder / "sub" / "b.md").write_text("Beta.\n")
    return folder


@pytest.fixture(params=[system_observer, RecursiveObserver, no_watches_left])
def any_desk(root: Path, request: pytest.FixtureRequest) -> Iterator[Desk]:
    """Watching by each observer, and polling."""
    desk = Desk(root, request.param)
    desk.open()
    assert desk.watcher.mode == ("polling" if request.param is no_watches_left else "watching")
    yield desk
    desk.watcher.stop()


@pytest.fixture
def desk(root: Path) -> Iterator[Desk]:
    desk = Desk(root)
    desk.open()
    yield desk
    desk.watcher.stop()


# Saving a note


@pytest.mark.parametrize("save", [pytest.param(save, id=name) for name, save in WAYS.items()])
def test_each_way_of_saving_is_one_update(any_desk: Desk, save: Save) -> None:
    with any_desk.busy:
        save(any_desk.root / "note.md", AFTER)
    any_desk.wait_for_change()
    assert any_desk.settle() == [Plan(modified=("note.md",))]
    assert (any_desk.root / "note.md").read_text() == AFTER
    assert any_desk.hinted() == {"note.md"}


@pytest.mark.skipif(shutil.which("vim") is None, reason="vim is not installed")
@pytest.mark.parametrize("backupcopy", ["no", "yes", "auto"])
def test_vim_itself(desk: Desk, backupcopy: str) -> None:
    with desk.busy:
        real_vim(desk.root / "note.md", AFTER, backupcopy)
    desk.wait_for_change()
    assert desk.settle() == [Plan(modified=("note.md",))]
    assert (desk.root / "note.md").read_text() == AFTER
    assert desk.hinted() == {"note.md"}


def test_saving_in_a_folder_below(any_desk: Desk) -> None:
    with any_desk.busy:
        WAYS["vim"](any_desk.root / "sub" / "a.md", AFTER)
    any_desk.wait_for_change()
    assert any_desk.settle() == [Plan(modified=("sub/a.md",))]


def test_git_checkout_of_another_branch(any_desk: Desk) -> None:
    repo = any_desk.root
    with any_desk.busy:
        git(repo, "init", "-q", "-b", "first")
        for number in range(150):
            (repo / f"n{number:03}.md").write_text(f"Number {number}.\n")
        git(repo, "add", ".")
        git(repo, "commit", "-q", "-m", "first")
        git(repo, "checkout", "-q", "-b", "second")
        for number in range(100):
            (repo / f"n{number:03}.md").write_text(f"Number {number} is another now.\n")
        for number in range(100, 125):
            (repo / f"n{number:03}.md").unlink()
        (repo / "more" / "deep").mkdir(parents=True)
        (repo / "more" / "deep" / "x.md").write_text("Only on the second branch.\n")
        git(repo, "add", "-A", ".")
        git(repo, "commit", "-q", "-m", "second")
        git(repo, "checkout", "-q", "first")
    any_desk.wait_for_change()
    any_desk.settle()
    seen_before = len(any_desk.plans)

    with any_desk.busy:
        git(repo, "checkout", "-q", "second")
    any_desk.wait_for_plan(lambda found: found.modified, "no checkout was seen", seen_before)
    (repo / "sentinel.md").unlink()
    any_desk.wait_for_plan(lambda found: "sentinel.md" in found.deleted, "no end was seen")
    changes = [found for found in any_desk.plans[seen_before:] if not found.is_empty]
    assert [found.modified for found in changes if found.modified] == [
        tuple(f"n{number:03}.md" for number in range(100))
    ]
    assert changes[0].new == ("more/deep/x.md",)
    assert changes[0].deleted == tuple(f"n{number:03}.md" for number in range(100, 125))
    assert not any(path.startswith(".git") for hint in any_desk.hints for path in hint or ())


def test_a_writer_that_puts_the_old_time_back(desk: Desk) -> None:
    note = desk.root / "note.md"
    state = note.stat()
    with desk.busy:
        # Long known, so that the time alone would be trusted.
        desk.known["note.md"] = desk.known["note.md"]._replace(indexed_ns=state.st_mtime_ns + 10**10)
        with note.open("r+") as file:
            file.write(BEFORE.replace("4411", "0087"))
        os.utime(note, ns=(state.st_atime_ns, state.st_mtime_ns))
    desk.wait_for_change()
    assert desk.settle() == [Plan(modified=("note.md",))]


def test_touching_changes_nothing(any_desk: Desk) -> None:
    with any_desk.busy:
        os.utime(any_desk.root / "note.md", (1, 1))
    any_desk.wait_for_plan(lambda found: "note.md" in found.touched, "no touch was seen")
    assert any_desk.settle() == []


def test_reading_and_noise_lead_to_no_hint(desk: Desk) -> None:
    for folder in (".git/objects/ab", "node_modules/pkg", "logseq/bak"):
        (desk.root / folder).mkdir(parents=True)
        (desk.root / folder / "note.md").write_text("not a note of this vault")
    for name in (".note.md.swp", "note.md~", "4913", "photo.png", "note (conflicted copy 2026-01-01).md"):
        (desk.root / name).write_text("noise")
        (desk.root / name).unlink()
    (desk.root / "note.md").read_text()
    assert desk.settle() == []
    assert desk.hinted() == {"logseq"}  # a folder like any other; only its backups are left out


# Files and folders come, go and move


def test_a_note_is_made_renamed_and_deleted(any_desk: Desk) -> None:
    old, new = any_desk.root / "sub" / "Case.md", any_desk.root / "sub" / "case.md"
    with any_desk.busy:
        old.write_text("Case only.\n")
    any_desk.wait(lambda: len(any_desk.changes) == 1, "it was not seen to be made")
    with any_desk.busy:
        old.rename(new)
    any_desk.wait(lambda: len(any_desk.changes) == 2, "it was not seen to be renamed")
    with any_desk.busy:
        new.unlink()
    any_desk.wait(lambda: len(any_desk.changes) == 3, "it was not seen to be deleted")
    made, renamed, deleted = any_desk.settle()
    assert made.new == ("sub/Case.md",)
    assert [move[:2] for move in renamed.moved] == [("sub/Case.md", "sub/case.md")]
    assert deleted.deleted == ("sub/case.md",)


def test_a_renamed_folder_keeps_being_watched(any_desk: Desk) -> None:
    with any_desk.busy:
        (any_desk.root / "sub").rename(any_desk.root / "renamed")
    any_desk.wait_for_change()
    (change,) = any_desk.settle()
    assert [move[:2] for move in change.moved] == [("sub/a.md", "renamed/a.md"), ("sub/b.md", "renamed/b.md")]
    with any_desk.busy:
        WAYS["atomic"](any_desk.root / "renamed" / "a.md", AFTER)
    any_desk.wait_for_plan(lambda found: found.modified == ("renamed/a.md",), "the folder is not watched")


def test_a_folder_that_leaves_the_vault_and_returns(any_desk: Desk) -> None:
    outside = any_desk.root.parent / "outside"
    with any_desk.busy:
        (any_desk.root / "sub").rename(outside)
    any_desk.wait_for_change()
    with any_desk.busy:
        (outside / "a.md").write_text(AFTER)
    assert any_desk.settle() == [Plan(deleted=("sub/a.md", "sub/b.md"))]
    with any_desk.busy:
        outside.rename(any_desk.root / "sub")
    any_desk.wait_for_plan(lambda found: found.new == ("sub/a.md", "sub/b.md"), "its return was not seen")
    with any_desk.busy:
        (any_desk.root / "sub" / "b.md").write_text(AFTER)
    any_desk.wait_for_plan(lambda found: found.modified == ("sub/b.md",), "the folder is not watched")


def test_nothing_is_said_of_a_folder_that_left(desk: Desk) -> None:
    outside = desk.root.parent / "outside"
    with desk.busy:
        (desk.root / "sub").rename(outside)
    desk.wait_for_change()
    (outside / "a.md").write_text(AFTER)
    desk.settle()
    assert desk.hinted() == {"sub"}


def test_a_folder_is_deleted_and_made_again(any_desk: Desk) -> None:
    with any_desk.busy:
        shutil.rmtree(any_desk.root / "sub")
        (any_desk.root / "sub").mkdir()
        (any_desk.root / "sub" / "a.md").write_text(AFTER)
    any_desk.wait_for_change()
    assert any_desk.settle() == [Plan(modified=("sub/a.md",), deleted=("sub/b.md",))]
    with any_desk.busy:
        (any_desk.root / "sub" / "a.md").write_text(BEFORE)
    again = Plan(modified=("sub/a.md",))
    any_desk.wait(lambda: again in any_desk.changes, "the folder is not watched")


def test_nested_folders_made_faster_than_they_can_be_watched(any_desk: Desk) -> None:
    paths = [f"t{number}/x/y/z/note.md" for number in range(25)]
    with any_desk.busy:
        for path in paths:
            (any_desk.root / path).parent.mkdir(parents=True)
            (any_desk.root / path).write_text(f"In {path}.\n")
    any_desk.wait(lambda: set(paths) <= any_desk.known.keys(), "a note was missed")
    assert sorted(path for found in any_desk.settle() for path in found.new) == sorted(paths)
    for path in (paths[0], paths[-1]):
        with any_desk.busy:
            (any_desk.root / path).write_text(AFTER)
        now = Plan(modified=(path,))
        any_desk.wait(lambda now=now: now in any_desk.changes, f"{path} is not watched")


# The vault goes away, watches run out


@pytest.mark.parametrize("leave", ["deleted", "moved"])
def test_a_vault_that_goes_away_and_comes_back(any_desk: Desk, leave: str) -> None:
    any_desk.settle()
    began_watching = any_desk.watcher.mode == "watching"
    away = any_desk.root.with_name("away")
    with any_desk.busy:
        if leave == "moved":
            any_desk.root.rename(away)
        else:
            shutil.copytree(any_desk.root, away)
            shutil.rmtree(any_desk.root)
    any_desk.wait_for_plan(lambda found: len(found.unreadable) == 4, "it was not seen to go")
    any_desk.wait(lambda: None in any_desk.hints and any_desk.modes[-1] == "polling", "no word of its going")
    gone = len(any_desk.plans)
    with any_desk.busy:
        away.rename(any_desk.root)
    any_desk.wait_for_plan(lambda found: not found.unreadable, "it was not seen to come back", gone)
    any_desk.wait(lambda: None in any_desk.hints[gone:], "no word of its coming back")
    assert not any(found.deleted or found.modified for found in any_desk.plans)
    if began_watching:
        assert any_desk.modes == ["watching", "polling", "watching"]
    with any_desk.busy:
        WAYS["vim"](any_desk.root / "note.md", AFTER)
    any_desk.wait_for_plan(lambda found: found.modified == ("note.md",), "it is no longer watched")


def test_another_folder_is_put_in_the_vaults_place(any_desk: Desk) -> None:
    other = any_desk.root.with_name("other")
    other.mkdir()
    (other / "note.md").write_text(AFTER)
    with any_desk.busy:
        any_desk.root.rename(any_desk.root.with_name("away"))
        other.rename(any_desk.root)
    any_desk.wait_for_change()
    assert any_desk.changes == [Plan(modified=("note.md",), deleted=("sub/a.md", "sub/b.md"))]
    any_desk.settle()


def test_a_vault_that_is_not_there_yet(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "vault")
    desk.open()
    assert desk.watcher.mode == "polling" and desk.modes == ["polling"]
    with desk.busy:
        desk.root.mkdir()
        (desk.root / "note.md").write_text(BEFORE)
    desk.wait_for_change()
    assert desk.changes == [Plan(new=("note.md",))]
    assert desk.modes == ["polling", "watching"]
    desk.watcher.stop()


def test_a_vault_behind_a_link(root: Path) -> None:
    link = root.with_name("link")
    link.symlink_to("vault")
    desk = Desk(link)
    desk.open()
    with desk.busy:
        WAYS["vim"](root / "sub" / "a.md", AFTER)
    desk.wait_for_change()
    assert desk.settle() == [Plan(modified=("sub/a.md",))]
    desk.watcher.stop()


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EMFILE])
def test_polling_when_no_watches_can_be_had(root: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    def fail() -> None:
        raise OSError(code, "inotify limit reached")

    monkeypatch.setattr(watch_inotify, "InotifyFD", fail)
    desk = Desk(root)
    desk.open()
    assert desk.modes == ["polling"]
    with desk.busy:
        WAYS["atomic"](root / "sub" / "a.md", AFTER)
    desk.wait_for_change()
    assert desk.settle() == [Plan(modified=("sub/a.md",))]
    desk.watcher.stop()


def run_out_of_watches(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Let the system grant this many more watches and no further ones."""
    real, granted = watch_inotify.InotifyFD.add_callback, iter(range(after))

    def add_callback(self: watch_inotify.InotifyFD, *rest: object) -> object:
        if next(granted, None) is None:
            raise OSError(errno.ENOSPC, "inotify watch limit reached")
        return real(self, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(watch_inotify.InotifyFD, "add_callback", add_callback)


def test_watches_that_run_out_below_the_root(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_out_of_watches(monkeypatch, after=1)
    desk = Desk(root)
    desk.open()
    assert desk.modes == ["polling"]
    with desk.busy:
        WAYS["vim"](root / "sub" / "a.md", AFTER)
    desk.wait_for_change()
    assert desk.settle() == [Plan(modified=("sub/a.md",))]
    desk.watcher.stop()


def test_watches_that_run_out_later(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert desk.modes == ["watching"]
    run_out_of_watches(monkeypatch, after=0)
    with desk.busy:
        (desk.root / "more").mkdir()
        (desk.root / "more" / "c.md").write_text("Gamma.\n")
    desk.wait(lambda: desk.modes == ["watching", "polling"], "the mode did not change")
    desk.wait_for_change()
    with desk.busy:
        (desk.root / "more" / "c.md").write_text(AFTER)
    desk.wait_for_plan(lambda found: found.modified == ("more/c.md",), "polling does not work")


def test_watches_that_can_be_had_again(root: Path) -> None:
    answers: Iterator[ObserverFactory] = iter([no_watches_left])

    def factory(root: Path, touched: Touched, lost: Lost) -> Observer:
        return next(answers, system_observer)(root, touched, lost)

    desk = Desk(root, factory, rescan=0.2)
    desk.open()
    desk.wait(lambda: desk.modes == ["polling", "watching"], "watching did not return")
    desk.watcher.stop()


def test_an_observer_that_dies_is_replaced(root: Path) -> None:
    made: list[Observer] = []

    def factory(root: Path, touched: Touched, lost: Lost) -> Observer:
        made.append(system_observer(root, touched, lost))
        return made[-1]

    desk = Desk(root, factory)
    desk.open()
    made[0].stop()
    desk.wait(lambda: len(made) == 2 and desk.hints, "it was not replaced")
    with desk.busy:
        (root / "note.md").write_text(AFTER)
    desk.wait_for_change()
    assert desk.settle() == [Plan(modified=("note.md",))]
    desk.watcher.stop()


def test_dropped_events_lead_to_a_look_at_everything(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[tuple[str | None, bool]] = []
    news = threading.Condition()

    def touched(path: str | None, is_folder: bool) -> None:
        with news:
            reports.append((path, is_folder))
            news.notify_all()

    dropped = threading.Event()
    tree = watch_inotify.InotifyTree(root, touched, lambda: None)
    tree.start()
    real = tree._handle
    monkeypatch.setattr(tree, "_handle", lambda event: dropped.set())
    (root / "unseen").mkdir()
    assert dropped.wait(PATIENCE)
    monkeypatch.setattr(tree, "_handle", real)
    tree.on_queue_overflow()
    assert reports == [(None, True)]
    (root / "unseen" / "note.md").touch()
    with news:
        assert news.wait_for(lambda: ("unseen/note.md", False) in reports, PATIENCE)
    tree.stop()


# The watcher itself


def test_a_rescan_comes_round(root: Path) -> None:
    desk = Desk(root, rescan=0.2)
    desk.open()
    desk.wait(lambda: desk.hints.count(None) >= 2, "no rescan")
    desk.watcher.stop()


def test_an_error_in_a_hint_does_not_end_the_watching(root: Path) -> None:
    calls: list[frozenset[str] | None] = []
    called = threading.Condition()

    def on_hint(hint: frozenset[str] | None) -> None:
        with called:
            calls.append(hint)
            called.notify_all()
        raise ValueError("the index is not feeling well")

    def on_mode(mode: str) -> None:
        raise ValueError("nor is the status line")

    watcher = Watcher(root, SETTINGS, on_hint, on_mode=on_mode)
    watcher.start()
    for number in (1, 2):
        (root / f"{number}.md").touch()
        with called:
            assert called.wait_for(
                lambda name=f"{number}.md": any(name in (hint or ()) for hint in calls), PATIENCE
            )
    watcher.stop()


def test_stopping_ends_every_thread_and_may_be_repeated(root: Path) -> None:
    threads, files = threading.active_count(), len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for factory in (system_observer, RecursiveObserver, no_watches_left):
        watcher = Watcher(root, SETTINGS, lambda hint: None, observer_factory=factory)
        watcher.start()
        assert threading.active_count() > threads
        watcher.stop()
        watcher.stop()
        assert threading.active_count() == threads
        assert len(os.listdir("/proc/self/fd")) == files  # noqa: PTH208
    Watcher(root, SETTINGS, lambda hint: None).stop()


def test_stopping_from_within_a_hint(root: Path) -> None:
    stopped = threading.Event()

    def on_hint(hint: frozenset[str] | None) -> None:
        watcher.stop()
        stopped.set()

    watcher = Watcher(root, SETTINGS, on_hint)
    watcher.start()
    (root / "note.md").write_text(AFTER)
    assert stopped.wait(PATIENCE)
    watcher.stop()


def test_a_watcher_starts_once(root: Path) -> None:
    watcher = Watcher(root, SETTINGS, lambda hint: None)
    watcher.start()
    with pytest.raises(RuntimeError):
        watcher.start()
    watcher.stop()


# Batches


def test_a_batch_waits_for_quiet() -> None:
    batch = Batch(0.25, longest=1.0)
    assert batch.due is None
    batch.add("a.md", 10.0)
    assert batch.due == 10.25
    batch.add("b.md", 10.125)
    batch.add("a.md", 10.125)
    assert batch.due == 10.375
    assert batch.take() == {"a.md", "b.md"}
    assert batch.due is None


def test_a_batch_does_not_wait_for_ever() -> None:
    batch = Batch(0.25, longest=1.0)
    for step in range(16):
        batch.add("a.md", 10.0 + step / 8)
    assert batch.due == 11.0
    batch.take()
    batch.add("a.md", 12.0)
    assert batch.due == 12.25


def test_a_flood_becomes_a_look_at_everything() -> None:
    batch = Batch(0.25, flood=3)
    for name in ("a.md", "b.md", "c.md"):
        batch.add(name, 10.0)
    assert batch.take() == {"a.md", "b.md", "c.md"}
    for name in ("a.md", "b.md", "c.md", "d.md", "e.md"):
        batch.add(name, 11.0)
    assert batch.take() is None
    batch.add("a.md", 12.0)
    assert batch.take() == {"a.md"}


def test_everything_takes_in_each_single_path() -> None:
    batch = Batch(0.25)
    batch.add("a.md", 10.0)
    batch.add(None, 10.0)
    batch.add("b.md", 10.0)
    assert batch.take() is None
