"""What tests of the command line share: a way to run it, and a vault with one conflict."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Run, runner
from tests.robust.building import DISPUTED, write


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", DISPUTED)


@pytest.fixture
def coherent(tmp_path: Path) -> Path:
    return write(tmp_path / "coherent", {"Boat.md": "The boat is moored at the north quay.\n"})
