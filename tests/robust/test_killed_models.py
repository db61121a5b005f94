"""The model process killed again and again during a check: what is found is the same, to the last digit."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from app import places
from app.detection.judge_stage import JudgeStage
from app.detection.norm_stage import NormStage
from app.detective.thread_stage import ThreadStage
from app.models.host import ModelHost
from app.models.setup import Setup
from app.pipeline.around import Around
from app.pipeline.index_vault import Pipeline
from app.pipeline.stage_list import Models
from app.store.judgements import Alarm
from app.store.store import Store
from app.store.threads import ThreadRow
from app.vault.settings import vault_settings
from app.words import Conflict
from tests.models.real import JUDGE, LLAMA, needs_embedder, needs_judge

FULL = os.environ.get("BELIE_CAMPAIGN") == "full"
KILLS = 100 if FULL else 5
VAULT = places.sample_vault() if FULL else places.sample_vault() / "Farm"
REREAD = 0 if not LLAMA else 12 if FULL else 2
"""Statements for the language model, which takes longest by far."""
THREADS = 0 if not LLAMA else 6 if FULL else 1
"""Threads for it as a detective."""
LONGEST_LIFE = 1.5
"""Seconds before a new process is killed: while it starts, loads or works, and often before any answer."""


@dataclass(frozen=True)
class Found:
    """What a check leaves behind that a person could see."""

    conflicts: list[Conflict]
    alarms: list[Alarm]
    threads: list[ThreadRow]


def check(host: ModelHost) -> Found:
    with Store.open(":memory:") as store:
        judging = JudgeStage(host, store)
        detecting = ThreadStage(host, store, budget=THREADS) if THREADS else None
        models = Models(judging, NormStage(host, store, budget=REREAD), detecting)
        around = Around(clock=lambda: "2026-06-30T00:00:00.000000+00:00")
        run = Pipeline(VAULT, store, vault_settings(VAULT), around=around, models=models).run()
        assert (run.judge_failed, run.reading_failed) == (None, None)
        threads = list(store.caches.threads.of(detecting.reader)) if detecting is not None else []
        return Found(store.conflicts.open(), store.caches.judgements.alarms(judging.judge), threads)


@contextlib.contextmanager
def killing(host: ModelHost, times: int, chance: random.Random) -> Iterator[list[int]]:
    """Kill whatever process the host has, at random moments; yields the ids of those killed so far. None is
    killed twice: a dead one that nobody has missed yet would be no loss."""
    killed: list[int] = []
    over = threading.Event()

    def kill() -> None:
        while len(killed) < times and not over.wait(chance.uniform(0.0, LONGEST_LIFE)):
            if (pid := host.pid) is not None and pid not in killed:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    thread = threading.Thread(target=kill, name="killer")
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


@pytest.mark.campaign
@needs_embedder
@needs_judge
def test_killing_the_models_during_checks_changes_nothing(tmp_path: Path) -> None:
    setup = Setup(judge=str(JUDGE), cache=str(tmp_path / "cache"), nice=0)
    log = tmp_path / "models.log"
    with ModelHost(setup, log=log) as calm:
        undisturbed = check(calm)
    assert undisturbed.alarms and undisturbed.conflicts and len(undisturbed.threads) == THREADS
    with ModelHost(setup, log=log) as host, killing(host, KILLS, random.Random(KILLS)) as killed:
        while len(killed) < KILLS:
            assert check(host) == undisturbed
        status = host.status()
    assert status.set_aside == 0
    # The others came while nothing was asked, as when the rules read.
    assert status.deaths >= KILLS / 2, "too few kills hit a process at work"
