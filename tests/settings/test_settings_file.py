"""The configuration file is changed one setting at a time; everything else in it stays."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from app import settings
from app.settings_file import CannotChange, SettingsFile

OWN = """\
# My settings
theme: paper   # for the evening

unheard_of: [1, 2]  # from another program
keys:
  conflict.undo: U
silent_folders:
  - Archive
  - 'Old stuff'
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "config" / "config.yaml"
    file.parent.mkdir()
    file.write_text(OWN)
    return file


def test_a_changed_value_leaves_every_other_line_as_it_was(path: Path) -> None:
    SettingsFile(path).set(("theme",), "light")
    assert path.read_text() == OWN.replace("theme: paper ", "theme: light ")


@pytest.mark.parametrize(
    "text", ["ignore:\n- a\n- b\ntheme: x\n", "ignore:\n    - a\nkeys:\n    view.clear: C\ntheme: x\n"]
)
def test_the_file_keeps_its_own_way_of_indenting(path: Path, text: str) -> None:
    path.write_text(text)
    SettingsFile(path).set(("theme",), "light")
    assert path.read_text() == text.replace("theme: x", "theme: light")


def test_a_new_setting_is_added_and_read(path: Path) -> None:
    SettingsFile(path).set(("models", "use"), "rules")
    assert path.read_text().startswith(OWN.rstrip("\n"))
    assert settings.load(path).models == {"use": "rules"}


def test_a_setting_taken_out_takes_what_is_empty_with_it(path: Path) -> None:
    file = SettingsFile(path)
    file.set(("vaults", "/v", "logseq"), True)
    file.remove(("vaults", "/v", "logseq"))
    assert path.read_text() == OWN
    file.remove(("theme",))
    assert settings.load(path).theme is None
    assert "unheard_of: [1, 2]  # from another program" in path.read_text()


def test_what_is_not_there_can_be_taken_out(path: Path) -> None:
    SettingsFile(path).remove(("vaults", "/v", "logseq"))
    assert path.read_text() == OWN


def test_there_need_be_no_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.yaml"
    file = SettingsFile(path)
    assert file.get(("theme",)) is None
    file.set(("theme",), "light")
    assert settings.load(path).theme == "light"
    assert path.parent.stat().st_mode & 0o077 == 0


def test_a_vault_is_found_however_it_is_written(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "notes").mkdir()
    path.write_text("vaults:\n  ~/notes:\n    logseq: true\n")
    file = SettingsFile(path)
    assert file.key_of(tmp_path / "notes") == "~/notes"
    assert file.key_of(tmp_path / "other") == str(tmp_path / "other")


def test_a_file_of_comments_keeps_them(path: Path) -> None:
    path.write_text("# nothing here yet\n")
    SettingsFile(path).set(("theme",), "light")
    assert path.read_text().splitlines() == ["# nothing here yet", "theme: light"]


def test_a_link_stays_a_link_and_rights_stay(path: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.yaml"
    path.rename(real)
    path.symlink_to(real)
    real.chmod(0o640)
    SettingsFile(path).set(("theme",), "light")
    assert path.is_symlink()
    assert "theme: light" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("broken", ["{", "- a\n- b\n", "a: [", "a: &a [*b]\n"])
def test_a_broken_file_is_left_alone(path: Path, broken: str) -> None:
    path.write_text(broken)
    with pytest.raises(CannotChange):
        SettingsFile(path)
    assert path.read_text() == broken


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written_is_said(path: Path) -> None:
    path.parent.chmod(0o500)
    with pytest.raises(CannotChange, match="cannot be written"):
        SettingsFile(path).set(("theme",), "light")
    assert path.read_text() == OWN


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a: 1",
        "a: 1\n",
        "models: {use: rules}\nb: 2\n",
        "models:\n- x\nb: 2\n",
        "b: 2\nmodels:\n",
        "{models: {use: rules}, a: 1}\n",
        "\n\n# c\n",
    ],
)
def test_all_settings_under_a_name_go_in_and_out(path: Path, text: str) -> None:
    path.write_text(text)
    other = {key: value for key, value in (yaml.safe_load(text) or {}).items() if key != "models"}
    values = {"threads": 2, "llama": "/a: b#c"}
    SettingsFile(path).set_all(("models",), values)
    assert yaml.safe_load(path.read_text()) == other | {"models": values}
    SettingsFile(path).set_all(("models",), {})
    assert (yaml.safe_load(path.read_text()) or {}) == other


def test_comments_beside_settings_that_stay_are_kept(path: Path) -> None:
    path.write_text("models:\n  use: rules  # for now\n  threads: 2\n")
    SettingsFile(path).set_all(("models",), {"use": "rules"})
    assert path.read_text() == "models:\n  use: rules  # for now\n"


@pytest.mark.parametrize(
    "first", ["", "# mine\ntheme: paper\n", "silent_folders:\n  - Old\n", "keys:\n  a: b\n"]
)
def test_what_stands_between_two_settings_stays_when_the_upper_one_goes(path: Path, first: str) -> None:
    path.write_text(f"{first}models:\n  use: rules\n\n# what follows\nlogseq: true\n")
    SettingsFile(path).remove(("models", "use"))
    assert path.read_text() == f"{first}\n# what follows\nlogseq: true\n"


def test_a_new_file_is_private_and_a_link_stays_one(tmp_path: Path) -> None:
    file = tmp_path / "new" / "config.yaml"
    SettingsFile(file).set_all(("models",), {"threads": 1})
    assert file.stat().st_mode & 0o777 == 0o600
    link = tmp_path / "link.yaml"
    link.symlink_to(file)
    SettingsFile(link).set_all(("models",), {"threads": 2})
    assert link.is_symlink() and yaml.safe_load(file.read_text()) == {"models": {"threads": 2}}
    assert [f.name for f in file.parent.iterdir()] == ["config.yaml"]
