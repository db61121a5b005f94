"""Runs the fast tests with the oldest and with the newest packages that pyproject.toml allows.

    python tools/ranges.py [PYTHON…]

The oldest packages with the first Python, which should be the oldest: there are none of them for the newest.
The newest packages with each. Every run has an environment of its own, without extras, in a temporary folder.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TOOLS = ("pytest", "hypothesis", "safetensors", "tokenizers")
FOLDERS = "vault reading claims detection conflicts store strategies forks mirror settings".split()


def oldest(requirement: str) -> str:
    """The lower end of its range."""
    return re.sub(r">=([\w.]+),<[\w.]+", r"==\1", requirement)


def tested(python: str, requirements: list[str], where: Path) -> bool:
    subprocess.run([python, "-m", "venv", str(where)], check=True)
    own = next(file for file in (where / "bin/python", where / "Scripts/python.exe") if file.exists())
    pip = [str(own), "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
    tools = [line for line in PROJECT["optional-dependencies"]["dev"] if line.startswith(TOOLS)]
    if subprocess.run([*pip, *requirements, *tools], check=False).returncode:
        return False
    command = [str(own), "-m", "pytest", "-q", *(f"tests/{name}" for name in FOLDERS)]
    given = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=ROOT, env=given, check=False).returncode == 0


def main(pythons: list[str]) -> int:
    newest: list[str] = PROJECT["dependencies"]
    failed = 0
    runs = [(pythons[0], "oldest", [oldest(line) for line in newest])]
    for python, name, requirements in [*runs, *((python, "newest", newest) for python in pythons)]:
        with tempfile.TemporaryDirectory() as folder:
            passed = tested(python, requirements, Path(folder) / "env")
        print(f"{python}, the {name} packages: {'passed' if passed else 'FAILED'}", flush=True)
        failed += not passed
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or [sys.executable]))
