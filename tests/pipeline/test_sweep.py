"""Looking at everything anew: when it is due, by a running worker, and with another judge than before."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.detection import judge_stage
from app.detection.judge_stage import JudgeStage
from app.models.host import ModelHost
from app.models.requests import Failed, Judged
from app.models.setup import Setup
from app.pipeline import worker as worker_module
from app.pipeline.around import Around
from app.pipeline.handle import decode
from app.pipeline.index_vault import Pipeline
from app.pipeline.messages import Indexed, Trouble
from app.pipeline.stage_list import Models
from app.pipeline.sweep import INTERVAL, seconds_until_sweep, sweep
from app.store.errors import StoreBusy
from app.store.store import Store
from app.vault.settings import vault_settings
from tests.detection.test_judge_stage import HIDDEN, NOTES
from tests.models import tiny
from tests.pipeline.test_worker import Listening
from tests.robust.building import DISPUTED, DISPUTED_MEMBERS, open_sets, pipeline, write

LONG_AGO = "2020-01-01T00:00:00.000000+00:00"
NOW = "2026-06-30T12:00:00.000000+00:00"
DAY = INTERVAL.total_seconds()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", DISPUTED)


@pytest.mark.parametrize(
    ("swept", "left"),
    [
        ("", DAY),
        (LONG_AGO, 0.0),
        (NOW, DAY),
        ("2026-06-30T00:00:00.000000+00:00", DAY / 2),
        ("2030-01-01T00:00:00.000000+00:00", DAY),
    ],
    ids=["just read whole", "long ago", "just now", "half a day ago", "a clock that was wrong"],
)
def test_when_the_next_one_is_due(swept: str, left: float) -> None:
    assert seconds_until_sweep(swept, NOW) == left


def unnoticed(file: Path, old: bytes, new: bytes) -> None:
    """Another text of the same size at the same time: only who reads the file can tell."""
    state = file.stat()
    with file.open("r+b") as same:
        same.write(file.read_bytes().replace(old, new))
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))


def aged(root: Path) -> None:
    for file in root.rglob("*.md"):
        os.utime(file, (1_500_000_000, 1_500_000_000))


def test_a_store_swept_long_ago_is_swept_by_a_running_worker_without_a_hint(
    root: Path, tmp_path: Path
) -> None:
    aged(root)
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        pipeline(root, store).run()
        store.progress.mark_swept(LONG_AGO)
    unnoticed(root / "House.md", b"0087", b"4411")
    one = Listening(root, path)
    one.start()
    try:
        assert one.indexed() == Indexed(2, 2, 1, 0)  # by the files' times nothing changed
        assert one.indexed() == Indexed(2, 2, 0, 1)
    finally:
        one.worker.stop()
    with Store.open(path) as store:
        assert store.progress.swept > LONG_AGO
        assert store.verify() == []


def test_a_first_reading_counts_as_a_sweep(root: Path, tmp_path: Path) -> None:
    one = Listening(root, tmp_path / "store.db")
    one.start()
    one.indexed()
    one.worker.stop()
    with Store.open(tmp_path / "store.db") as store:
        assert store.progress.swept > LONG_AGO


def test_one_that_fails_is_not_tried_again_the_next_moment(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    def busy(*_: object, **__: object) -> None:
        tried.append(1)
        raise StoreBusy("another process is writing")

    monkeypatch.setattr(worker_module, "sweep", busy)
    read, wrote = os.pipe()
    with os.fdopen(read) as heard, os.fdopen(wrote, "w") as out, Store.open(tmp_path / "s.db") as store:
        store.progress.mark_swept(LONG_AGO)
        child = worker_module.IndexWorker(root, store, {}, out, None)
        waiting = threading.Thread(target=child.wait_for_work)
        waiting.start()
        message = decode(heard.readline())
        assert message == Trouble("another process is writing")
        child.follow_commands(io.StringIO())  # the parent is gone; it tried no second time meanwhile
        waiting.join()
        assert tried == [1]
        assert store.progress.swept == LONG_AGO


# with models


@pytest.fixture(scope="module")
def judges(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, ModelHost]]:
    """One that sees no conflict anywhere, and one that sees nothing else."""
    place = tmp_path_factory.mktemp("models")
    made = {
        name: Setup(
            judge=str(tiny.judge_folder(place / name, suspects=label)), cache=str(place / "cache"), threads=1
        )
        for name, label in (("calm", "compatible"), ("stern", "conflict"))
    }
    with (
        ModelHost(made["calm"], log=place / "a.log") as calm,
        ModelHost(made["stern"], log=place / "b.log") as stern,
    ):
        yield {"calm": calm, "stern": stern}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as store:
        yield store
        assert store.verify() == []


@pytest.fixture
def hidden(tmp_path: Path) -> Path:
    """A vault with a conflict the rules see, and one that they do not."""
    return write(tmp_path / "hidden", NOTES)


def judging(root: Path, store: Store, host: ModelHost, **around: object) -> Pipeline:
    models = Models(JudgeStage(host, store))
    return Pipeline(root, store, vault_settings(root), around=Around(**around), models=models)  # type: ignore[arg-type]


def test_what_another_judge_judged_is_judged_anew(
    hidden: Path, store: Store, judges: dict[str, ModelHost]
) -> None:
    calm = judging(hidden, store, judges["calm"])
    assert calm.run().pairs > 0
    assert HIDDEN not in open_sets(store)
    first = store.caches.judgements.complete_by
    done = sweep(judging(hidden, store, judges["stern"]), store, NOW)
    assert done.pairs > 0 and done.judge_failed is None
    assert open_sets(store) == {DISPUTED_MEMBERS, HIDDEN}
    assert store.caches.judgements.complete_by not in ("", first) and store.progress.swept == NOW
    # Nothing is left for a second one.
    assert sweep(judging(hidden, store, judges["stern"]), store, NOW).pairs == 0


def test_one_interrupted_in_the_middle_goes_on_with_the_rest(
    hidden: Path, store: Store, judges: dict[str, ModelHost], monkeypatch: pytest.MonkeyPatch
) -> None:
    judging(hidden, store, judges["calm"]).run()
    monkeypatch.setattr(judge_stage, "AT_ONCE", 1)
    stern = JudgeStage(judges["stern"], store).judge
    asked: list[tuple[str, str]] = []
    real = ModelHost.judge

    def judge(self: ModelHost, pairs: Sequence[tuple[str, str]], **how: Any) -> Judged | Failed:
        asked.extend(pairs)
        return real(self, pairs, **how)

    monkeypatch.setattr(ModelHost, "judge", judge)
    cut = judging(hidden, store, judges["stern"], interrupted=lambda: len(asked) > 1)
    sweep(cut, store, NOW)
    assert asked and store.caches.judgements.complete_by == ""
    done = set(asked)
    asked.clear()
    # Whoever starts next goes on; a sweep or not makes no difference.
    judging(hidden, store, judges["stern"]).run()
    assert asked and done.isdisjoint(asked)
    assert open_sets(store) == {DISPUTED_MEMBERS, HIDDEN}
    assert store.caches.judgements.complete_by == stern
