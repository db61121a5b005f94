"""Near pairs go to a judge, over real folders and in a real process: a small one that suspects every pair."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.detection import judge_stage
from app.detection.judge_stage import JudgeStage
from app.models import jobs
from app.models.host import ModelHost
from app.models.requests import Failed, Judged, Priority
from app.models.setup import Setup
from app.pipeline.around import Around
from app.pipeline.index_vault import Pipeline
from app.pipeline.messages import Progress
from app.pipeline.stage_list import Models
from app.store.store import Store
from app.vault.settings import vault_settings
from tests.models import tiny
from tests.models.faults import poison
from tests.robust.building import DISPUTED, DISPUTED_MEMBERS, Said, contents, open_sets, write

NOTES = {
    **DISPUTED,
    "Rules.md": "Visitors must sign in at the front desk before they enter the lab.\n",
    "Lab.md": "---\ndate: 2026-03-04\n---\n"
    "Guests may walk straight into the lab, nobody has to sign in anywhere.\n",
    "Trees.md": "Is the pear tree pruned in February?\n",
}
HIDDEN = frozenset(
    {
        ("Rules.md", "Visitors must sign in at the front desk before they enter the lab."),
        ("Lab.md", "Guests may walk straight into the lab, nobody has to sign in anywhere."),
    }
)


@pytest.fixture(scope="module")
def setup(tmp_path_factory: pytest.TempPathFactory) -> Setup:
    return tiny.suspicious(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def host(setup: Setup, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelHost]:
    with ModelHost(setup, log=tmp_path_factory.mktemp("log") / "models.log") as host:
        yield host


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", NOTES)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as store:
        yield store
        assert store.verify() == []


def pipeline(root: Path, store: Store, host: ModelHost, **more: Callable[..., object]) -> Pipeline:
    models = Models(JudgeStage(host, store))
    around = Around(**more)  # type: ignore[arg-type]
    return Pipeline(root, store, vault_settings(root), around=around, models=models)


def found(root: Path, host: ModelHost) -> set[frozenset[Said]]:
    with Store.open(":memory:") as store:
        assert pipeline(root, store, host).run().judge_failed is None
        return open_sets(store)


def test_near_pairs_the_rules_cannot_read_are_judged(root: Path, store: Store, host: ModelHost) -> None:
    before = contents(root)
    run = pipeline(root, store, host).run()
    assert run.judge_failed is None and run.pairs > 0
    assert open_sets(store) == {DISPUTED_MEMBERS, HIDDEN}
    assert contents(root) == before


def test_nothing_is_judged_twice(root: Path, store: Store, host: ModelHost) -> None:
    pipeline(root, store, host).run()
    again = pipeline(root, store, host).run()
    assert again.pairs == 0
    assert open_sets(store) == {DISPUTED_MEMBERS, HIDDEN}


def test_a_newcomer_meets_who_was_there(root: Path, store: Store, host: ModelHost) -> None:
    lab = root / "Lab.md"
    text = lab.read_text()
    lab.unlink()
    live = pipeline(root, store, host)
    live.run()
    assert open_sets(store) == {DISPUTED_MEMBERS}
    lab.write_text(text)
    run = live.run()
    assert 0 < run.pairs < 40
    assert open_sets(store) == {DISPUTED_MEMBERS, HIDDEN}
    lab.unlink()
    live.run()
    assert open_sets(store) == {DISPUTED_MEMBERS}


def test_judging_stops_for_something_more_urgent_and_goes_on(
    root: Path, store: Store, host: ModelHost
) -> None:
    waiting = threading.Event()
    waiting.set()
    live = pipeline(root, store, host, interrupted=waiting.is_set)
    live.run()
    assert open_sets(store) == {DISPUTED_MEMBERS}
    assert store.caches.judgements.complete_by == ""
    waiting.clear()
    live.run()
    assert open_sets(store) == {DISPUTED_MEMBERS, HIDDEN}
    assert store.caches.judgements.complete_by != ""


def test_whoever_looks_is_told_when_judging_finds_something(
    root: Path, store: Store, host: ModelHost
) -> None:
    told: list[int] = []
    stages: list[Progress] = []
    live = pipeline(
        root, store, host, on_found=lambda: told.append(len(open_sets(store))), on_progress=stages.append
    )
    live.run()
    assert told == [2]
    assert {s.stage for s in stages} >= {"reading", "comparing", "judging", "done"}


def test_a_judge_that_cannot_be_had_leaves_the_rules(root: Path, store: Store, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "config.json").write_text("{}")
    (broken / "model.safetensors").write_bytes(b"no weights")
    setup = Setup(embedder=str(broken), judge=str(broken), cache=str(tmp_path / "cache"), threads=1)
    with ModelHost(setup, log=tmp_path / "models.log") as host:
        pipeline(root, store, host).run()
    assert DISPUTED_MEMBERS in open_sets(store)


def test_a_pair_the_person_settled_does_not_come_back(root: Path, store: Store, host: ModelHost) -> None:
    live = pipeline(root, store, host)
    live.run()
    (hidden,) = (c for c in store.conflicts.open() if "structural" not in {r.stage for r in c.reasons})
    store.conflicts.dismiss(hidden.id, "two labs")
    (root / "Trees.md").write_text(NOTES["Trees.md"] + "Is the plum young?\n")
    live.run()
    assert open_sets(store) == {DISPUTED_MEMBERS}
    assert pipeline(root, store, host).run().judge_failed is None
    assert open_sets(store) == {DISPUTED_MEMBERS}


@pytest.mark.campaign
def test_killing_the_models_process_changes_nothing(root: Path, setup: Setup, tmp_path: Path) -> None:
    times = 100 if os.environ.get("BELIE_CAMPAIGN") == "full" else 3
    rng = random.Random(11)
    done = threading.Event()
    killed = 0
    with ModelHost(setup, log=tmp_path / "models.log") as host:

        def kill() -> None:
            nonlocal killed
            while killed < times and not done.wait(rng.uniform(0.0, 0.3)):
                if (pid := host.pid) is not None:
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        continue
                    killed += 1

        killer = threading.Thread(target=kill)
        killer.start()
        sets = []
        while killed < times:
            with Store.open(":memory:") as store:
                assert pipeline(root, store, host).run().judge_failed is None
                sets.append(open_sets(store))
        done.set()
        killer.join()
    assert all(one == {DISPUTED_MEMBERS, HIDDEN} for one in sets)


def test_claims_whose_judging_broke_off_are_judged_later(
    root: Path, store: Store, host: ModelHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = ModelHost.judge

    def broken_off(self: ModelHost, pairs: Sequence[tuple[str, str]], **how: Any) -> Judged | Failed:
        answer = real(self, pairs, **how)
        assert isinstance(answer, Judged)
        return replace(answer, rows=(None, *answer.rows[1:]), failures={0: Failed("broken", "it went away")})

    monkeypatch.setattr(ModelHost, "judge", broken_off)
    run = pipeline(root, store, host).run()
    assert run.judge_failed == Failed("broken", "it went away")
    assert open_sets(store) == {DISPUTED_MEMBERS} and store.caches.judgements.complete_by == ""
    monkeypatch.undo()
    assert pipeline(root, store, host).run().judge_failed is None
    assert open_sets(store) == {DISPUTED_MEMBERS, HIDDEN}


def test_a_note_just_saved_is_judged_before_the_backlog(
    root: Path, store: Store, host: ModelHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_stage, "AT_ONCE", 1)
    asked: list[tuple[Sequence[tuple[str, str]], Priority]] = []
    real = ModelHost.judge

    def judge(self: ModelHost, pairs: Sequence[tuple[str, str]], *, priority: Priority) -> Judged | Failed:
        asked.append((pairs, priority))
        return real(self, pairs, priority=priority)

    monkeypatch.setattr(ModelHost, "judge", judge)
    busy = threading.Event()
    busy.set()
    live = pipeline(root, store, host, interrupted=lambda: busy.is_set() and bool(asked))
    live.run()
    # One pair, perhaps in several ways; the others wait.
    assert {priority for _, priority in asked} == {Priority.BACKGROUND}
    texts = {frozenset(side.rpartition(" | ")[2] for side in pair) for pairs, _ in asked for pair in pairs}
    assert len(texts) == 1
    asked.clear()
    busy.clear()
    # By its date it would come last.
    write(root, {"Old.md": "---\ndate: 2020-01-02\n---\nNobody has to sign in at the lab on a Sunday.\n"})
    live.run()
    led = [pairs for pairs, priority in asked if priority is Priority.INTERACTIVE]
    assert led and all("on a Sunday" in a + b for pairs in led for a, b in pairs)
    assert {priority for _, priority in asked[len(led) :]} == {Priority.BACKGROUND}


def test_a_pair_that_hangs_the_judge_is_set_aside_and_the_others_are_judged(
    root: Path, store: Store, setup: Setup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison(monkeypatch)
    monkeypatch.setattr(jobs, "ATTEMPT_SECONDS", 1.5)
    day = "---\ndate: 2026-0{}-01\n---\n"
    write(
        root,
        {
            "Hens.md": day.format(1) + "Our hens dither for hours, and lay their eggs in the afternoon.\n",
            "Eggs.md": day.format(2) + "Our hens lay all of their eggs early in the morning.\n",
        },
    )
    with ModelHost(setup, log=tmp_path / "models.log") as host:
        run = pipeline(root, store, host).run()
        status = host.status()
    assert run.judge_failed is None and store.caches.judgements.complete_by != ""
    assert status.set_aside == 1 and "took longer than" in status.last_error
    assert open_sets(store) == {DISPUTED_MEMBERS, HIDDEN}


def test_a_vault_without_a_word_to_judge_may_get_some(tmp_path: Path, store: Store, host: ModelHost) -> None:
    root = write(tmp_path / "empty", {"Day.md": "Hm.\n"})
    live = pipeline(root, store, host)
    assert live.run().judge_failed is None
    write(root, NOTES)
    assert live.run().judge_failed is None
    assert open_sets(store) == {DISPUTED_MEMBERS, HIDDEN}


def test_what_a_gate_silences_stays_silent_in_the_next_process(
    root: Path, store: Store, host: ModelHost
) -> None:
    write(
        root,
        {
            "Prod.md": "The upload limit is 30 MB in prod.\n",
            "Staging.md": "The upload limit is 60 MB in staging.\n",
        },
    )
    pipeline(root, store, host).run()
    assert open_sets(store) == {DISPUTED_MEMBERS, HIDDEN}
    write(root, {"Fence.md": "The fence was painted green by Tom.\n"})
    pipeline(root, store, host).run()
    assert open_sets(store) == {DISPUTED_MEMBERS, HIDDEN}


def test_pairs_that_find_no_room_are_counted(
    root: Path, store: Store, host: ModelHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_stage, "MOST_WAITING", 1)
    run = pipeline(root, store, host).run()
    assert run.pairs_left > 0 and run.judge_failed is None
