"""A walk finds the notes, and says what it left out and why."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from app.vault import hashing, noise
from app.vault import walk as walking
from app.vault.settings import VaultSettings
from app.vault.walk import Ignored, Unreadable, VaultError, walk, walk_if_there

SETTINGS = VaultSettings(max_bytes=1000)


def put(root: Path, *names: str, text: str = "x") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def seen(root: Path, settings: VaultSettings = SETTINGS) -> list[str]:
    return [note.path for note in walk(root, settings).seen]


def reasons(root: Path, settings: VaultSettings = SETTINGS) -> dict[str, str]:
    return dict(walk(root, settings).ignored)


def test_notes_come_sorted_with_their_stat(tmp_path: Path) -> None:
    put(tmp_path, "b.md", "a/z.markdown", "a/UPPER.MD", "ä.md", "a b/c.md")
    found = walk(tmp_path, SETTINGS)
    assert [note.path for note in found.seen] == ["a b/c.md", "a/UPPER.MD", "a/z.markdown", "b.md", "ä.md"]
    for note in found.seen:
        state = (tmp_path / note.path).stat()
        assert note[1:] == (state.st_size, state.st_mtime_ns, state.st_ino)
    assert found.ignored == () and found.unreadable == () and not found.bare


def test_other_files_are_neither_notes_nor_worth_mentioning(tmp_path: Path) -> None:
    put(tmp_path, "photo.png", "data.json", "notes.txt", "md", "readme.md.txt", "sedXk3J2p")
    found = walk(tmp_path, SETTINGS)
    assert found.seen == () and found.ignored == () and not found.bare


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (".foo.md.swp", noise.EDITOR_SWAP),
        (".foo.md.swo", noise.EDITOR_SWAP),
        ("foo.md~", noise.EDITOR_BACKUP),
        ("#foo.md#", noise.EDITOR_BACKUP),
        (".#foo.md", noise.EDITOR_LOCK),
        ("4913", noise.EDITOR_TEMP),
        ("foo.tmp", noise.EDITOR_TEMP),
        ("foo.md.tmp", noise.EDITOR_TEMP),
        ("foo.md.tmp.1234", noise.EDITOR_TEMP),
        ("foo.md.sb-1a2b3c4d-Xyz123", noise.EDITOR_TEMP),
        (".goutputstream-AB12CD", noise.EDITOR_TEMP),
        (".syncthing.foo.md.tmp", noise.SYNC_TEMP),
        (".dropbox", noise.SYNC_TEMP),
        (".dropbox.attr", noise.SYNC_TEMP),
        (".foo.md.Xy12Zw", noise.SYNC_TEMP),
        (".foo.md.icloud", noise.PLACEHOLDER),
        (".hidden.md", noise.HIDDEN_FILE),
        (".DS_Store", noise.HIDDEN_FILE),
        ("foo.sync-conflict-20260101-120000-ABCDEFG.md", noise.CONFLICT_COPY),
        ("foo (conflicted copy 2026-01-01).md", noise.CONFLICT_COPY),
        ("foo (Bob's conflicted copy 2026-01-01).md", noise.CONFLICT_COPY),
        ("foo (Conflicted copy laptop 202601011200).md", noise.CONFLICT_COPY),
        ("foo (Case Conflict).md", noise.CONFLICT_COPY),
        ("foo (Case Conflict 1).md", noise.CONFLICT_COPY),
        ("foo (SFConflict bob@example.org 2026-01-01-12-00-00).md", noise.CONFLICT_COPY),
        ("foo_conflict-20260101-120000.md", noise.CONFLICT_COPY),
    ],
)
def test_noise_is_left_out_with_a_reason(tmp_path: Path, name: str, reason: str) -> None:
    put(tmp_path, f"sub/{name}", "sub/note.md")
    assert seen(tmp_path) == ["sub/note.md"]
    assert reasons(tmp_path) == {f"sub/{name}": reason}
    assert not noise.concerns_notes(f"sub/{name}", False)


@pytest.mark.parametrize(
    "name",
    [
        "Conflict.md",
        "conflicted copy.md",
        "How to merge a conflicted copy.md",
        "Merge CONFLICTS.md",
        "sync-conflict handling.md",
        "foo-DESKTOP-ABC123.md",
        "#tag.md",
        "~draft.md",
        "tmp.md",
        "4913.md",
        "a\nb.md",
        "$(rm -rf ~); `x` 'y'.md",
    ],
)
def test_odd_names_that_are_notes(tmp_path: Path, name: str) -> None:
    put(tmp_path, name)
    assert seen(tmp_path) == [name]
    assert noise.concerns_notes(name, False)


@pytest.mark.parametrize(
    ("folder", "reason"),
    [
        (".obsidian", noise.HIDDEN_FOLDER),
        (".git", noise.HIDDEN_FOLDER),
        (".trash", noise.HIDDEN_FOLDER),
        ("code/node_modules", noise.PROGRAM_FOLDER),
        ("graph/logseq/bak", noise.LOGSEQ_BACKUP),
        ("logseq/bak", noise.LOGSEQ_BACKUP),
        ("logseq/.recycle", noise.HIDDEN_FOLDER),
    ],
)
def test_folders_that_are_not_entered(tmp_path: Path, folder: str, reason: str) -> None:
    put(tmp_path, f"{folder}/deep/down/note.md", "note.md")
    assert seen(tmp_path) == ["note.md"]
    assert reasons(tmp_path) == {folder: reason}
    assert not noise.concerns_notes(f"{folder}/deep/down/note.md", False)
    assert not noise.concerns_notes(folder, True)


def test_folders_that_merely_resemble_those_are_entered(tmp_path: Path) -> None:
    names = ["bak/a.md", "logseq/pages/b.md", "my node_modules/c.md", "x.md/inner.md"]
    put(tmp_path, *names)
    assert seen(tmp_path) == sorted(names)


def test_what_the_person_leaves_out(tmp_path: Path) -> None:
    put(tmp_path, "Private/a.md", "Private/deep/b.md", "keep.md", "Old drafts/c.md", "sub/skip-me.md")
    settings = VaultSettings(ignore=("Private/", "*/skip-*", "Old *"))
    assert seen(tmp_path, settings) == ["keep.md"]
    assert reasons(tmp_path, settings) == dict.fromkeys(
        ["Private", "Old drafts", "sub/skip-me.md"], walking.LEFT_OUT
    )


def test_size_limit(tmp_path: Path) -> None:
    put(tmp_path, "fits.md", text="x" * 1000)
    put(tmp_path, "large.md", text="x" * 1001)
    assert seen(tmp_path) == ["fits.md"]
    assert reasons(tmp_path) == {"large.md": walking.TOO_LARGE}


def test_links_are_never_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "vault", tmp_path / "outside"
    put(root, "real/note.md", "real/picture.png")
    put(outside, "secret.md")
    links = {
        "out.md": (outside / "secret.md", walking.LINK_OUT),
        "out": (outside, walking.LINK_OUT),
        "beside.md": (tmp_path / "vault-2" / "x.md", walking.BROKEN_LINK),
        "in.md": (Path("real/note.md"), walking.LINK_TO_NOTE),
        "picture.md": (Path("real/picture.png"), walking.LINK_TO_OTHER),
        "broken.md": (Path("nowhere.md"), walking.BROKEN_LINK),
        "self.md": (Path("self.md"), walking.LINK_LOOP),
        "self": (Path("self"), walking.LINK_LOOP),
        "alias": (Path("real"), walking.LINK_TO_FOLDER),
        "real/up": (Path(".."), walking.LINK_LOOP),
        "real/here": (Path(), walking.LINK_LOOP),
        "picture": (Path("real/picture.png"), None),
        "gone": (Path("nowhere"), None),
    }
    for name, (target, _) in links.items():
        (root / name).symlink_to(target)
    assert seen(root) == ["real/note.md"]
    assert reasons(root) == {name: reason for name, (_, reason) in links.items() if reason}


def test_a_neighbour_whose_path_begins_like_the_vaults_is_outside(tmp_path: Path) -> None:
    put(tmp_path / "vault", "note.md")
    put(tmp_path / "vault-2", "other.md")
    (tmp_path / "vault" / "link.md").symlink_to(tmp_path / "vault-2" / "other.md")
    assert reasons(tmp_path / "vault") == {"link.md": walking.LINK_OUT}


def test_two_links_that_point_at_each_other(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to("b.md")
    (tmp_path / "b.md").symlink_to("a.md")
    assert reasons(tmp_path) == {"a.md": walking.LINK_LOOP, "b.md": walking.LINK_LOOP}


def test_the_vault_itself_may_be_a_link(tmp_path: Path) -> None:
    put(tmp_path / "real", "sub/note.md")
    (tmp_path / "vault").symlink_to("real")
    assert seen(tmp_path / "vault") == ["sub/note.md"]


def test_special_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as end:
        here = Path.cwd()
        os.chdir(tmp_path)  # a socket's path is short
        try:
            end.bind("socket.md")
        finally:
            os.chdir(here)
    assert reasons(tmp_path) == {"pipe.md": walking.SPECIAL, "socket.md": walking.SPECIAL}


def test_names_that_are_not_utf8_are_shown_printable(tmp_path: Path) -> None:
    base = os.fsencode(tmp_path)
    os.mkdir(base + b"/caf\xe9")  # noqa: PTH102
    for name in (b"/caf\xe9/note.md", b"/\xff.md", b"/\xff.png", b"/.\xff", b"/\xc3\xa9.md"):
        with open(base + name, "wb"):  # noqa: PTH123
            pass
    found = walk(tmp_path, SETTINGS)
    assert [note.path for note in found.seen] == ["é.md"]
    assert found.ignored == (
        Ignored(".\\xff", noise.HIDDEN_FILE),
        Ignored("\\xff.md", noise.NOT_UTF8),
        Ignored("caf\\xe9", noise.NOT_UTF8),
    )
    for path, _ in found.ignored:
        path.encode()
    assert not noise.concerns_notes(os.fsdecode(b"caf\xe9/note.md"), False)


def test_a_note_that_is_only_in_the_cloud_is_present(tmp_path: Path) -> None:
    put(tmp_path, "sub/.away.md.icloud", "sub/.photo.png.icloud", "sub/.back.md.icloud", "sub/back.md")
    found = walk(tmp_path, SETTINGS)
    assert [note.path for note in found.seen] == ["sub/back.md"]
    assert found.unreadable == (Unreadable("sub/away.md", noise.PLACEHOLDER),)


def refuse_to_list(monkeypatch: pytest.MonkeyPatch, folder: str, error: OSError) -> None:
    """Tests may run as root, whom no permission stops."""
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith(folder):
            raise error
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)


def test_a_folder_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "open/a.md", "closed/b.md")
    refuse_to_list(monkeypatch, "/closed", PermissionError(errno.EACCES, "Permission denied"))
    found = walk(tmp_path, SETTINGS)
    assert [note.path for note in found.seen] == ["open/a.md"]
    assert found.unreadable == (Unreadable("closed", "permission denied"),)


def test_a_folder_that_vanishes_during_the_walk_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "a/a.md", "b/b.md")
    refuse_to_list(monkeypatch, "/b", FileNotFoundError(errno.ENOENT, "No such file or directory"))
    found = walk(tmp_path, SETTINGS)
    assert [note.path for note in found.seen] == ["a/a.md"]
    assert found.unreadable == ()


class _Entries:
    """A folder's listing in which looking at one name fails."""

    def __init__(self, entries: list[os.DirEntry[str]], name: str, error: OSError) -> None:
        self._entries = [_Failing(entry, error) if entry.name == name else entry for entry in entries]

    def __enter__(self) -> list[object]:
        return list(self._entries)

    def __exit__(self, *_: object) -> None:
        pass


