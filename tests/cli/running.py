"""Running the command inside the test process: quick, and the same code a person's shell runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import pytest

from app.cli.main import entry
from tests.robust.building import Answer

Run = Callable[..., Answer]


def runner(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str | os.PathLike[str]) -> Answer:
        monkeypatch.setattr(sys, "argv", ["belie", *map(os.fspath, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            entry()
        out, err = capsys.readouterr()
        assert "Traceback" not in err, err
        return Answer(int(ended.value.code or 0), out, err)

    return run
