"""Nothing makes a connection, opens a port or asks for a name: check, watch, capture, and every model."""

from __future__ import annotations

import json
import queue
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from app import places, settings
from app.models import log_file
from app.pipeline.handle import Worker
from app.pipeline.messages import Message
from tests.models import tiny
from tests.models.real import LLAMA, needs_embedder
from tests.robust.building import DISPUTED, write

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
ALL_MODELS = ["check", "--json", "--models", "embedded", "--now", "2026-06-30"]
DEADLINE = 120.0
"""Only a hang takes this long."""
NOTES = {
    **DISPUTED,
    "Rules.md": "Visitors must sign in at the front desk before they enter the lab.\n",
    "Lab.md": "---\ndate: 2026-03-04\n---\n"
    "Guests may walk straight into the lab, nobody has to sign in anywhere.\n",
    "Alarm.md": "back door alarm 7719 or so\n",
}
EVERY = {"embedder", "judge", "llama"} if LLAMA else {"embedder", "judge"}


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that lists what was refused; the environment is set for processes started from here on."""
    (tmp_path / "guard").mkdir()
    (tmp_path / "guard" / "sitecustomize.py").write_text(REFUSE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "guard"))
    monkeypatch.setenv("REFUSED", str(tmp_path / "refused"))
    return tmp_path / "refused"


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The models are to read, with a judge that suspects every pair; what the settings then say."""
    monkeypatch.setenv("BELIE_MODELS", "embedded")
    judge = tiny.judge_folder(tmp_path / "judge", suspects="conflict")
    stored: dict[str, Any] = {"judge": str(judge), "threads": 1}
    settings.config_file().parent.mkdir(parents=True)
    settings.config_file().write_text(yaml.safe_dump({"models": stored}))
    return stored


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", NOTES)


def loaded() -> set[str]:
    """The models that were really at work."""
    log = log_file.log_path()
    return set(re.findall(r" loaded (\w+)", log.read_text())) if log.exists() else set()


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


@needs_embedder
@pytest.mark.parametrize(
    ("command", "used", "code", "printed"),
    [
        (ALL_MODELS, EVERY, 1, '"quote": "Guests may walk straight into the lab'),
        (["judge", "The lab is open.", "The lab is shut."], EVERY - {"llama"}, 1, "judge       conflict"),
        (["normalize", "back door alarm 7719 or so"], EVERY & {"llama"}, 0, "standing  asserted"),
        (["remember", "The garage door code is 5150."], EVERY - {"llama"}, 0, "Stored in Inbox.md."),
        (["sweep"], EVERY, 0, "open conflicts count"),
        (["doctor"], set(), 0, "judge  ready, belie"),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else "",
)
def test_a_command_with_every_model_asks_nothing_of_the_network(
    command: list[str],
    used: set[str],
    code: int,
    printed: str,
    refused: Path,
    vault: Path,
    models: dict[str, Any],
) -> None:
    where = [] if command[0] in ("judge", "normalize") else ["--vault", str(vault)]
    outcome = start(belie(), *command, *where)
    assert (outcome.returncode, outcome.stderr) == (code, "")
    assert printed in outcome.stdout
    assert loaded() == used
    assert not refused.exists(), refused.read_text()


@needs_embedder
def test_watching_with_every_model_asks_nothing_of_the_network(
    refused: Path, vault: Path, models: dict[str, Any], tmp_path: Path
) -> None:
    said: queue.Queue[Message] = queue.Queue()
    worker = Worker(vault, tmp_path / "store.db", models=models)
    worker.start(said.put)
    try:
        while loaded() != EVERY:
            said.get(timeout=DEADLINE)
        write(vault, {"New.md": "The garage door code is 5150.\n"})
        while getattr(said.get(timeout=DEADLINE), "changed_notes", 0) != 1:
            continue
    finally:
        worker.stop()
    assert not refused.exists(), refused.read_text()


@needs_embedder
def test_no_library_makes_ready_to_report_anything(
    vault: Path, models: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """onnxruntime does: it makes an id of the machine at once, and sends it some time later, when a short
    check is over."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "CI"):
        monkeypatch.delenv(name, raising=False)
    conflicts(start(belie(), *ALL_MODELS, str(vault)))
    assert loaded() == EVERY
    assert list(home.rglob("*")) == []


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


@needs_embedder
@pytest.mark.skipif(not no_interfaces(), reason="network namespaces cannot be made here")
def test_without_any_network_interface_the_models_say_the_same(vault: Path, models: dict[str, Any]) -> None:
    with_network = conflicts(start(belie(), *ALL_MODELS, str(vault)))
    assert loaded() == EVERY
    assert conflicts(start(*no_interfaces(), belie(), *ALL_MODELS, str(vault))) == with_network


def traced(log: Path) -> list[str]:
    """The command prefix that writes down what a program and its children ask of the network, seen from the
    kernel: libraries that are not Python cannot get around it."""
    return ["strace", "-f", "-qq", "-e", "trace=%network", "-o", str(log)]


def can_trace(tmp: Path) -> bool:
    return shutil.which("strace") is not None and start(*traced(tmp / "trace"), "true").returncode == 0


@needs_embedder
def test_no_library_opens_an_internet_socket(vault: Path, models: dict[str, Any], tmp_path: Path) -> None:
    if not can_trace(tmp_path):
        pytest.skip("strace is not there or may not trace")
    log = tmp_path / "trace"
    start(*traced(log), sys.executable, "-c", "import socket; socket.socket().connect_ex(('127.0.0.1', 9))")
    assert "AF_INET" in log.read_text(), "the trace itself works"
    conflicts(start(*traced(log), belie(), *ALL_MODELS, str(vault)))
    assert loaded() == EVERY
    assert not re.findall(r".*AF_INET.*", log.read_text())