class _Failing:
    def __init__(self, entry: os.DirEntry[str], error: OSError) -> None:
        self.name = entry.name
        self.is_symlink = entry.is_symlink
        self._error = error

    def stat(self, *, follow_symlinks: bool) -> os.stat_result:
        raise self._error


@pytest.mark.parametrize(
    ("error", "unreadable"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), (Unreadable("b.md", "permission denied"),)),
        (OSError(errno.EIO, "Input/output error"), (Unreadable("b.md", "input/output error"),)),
        (FileNotFoundError(errno.ENOENT, "No such file or directory"), ()),
    ],
)
def test_a_note_that_cannot_be_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, unreadable: tuple[Unreadable, ...]
) -> None:
    put(tmp_path, "a.md", "b.md")
    real: Callable[[str], object] = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: _Entries(list(real(path)), "b.md", error))  # type: ignore[call-overload]
    found = walk(tmp_path, SETTINGS)
    assert [note.path for note in found.seen] == ["a.md"]
    assert found.unreadable == unreadable


def test_no_vault_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "note.md", "closed/note.md")
    with pytest.raises(VaultError, match="nowhere does not exist"):
        walk(tmp_path / "nowhere", SETTINGS)
    with pytest.raises(VaultError, match=r"note\.md is a file; a vault is a folder"):
        walk(tmp_path / "note.md", SETTINGS)
    with pytest.raises(VaultError, match="cannot be read"):
        walk(tmp_path / "nul\0byte", SETTINGS)
    refuse_to_list(monkeypatch, "/closed", PermissionError(errno.EACCES, "Permission denied"))
    with pytest.raises(VaultError, match="cannot be read: permission denied"):
        walk(tmp_path / "closed", SETTINGS)


