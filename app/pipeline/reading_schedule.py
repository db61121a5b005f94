"""When the models read: wishes come in on one thread of the worker, readings run on the other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from typing import Literal, get_args

from app.detective.schedule import Job, Schedule

Wish = Literal["pause", "stop", "typed"]
"""What the workspace may say: pause or go on, stop until something new happens, a key was pressed."""
WISHES: tuple[Wish, ...] = get_args(Wish)
State = Literal["idle", "waiting", "paused"]


class ReadingSchedule:
    """A schedule that holds still while somebody looks at it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._schedule = Schedule()

    def saved(self, claims: Collection[str]) -> None:
        """Claims became active in somebody's editor: it is waited until they stop writing."""
        self._happened(lambda schedule, now: schedule.saved(now, claims))

    def ask(self) -> None:
        """The person did something in the workspace and looks at it: no waiting."""
        self._happened(lambda schedule, _: schedule.ask())

    def swept(self) -> None:
        """Everything was looked at anew."""
        self._happened(lambda schedule, _: schedule.again())

    def try_again(self) -> None:
        """What failed may work by now; the person's word that nothing is to be read by itself still holds."""
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

    def begin(self) -> Job | None:
        """The reading that is due, which thereby runs."""
        with self._lock:
            job = self._schedule.due(self._clock())
            if job is not None:
                self._schedule = self._schedule.begun(job)
            return job

    def ended(self, *, done: bool) -> None:
        self._happened(lambda schedule, now: schedule.ended(now, done=done))

    @property
    def must_stop(self) -> bool:
        """Asked by the running reading between two steps."""
        return self._schedule.must_stop(self._clock())

    @property
    def wait(self) -> float | None:
        """Seconds until a reading may be due, with nothing happening; None is never."""
        return self._schedule.next_look(self._clock())

    @property
    def state(self) -> State:
        """What the person should know while nothing is read."""
        schedule = self._schedule
        if schedule.paused:
            return "paused"
        return "idle" if self.wait is None else "waiting"

    def _happened(self, change: Callable[[Schedule, float], Schedule]) -> None:
        with self._lock:
            self._schedule = change(self._schedule, self._clock())
