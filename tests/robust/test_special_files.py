"""A pipe, socket or device where a file is expected is refused at once; nothing waits for a writer."""

from __future__ import annotations

import ast
import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import app
from app import recent, settings
from app.cli.batch import rows
from app.cli.errors import CommandError
from app.mirror.write import CannotMirror, write_pages
from app.models.files import read_json
from app.models.gguf_header import read_header
from app.regular_file import open_regular, read_regular
from app.settings_file import CannotChange, SettingsFile
from app.tui import themes
from app.vault.settings import DAILY_FORMATS, vault_settings
from tests.cli.running import runner
from tests.robust.building import DISPUTED, write

APP = Path(app.__path__[0])
_DEADLINE = 60
"""Only a reader that waits for ever takes this long."""


@pytest.fixture(autouse=True)
def waits_for_nobody() -> Iterator[None]:
    def ring(*_: object) -> None:
        raise AssertionError("it waits for a writer")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(_DEADLINE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


SPECIAL = pytest.mark.parametrize("make", [_fifo, _socket, _device], ids=["pipe", "socket", "device"])


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    return Path("special")


@SPECIAL
def test_a_special_file_is_refused(make: Callable[[Path], None], place: Path) -> None:
    make(place)
    with pytest.raises(OSError):
        open_regular(place)


def test_a_regular_file_is_read_through_a_link_and_no_further_than_asked(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"abc")
    (tmp_path / "link").symlink_to("real")
    assert read_regular(tmp_path / "link") == b"abc"
    assert read_regular(tmp_path / "link", 2) == b"ab"


@SPECIAL
def test_the_daily_notes_of_a_vault(make: Callable[[Path], None], place: Path) -> None:
    Path(".obsidian").mkdir()
    make(Path(".obsidian/daily-notes.json"))
    assert vault_settings(Path()).daily_formats == DAILY_FORMATS


@SPECIAL
def test_the_configuration(make: Callable[[Path], None], place: Path) -> None:
    make(place)
    assert settings.load(place).problems
    with pytest.raises(CannotChange):
        SettingsFile(place)


@SPECIAL
def test_a_theme(make: Callable[[Path], None], place: Path) -> None:
    make(place)
    with pytest.raises(themes.BrokenTheme):
        themes.read(place)


@SPECIAL
def test_rows_and_models(make: Callable[[Path], None], place: Path) -> None:
    make(place)
    with pytest.raises(CommandError):
        list(rows(str(place)))
    with pytest.raises(Exception, match="cannot be read"):
        read_json(place)
    with pytest.raises(Exception, match="cannot be read"):
        read_header(place)


@SPECIAL
def test_a_page_of_the_mirror(make: Callable[[Path], None], place: Path) -> None:
    make(place)
    with pytest.raises(CannotMirror):
        write_pages(Path(), {"special": "text"})


def test_the_vaults_opened_before(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.places.state_dir", lambda: Path())
    os.mkfifo("recent_vaults")
    assert recent.recent() == []


def test_an_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    vault = write(tmp_path / "vault", DISPUTED)
    done = runner(monkeypatch, capsys)("import", tmp_path / "pipe", "--vault", vault)
    assert done.code == 2 and "not a regular file" in done.err


READ_OTHERWISE = {
    "detection/decide.py": "a file that ships with Belie",
    "detection/word_relations.py": "a file that ships with Belie",
    "detective/exam.py": "a file of our own cache",
    "models/additions.py": "what pip wrote of the installation",
    "models/child.py": "the kernel's figures",
    "models/large_judge.py": "a part of an installed package",
    "models/memory.py": "the kernel's figures",
    "models/process.py": "the kernel's figures",
    "models/report.py": "the kernel's figures",
    "services/examination.py": "the kernel's figures",
}


def test_one_function_opens_what_others_may_have_put_there() -> None:
    found = {
        path.relative_to(APP).as_posix()
        for path in APP.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and _reads_a_file(node.func)
    }
    assert found - READ_OTHERWISE.keys() == set()


def _reads_a_file(called: ast.expr) -> bool:
    match called:
        case ast.Name(id="open") | ast.Attribute(attr="read_text" | "read_bytes"):
            return True
        case _:
            return False