def test_a_missing_vault_can_be_taken_as_unreadable(tmp_path: Path) -> None:
    found = walk_if_there(tmp_path / "nowhere", SETTINGS)
    assert found.seen == () and [path for path, _ in found.unreadable] == [""]


def test_an_empty_folder_is_bare(tmp_path: Path) -> None:
    assert walk(tmp_path, SETTINGS) == walking.Walk((), (), (), True)
    put(tmp_path, "picture.png")
    assert not walk(tmp_path, SETTINGS).bare


def test_deep_nesting(tmp_path: Path) -> None:
    deep = "/".join(["d"] * 600)
    put(tmp_path, f"{deep}/note.md")
    assert seen(tmp_path) == [f"{deep}/note.md"]


# Reading what was found


def test_hash_is_the_same_for_file_and_bytes(tmp_path: Path) -> None:
    data = os.urandom(3_000_000)
    (tmp_path / "a.md").write_bytes(data)
    assert hashing.hash_file(tmp_path / "a.md") == hashing.hash_bytes(data)
    assert len(hashing.hash_bytes(b"")) == 32
    assert hashing.hash_bytes(b"a") != hashing.hash_bytes(b"b")


def test_what_has_no_hash(tmp_path: Path) -> None:
    put(tmp_path, "a.md")
    (tmp_path / "link.md").symlink_to("a.md")
    os.mkfifo(tmp_path / "pipe.md")
    for name in ("link.md", "pipe.md", "missing.md", ".", "nul\0.md"):
        assert hashing.hash_file(f"{tmp_path}/{name}") is None


