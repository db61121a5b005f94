"""What a start loads before the window is there: nothing that only works behind it."""

from __future__ import annotations

import subprocess
import sys

LATER = {"peewee", "yaml", "watchdog", "numpy", "app.store.store", "app.pipeline.index_vault", "app.words"}
START = """
import sys
import app.cli.main, app.services.vaults, app.pipeline.handle, app.settings
from app.tui.app import Workspace
print(*sys.modules)
"""


def test_the_first_paint_waits_for_no_database_parser_or_watcher() -> None:
    done = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, check=True)
    assert not LATER & set(done.stdout.split())
