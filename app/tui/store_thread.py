"""A thread with a store of its own: takes jobs, answers with messages, so that no keystroke waits."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING

from textual.message import Message
from textual.message_pump import MessagePump

from app.store.errors import StoreError
from app.tui.messages import StoreFailed

if TYPE_CHECKING:
    from app.store.store import Store

_log = logging.getLogger(__name__)

Job = Callable[["Store"], "Message | None"]


class StoreThread:
    """Does one job after the other; a waiting job is replaced by a newer one of the same name."""

    def __init__(self, name: str, open_store: Callable[[], Store]) -> None:
        self._open_store = open_store
        self._store: Store | None = None
        self._jobs: OrderedDict[str, tuple[MessagePump, Job]] = OrderedDict()
        self._changed = threading.Condition()
        self._busy = False
        self._closing = False
        self._numbers = count()
        self.done = 0
        """How many jobs were answered so far."""
        self._thread = threading.Thread(target=self._work, name=f"belie-{name}", daemon=True)
        self._thread.start()

    def ask(self, asker: MessagePump, job: Job, *, name: str | None = None) -> None:
        """Have a job done; its answer is posted to the asker. Without a name it is never replaced."""
        with self._changed:
            if not self._closing:
                self._jobs[name or f"#{next(self._numbers)}"] = (asker, job)
                self._changed.notify_all()

    def wait(self) -> None:
        """Until every job asked for so far is done; for tests and for leaving."""
        with self._changed:
            self._changed.wait_for(lambda: not self._jobs and not self._busy)

    def close(self) -> None:
        """Finish the jobs that wait, then end the thread and close the store."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs or self._closing)
                if not self._jobs:
                    break
                name, (asker, job) = self._jobs.popitem(last=False)
                self._busy = True
            answer = self._answer(name, job)
            if answer is not None:
                asker.post_message(answer)
            with self._changed:
                self._busy = False
                self.done += 1
                self._changed.notify_all()
        if self._store is not None:
            self._store.close()

    def _answer(self, name: str, job: Job) -> Message | None:
        try:
            if self._store is None:
                self._store = self._open_store()
            return job(self._store)
        except StoreError as error:
            return StoreFailed(str(error), name)
        except Exception as error:
            # The pane shows it and the log has the rest; the other jobs go on.
            _log.exception("a job on the store failed")
            return StoreFailed(f"Something went wrong ({type(error).__name__}: {error}).", name)
