"""The campaign in short: commands interrupted, readers fed with hostile input; `make campaign` is whole."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest

from tests.campaign import fuzz
from tests.campaign.commands import Stage, Writing, make_stage, writing_commands
from tests.campaign.interrupt import Outcome, strike, undisturbed
from tests.campaign.readers import READERS, Reader

INPUTS = 150


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("stage")
        patch.setenv("BELIE_HOME", str(folder / "home"))
        return make_stage(folder)


@pytest.fixture
def at_home(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Stage:
    monkeypatch.setenv("BELIE_HOME", str(stage.home))
    stage.put_back()
    return stage


def moments(writing: Writing, outcome: Outcome) -> list[float]:
    """One while it reads or works, one near its end, where it writes."""
    chance = random.Random(writing.name)
    return [outcome.seconds * chance.uniform(0.05, 0.6), outcome.seconds * chance.uniform(0.6, 0.98)]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "kill"])
def test_every_command_that_writes_can_be_interrupted(number: signal.Signals, at_home: Stage) -> None:
    for writing in writing_commands(at_home):
        outcome = undisturbed(at_home, writing)
        for moment in moments(writing, outcome):
            struck = strike(at_home, writing, outcome, number, moment)
            # It ended by the signal, had ended, or was past the point of no return and finished.
            assert struck.ended.code in (130, -number, outcome.ended.code), (writing.name, struck.ended)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_every_reader_takes_hostile_input(reader: Reader) -> None:
    chance = random.Random(reader.name)
    for _ in range(INPUTS if reader.share > 5 else 20):
        data = fuzz.mutate(reader.make, chance)
        _, wrong = fuzz.tried(reader.read, data, limit=30.0)
        assert not wrong, (wrong, data)


def test_a_reader_that_fails_or_takes_too_long_is_told(tmp_path: Path) -> None:
    def endless(_: bytes) -> None:
        while True:
            pass

    def broken(_: bytes) -> None:
        raise KeyError("x")

    assert fuzz.tried(endless, b"", 0.05)[1] == "not read within 0.05 s"
    assert "KeyError" in fuzz.tried(broken, b"", 1.0)[1]
