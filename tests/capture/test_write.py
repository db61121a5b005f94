"""Writing the inbox: whole or not at all, only over what was read, never through a link."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.capture.outcomes import CaptureError, InboxChanged
from app.capture.write import read_inbox, write_inbox

MOST = 10_000


def put(root: Path, before: bytes | None, after: bytes, path: str = "Inbox.md") -> None:
    write_inbox(root, path, before, after, MOST)


def names(root: Path) -> list[str]:
    return sorted(p.name for p in root.iterdir())


def test_a_new_file_a_replaced_one_and_nothing_left_behind(tmp_path: Path) -> None:
    assert read_inbox(tmp_path, "Inbox.md", MOST) is None
    put(tmp_path, None, b"one")
    put(tmp_path, b"one", b"two")
    assert read_inbox(tmp_path, "Inbox.md", MOST) == b"two"
    assert names(tmp_path) == ["Inbox.md"]


def test_folders_are_made(tmp_path: Path) -> None:
    put(tmp_path, None, b"one", "A/B/Inbox.md")
    put(tmp_path, b"one", b"two", "A/B/Inbox.md")
    assert (tmp_path / "A/B/Inbox.md").read_bytes() == b"two"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444])
def test_the_mode_stays(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "Inbox.md"
    file.write_bytes(b"one")
    file.chmod(mode)
    put(tmp_path, b"one", b"two")
    assert file.stat().st_mode & 0o777 == mode
    assert file.read_bytes() == b"two"


def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"")
    put(tmp_path, None, b"one")
    assert (tmp_path / "Inbox.md").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.parametrize("before", [None, b"another", b""])
def test_what_changed_since_it_was_read_is_not_overwritten(tmp_path: Path, before: bytes | None) -> None:
    (tmp_path / "Inbox.md").write_bytes(b"theirs")
    with pytest.raises(InboxChanged):
        put(tmp_path, before, b"ours")
    assert (tmp_path / "Inbox.md").read_bytes() == b"theirs"
    assert names(tmp_path) == ["Inbox.md"]


def test_a_file_that_went_away_is_not_brought_back(tmp_path: Path) -> None:
    with pytest.raises(InboxChanged):
        put(tmp_path, b"was here", b"ours")
    assert names(tmp_path) == []


def test_links_are_refused(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "vault"
    outside.mkdir()
    root.mkdir()
    (outside / "x.md").write_bytes(b"theirs")
    (root / "Inbox.md").symlink_to(outside / "x.md")
    (root / "Folder").symlink_to(outside)
    for path in ("Inbox.md", "Folder/x.md"):
        with pytest.raises(CaptureError, match="link"):
            read_inbox(root, path, MOST)
        with pytest.raises(CaptureError, match="link"):
            put(root, b"theirs", b"ours", path)
    with pytest.raises(CaptureError, match="link"):
        put(root, None, b"ours", "Folder/new.md")
    assert names(outside) == ["x.md"]
    assert (outside / "x.md").read_bytes() == b"theirs"


def test_a_folder_in_its_place_and_a_note_too_large_are_refused(tmp_path: Path) -> None:
    (tmp_path / "Inbox.md").mkdir()
    with pytest.raises(CaptureError, match="cannot be read"):
        read_inbox(tmp_path, "Inbox.md", MOST)
    with pytest.raises(CaptureError, match="larger"):
        put(tmp_path, None, bytes(MOST + 1), "Other.md")
    assert names(tmp_path) == ["Inbox.md"]


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_a_failure_leaves_the_old_bytes_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    (tmp_path / "Inbox.md").write_bytes(b"theirs")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(CaptureError, match="no space left"):
        put(tmp_path, b"theirs", b"ours")
    monkeypatch.undo()
    assert (tmp_path / "Inbox.md").read_bytes() == b"theirs"
    assert names(tmp_path) == ["Inbox.md"]


def test_of_many_writers_at_once_none_loses_a_line(tmp_path: Path) -> None:
    def write(n: int) -> None:
        while True:
            before = read_inbox(tmp_path, "Inbox.md", MOST)
            try:
                return put(tmp_path, before, (before or b"") + f"{n}\n".encode())
            except InboxChanged:
                continue

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(40)))
    assert sorted(map(int, (tmp_path / "Inbox.md").read_text().split())) == list(range(40))
    assert names(tmp_path) == ["Inbox.md"]
