"""`belie` without a command, `--demo`, help, and which vault is meant."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import app
from app import places
from app.services.vaults import remember
from tests.cli.running import Run
from tests.robust.building import DISPUTED, PROJECT, belie, contents, write


def test_without_a_terminal_the_report_of_check_is_printed(run: Run, vault: Path) -> None:
    report = run("check", vault)
    answer = run(vault)
    assert answer == report
    assert answer.code == 1


def test_a_coherent_vault_without_a_terminal(run: Run, coherent: Path) -> None:
    assert run(coherent).code == 0


def test_the_demo_opens_a_copy_that_is_kept(run: Run, belie_home: Path) -> None:
    shipped = contents(places.sample_vault())
    answer = run("--demo")
    assert answer.code == 1
    assert "sample_vault" in answer.out.splitlines()[0]
    copy = belie_home / "state" / "demo" / "sample_vault"
    assert contents(copy) == shipped
    assert run("remember", "The attic has 3 windows.", "--vault", copy).code == 0
    (copy / "Farm" / "Farm rules.md").unlink()
    kept = contents(copy)
    run("--demo")
    assert contents(copy) == kept
    assert contents(places.sample_vault()) == shipped


def test_another_sample_replaces_the_copy_and_a_read_only_one_can_be_written(
    run: Run, tmp_path: Path, belie_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = write(tmp_path / "shipped" / "sample_vault", DISPUTED)
    for path in (*sample.iterdir(), sample):
        path.chmod(path.stat().st_mode & ~0o222)
    monkeypatch.setattr(places, "sample_vault", lambda: sample)
    assert run("--demo").code == 1
    copy = belie_home / "state" / "demo" / "sample_vault"
    assert all(path.stat().st_mode & 0o200 for path in (copy, *copy.iterdir()))
    sample.chmod(0o755)
    write(sample, {"Boat.md": "The boat is moored at the north quay.\n"})
    assert run("--demo").code == 1
    assert (copy / "Boat.md").exists()


def test_the_installed_command_needs_no_terminal_at_all(vault: Path) -> None:
    answer = belie(vault, TERM="dumb")
    assert (answer.code, answer.err) == (1, "")


def test_the_version_comes_first_and_then_what_reads_and_where_things_are(
    run: Run, belie_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *rest = run("--version").out.splitlines()
    assert first == f"belie {app.__version__}"
    facts = dict(line.split(maxsplit=1) for line in rest)
    assert facts["reads"] == "by  the rules alone"
    assert facts["config"] == str(belie_home / "config" / "config.yaml")
    assert facts["state"] == str(belie_home / "state")
    assert facts["logs"] == str(belie_home / "log")
    monkeypatch.setenv("BELIE_MODELS", "embedded")
    text = run("--version").out
    assert re.search(r"^ +judge  judge  .+\.onnx$", text, re.MULTILINE)


def test_the_version_loads_no_model_store_or_screen() -> None:
    program = (
        "import sys; from app.cli.main import main; main(['--version']); "
        "print(sorted({'textual', 'peewee', 'numpy', 'onnxruntime', 'spacy', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


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


def test_the_known_vault_one_stands_in_comes_before_the_last_one_opened(
    run: Run, vault: Path, coherent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(vault)
    inner = coherent / "Farm" / "Pumps"
    inner.mkdir(parents=True)

    def meant(folder: Path) -> str:
        monkeypatch.chdir(folder)
        return str(run("health", "--json").json["vault"])

    assert meant(coherent) == str(vault), "nobody has read this folder yet"
    run("check", coherent)
    assert meant(coherent) == meant(inner) == str(coherent)
    assert meant(coherent.parent) == str(vault)
    assert run("check", "--json").json["vault"] == str(vault)
    run("check", inner)
    assert meant(inner) == str(inner), "the innermost vault"
    assert meant(inner.parent) == str(coherent)


def test_looking_at_a_folder_does_not_make_it_a_known_vault(
    run: Run, vault: Path, coherent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(vault)
    run("health", "--vault", coherent)
    run("check", coherent, "--models", "rules")
    monkeypatch.chdir(coherent)
    assert run("health", "--json").json["vault"] == str(vault)


def test_a_last_vault_that_is_gone_is_not_replaced_by_the_one_before(
    run: Run, vault: Path, coherent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(vault)
    remember(coherent)
    coherent.rename(tmp_path / "unplugged")
    monkeypatch.chdir(tmp_path)
    assert run("health", "--json").json["vault"] == str(tmp_path)


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
    (places.state_dir() / "recent_vaults").write_bytes(stored)
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
