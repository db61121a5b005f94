"""Pages on disk: unchanged ones are not touched, other people's files never, old ones go if they are ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.mirror.pages import MARK
from app.mirror.write import CannotMirror, Written, write_pages


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "mirror"
    pages = {"index.md": f"{MARK}index", "a.md": f"{MARK}a", "b.md": f"{MARK}b"}
    assert write_pages(folder, pages) == Written(("index.md", "a.md", "b.md"))
    before = {path.name: path.stat() for path in folder.iterdir()}
    pages["b.md"] += " more"
    assert write_pages(folder, pages) == Written(("b.md",), ("index.md", "a.md"))
    after = {path.name: path.stat() for path in folder.iterdir()}
    assert {n for n in before if before[n].st_ino != after[n].st_ino} == {"b.md"}
    assert (folder / "b.md").read_text() == f"{MARK}b more"


def test_pages_of_projects_that_are_gone_go_if_they_are_ours(tmp_path: Path) -> None:
    write_pages(tmp_path, {"index.md": MARK, "old.md": f"{MARK}old"})
    (tmp_path / "mine.md").write_text("My own note.\n")
    (tmp_path / "page.txt").write_text(f"{MARK}no note")
    (tmp_path / "link.md").symlink_to(tmp_path / "index.md")
    assert write_pages(tmp_path, {"index.md": MARK}).removed == ("old.md",)
    assert {p.name for p in tmp_path.iterdir()} == {"index.md", "mine.md", "page.txt", "link.md"}


@pytest.mark.parametrize("what", ["note", "link", "folder"])
def test_what_is_not_ours_is_not_overwritten(tmp_path: Path, what: str) -> None:
    target = tmp_path / "target"
    target.write_text(f"{MARK}elsewhere")
    page = tmp_path / "out" / "b.md"
    page.parent.mkdir()
    if what == "note":
        page.write_text("My own note.\n")
    elif what == "link":
        page.symlink_to(target)
    else:
        page.mkdir()
    with pytest.raises(CannotMirror, match="choose another folder"):
        write_pages(page.parent, {"a.md": f"{MARK}a", "b.md": f"{MARK}b"})
    assert not (page.parent / "a.md").exists()
    assert target.read_text() == f"{MARK}elsewhere"
    if what == "note":
        assert page.read_text() == "My own note.\n"


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotMirror, match="cannot be written"):
        write_pages(tmp_path / "file" / "mirror", {"index.md": MARK})
