"""The real models, where a test wants them: the installed embedder, and the judge that ships or is named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.models.files import WEIGHTS, JudgeFiles, default_embedder, default_llama, package_folder

JUDGE = Path(os.environ.get("BELIE_JUDGE") or WEIGHTS)
"""A judge that is still being made can be put to the test before it ships."""

needs_embedder = pytest.mark.skipif(
    default_embedder() is None, reason="the embedder's package is not installed: make models"
)
needs_judge = pytest.mark.skipif(
    bool(JudgeFiles.within(JUDGE).missing),
    reason="no judge ships with this version; BELIE_JUDGE names a folder with one",
)
LLAMA = default_llama() is not None and package_folder("llama_cpp") is not None
needs_llama = pytest.mark.skipif(not LLAMA, reason="llama.cpp or its weights are not installed: make models")
