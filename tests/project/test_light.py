"""`belie --version` and the start of every command load only what they need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOADED = """
import sys
before = set(sys.modules)
sys.argv = ["belie", *{arguments!r}]
from app.start import entry
try:
    entry()
except SystemExit:
    pass
print(*(set(sys.modules) - before), sep="\\n", file=sys.stderr)
"""
HEAVY = {
    "spacy", "onnxruntime", "torch", "llama_cpp", "sentence_transformers", "tokenizers", "textual",
    "watchdog",
}  # fmt: skip


def loaded(*arguments: str) -> set[str]:
    code = LOADED.format(arguments=list(arguments))
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_the_version_costs_nothing_but_python_itself() -> None:
    assert loaded("--version") == {"app", "app.start"}


def test_help_is_there_without_any_library() -> None:
    assert loaded("--help").isdisjoint(HEAVY | {"numpy", "yaml", "peewee", "rich"})


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "--help"),
        ("judge", "--help"),
        ("models", "list", "--json"),
        ("normalize", "The shed code is 4411.", "--models", "rules"),
    ],
)
def test_models_parser_and_terminal_are_loaded_when_they_are_used(arguments: tuple[str, ...]) -> None:
    assert loaded(*arguments).isdisjoint(HEAVY)
