"""One bit of the store's file flipped, page by page: doctor notices, or nothing that matters has changed."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.services.examination import examine
from app.store.errors import StoreError
from app.store.rows import Event
from app.store.store import Store
from tests.robust.building import pipeline
from tests.robust.settling import SETTINGS, generate

FLIPS = 100 if os.environ.get("BELIE_CAMPAIGN") == "full" else 4
"""In each page."""
PAGE = 4096
NOTICED = "noticed"


@dataclass(frozen=True)
class Matters:
    """What was decided, and what that needs: the ledger, conflicts with their members, what claims say where.

    The rest of the store was read from the notes and can be read from them again.
    """

    events: list[Event]
    conflicts: list[tuple[object, ...]]
    claims: list[tuple[str, str, int, str, str, str | None]]
    forgotten: str


def what_matters(store: Store) -> Matters:
    claims = sorted(store.claims.all(), key=lambda claim: claim.id)
    return Matters(
        store.ledger.events(100_000),
        [
            (c.id, c.kind, c.tier, c.status, c.members, c.question, c.slot, c.reasons)
            for c in store.conflicts.all()
        ],
        [
            (c.id, c.statement.path, c.statement.line, c.statement.text, c.status, c.superseded_by)
            for c in claims
        ],
        repr(store.claims.forgotten()),
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which everything was done that can be decided, in one file."""
    folder = tmp_path_factory.mktemp("flips")
    root, path = generate(folder / "vault"), folder / "store.db"
    with Store.open(path) as store:
        pipeline(root, store, SETTINGS).run()
        first, second, third, fourth, *_ = store.conflicts.open()
        store.conflicts.dismiss(first.id, "two doors")
        store.conflicts.keep(second.id, second.members[0], "seen")
        store.conflicts.snooze(third.id, "2030-01-01")
        store.claims.redact(fourth.members[0], "no codes")
        store.connection.rewrite()
    return path


def found(data: bytes, folder: Path) -> Matters | str:
    """What somebody finds in a store of these bytes, by way of what doctor asks."""
    for file in folder.iterdir():
        file.unlink()
    path = folder / "store.db"
    path.write_bytes(data)
    try:
        with Store.open(path, read_only=True) as store:
            return NOTICED if store.verify() else what_matters(store)
    except StoreError:
        return NOTICED


@pytest.mark.campaign
def test_no_flipped_bit_changes_what_matters_unnoticed(whole: Path, tmp_path: Path) -> None:
    chance = random.Random(FLIPS)
    data = whole.read_bytes()
    want = found(data, tmp_path)
    assert want != NOTICED
    noticed, escaped = 0, []
    for page in range(len(data) // PAGE):
        for _ in range(FLIPS):
            at, bit = page * PAGE + chance.randrange(PAGE), chance.randrange(8)
            flipped = bytearray(data)
            flipped[at] ^= 1 << bit
            now = found(bytes(flipped), tmp_path)
            noticed += now == NOTICED
            if now not in (want, NOTICED):
                escaped.append((page, at % PAGE, bit))
    assert escaped == []
    assert noticed > len(data) // PAGE / 4, "hardly any flip hit a page in use"


def test_doctor_names_rows_that_make_no_sense(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = whole.parent / "vault"
    data = whole.read_bytes()
    broken = data.replace(b'[{"stage":"structural","verdict"', b'[{"stage":"structural" "verdict"')
    assert broken != data
    path = whole.with_name("broken.db")
    path.write_bytes(broken)
    monkeypatch.setattr("app.places.store_path", lambda vault: path)
    problems = examine(root, with_models=False)["store"]["problems"]
    assert any("cannot be read" in problem for problem in problems)
