"""Each family of editors gets the line in its own way, as an argument list."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.tui.editor import NoEditor, Opening, choose, named, opening, run

NOTE = Path("/vault/My notes/a;b $(c).md")


@pytest.mark.parametrize(
    ("command", "argv", "takes_terminal"),
    [
        ("vim", ("vim", "+7", str(NOTE)), True),
        ("/usr/bin/nvim -p", ("/usr/bin/nvim", "-p", "+7", str(NOTE)), True),
        ("nano", ("nano", "+7", str(NOTE)), True),
        ("emacs -nw", ("emacs", "-nw", "+7", str(NOTE)), True),
        ("emacsclient -t", ("emacsclient", "-t", "+7", str(NOTE)), True),
        ("hx", ("hx", f"{NOTE}:7"), True),
        ("micro", ("micro", str(NOTE), "+7"), True),
        ("jed", ("jed", str(NOTE), "-g", "7"), True),
        ("neovide", ("neovide", str(NOTE), "--", "+7"), False),
        ("helix", ("helix", f"{NOTE}:7"), True),
        ("idea", ("idea", "--line", "7", str(NOTE)), False),
        ("kak", ("kak", "+7", str(NOTE)), True),
        ("code --wait", ("code", "--wait", "-g", f"{NOTE}:7"), False),
        ("codium", ("codium", "-g", f"{NOTE}:7"), False),
        ("subl", ("subl", f"{NOTE}:7"), False),
        ("pycharm", ("pycharm", "--line", "7", str(NOTE)), False),
        ("gvim", ("gvim", "+7", str(NOTE)), False),
        ("vim.nox", ("vim.nox", "+7", str(NOTE)), True),
        ("sensible-editor", ("sensible-editor", "+7", str(NOTE)), True),
        ("env LANG=C nice -n 5 nvim", ("env", "LANG=C", "nice", "-n", "5", "nvim", "+7", str(NOTE)), True),
        (
            "flatpak run com.visualstudio.code --wait",
            ("flatpak", "run", "com.visualstudio.code", "--wait", "-g", f"{NOTE}:7"),
            False,
        ),
        ("my-editor", ("my-editor", str(NOTE)), True),
        ("my-editor --view", ("my-editor", "--view", str(NOTE)), True),
        ("my-editor --at {line} --file={path}", ("my-editor", "--at", "7", f"--file={NOTE}"), True),
    ],
)
def test_the_line_argument_of_each_family(command: str, argv: tuple[str, ...], takes_terminal: bool) -> None:
    assert opening(command, NOTE, 7) == Opening(argv, takes_terminal)


def test_a_link_to_an_editor_takes_a_line_as_the_editor_does(tmp_path: Path) -> None:
    (tmp_path / "nano").touch(mode=0o755)
    (tmp_path / "editor").symlink_to("nano")
    assert opening("editor", NOTE, 7, str(tmp_path)).argv == ("editor", "+7", str(NOTE))


def test_a_path_with_a_placeholder_in_it_stays_as_it_is() -> None:
    assert opening("vim", Path("/v/{line} {path}.md"), 3).argv == ("vim", "+3", "/v/{line} {path}.md")


@pytest.mark.parametrize("command", ["", "   ", "vim 'unclosed"])
def test_a_setting_that_cannot_be_read_is_said(command: str) -> None:
    with pytest.raises(NoEditor):
        opening(command, NOTE, 1)


def test_belies_own_variable_comes_first_then_visual_then_editor() -> None:
    every = {"BELIE_EDITOR": "hx", "VISUAL": "vim", "EDITOR": "nano"}
    assert named(every) == "hx"
    assert named({**every, "BELIE_EDITOR": " "}) == "vim"
    assert named({"EDITOR": "nano"}) == "nano"
    assert named({}) is None


def test_a_missing_editor_is_said_by_name(tmp_path: Path) -> None:
    with pytest.raises(NoEditor, match="“nowhere-ed” was not found"):
        choose(NOTE, 1, {"EDITOR": "nowhere-ed", "PATH": str(tmp_path)})
    with pytest.raises(NoEditor, match="No editor is set"):
        choose(NOTE, 1, {"PATH": str(tmp_path)})


def test_a_terminal_editor_runs_while_suspended_without_a_shell(tmp_path: Path) -> None:
    seen: list[str] = []

    @contextmanager
    def suspended() -> Iterator[None]:
        seen.append("suspended")
        yield
        seen.append("back")

    script = tmp_path / "ed"
    script.write_text(
        f"#!{sys.executable}\nimport sys, pathlib\n"
        f"pathlib.Path({str(tmp_path / 'args')!r}).write_text('\\n'.join(sys.argv[1:]))\n"
        "sys.exit(3)\n"
    )
    script.chmod(0o755)
    found = choose(NOTE, 7, {"EDITOR": f"{script} {{path}} {{line}}", "PATH": ""})
    assert run(found, suspended()) == 3
    assert seen == ["suspended", "back"]
    assert (tmp_path / "args").read_text().split("\n") == [str(NOTE), "7"]


def test_a_windowed_editor_runs_beside_the_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[str, ...]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda argv, **_: started.append(argv))

    @contextmanager
    def suspended() -> Iterator[None]:
        raise AssertionError("the workspace stays")
        yield

    assert run(Opening(("code", "-g", "x:1"), takes_terminal=False), suspended()) == 0
    assert started == [("code", "-g", "x:1")]
