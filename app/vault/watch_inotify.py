"""Watching a vault's folders by inotify, one watch for each folder that is walked and none for the rest.

Watchdog's recursive observer also watches `.git` and its thousands of folders, and says nothing when the
system runs out of watches below the root or drops events. A vault that only seems watched is the worst case,
so this stands on watchdog's inotify layer itself: every failure to watch is seen.
"""

from __future__ import annotations

import errno
import itertools
import logging
import os
import threading
from pathlib import Path

from watchdog.observers.inotify_c import (
    CallbackId,
    InotifyConstants,
    InotifyEvent,
    InotifyFD,
    Mask,
    WatchDescriptor,
)

from app.vault.noise import concerns_notes
from app.vault.watch_observer import Lost, Touched

log = logging.getLogger(__name__)

_MASK = Mask(
    InotifyConstants.IN_CREATE
    | InotifyConstants.IN_DELETE
    | InotifyConstants.IN_MOVE
    | InotifyConstants.IN_MODIFY
    | InotifyConstants.IN_CLOSE_WRITE
    | InotifyConstants.IN_ATTRIB
    | InotifyConstants.IN_DELETE_SELF
    | InotifyConstants.IN_MOVE_SELF
    | InotifyConstants.IN_ONLYDIR
    | InotifyConstants.IN_DONT_FOLLOW
)
_SKIPPED = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EACCES}
"""A folder that is gone again, or that may not be read: no reason to stop watching the others."""


class InotifyTree:
    """Watches on the root and on every folder below it that can hold notes."""

    def __init__(self, root: Path, touched: Touched, lost: Lost) -> None:
        self._base = os.path.realpath(root)
        self._touched = touched
        self._lost = lost
        self._lock = threading.Lock()
        self._inotify: InotifyFD | None = None
        self._stopped = False
        self._numbers = itertools.count(1)
        self._watches: dict[WatchDescriptor, tuple[str, CallbackId]] = {}

    def start(self) -> None:
        self._inotify = InotifyFD()
        self._inotify.start()
        try:
            with self._lock:
                self._watch_tree(self._inotify, "")
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        self._stopped = True
        if self._inotify is not None:
            self._inotify.stop()
            self._inotify.join()

    def is_alive(self) -> bool:
        return self._inotify is not None and self._inotify.is_alive()

    # What follows is called from the inotify thread, which must outlive whatever an event leads to.

    def on_event(self, event: InotifyEvent) -> None:
        try:
            self._handle(event)
        except OSError as error:
            log.info("watching ended: %s", error)
            self._end()
        except Exception:
            log.exception("a file event could not be understood")
            self._end()

    def on_watch_deleted(self, wd: WatchDescriptor) -> None:
        with self._lock:
            folder, _ = self._watches.pop(wd, (None, None))
        if folder == "":
            self._end()

    def on_queue_overflow(self) -> None:
        """Events were dropped, perhaps of new folders: watch what is there now, then look at everything."""
        try:
            with self._lock:
                if self._inotify is not None:
                    self._watch_tree(self._inotify, "")
        except OSError as error:
            log.info("watching ended: %s", error)
            self._end()
        self._tell(None, True)

    def _handle(self, event: InotifyEvent) -> None:
        with self._lock:
            folder, _ = self._watches.get(event.wd, (None, None))
            if folder is None or self._inotify is None:
                return
            name = os.fsdecode(event.name)
            if not name:
                # About the folder itself; below the root its parent tells the same with more detail.
                ended = folder == "" and (event.is_delete_self or event.is_move_self)
                path, is_folder = None, True
            else:
                ended = False
                path, is_folder = _join(folder, name), event.is_directory
                if is_folder and event.is_moved_from:
                    self._forget_tree(self._inotify, path)
                if is_folder and (event.is_create or event.is_moved_to) and concerns_notes(path, True):
                    # Before the path is reported: what was made in it before the watch stood is found by
                    # the look that follows the report, what is made later has an event of its own.
                    self._watch_tree(self._inotify, path)
        if ended:
            self._end()
        elif path is not None:
            self._tell(path, is_folder)

    def _watch_tree(self, inotify: InotifyFD, top: str) -> None:
        folders = [top]
        while folders:
            folder = folders.pop()
            if self._watch(inotify, folder):
                folders.extend(self._folders_in(folder))

    def _watch(self, inotify: InotifyFD, folder: str) -> bool:
        number = CallbackId(next(self._numbers))
        try:
            wd = inotify.add_callback(os.fsencode(self._full(folder)), _MASK, self, number)
        except OSError as error:
            if folder and error.errno in _SKIPPED:
                return False
            raise
        if wd == -1:
            # How the layer below reports a folder that may not be read.
            inotify.remove_callbacks([(wd, number)])
            if not folder:
                raise PermissionError(errno.EACCES, "the vault may not be read", self._base)
            return False
        # The system knows a folder by its inode: one that was moved, or is found twice, is watched already.
        if (earlier := self._watches.get(wd)) is not None:
            inotify.remove_callbacks([(wd, earlier[1])])
        self._watches[wd] = (folder, number)
        return True

    def _forget_tree(self, inotify: InotifyFD, top: str) -> None:
        """A folder that was moved keeps its watches under a path that is no longer true: drop them."""
        below = top + "/"
        for wd, (folder, number) in list(self._watches.items()):
            if folder == top or folder.startswith(below):
                inotify.remove_callbacks([(wd, number)])
                del self._watches[wd]

    def _folders_in(self, folder: str) -> list[str]:
        try:
            with os.scandir(self._full(folder)) as entries:
                names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            return []
        return [path for name in names if concerns_notes(path := _join(folder, name), True)]

    def _full(self, folder: str) -> str:
        return f"{self._base}/{folder}" if folder else self._base

    def _tell(self, path: str | None, is_folder: bool) -> None:
        if not self._stopped:
            self._touched(path, is_folder)

    def _end(self) -> None:
        if not self._stopped:
            self._lost()


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
