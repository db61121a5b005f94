"""`belie` without a command, `--demo`, help, and which vault is meant."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import app
from app import places
from app.services.vaults import remember
from tests.cli.running import Run
from tests.robust.building import belie, contents


def test_without_a_terminal_the_report_of_check_is_printed(run: Run, vault: Path) -> None:
    report = run("check", vault)
    answer = run(vault)
    assert answer == report
    assert answer.code == 1


def test_a_coherent_vault_without_a_terminal(run: Run, coherent: Path) -> None:
    assert run(coherent).code == 0


def test_the_demo_reads_the_sample_vault_and_leaves_it_alone(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(places.sample_vault())
    answer = run("--demo")
    assert answer.code == 1
    assert "sample_vault" in answer.out.splitlines()[0]
    assert contents(places.sample_vault()) == before


def test_the_installed_command_needs_no_terminal_at_all(vault: Path) -> None:
    answer = belie(vault, TERM="dumb")
    assert (answer.code, answer.err) == (1, "")


@pytest.mark.parametrize(
    "arguments", [("--help",), ("check", "--help"), ("judge", "--help"), ("doctor", "--help")]
)
def test_help(run: Run, arguments: tuple[str, ...]) -> None:
    answer = run(*arguments)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("usage: belie")


def test_the_front_page_names_every_command(run: Run) -> None:
    text = run("--help").out
    assert all(
        name in text for name in ("check", "judge", "normalize", "health", "doctor", "--demo", "VAULT")
    )


def test_version(run: Run) -> None:
    assert run("--version").out == f"belie {app.__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--nonsense",), ("check", "--nonsense"), ("check", "a", "b"), ("check", "--now"),
        ("judge", "--batch"),
        ("/nowhere/at/all",), ("check", "/nowhere/at/all"), ("doctor", "/nowhere/at/all"),
        ("health", "--vault", "/nowhere/at/all"), ("check", "~nobody-of-this-name/notes"),
        ("check", "x" * 5_000),
        ("check", "x\0y"),
    ],
    ids=lambda arguments: " ".join(arguments)[:30].replace("\0", "NUL"),
)  # fmt: skip
def test_what_cannot_be_meant_ends_with_2_and_a_word_on_stderr(run: Run, arguments: tuple[str, ...]) -> None:
    answer = run(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.strip()


def test_a_file_is_no_vault(run: Run, vault: Path) -> None:
    for command in (("check",), ("doctor",), ()):
        answer = run(*command, vault / "House.md")
        assert (answer.code, answer.out) == (2, "")
        assert "a vault is a folder" in answer.err


def test_the_last_vault_opened_is_the_default(
    run: Run, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    remember(vault)
    assert run("check", "--json", "--models", "rules").json["vault"] == str(vault)
    assert run("health", "--json").json["vault"] == str(vault)
    vault.rename(tmp_path / "elsewhere")
    assert run("check", "--json", "--models", "rules").json["vault"] == str(tmp_path)


@pytest.mark.parametrize("name", [b"plain", b"trailing \n", b"\xff\xfe", "é ☂".encode()])
def test_a_vault_of_any_name_is_remembered(
    name: bytes, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
    root.mkdir()
    remember(root)
    monkeypatch.chdir("/")
    assert run("health", "--json").json["vault"] == str(root)


@pytest.mark.parametrize("stored", [b"", b"\0", b"relative/path", b"/nowhere", b"\xff" * 10_000])
def test_nonsense_in_place_of_the_last_vault(
    run: Run, stored: bytes, coherent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places.state_dir().mkdir(parents=True)
    (places.state_dir() / "last_vault").write_bytes(stored)
    monkeypatch.chdir(coherent)
    assert run("check", "--json", "--models", "rules").json["vault"] == str(coherent)


def test_remembering_where_nothing_can_be_written_is_no_reason_to_fail(vault: Path, belie_home: Path) -> None:
    belie_home.mkdir(parents=True)
    (belie_home / "state").write_text("in the way")
    remember(vault)
    assert (belie_home / "state").read_text() == "in the way"


@pytest.mark.parametrize(
    "config",
    ["{", "- a\n- b\n", "max_bytes: lots\nunheard_of: 1\nvaults: 3\nkeys: []\n", "a: &a [*a]\n", "\0"],
)
def test_a_broken_configuration_is_no_reason_to_fail(run: Run, vault: Path, config: str) -> None:
    places.config_dir().mkdir(parents=True)
    (places.config_dir() / "config.yaml").write_text(config)
    assert run("check", vault, "--json", "--models", "rules").code == 1
    assert run("doctor", vault, "--json").json["config"]["problems"]


def test_the_configuration_of_one_vault_is_used(run: Run, vault: Path) -> None:
    places.config_dir().mkdir(parents=True)
    (places.config_dir() / "config.yaml").write_text(f"vaults:\n  {vault}:\n    ignore: [House.md]\n")
    assert run("check", vault, "--models", "rules").code == 0
    assert {"path": "House.md", "reason": "left out by your settings"} in run("doctor", vault, "--json").json[
        "ignored"
    ]
