"""When the detective reads: after quiet time, on demand, never while someone types fast. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Literal

QUIET_SECONDS = 20.0
"""How long nothing must be saved before a reading begins by itself."""
PATIENCE_SECONDS = 600.0
"""The longest wait for someone who keeps saving."""
FAST_KEYS = 4
FAST_SECONDS = 2.0
"""This many keys in this many seconds count as typing fast."""

ReadingReason = Literal["asked", "first", "trigger"]


@dataclass(frozen=True, slots=True)
class ReadingJob:
    """One reading of everything not read yet; the index knows what that is."""

    why: ReadingReason
    triggers: frozenset[str] = frozenset()
    """The claims that waited for it, and keep waiting if it is cut short."""

    @property
    def whole(self) -> bool:
        return self.why != "trigger"


@dataclass(frozen=True, slots=True)
class Schedule:
    """What has happened so far; every event gives a new schedule. Times are seconds of a monotonic clock."""

    unread: bool = True
    """Nothing has been read yet: the first reading takes every thread."""
    waiting: frozenset[str] = frozenset()
    """Claims that became active and have not been read since."""
    since: float | None = None
    """When the first waiting claim came."""
    saved_at: float | None = None
    keys: tuple[float, ...] = field(default=())
    asked: bool = False
    paused: bool = False
    running: ReadingJob | None = None
    stopping: Literal["", "pause", "cancel"] = ""
    """Why the running reading should end early."""
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
        """Everything is to be read again."""
        return replace(self, unread=True, off=False)

    def typed(self, now: float) -> Schedule:
        return replace(self, keys=(*self.keys, now)[-FAST_KEYS:])

    def ask(self) -> Schedule:
        """The person wants a reading now; that also ends a pause."""
        return replace(self.resume(), asked=True)

    def pause(self) -> Schedule:
        """No reading begins; the running one stops at its next step and continues on resume."""
        return replace(self, paused=True, stopping=self.stopping or ("pause" if self.running else ""))

    def resume(self) -> Schedule:
        """Continue; a reading that has not noticed the pause yet need not stop."""
        kept: Literal["", "cancel"] = "cancel" if self.stopping == "cancel" else ""
        return replace(self, paused=False, off=False, stopping=kept)

    def cancel(self) -> Schedule:
        """The running reading ends. What waited keeps waiting, for the next save or request."""
        return replace(self, asked=False, off=True, stopping="cancel" if self.running else "")

    # what to do
    def due(self, now: float) -> ReadingJob | None:
        """The reading to begin now, if any."""
        if not self._wanted() or self.typing(now):
            return None
        if self.asked:
            return ReadingJob("asked", self.waiting)
        if not self._quiet(now):
            return None
        return ReadingJob("first" if self.unread else "trigger", self.waiting)

    def next_look(self, now: float) -> float | None:
        """Seconds until `due` may change if nothing happens; None means never."""
        if not self._wanted():
            return None
        slow = self.keys[0] + FAST_SECONDS - now if self.typing(now) else 0.0
        if self.asked:
            return max(0.0, slow)
        ends = [self.saved_at + QUIET_SECONDS] if self.saved_at is not None else [now]
        if self.since is not None:
            ends.append(self.since + PATIENCE_SECONDS)
        return max(0.0, slow, min(ends) - now)

    def begun(self, job: ReadingJob) -> Schedule:
        """The reading runs. What comes from now on waits for the next."""
        return replace(self, running=job, asked=False, waiting=frozenset(), since=None, stopping="")

    def must_stop(self, now: float) -> bool:
        """Checked by the running reading between two steps."""
        return bool(self.stopping) or self.typing(now)

    def ended(self, now: float, *, done: bool) -> Schedule:
        """The reading is over; `done` says that it was completed. What was cut short is read later: by itself
        after typing or a pause, with the next save if the person cancelled."""
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
        """Is someone typing fast right now?"""
        return len(self.keys) == FAST_KEYS and 0 <= now - self.keys[0] < FAST_SECONDS

    def _quiet(self, now: float) -> bool:
        if self.saved_at is None or now - self.saved_at >= QUIET_SECONDS:
            return True
        return self.since is not None and now - self.since >= PATIENCE_SECONDS
