"""A check makes no connection, opens no port and asks for no name."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app import places

# Loaded by every Python started below, children included. An audit hook sits under the socket module, so no
# import order and no C caller of it gets around; it also writes down what it refused, since the program may
# catch the error and go on.
REFUSE = """
import _socket, os, sys

def refuse(event, args):
    if not event.startswith("socket."):
        return
    if event in ("socket.__new__", "socket.gethostname"):
        return
    if event in ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"):
        if args[0].family == _socket.AF_UNIX:
            return
    with open(os.environ["REFUSED"], "a") as file:
        file.write(f"{event} {args!r}\\n")
    raise PermissionError(f"no network here: {event}")

sys.addaudithook(refuse)
"""

CHECK = ["check", "--json", "--models", "rules", "--now", "2026-06-30"]


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that lists what was refused; the environment is set for processes started from here on."""
    (tmp_path / "guard").mkdir()
    (tmp_path / "guard" / "sitecustomize.py").write_text(REFUSE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "guard"))
    monkeypatch.setenv("REFUSED", str(tmp_path / "refused"))
    return tmp_path / "refused"


def start(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def belie() -> str:
    return str(Path(sys.executable).parent / "belie")


def conflicts(outcome: subprocess.CompletedProcess[str]) -> list[Any]:
    assert outcome.returncode == 1 and outcome.stdout, outcome.stderr
    found = json.loads(outcome.stdout)["conflicts"]
    assert isinstance(found, list) and found
    return found


@pytest.mark.parametrize(
    "attempt",
    [
        "socket.create_connection(('127.0.0.1', 9))",
        "socket.getaddrinfo('example.invalid', 80)",
        "socket.gethostbyname('example.invalid')",
        "socket.socket().bind(('127.0.0.1', 0))",
        "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
        "__import__('_socket').socket().connect(('127.0.0.1', 9))",
    ],
)
def test_the_refusal_itself_works(attempt: str, refused: Path) -> None:
    outcome = start(sys.executable, "-c", f"import socket; {attempt}")
    assert outcome.returncode == 1
    assert "no network here" in outcome.stderr
    assert refused.exists()


def test_local_socket_pairs_are_let_through(refused: Path) -> None:
    talk = "import socket; a, b = socket.socketpair(); a.send(b'x'); assert b.recv(1) == b'x'"
    assert start(sys.executable, "-c", talk).returncode == 0
    assert not refused.exists()


def test_a_check_asks_nothing_of_the_network(refused: Path) -> None:
    outcome = start(belie(), *CHECK, str(places.sample_vault()))
    conflicts(outcome)
    assert not refused.exists(), refused.read_text()


def no_interfaces() -> list[str]:
    """The command prefix that runs a program without network interfaces; empty where that cannot be had."""
    prefix = ["unshare", "--map-root-user", "--net"]
    if (
        shutil.which("unshare")
        and subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0
    ):
        return prefix
    return []


@pytest.mark.skipif(not no_interfaces(), reason="network namespaces cannot be made here")
def test_without_any_network_interface_the_answer_is_the_same() -> None:
    with_network = conflicts(start(belie(), *CHECK, str(places.sample_vault())))
    alone = conflicts(start(*no_interfaces(), belie(), *CHECK, str(places.sample_vault())))
    assert alone == with_network
