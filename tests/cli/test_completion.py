"""`belie completion`: the scripts, sourced by the shells they are for."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli.commands import COMMANDS
from tests.cli.running import Run
from tests.terminal.tmux import Terminal, terminal

CASES = [
    ("belie che", {"check"}),
    ("belie conflicts re", {"resolve", "reopen"}),
    ("belie conflicts --sta", {"--status"}),
    ("belie conflicts --status s", {"snoozed"}),
    ("belie conflicts --status snoozed --subj", {"--subject"}),
    ("belie conflicts --subject show --proj", {"--project"}),
    ("belie conflicts resolve --winner n", {"newest"}),
    ("belie conflicts resolve c-1 --act", {"--action"}),
    ("belie check --models r", {"rules"}),
    ("belie help conf", {"conflicts"}),
    ("belie completion f", {"fish"}),
    ("belie models pu", {"pull"}),
    ("belie check no", {"notes/"}),
    ("belie mirror --out no", {"notes/"}),
    ("belie import li", {"list.jsonl"}),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "list.jsonl").touch()
    return tmp_path


def needs(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")


def script(run: Run, shell: str, folder: Path) -> Path:
    needs(shell)
    answer = run("completion", shell)
    assert (answer.code, answer.err) == (0, "")
    file = folder / f".completion.{shell}"
    file.write_text(answer.out)
    subprocess.run([shell, "-n", file], check=True, capture_output=True)
    return file


def typed(shell: str, text: str, folder: Path) -> str:
    return subprocess.run(
        [shell, "-c", text], cwd=folder, check=True, capture_output=True, text=True
    ).stdout  # fmt: skip


def test_bash_completes(run: Run, folder: Path) -> None:
    file = script(run, "bash", folder)
    program = [f"source {file}"]
    for line, _ in CASES:
        words = shlex.split(line)
        quoted = " ".join(map(shlex.quote, words))
        program.append(f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; COMPREPLY=(); _belie")
        program.append('echo "${COMPREPLY[*]}"')
    found = typed("bash", "\n".join(program), folder).splitlines()
    # What makes `notes/` of `notes` is readline, told that these are names of files.
    expected = [{word.rstrip("/") for word in words} for _, words in CASES]
    assert [set(line.split()) for line in found] == expected


def test_bash_knows_every_command(run: Run, folder: Path) -> None:
    file = script(run, "bash", folder)
    program = f"source {file}; COMP_WORDS=(belie ''); COMP_CWORD=1; _belie; echo \"${{COMPREPLY[*]}}\""
    assert set(COMMANDS) <= set(typed("bash", program, folder).split())


def test_fish_completes(run: Run, folder: Path) -> None:
    file = script(run, "fish", folder)
    asked = "\n".join(f"complete -C {shlex.quote(line)}; echo =" for line, _ in CASES)
    answers = typed("fish", f"source {file}\n{asked}", folder).split("=\n")[:-1]
    found = [{line.split("\t")[0] for line in answer.splitlines()} for answer in answers]
    assert found == [words for _, words in CASES]


@pytest.fixture
def window() -> Iterator[Terminal]:
    with terminal() as one:
        yield one


@pytest.mark.terminal
def test_zsh_completes(run: Run, folder: Path, window: Terminal) -> None:
    file = script(run, "zsh", folder)
    (folder / ".zshrc").write_text(
        f"PS1='> '; setopt no_beep; autoload -Uz compinit; compinit -u -D; cd {folder}\n"
        f"source {file}; zstyle ':completion:*' menu no\n"
    )
    window.start(["zsh", "-i"], (120, 40), {"ZDOTDIR": str(folder), "TERM": "xterm-256color"})
    window.until(lambda: window.screen().startswith(">"), "zsh waits for a command")
    for line, words in CASES:
        if len(words) > 1:
            continue
        window.press("C-u")
        window.press("-l", line)
        window.press("Tab")
        *begun, _ = shlex.split(line)
        whole = rf"^> {re.escape(' '.join([*begun, *words]))}\s*$"
        window.until(lambda w=whole: re.search(w, window.screen(), re.MULTILINE), f"{line} → {words}")
    window.press("C-u")
    window.press("-l", "belie conflicts re")
    window.press("Tab")
    shown = "settle it, for a winner or without"
    window.until(lambda: shown in window.screen(), "what each command is for is shown")
