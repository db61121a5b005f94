"""What belongs to the vault that is open: its store, in threads, and the process that reads it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from app.tui.store_thread import StoreThread

if TYPE_CHECKING:
    from app.pipeline.messages import Message as IndexMessage
    from app.pipeline.reading_schedule import Wish
    from app.store.store import Store
    from app.strategies.rules import Rule


class IndexWorker(Protocol):
    """What the workspace asks of the process that reads the vault."""

    def start(self, on_message: Callable[[IndexMessage], None]) -> None: ...
    def rescan(self) -> None: ...
    def models(self, wish: Wish) -> None: ...
    def stop(self) -> None: ...
    @property
    def alive(self) -> bool: ...


WorkerFactory = Callable[[Path, Path], IndexWorker]


class VaultSession:
    """Made when a vault is opened, closed when another takes its place or Belie ends."""

    def __init__(
        self,
        vault: Path,
        store_path: Path,
        worker: IndexWorker,
        *,
        hear: Callable[[IndexMessage], None],
        now: Callable[[], str],
        overrides: Mapping[str, Any],
        rules: Sequence[Rule] = (),
    ) -> None:
        """`hear` is called with each word of the worker, from a thread."""
        self.vault = vault
        self.store_path = store_path
        self.worker = worker
        self.overrides = dict(overrides)
        """How the person wants this vault read, where that differs from the defaults."""
        self.rules = rules
        """Which strategy proposes an answer where."""
        self._hear = hear
        self._now = now
        self._starting: threading.Thread | None = None
        # Three threads, so that a long look at the story delays neither the queue nor a decision.
        self.decisions = StoreThread("decisions", _opener(store_path, clock=now))
        self.conflicts = StoreThread("conflicts", _opener(store_path, read_only=True))
        self.story = StoreThread("story", _opener(store_path, read_only=True))
        self._further: dict[str, StoreThread] = {}
        self.closed = False
        """What is asked of it now is dropped: a screen may still ask while it goes."""

    @property
    def threads(self) -> tuple[StoreThread, ...]:
        return (self.decisions, self.conflicts, self.story, *self._further.values())

    def thread(self, name: str) -> StoreThread:
        """A further thread with a store it may write, made when it is first asked for."""
        if name not in self._further:
            self._further[name] = StoreThread(name, _opener(self.store_path, clock=self._now))
        return self._further[name]

    def start_worker(self) -> None:
        """Start reading the vault, in a thread: making a process takes a moment."""

        def start() -> None:
            try:
                self.worker.start(self._hear)
            except Exception as error:
                from app.pipeline.messages import Trouble

                self._hear(Trouble(f"Reading the vault could not start: {error}", fatal=True))

        self._starting = threading.Thread(target=start, name="belie-start", daemon=True)
        self._starting.start()

    def look_again(self) -> None:
        """Have every note looked at; a worker that has ended is started anew, which does the same."""
        if self.worker.alive:
            self.worker.rescan()
        elif self._starting is None or not self._starting.is_alive():
            self.start_worker()

    def close(self) -> None:
        """End worker and threads; decisions that were made are written first."""
        if self._starting is not None:
            self._starting.join()
        self.worker.stop()
        for thread in self.threads:
            thread.close()
        self.closed = True


def _opener(path: Path, **how: Any) -> Callable[[], Store]:
    """Opens the store from the thread that uses it, where loading the database library holds nobody up."""

    def opened() -> Store:
        from app.store.store import Store

        return Store.open(path, **how)

    return opened
