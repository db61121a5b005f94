"""When the detective reads: after quiet time, on demand, never while somebody types fast. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Literal

QUIET_SECONDS = 20.0
"""So long nothing was saved before a reading begins by itself."""
PATIENCE_SECONDS = 600.0
"""Who never stops saving is not waited for longer than this."""
FAST_KEYS = 4
FAST_SECONDS = 2.0
"""So many keys within so many seconds is typing fast."""

Why = Literal["asked", "first", "trigger"]


@dataclass(frozen=True, slots=True)
class Job:
    """One reading, of all that was not read yet; what that is, the index knows."""

    why: Why
    triggers: frozenset[str] = frozenset()
    """The claims that waited for it, and go on waiting if it is cut short."""

    @property
    def whole(self) -> bool:
        return self.why != "trigger"


@dataclass(frozen=True, slots=True)
class Schedule:
    """What has happened so far; every event makes another one. Times are seconds of one steady clock."""

    unread: bool = True
    """Nothing has been read yet: the first reading takes every thread."""
    waiting: frozenset[str] = frozenset()
    """Claims that became active and were not read since."""
    since: float | None = None
    """When the first of the waiting came."""
    saved_at: float | None = None
    keys: tuple[float, ...] = field(default=())
    asked: bool = False
    paused: bool = False
    running: Job | None = None
    stopping: Literal["", "pause", "cancel"] = ""
    """Why the running reading is to end before its time."""
    off: bool = False
    """The person cancelled: nothing begins by itself until something new happens."""

    # what happens
    def saved(self, now: float, claims: Collection[str]) -> Schedule:
        """Claims became active (a save, a capture, a promotion)."""
        if not claims:
            return self
        since = now if self.since is None else self.since
        return replace(self, waiting=self.waiting | frozenset(claims), since=since, saved_at=now, off=False)

    def again(self) -> Schedule:
        """Everything is to be read anew."""
        return replace(self, unread=True, off=False)

    def typed(self, now: float) -> Schedule:
        return replace(self, keys=(*self.keys, now)[-FAST_KEYS:])

    def ask(self) -> Schedule:
        """The person wants a reading now; that also ends a pause."""
        return replace(self.resume(), asked=True)

    def pause(self) -> Schedule:
        """No reading begins, and the running one stops at its next step and is taken up on resume."""
        return replace(self, paused=True, stopping=self.stopping or ("pause" if self.running else ""))

    def resume(self) -> Schedule:
        """Goes on; a reading that has not yet noticed the pause need not stop any more."""
        kept: Literal["", "cancel"] = "cancel" if self.stopping == "cancel" else ""
        return replace(self, paused=False, off=False, stopping=kept)

    def cancel(self) -> Schedule:
        """The running reading ends. What waited goes on waiting, for the next save or question."""
        return replace(self, asked=False, off=True, stopping="cancel" if self.running else "")

    # what to do
    def due(self, now: float) -> Job | None:
        """The reading to begin now, if any."""
        if not self._wanted() or self.typing(now):
            return None
        if self.asked:
            return Job("asked", self.waiting)
        if not self._quiet(now):
            return None
        return Job("first" if self.unread else "trigger", self.waiting)

    def next_look(self, now: float) -> float | None:
        """In how many seconds `due` may say something else, with nothing happening; None is never."""
        if not self._wanted():
            return None
        slow = self.keys[0] + FAST_SECONDS - now if self.typing(now) else 0.0
        if self.asked:
            return max(0.0, slow)
        ends = [self.saved_at + QUIET_SECONDS] if self.saved_at is not None else [now]
        if self.since is not None:
            ends.append(self.since + PATIENCE_SECONDS)
        return max(0.0, slow, min(ends) - now)

    def begun(self, job: Job) -> Schedule:
        """The reading runs. What comes from now on waits for the next one."""
        return replace(self, running=job, asked=False, waiting=frozenset(), since=None, stopping="")

    def must_stop(self, now: float) -> bool:
        """Asked by the running reading between two steps."""
        return bool(self.stopping) or self.typing(now)

    def ended(self, now: float, *, done: bool) -> Schedule:
        """The reading is over; `done` says that it came to its end. What was cut short is read later: by
        itself where typing or a pause was the reason, with the next save where the person cancelled."""
        job = self.running
        if job is None:
            return self
        calm = replace(self, running=None, stopping="")
        if done:
            return replace(calm, unread=self.unread and not job.whole)
        waiting = self.waiting | job.triggers
        since = now if waiting and self.since is None else self.since
        again = self.asked or (job.why == "asked" and self.stopping != "cancel")
        return replace(calm, waiting=waiting, since=since, asked=again)

    def _wanted(self) -> bool:
        if self.running is not None or self.paused:
            return False
        return self.asked or (not self.off and (self.unread or bool(self.waiting)))

    def typing(self, now: float) -> bool:
        """Is somebody typing fast at this moment?"""
        return len(self.keys) == FAST_KEYS and 0 <= now - self.keys[0] < FAST_SECONDS

    def _quiet(self, now: float) -> bool:
        if self.saved_at is None or now - self.saved_at >= QUIET_SECONDS:
            return True
        return self.since is not None and now - self.since >= PATIENCE_SECONDS