def test_reading_a_note(tmp_path: Path) -> None:
    put(tmp_path, "deep/down/a.md", text="hello")
    assert hashing.read_bytes(tmp_path, "deep/down/a.md", 5) == b"hello"


def test_reading_refuses(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    put(root, "a.md", "sub/b.md", text="hello")
    put(tmp_path, "secret.md", "elsewhere/secret.md")
    (root / "link.md").symlink_to(tmp_path / "secret.md")
    (root / "folder").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(root / "pipe.md")
    for rel, code in {
        "../secret.md": errno.EPERM,
        "sub/../../secret.md": errno.EPERM,
        str(tmp_path / "secret.md"): errno.EPERM,
        "": errno.EPERM,
        "nul\0.md": errno.EPERM,
        "link.md": errno.ELOOP,
        "folder/secret.md": errno.ENOTDIR,
        "pipe.md": errno.EINVAL,
        "sub": errno.EINVAL,
        "missing.md": errno.ENOENT,
    }.items():
        with pytest.raises(OSError) as caught:
            hashing.read_bytes(root, rel, 100)
        assert caught.value.errno == code, rel
    with pytest.raises(OSError, match="larger than 4 bytes"):
        hashing.read_bytes(root, "a.md", 4)


def test_reading_leaves_no_files_open(tmp_path: Path) -> None:
    put(tmp_path, "sub/a.md")
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for rel in ("sub/a.md", "sub/missing.md", "missing/a.md", "sub"):
        with pytest.raises(OSError):
            hashing.read_bytes(tmp_path, rel, 0)
        hashing.hash_file(tmp_path / rel)
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_reading_waits_for_a_writer_to_finish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a.md", text="half")
    pauses: list[float] = []

    def writer_goes_on(_: float) -> None:
        pauses.append(_)
        (tmp_path / "a.md").write_text("whole text")

    real_fstat, calls = os.fstat, iter([True, False])

    def fstat(handle: int) -> os.stat_result:
        state = real_fstat(handle)
        if next(calls, False):
            # Between the first look and the last, another program writes.
            (tmp_path / "a.md").write_text("half a text")
        return state

    monkeypatch.setattr(os, "fstat", fstat)
    monkeypatch.setattr(hashing.time, "sleep", writer_goes_on)
    assert hashing.read_bytes(tmp_path, "a.md", 100) == b"whole text"
    assert len(pauses) == 1


def test_a_file_that_never_rests_is_unreadable_for_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "a.md")
    real_fstat = os.fstat

    def fstat(handle: int) -> os.stat_result:
        state = real_fstat(handle)
        with (tmp_path / "a.md").open("a") as file:
            file.write("more")
        return state

    monkeypatch.setattr(os, "fstat", fstat)
    with pytest.raises(OSError, match="still being written"):
        hashing.read_bytes(tmp_path, "a.md", 10_000)
