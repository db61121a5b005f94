"""The language model in a run of the pipeline: its norms count as long as it and the text are there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.detection.norm_stage import NormStage
from app.models.requests import Completed, Failed
from app.pipeline.index_vault import Pipeline
from app.pipeline.stage_list import Models
from app.store.store import Store
from app.vault.settings import vault_settings
from tests.detection.test_norm_stage import Host
from tests.robust.building import open_sets, pipeline, write

VAGUE = "it is a no from me on friday deploys"
PLAIN = "Friday deploys are fine."
NOTES = {"Shop.md": f"{VAGUE}\n", "Keys.md": f"{PLAIN}\n", "Boat.md": "The boat is at the north quay.\n"}
READ = frozenset({("Shop.md", VAGUE), ("Keys.md", PLAIN)})


class Reader(Host):
    """Reads the one statement that the rules cannot place."""

    def complete(self, prompt: str, **options: Any) -> Completed | Failed:
        self.asked.append(prompt.rsplit("\n\n", 1)[-1])
        found = VAGUE in self.asked[-1]
        return Completed(
            "own", " asserted | friday deploys | must not forbidden | -" if found else " none", True, 9
        )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", NOTES)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as store:
        yield store
        assert store.verify() == []


def reading(root: Path, store: Store, host: Host) -> Pipeline:
    models = Models(None, NormStage(host, store))  # type: ignore[arg-type]
    return Pipeline(root, store, vault_settings(root), models=models)


def test_what_the_model_reads_is_compared(root: Path, store: Store) -> None:
    run = reading(root, store, Reader()).run()
    assert run.reading_failed is None
    assert open_sets(store) == {READ}
    # The store keeps what the rules read, the index what the model did.
    assert not [norm for claim in store.claims.active() for norm in claim.norms if norm.by == "llama"]


def test_it_is_asked_once_whoever_runs_next(root: Path, store: Store) -> None:
    first, second = Reader(), Reader()
    live = reading(root, store, first)
    live.run()
    before = len(first.asked)
    assert before > 0
    live.run()
    reading(root, store, second).run()
    assert (len(first.asked), second.asked) == (before, [])
    assert open_sets(store) == {READ}


def test_its_norms_go_with_the_text_they_were_read_from(root: Path, store: Store) -> None:
    live = reading(root, store, Reader())
    live.run()
    write(root, {"Shop.md": "it is a yes from me on friday deploys\n"})
    live.run()
    assert open_sets(store) == set()
    write(root, {"Shop.md": f"{VAGUE}\n"})
    live.run()
    assert open_sets(store) == {READ}


@pytest.mark.parametrize("fresh", [True, False], ids=["in another process", "in the same"])
def test_a_newcomer_meets_what_the_model_read(root: Path, store: Store, fresh: bool) -> None:
    (root / "Keys.md").unlink()
    live = reading(root, store, Reader())
    live.run()
    assert open_sets(store) == set()
    write(root, {"Keys.md": NOTES["Keys.md"]})
    (reading(root, store, Reader()) if fresh else live).run()
    assert open_sets(store) == {READ}


def test_without_the_model_all_is_as_if_it_had_never_been_asked(root: Path, store: Store) -> None:
    reading(root, store, Reader()).run()
    store.progress.compare_again()
    pipeline(root, store).run()
    assert open_sets(store) == set()
    store.progress.compare_again()
    reading(root, store, Reader()).run()
    assert open_sets(store) == {READ}


def test_one_that_fails_leaves_the_rules_and_is_asked_later(root: Path, store: Store) -> None:
    run = reading(root, store, Host(Failed("absent", "it is gone"))).run()
    assert run.reading_failed == Failed("absent", "it is gone")
    assert open_sets(store) == set() and store.caches.rereadings.complete_by == ""
    assert reading(root, store, Reader()).run().reading_failed is None
    assert open_sets(store) == {READ} and store.caches.rereadings.complete_by != ""
