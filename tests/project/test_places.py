"""Where files live, in a checkout, under BELIE_HOME and on the person's machine."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest

from app import places

ROOT = Path(__file__).resolve().parents[2]


def test_a_checkout_uses_the_folders_beside_the_package() -> None:
    assert places.themes_dir() == ROOT / "themes"
    assert places.sample_vault() == ROOT / "sample_vault"


def test_an_installed_wheel_uses_the_folders_inside_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "app" / "_data" / "themes").mkdir(parents=True)
    (tmp_path / "app" / "_data" / "sample_vault").mkdir()
    monkeypatch.setattr(places, "_PACKAGE", tmp_path / "app")
    assert places.themes_dir() == tmp_path / "app" / "_data" / "themes"
    assert places.sample_vault() == tmp_path / "app" / "_data" / "sample_vault"


def test_belie_home_gathers_everything_under_one_folder(belie_home: Path) -> None:
    folders = [places.state_dir(), places.config_dir(), places.cache_dir(), places.log_dir()]
    assert all(folder.parent == belie_home for folder in folders)
    assert len(set(folders)) == 4


def test_belie_home_may_be_relative_or_start_with_a_tilde(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("BELIE_HOME", "~/kept")
    assert places.state_dir() == tmp_path / "kept" / "state"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BELIE_HOME", "here")
    assert places.state_dir() == tmp_path / "here" / "state"


@pytest.mark.parametrize("value", [None, ""])
def test_without_it_the_platform_decides(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if value is None:
        monkeypatch.delenv("BELIE_HOME")
    else:
        monkeypatch.setenv("BELIE_HOME", value)
    assert places.state_dir() == platformdirs.user_state_path("belie", appauthor=False)
    assert places.config_dir() == platformdirs.user_config_path("belie", appauthor=False)
    assert places.cache_dir() == platformdirs.user_cache_path("belie", appauthor=False)
    assert places.log_dir() == platformdirs.user_log_path("belie", appauthor=False)


def test_a_store_is_named_for_its_vault_and_stands_outside_it(tmp_path: Path) -> None:
    vault = tmp_path / "My Notes (2024)"
    vault.mkdir()
    store = places.store_path(vault)
    assert store.parent == places.state_dir() / "vaults"
    assert store.name.startswith("my-notes-2024-")
    assert store.suffix == ".db"
    assert not store.is_relative_to(vault)


def test_vaults_of_one_name_in_two_places_have_two_stores(tmp_path: Path) -> None:
    for parent in "ab":
        (tmp_path / parent / "notes").mkdir(parents=True)
    assert places.store_path(tmp_path / "a" / "notes") != places.store_path(tmp_path / "b" / "notes")


def test_one_vault_reached_by_two_paths_has_one_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tmp_path / "notes"
    vault.mkdir()
    (tmp_path / "link").symlink_to(vault)
    monkeypatch.chdir(tmp_path)
    assert (
        places.store_path(tmp_path / "link") == places.store_path(vault) == places.store_path(Path("notes"))
    )


@pytest.mark.parametrize("name", ["日記", "---", "ä" * 120, os.fsdecode(b"caf\xe9")])
def test_any_folder_name_gives_a_plain_file_name(name: str, tmp_path: Path) -> None:
    stem = places.store_path(tmp_path / name).stem
    assert stem.isascii()
    assert len(stem) < 60
    assert "/" not in stem and not stem.startswith("-")
