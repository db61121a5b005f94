"""The workspace's index process and commands on one vault at once: nothing is lost, nobody hears of locks."""

from __future__ import annotations

import queue
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from app import places
from app.pipeline.handle import Worker
from app.pipeline.messages import Indexed, Message, Trouble
from app.store.store import Store
from app.words import Conflict
from tests.robust.building import Answer, belie, write
from tests.robust.settling import ROOMS, generate

DEADLINE = 120.0
SAVES = 8


def wait_for_index(said: queue.Queue[Message], heard: list[Message]) -> None:
    while True:
        heard.append(said.get(timeout=DEADLINE))
        if isinstance(heard[-1], Indexed):
            return


def settle(vault: Path, conflicts: list[Conflict]) -> list[Answer]:
    """What a person types; the last word on each conflict is that it is dismissed."""
    answers = []
    for conflict in conflicts:
        for words in (
            ("conflicts", "resolve", conflict.id, "--winner", conflict.members[0]),
            ("conflicts", "reopen", conflict.id),
            ("conflicts", "dismiss", conflict.id, "--reason", f"about {conflict.id}"),
        ):
            answers.append(belie(*words, "--vault", vault))
    return answers


def test_worker_and_two_hands_at_once(tmp_path: Path) -> None:
    root = generate(tmp_path / "vault")
    path = places.store_path(root)
    said: queue.Queue[Message] = queue.Queue()
    heard: list[Message] = []
    worker = Worker(root, path)
    worker.start(said.put)
    try:
        wait_for_index(said, heard)
        with Store.open(path) as store:
            conflicts = store.conflicts.open()
        assert len(conflicts) == len(ROOMS)
        with ThreadPoolExecutor(2) as hands:
            work = [hands.submit(settle, root, part) for part in (conflicts[:2], conflicts[2:4])]
            # A person who goes on writing meanwhile; each save is an index run of the worker.
            for n in range(SAVES):
                write(root, {f"extra/{n}.md": f"The shelf{n} board is oak.\n"})
                worker.rescan()
                wait_for_index(said, heard)
            answers = [answer for one in work for answer in one.result()]
        assert [(a.code, a.err) for a in answers] == [(0, "")] * 12
        worker.rescan()
        wait_for_index(said, heard)
    finally:
        worker.stop()
    assert not [message for message in heard if isinstance(message, Trouble)]
    with Store.open(path) as store:
        assert store.verify() == []
        for conflict in conflicts[:4]:
            found = store.conflicts.get(conflict.id)
            assert found is not None
            assert found.status == "dismissed"
            decisions = [e.action for e in store.ledger.history(conflict.id) if e.who == "person"]
            assert decisions == ["kept", "reopened", "dismissed"]
        assert {c.id for c in store.conflicts.open()} == {c.id for c in conflicts[4:]}
        said_once = [c.statement.text for c in store.claims.active() if c.statement.path.startswith("extra/")]
        assert {text.split()[1] for text in said_once} == {f"shelf{k}" for k in range(SAVES)}
