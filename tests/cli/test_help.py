"""`belie help`, the help of each command, and what is said to a word that is none of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli.commands import COMMANDS, OTHER_WORDS
from app.cli.option_tree import places
from tests.cli.running import Run
from tests.robust.building import belie


def test_help_is_the_front_page(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    answer = run("help")
    assert (answer.code, answer.err) == (0, "")
    assert answer == run("--help")
    assert all(f"  {name} " in answer.out for name in COMMANDS)
    assert max(map(len, answer.out.splitlines())) <= 80


@pytest.mark.parametrize("path", [place.path for place in places() if place.path])
def test_every_command_has_help_in_both_ways(run: Run, path: str) -> None:
    answer = run("help", *path.split())
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"usage: belie {path} ")
    assert run(*path.split(), "--help") == answer


def test_every_option_and_every_command_says_what_it_is_for() -> None:
    silent = [
        f"{place.path} {option.flags}" for place in places() for option in place.options if not option.help
    ]
    assert silent == []
    assert [path for place in places() for path, summary in place.inner if not summary] == []


@pytest.mark.parametrize("command", ["remember", "learn", "ingest", "supersede"])
def test_the_help_of_capture_tells_its_commands_apart_by_example(run: Run, command: str) -> None:
    text = run("help", command).out
    examples = [line.split()[1] for line in text.splitlines() if line.startswith("    belie ")]
    assert examples == ["remember", "learn", "ingest", "supersede"]
    assert "Never refused" in text


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("chekc",), "check"),
        (("confl",), "conflicts"),
        (("Doctor",), "doctor"),
        (("resolve",), "conflicts resolve"),
        (("snooze",), "conflicts snooze"),
        (("help", "chekc"), "check"),
        (("help", "conflicts", "rsolve"), "resolve"),
        (("conflicts", "rsolve"), "resolve"),
        (("conflicts", "--staus", "open"), "--status"),
        (("check", "--jsno"), "--json"),
        (("conflicts", "resolve", "c-1", "--winer=x"), "--winner"),
        (("conflicts", "--status", "opne"), "open"),
        (("completion", "bsh"), "bash"),
    ],
    ids=" ".join,
)
def test_a_near_miss_is_answered_with_what_was_meant(
    run: Run, typed: tuple[str, ...], meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = run(*typed)
    assert (answer.code, answer.out) == (2, "")
    assert f"Did you mean “{meant}”?" in answer.err


def test_what_is_near_to_nothing_is_not_guessed_at(run: Run) -> None:
    answer = run("xyzzy")
    assert answer.code == 2
    assert answer.err == "belie: “xyzzy” is neither a command nor a folder.\n"


def test_a_command_behind_its_options_is_told_where_it_belongs(run: Run, vault: Path) -> None:
    answer = run("--vault", vault, "check")
    assert (answer.code, answer.out) == (2, "")
    assert "belie check" in answer.err


def test_a_folder_called_like_a_mistake_is_opened(vault: Path) -> None:
    vault.rename(vault.with_name("chekc"))
    answer = belie("chekc", cwd=vault.parent)
    assert answer.code == 1
    assert answer.out.startswith("Belie  chekc ")


def test_other_words_lead_to_what_there_is() -> None:
    known = {place.path for place in places()} | {"--version", "--demo"}
    assert set(OTHER_WORDS.values()) <= known
    assert not set(OTHER_WORDS) & set(COMMANDS)
