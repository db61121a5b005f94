"""A store that was deleted or replaced while it was open takes no decision that nobody would find again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from app.store.errors import StoreReplaced
from app.store.store import Store
from tests.robust.building import DISPUTED, pipeline, write


def _deleted(path: Path) -> None:
    path.unlink()


def _replaced(path: Path) -> None:
    shutil.copy(path, path.with_name("other.db"))
    path.with_name("other.db").replace(path)


def _its_folder_moved(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


@pytest.mark.parametrize("how", [_deleted, _replaced, _its_folder_moved])
def test_it_is_noticed_before_the_next_decision(how: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "state" / "store.db"
    with Store.open(path) as store:
        pipeline(write(tmp_path / "vault", DISPUTED), store).run()
        (conflict,) = store.conflicts.open()
        how(path)
        with pytest.raises(StoreReplaced, match="deleted or replaced while it was open"):
            store.conflicts.dismiss(conflict.id)
        assert store.conflicts.open() == [conflict]


def test_a_store_in_memory_and_one_that_stays_are_written(tmp_path: Path) -> None:
    for where in (":memory:", tmp_path / "store.db"):
        with Store.open(where) as store:
            assert store.ledger.record("said", "note.md", {}) == 1
