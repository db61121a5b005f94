"""The pictures of the README and the walk-through show the program as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the pictures were made with the oldest Python")
def test_every_picture_is_current() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "screenshots.py"), "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nrun: make screenshots"
