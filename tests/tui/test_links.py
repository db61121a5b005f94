"""obsidian:// links, the program that opens them, and the one that takes what is copied."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.tui import clipboard, links


def program(folder: Path, name: str, script: str = "") -> Path:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


def test_a_vault_of_obsidian_is_named_and_another_is_opened_by_path(tmp_path: Path) -> None:
    vault = tmp_path / "My vault & co"
    vault.mkdir()
    path = "Farm/Räume #1 ?x.md"
    by_path = links.obsidian(vault, path)
    assert by_path.startswith("obsidian://open?path=%2F")
    assert by_path.endswith("My%20vault%20%26%20co%2FFarm%2FR%C3%A4ume%20%231%20%3Fx.md")
    (vault / ".obsidian").mkdir()
    assert links.obsidian(vault, path) == (
        "obsidian://open?vault=My%20vault%20%26%20co&file=Farm%2FR%C3%A4ume%20%231%20%3Fx"
    )


def test_the_desktop_is_handed_the_link_as_one_argument(tmp_path: Path) -> None:
    program(tmp_path, "xdg-open", f'printf "%s|" "$@" > {tmp_path}/given')
    assert links.open_link("obsidian://open?path=%3B rm", {"PATH": str(tmp_path)})
    assert (tmp_path / "given").read_text() == "obsidian://open?path=%3B rm|"


def test_an_opener_that_fails_is_not_called_a_success(tmp_path: Path) -> None:
    program(tmp_path, "xdg-open", "exit 3")
    with pytest.raises(links.NoOpener, match=r"xdg-open could not open the link \(code 3\)"):
        links.open_link("obsidian://x", {"PATH": str(tmp_path)})


def test_an_opener_that_stays_is_at_work(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ends")
    program(tmp_path, "xdg-open", f": < {tmp_path}/ends")
    assert not links.open_link("obsidian://x", {"PATH": str(tmp_path)}, patience=0.0)
    os.close(os.open(tmp_path / "ends", os.O_WRONLY))  # and now it does


def test_without_an_opener_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(links.NoOpener, match="Y copies it"):
        links.open_link("obsidian://x", {"PATH": str(tmp_path)})


def test_the_clipboard_of_the_desktop_that_is_there(tmp_path: Path) -> None:
    wayland, x11 = program(tmp_path, "wl-copy"), program(tmp_path, "xclip")
    here = {"PATH": str(tmp_path)}
    assert clipboard.program(here) is None
    assert clipboard.program({**here, "DISPLAY": ":0"}) == (str(x11), "-selection", "clipboard")
    both = {**here, "DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}
    assert clipboard.program(both) == (str(wayland),)


def test_what_is_copied_goes_in_on_its_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = tmp_path / "taken"
    program(tmp_path, "wl-copy", f'exec cat > "{taken}"')
    clipboard._run((str(tmp_path / "wl-copy"),), "4411; $(rm -rf /) \udc80")
    assert taken.read_bytes() == b"4411; $(rm -rf /) ?"
    clipboard._run((str(tmp_path / "missing"),), "nothing happens")
