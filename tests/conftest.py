"""What every test stands on: a home of its own, one clock zone, one terminal size, one source of examples."""

from __future__ import annotations

import itertools
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# "short" gives the same examples on every run, so a red test is red for everyone; "full" goes looking.
settings.register_profile("short", deadline=None, derandomize=True, max_examples=60)
settings.register_profile(
    "full", deadline=None, max_examples=2000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("full" if os.environ.get("BELIE_CAMPAIGN") == "full" else "short")

# As the model process has it (app/models/process.py), for the tests that run onnxruntime in their own.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

_homes = itertools.count()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("terminal") and shutil.which("tmux") is None:
        pytest.skip("needs tmux")


@pytest.fixture(scope="session")
def _homes_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def belie_home(_homes_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Belie's state, configuration, cache and logs go here, never to the person's own folders.

    The rules read alone unless a test asks for the models: what is not about them need not wait for them.
    """
    home = _homes_dir / str(next(_homes))
    given = {"BELIE_HOME": str(home), "TZ": "UTC", "COLUMNS": "100", "LINES": "30", "BELIE_MODELS": "rules"}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    _take_zone()
    yield home
    monkeypatch.undo()
    _take_zone()


def _take_zone() -> None:
    if hasattr(time, "tzset"):  # Windows has one zone
        time.tzset()
