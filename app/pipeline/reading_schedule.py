"""When the models read: wishes arrive on one thread of the worker, readings run on the other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from typing import Literal, get_args

from app.detective.schedule import ReadingJob, Schedule

Wish = Literal["pause", "stop", "typed"]
"""What the workspace may send: pause or resume, stop until something new happens, a key was pressed."""
WISHES: tuple[Wish, ...] = get_args(Wish)
ReadingState = Literal["idle", "waiting", "paused"]


class ReadingSchedule:
    """A schedule that two threads may use."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._schedule = Schedule()

    def saved(self, claims: Collection[str]) -> None:
        """Claims became active in an editor: wait until the person stops writing."""
        self._happened(lambda schedule, now: schedule.saved(now, claims))

    def ask(self) -> None:
        """The person did something in the workspace and expects a result: do not wait."""
        self._happened(lambda schedule, _: schedule.ask())

    def swept(self) -> None:
        """Everything was compared again."""
        self._happened(lambda schedule, _: schedule.again())

    def try_again(self) -> None:
        """What failed may work by now; if the person stopped the models, they stay stopped."""
        self._happened(lambda schedule, _: schedule if schedule.off else schedule.again())

    def wish(self, wish: Wish) -> None:
        def done(schedule: Schedule, now: float) -> Schedule:
            match wish:
                case "typed":
                    return schedule.typed(now)
                case "stop":
                    return schedule.cancel()
                case "pause":
                    return schedule.resume() if schedule.paused else schedule.pause()

        self._happened(done)

    def begin(self) -> ReadingJob | None:
        """The reading that is due, now marked as running."""
        with self._lock:
            job = self._schedule.due(self._clock())
            if job is not None:
                self._schedule = self._schedule.begun(job)
            return job

    def ended(self, *, done: bool) -> None:
        self._happened(lambda schedule, now: schedule.ended(now, done=done))

    @property
    def must_stop(self) -> bool:
        """Checked by the running reading between two steps."""
        return self._schedule.must_stop(self._clock())

    @property
    def wait(self) -> float | None:
        """Seconds until a reading may be due if nothing happens; None means never."""
        return self._schedule.next_look(self._clock())

    @property
    def state(self) -> ReadingState:
        """Why nothing is being read."""
        schedule = self._schedule
        if schedule.paused:
            return "paused"
        return "idle" if self.wait is None else "waiting"

    def _happened(self, change: Callable[[Schedule, float], Schedule]) -> None:
        with self._lock:
            self._schedule = change(self._schedule, self._clock())
