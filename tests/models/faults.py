"""The model process put in the place of one with faults on demand (`poisoned_child.py`)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.models import process

ROOT = Path(__file__).resolve().parents[2]


def poison(monkeypatch: pytest.MonkeyPatch) -> None:
    child = Path(__file__).with_name("poisoned_child.py")
    monkeypatch.setattr(process, "COMMAND", (sys.executable, str(child)))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
