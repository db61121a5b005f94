"""A few lines of YAML that stand for billions of values: wherever YAML is read, they are refused at once."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from app import settings
from app.bounded_yaml import load_yaml
from app.settings_file import CannotChange, SettingsFile
from app.tui import themes
from app.tui.commands.registry import keymap
from app.vault.note import read_note
from app.vault.settings import VaultSettings

_LETTERS = "abcdefghijkl"


def _of_lists() -> str:
    levels = [f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in pairwise(_LETTERS)]
    return "\n".join(["a: &a [lol, lol]", *levels])


def _of_merges() -> str:
    levels = [f"{b}: &{b} {{<<: [{', '.join([f'*{a}'] * 9)}]}}" for a, b in pairwise(_LETTERS)]
    return "\n".join(["a: &a {x: 1, y: 2}", *levels])


BOMBS = {
    "lists": _of_lists(),
    "merges": _of_merges(),
    "itself": "a: &a [*a]",
    "depth": "a: " + "[" * 5_000 + "]" * 5_000,
    "a key that is a bomb": f"{_of_lists()}\nkeys: {{*l: x}}",
    "values that are bombs": f"{_of_lists()}\nkeys: {{quit: *l}}\ntheme: *l\ncolours: {{primary: *l}}",
}
EVERY = pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
_MOST_BYTES = 4 << 30


@pytest.fixture(autouse=True)
def little_memory() -> Iterator[None]:
    """What unfolds a bomb fails here instead of ending the machine."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (_MOST_BYTES, hard))
    yield
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@EVERY
def test_the_reader_refuses_it(bomb: str) -> None:
    with pytest.raises(yaml.YAMLError):
        load_yaml(bomb.encode())


@EVERY
def test_the_configuration(bomb: str, tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(bomb)
    loaded = settings.load(path)
    assert len(loaded.problems) == 1 and "cannot be read" in loaded.problems[0]
    with pytest.raises(CannotChange):
        SettingsFile(path)
    assert path.read_text() == bomb


@EVERY
def test_a_theme(bomb: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.yaml"
    path.write_text(bomb)
    with pytest.raises(themes.BrokenTheme):
        themes.read(path)


@EVERY
def test_a_note(bomb: str) -> None:
    note = read_note("Note.md", f"---\n{bomb}\n---\nThe lamp is red.\n".encode(), VaultSettings())
    assert note.statements[-1].text == "The lamp is red."
    assert sum(len(statement.text) for statement in note.statements) < 100_000


def test_names_for_parts_are_allowed() -> None:
    assert load_yaml(b"base: &base {a: 1}\none: {<<: *base, b: 2}\ntwo: *base") == {
        "base": {"a": 1},
        "one": {"a": 1, "b": 2},
        "two": {"a": 1},
    }


@pytest.mark.parametrize(
    "keys",
    [
        {"belie.quit": "\x1b[2J"},
        {"belie.quit": ""},
        {"belie.quit": "x" * 100_000},
        {"\x1b]0;owned\x07": "q"},
    ],
    ids=["control", "empty", "long", "unknown"],
)
def test_a_hostile_keymap_is_told_and_left_out(keys: dict[str, str]) -> None:
    used, told = keymap(keys)
    assert used == {} and told
    assert not any("\x1b" in line or len(line) > 200 for line in told)
