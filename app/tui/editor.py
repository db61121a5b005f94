"""Opening a note at its line in the person's editor: an argument list, never a shell."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path


class NoEditor(Exception):
    """No editor is named, or the one named is not there; the message is for the person."""


@dataclass(frozen=True, slots=True)
class Family:
    """Editors that take the line in the same way."""

    programs: tuple[str, ...]
    arguments: tuple[str, ...]
    windowed: bool = False
    """Opens a window of its own, so the workspace stays on the screen."""


FAMILIES = (
    Family(("vi", "vim", "nvim", "vim.basic", "vim.tiny", "view", "nvi", "elvis"), ("+{line}", "{path}")),
    Family(("nano", "pico", "rnano", "joe", "ne", "mg"), ("+{line}", "{path}")),
    Family(("emacsclient", "sensible-editor"), ("+{line}", "{path}")),
    Family(("jed",), ("{path}", "-g", "{line}")),
    Family(("emacs", "emacs-nox", "zile"), ("+{line}", "{path}")),
    Family(("hx", "helix"), ("{path}:{line}",)),
    # A line behind a colon is part of the name unless its `parsecursor` option is on.
    Family(("micro",), ("{path}", "+{line}")),
    Family(("kak",), ("+{line}", "{path}")),
    Family(("gvim", "mvim"), ("+{line}", "{path}"), windowed=True),
    Family(("neovide",), ("{path}", "--", "+{line}"), windowed=True),
    Family(("code", "code-insiders", "codium", "vscodium", "cursor"), ("-g", "{path}:{line}"), windowed=True),
    Family(("subl", "sublime_text", "zed", "zeditor", "atom", "lapce"), ("{path}:{line}",), windowed=True),
    Family(("idea", "pycharm", "webstorm", "goland", "clion", "rubymine", "phpstorm", "rider", "rustrover",
            "fleet", "charm"), ("--line", "{line}", "{path}"), windowed=True),
    Family(("kate", "kwrite"), ("--line", "{line}", "{path}"), windowed=True),
    Family(("gedit", "gnome-text-editor", "xed", "pluma"), ("+{line}", "{path}"), windowed=True),
    Family(("mate",), ("--line", "{line}", "{path}"), windowed=True),
    Family(("notepad", "notepad.exe"), ("{path}",), windowed=True),
)  # fmt: skip
_UNKNOWN = Family((), ("{path}",))
_TELLING = frozenset("vi vim nvim nano emacs helix micro kak code codium cursor gvim gedit kate".split())
_FALLBACKS = ("nano", "vim", "vi", "notepad")
_TERMINAL_FLAGS = {"-nw", "-t", "-tty", "--tty", "--no-window-system"}


@dataclass(frozen=True, slots=True)
class Opening:
    """What to run, and whether it needs the terminal to itself."""

    argv: tuple[str, ...]
    takes_terminal: bool


def named(environment: Mapping[str, str], configured: str | None = None) -> str | None:
    """The person's editor: what was set for Belie first, then what every other program asks."""
    for command in (
        environment.get("BELIE_EDITOR"),
        configured,
        environment.get("VISUAL"),
        environment.get("EDITOR"),
    ):
        if command and command.strip():
            return command
    return None


def opening(command: str, path: Path, line: int, where: str | None = None) -> Opening:
    """The arguments that make an editor show this line.

    `command` may carry arguments of its own, and `{path}` and `{line}` where it wants them; without them
    the family it belongs to says where they go. `where` is the PATH to look for it on.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise NoEditor(f"The editor setting cannot be read: {error}.") from error
    if not words:
        raise NoEditor("The editor setting is empty.")
    family = _family(words, where)
    if not any("{path}" in word for word in words):
        words += family.arguments
    # One pass, so that a path which itself contains "{line}" stays as it is.
    filled = [word if index == 0 else _filled(word, path, line) for index, word in enumerate(words)]
    windowed = family.windowed and _TERMINAL_FLAGS.isdisjoint(words)
    return Opening(tuple(filled), takes_terminal=not windowed)


def _family(words: Sequence[str], where: str | None) -> Family:
    """Of the program, of what it runs (`env`, `flatpak run`), or of what it is a link to (`editor`)."""
    named = (_known(Path(word).name) for word in words if not word.startswith("-"))
    program = shutil.which(words[0], path=where)
    behind = _known(Path(program).resolve().name) if program else None
    return next((family for family in (*named, behind) if family is not None), _UNKNOWN)


def _known(name: str) -> Family | None:
    """By its name, or by a part of it that can mean nothing else: vim.nox, com.visualstudio.code."""
    plain = name.removesuffix(".exe").lower()
    telling = (plain, *(part for part in re.split(r"[-_.]", plain) if part in _TELLING))
    return next((family for part in telling for family in FAMILIES if part in family.programs), None)


def _filled(word: str, path: Path, line: int) -> str:
    parts = word.split("{path}")
    return str(path).join(part.replace("{line}", str(line)) for part in parts)


def choose(
    path: Path, line: int, environment: Mapping[str, str] | None = None, *, configured: str | None = None
) -> Opening:
    """What to run for this note; raises NoEditor with a sentence when there is nothing to run."""
    environment = os.environ if environment is None else environment
    command = named(environment, configured)
    if command is None:
        command = next(
            (name for name in _FALLBACKS if shutil.which(name, path=environment.get("PATH"))), None
        )
        if command is None:
            raise NoEditor("No editor is set. Set VISUAL or EDITOR, for example EDITOR=nano.")
    found = opening(command, path, line, environment.get("PATH"))
    program = shutil.which(found.argv[0], path=environment.get("PATH"))
    if program is None:
        raise NoEditor(f"The editor “{found.argv[0]}” was not found.")
    return Opening((program, *found.argv[1:]), found.takes_terminal)


def run(found: Opening, suspended: AbstractContextManager[None]) -> int:
    """Run the editor: in the terminal while the workspace is suspended, or by itself beside it.

    Returns the exit code of a terminal editor, 0 once a windowed one has been started.
    """
    if found.takes_terminal:
        with suspended:
            return subprocess.run(found.argv, check=False).returncode
    subprocess.Popen(
        found.argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    return 0
