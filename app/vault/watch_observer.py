"""What a watcher needs of the system: something that says which path was touched, until it is lost."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from watchdog.events import DirModifiedEvent, FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer as SystemObserver
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

Touched = Callable[[str | None, bool], None]
"""Called with a path relative to the vault (None: anything may have changed) and whether it is a folder."""
Lost = Callable[[], None]
"""Called when watching has ended by itself: the folder went away, or the system has no watches left."""


class Observer(Protocol):
    """Both callbacks come from a thread of the observer's, and never after `stop` has returned."""

    def start(self) -> None:
        """Raises OSError when the folder cannot be watched."""

    def stop(self) -> None: ...

    def is_alive(self) -> bool: ...


ObserverFactory = Callable[[Path, Touched, Lost], Observer]


def system_observer(root: Path, touched: Touched, lost: Lost) -> Observer:
    """The best observer this system has."""
    try:
        from app.vault.watch_inotify import InotifyTree
    except Exception:  # the import itself fails where the system has no inotify
        return RecursiveObserver(root, touched, lost)
    return InotifyTree(root, touched, lost)


class RecursiveObserver(FileSystemEventHandler):
    """Watchdog's own recursive observer, for systems that watch a whole tree at once."""

    def __init__(self, root: Path, touched: Touched, lost: Lost) -> None:
        self._base = os.path.realpath(root)
        self._touched = touched
        self._lost = lost
        self._observer: BaseObserver | None = None

    def start(self) -> None:
        observer = SystemObserver()
        if isinstance(observer, PollingObserver):
            # It would read the whole tree every second; the watcher's own polling is lighter.
            raise OSError(errno.ENOTSUP, "no file events on this system")
        observer.schedule(self, self._base, recursive=True)
        try:
            observer.start()
        except BaseException:
            observer.stop()
            raise
        self._observer = observer

    def stop(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()

    def is_alive(self) -> bool:
        return self._observer is not None and self._observer.is_alive()

    def on_any_event(self, event: FileSystemEvent) -> None:
        # That a folder's list of names changed is told again by the event of the name itself.
        if event.event_type in ("opened", "closed_no_write") or isinstance(event, DirModifiedEvent):
            return
        for path in (event.src_path, event.dest_path):
            if path:
                self._report(os.fsdecode(path), event.is_directory)

    def _report(self, path: str, is_folder: bool) -> None:
        if path == self._base:
            if not os.path.isdir(path):  # noqa: PTH112
                self._lost()
        elif path.startswith(self._base + os.sep):
            self._touched(path[len(self._base) + 1 :].replace(os.sep, "/"), is_folder)
