"""How much the language model looks at is the person's to say, within what can work."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import settings
from app.models.setup import chosen


def test_the_context_reaches_the_models(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("models: {llama: own.gguf, context: 8192}\n")
    stored = settings.load(path)
    setup = chosen(stored.models, "embedded")
    assert stored.problems == () and setup is not None and setup.context == 8192


@pytest.mark.parametrize("value", ["0", "512", "-1", "many", "true", "4096.5"])
def test_one_that_cannot_work_is_told_and_left_out(tmp_path: Path, value: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(f"models: {{context: {value}}}\n")
    stored = settings.load(path)
    assert "context" not in stored.models and "models: context" in stored.problems[0]
