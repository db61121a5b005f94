"""What could be added to an installation, and how, whichever way Belie was installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app import places
from app.models import additions, files
from app.models.additions import LLAMA_FLAGS, install_command


@pytest.fixture
def prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment into which a wheel was installed."""
    monkeypatch.setattr(places, "in_checkout", lambda: False)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(additions.platform, "machine", lambda: "arm64")
    return tmp_path


@pytest.mark.parametrize(
    ("mark", "begins"),
    [
        ("uv-receipt.toml", "uv tool install --force "),
        ("pipx_metadata.json", "pipx install --force "),
        ("", '"'),
    ],
)
def test_it_is_added_the_way_belie_was_installed(prefix: Path, mark: str, begins: str) -> None:
    if mark:
        (prefix / mark).touch()
    command = install_command("sentence-transformers")
    assert command.startswith(begins) and '"belie[sentence-transformers]' in command
    assert mark or "-m pip install" in command


def test_on_x86_llama_is_built_for_any_processor(prefix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "CMAKE_ARGS" not in install_command("llama")
    monkeypatch.setattr(additions.platform, "machine", lambda: "x86_64")
    assert install_command("llama").startswith(f'CMAKE_ARGS="{LLAMA_FLAGS}" ')


def test_a_checkout_adds_everything_by_make() -> None:
    assert {one.get for one in additions.additions()} == {"make models"}


def test_what_is_there_is_told_from_what_is_not(prefix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGE", prefix / "none")
    monkeypatch.setattr(additions, "package_folder", lambda name: None)
    found = {one.name: one for one in additions.additions()}
    assert [one.there for one in found.values()] == [False, False, False]
    assert found["large-judge"].get == "belie models pull large-judge"
