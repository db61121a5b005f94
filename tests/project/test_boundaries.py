"""The core stands without the terminal library and without models; the folders import in one direction."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

IMPORT_THE_CORE = """
import importlib, json, pkgutil, sys
import app

names = ["app"]
for top in pkgutil.iter_modules(app.__path__, "app."):
    if top.name == "app.tui":  # walking into it would import it
        continue
    names.append(top.name)
    if top.ispkg:
        folder = importlib.import_module(top.name).__path__
        names += [m.name for m in pkgutil.walk_packages(folder, top.name + ".")]
names = [name for name in names if not name.endswith(".__main__")]
for name in names:
    importlib.import_module(name)
heavy = ("textual", "llama_cpp", "torch", "sentence_transformers", "transformers")
print(json.dumps({"names": names, "loaded": [name for name in heavy if name in sys.modules]}))
"""


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of pyproject.toml against the `app` standing in `folder`."""
    check = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    return subprocess.run(
        [sys.executable, "-c", check], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "app", tmp_path / "app", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_import_contracts_are_kept() -> None:
    outcome = lint_imports(ROOT)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("detection/strays.py", "import textual.app", "The core imports neither textual nor llama_cpp"),
        (
            "cli/strays.py",
            "def later():\n    import textual",
            "The core imports neither textual nor llama_cpp",
        ),
        (
            "pipeline/strays.py",
            "from llama_cpp import Llama",
            "The core imports neither textual nor llama_cpp",
        ),
        ("tui/strays.py", "import llama_cpp", "The core imports neither textual nor llama_cpp"),
        ("vault/strays.py", "import app.store", "A folder imports only those below it"),
        ("detection/strays.py", "import app.tui", "A folder imports only those below it"),
        (
            "tui/strays.py",
            "def later():\n    import app.cli.report",
            "The command line and the workspace do not import each other",
        ),
        (
            "cli/strays.py",
            "def later():\n    import app.tui.clock",
            "The command line and the workspace do not import each other",
        ),
    ],
)
def test_a_stray_import_breaks_a_contract(copy: Path, module: str, line: str, contract: str) -> None:
    (copy / "app" / module).write_text(line + "\n")
    outcome = lint_imports(copy)
    assert outcome.returncode != 0
    assert f"{contract} BROKEN" in outcome.stdout


def test_importing_the_whole_core_loads_neither_terminal_nor_models(tmp_path: Path) -> None:
    outcome = subprocess.run(
        [sys.executable, "-c", IMPORT_THE_CORE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert outcome.returncode == 0, outcome.stderr
    answer = json.loads(outcome.stdout)
    assert answer["loaded"] == []
    assert {"app.words", "app.vault", "app.detection", "app.store", "app.cli"} <= set(answer["names"])
