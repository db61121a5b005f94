"""The index process lets strategies speak after it has read the vault."""

from __future__ import annotations

import queue
from pathlib import Path

from app.pipeline.handle import Worker
from app.pipeline.messages import Indexed, Message, Trouble
from app.store.store import Store
from app.strategies.rules import Rule
from tests.robust.building import DISPUTED, write

DEADLINE = 60.0
"""Only a hang takes this long."""
RESOLVER = Rule("custom", None, True, "mine.py:f", 30.0, {"keep": "4411"})
CODE = """
from app.strategies import Resolution
def f(c, ctx):
    return Resolution.keep(next(m for m in c.members if m.value == ctx.options["keep"]), "it opens the door")
"""


def heard(root: Path, store: Path, config: Path) -> list[Message]:
    """What the process says until it has read the vault and let the strategies speak."""
    said: queue.Queue[Message] = queue.Queue()
    worker = Worker(root, store, strategies=[RESOLVER], config=config)
    worker.start(said.put)
    found: list[Message] = []
    try:
        while (
            not any(isinstance(m, Trouble) for m in found) and sum(isinstance(m, Indexed) for m in found) < 2
        ):
            found.append(said.get(timeout=DEADLINE))
    finally:
        worker.stop()
    return found


def test_a_resolver_decides_and_the_counts_are_told_again(tmp_path: Path) -> None:
    root = write(tmp_path / "vault", DISPUTED)
    config = write(tmp_path / "config", {"mine.py": CODE})
    counts = [m.open_conflicts for m in heard(root, tmp_path / "store.db", config) if isinstance(m, Indexed)]
    assert counts == [1, 0]
    with Store.open(tmp_path / "store.db", read_only=True) as store:
        assert store.ledger.events(1, decisions=True)[0].why == "it opens the door"


def test_a_resolver_that_fails_is_told(tmp_path: Path) -> None:
    root = write(tmp_path / "vault", DISPUTED)
    config = write(tmp_path / "config", {"mine.py": "def f(c, ctx): return c.nothing"})
    (trouble,) = [m for m in heard(root, tmp_path / "store.db", config) if isinstance(m, Trouble)]
    assert "mine.py:f: AttributeError" in trouble.text and not trouble.fatal
