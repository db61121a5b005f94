"""Watching a vault: says when to look again and where, by file events or, where there are none, by polling.

Events are hints. They say that something may have changed; only a walk and a plan say what did.
"""

from __future__ import annotations

import logging
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from app.vault.noise import concerns_notes
from app.vault.settings import VaultSettings
from app.vault.walk import Walk, walk_if_there
from app.vault.watch_batch import Batch
from app.vault.watch_observer import Observer, ObserverFactory, system_observer

log = logging.getLogger(__name__)

Mode = Literal["watching", "polling"]
_POLL_REST = 20
"""Polling rests this many times as long as a walk computes, so that a huge vault keeps no core busy."""


class Watcher:
    """Calls `on_hint` with the touched paths, or None for "look at everything".

    The call comes from the watcher's own thread, after `debounce` seconds of quiet (a second at most while
    events keep coming). Paths are those of notes and of folders; a folder's path stands for all below it.
    `on_hint(None)` also comes every `rescan` seconds, when the vault goes away or comes back, and when the
    mode changes. Looking for the first time is the caller's, after `start`.
    """

    def __init__(
        self,
        root: Path,
        settings: VaultSettings,
        on_hint: Callable[[frozenset[str] | None], None],
        *,
        on_mode: Callable[[Mode], None] | None = None,
        debounce: float = 0.15,
        rescan: float = 300.0,
        poll: float = 2.0,
        observer_factory: ObserverFactory = system_observer,
    ) -> None:
        self._root = root
        self._settings = settings
        self._on_hint = on_hint
        self._on_mode = on_mode
        self._rescan = rescan
        self._poll = poll
        self._observer_factory = observer_factory

        self._wake = threading.Condition()
        """Guards the four fields below; all others belong to the watcher's thread once it runs."""
        self._batch = Batch(debounce)
        self._lost = False
        self._stopping = False
        self._mode: Mode | None = None

        self._thread: threading.Thread | None = None
        self._observer: Observer | None = None
        self._identity: tuple[int, int] | None = None
        self._last_walk = Walk(())
        self._look_at = 0.0
        self._rescan_at = 0.0

    @property
    def mode(self) -> Mode:
        with self._wake:
            return self._mode or "polling"

    def start(self) -> None:
        """Watches stand when this returns: what is saved from then on leads to a hint."""
        if self._thread is not None:
            raise RuntimeError("a watcher starts once")
        self._thread = threading.Thread(target=self._run, name="vault-watcher", daemon=True)
        now = time.monotonic()
        self._look_at, self._rescan_at = now + self._poll, now + self._rescan
        self._identity = _identity(self._root)
        self._observe()
        self._thread.start()

    def stop(self) -> None:
        """No hint comes after this returns, unless it is called from within one."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        try:
            while self._wait():
                try:
                    self._turn()
                except Exception:
                    log.exception("the watcher goes on after an error")
        finally:
            self._drop_observer()

    def _wait(self) -> bool:
        """Sleep until there is something to do; False when it is to stop."""
        with self._wake:
            while not self._stopping and not self._lost:
                due = self._batch.due
                next_time = min(self._look_at, self._rescan_at)
                rest = (next_time if due is None else min(due, next_time)) - time.monotonic()
                if rest <= 0:
                    break
                self._wake.wait(rest)
            return not self._stopping

    def _turn(self) -> None:
        now = time.monotonic()
        if now >= self._rescan_at:
            self._rescan_at = now + self._rescan
            if self._observer is None and self._identity is not None:
                self._observe()  # there may be watches to be had again
            self._add(None)
        with self._wake:
            lost, self._lost = self._lost, False
        if lost or now >= self._look_at:
            self._look_at = now + self._poll
            self._look(lost)
        with self._wake:
            due = self._batch.due
            if due is None or due > time.monotonic():
                return
            hint = self._batch.take()
        self._on_hint(hint)

    def _look(self, lost: bool) -> None:
        """See that the vault is still the folder being watched; when polling, what changed in it."""
        identity = _identity(self._root)
        ended = self._observer is not None and not self._observer.is_alive()
        if lost or ended or identity != self._identity:
            self._identity = identity
            self._observe()
            self._add(None)
        elif self._observer is None and identity is not None:
            self._look_by_polling()

    def _look_by_polling(self) -> None:
        began, computed = time.monotonic(), time.thread_time()
        before, self._last_walk = self._last_walk, walk_if_there(self._root, self._settings)
        ended, computed = time.monotonic(), time.thread_time() - computed
        # A slow disk is waited for as long again as it took; waiting for it costs nobody anything else.
        self._look_at = ended + max(self._poll, _POLL_REST * computed, ended - began)
        if before[2:] != self._last_walk[2:]:  # what is unreadable, or whether there is anything at all
            self._add(None)
        for path in {note.path for note in set(before.seen) ^ set(self._last_walk.seen)}:
            self._add(path)

    def _observe(self) -> None:
        """Watch the vault if that can be had, else poll it."""
        self._drop_observer()
        with self._wake:
            self._lost = False
        if self._identity is not None:
            try:
                observer = self._observer_factory(self._root, self._touched, self._watching_lost)
                observer.start()
                self._observer = observer
            except Exception as error:
                log.info("polling, because watching failed: %s", error)
        if self._observer is None:
            self._last_walk = walk_if_there(self._root, self._settings)
        self._set_mode("polling" if self._observer is None else "watching")

    def _drop_observer(self) -> None:
        observer, self._observer = self._observer, None
        if observer is not None:
            try:
                observer.stop()
            except Exception:
                log.exception("an observer did not stop cleanly")

    def _set_mode(self, mode: Mode) -> None:
        with self._wake:
            changed, self._mode = mode != self._mode, mode
        if changed and self._on_mode is not None:
            try:
                self._on_mode(mode)
            except Exception:
                log.exception("on_mode failed")

    def _touched(self, path: str | None, is_folder: bool) -> None:
        if path is None or concerns_notes(path, is_folder):
            self._add(path)

    def _add(self, path: str | None) -> None:
        with self._wake:
            if self._batch.due is None:
                self._wake.notify()
            self._batch.add(path, time.monotonic())

    def _watching_lost(self) -> None:
        with self._wake:
            self._lost = True
            self._wake.notify()


def _identity(root: Path) -> tuple[int, int] | None:
    """Which folder stands at the root, None for none: a remounted or replaced vault is another one."""
    try:
        state = root.stat()
    except (OSError, ValueError):
        return None
    return (state.st_dev, state.st_ino) if stat.S_ISDIR(state.st_mode) else None
