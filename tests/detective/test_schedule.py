"""When the detective reads."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from app.detective.schedule import (
    FAST_KEYS,
    FAST_SECONDS,
    PATIENCE_SECONDS,
    QUIET_SECONDS,
    ReadingJob,
    Schedule,
)

READ = Schedule(unread=False)


def hurried(schedule: Schedule, now: float) -> Schedule:
    for n in range(FAST_KEYS):
        schedule = schedule.typed(now + n * 0.1)
    return schedule


def test_the_first_reading_takes_everything() -> None:
    assert Schedule().due(0) == ReadingJob("first")
    assert ReadingJob("first").whole


def test_nothing_to_read_nothing_to_do() -> None:
    assert READ.due(1e9) is None
    assert READ.next_look(0) is None


def test_a_trigger_waits_for_quiet_time() -> None:
    waiting = READ.saved(100, ["a"])
    assert waiting.due(100) is None
    assert waiting.next_look(100) == QUIET_SECONDS
    assert waiting.due(100 + QUIET_SECONDS) == ReadingJob("trigger", frozenset("a"))


def test_every_save_begins_the_quiet_time_anew() -> None:
    waiting = READ.saved(100, ["a"]).saved(110, ["b"])
    assert waiting.due(100 + QUIET_SECONDS) is None
    assert waiting.due(110 + QUIET_SECONDS) == ReadingJob("trigger", frozenset("ab"))


def test_who_never_stops_saving_is_not_waited_for_for_ever() -> None:
    waiting = READ
    for n in range(int(PATIENCE_SECONDS // 10) + 1):
        waiting = waiting.saved(n * 10.0, [str(n)])
    assert waiting.due(PATIENCE_SECONDS + 1) is not None


def test_a_save_that_changed_no_claim_is_no_trigger() -> None:
    assert READ.saved(5, []) == READ


def test_on_demand_it_reads_at_once_and_everything() -> None:
    assert READ.saved(100, ["a"]).ask().due(100) == ReadingJob("asked", frozenset("a"))


def test_never_while_somebody_types_fast() -> None:
    busy = hurried(READ.ask(), 100)
    assert busy.due(100.5) is None
    wait = busy.next_look(100.5)
    assert wait is not None
    assert busy.due(100.5 + wait) == ReadingJob("asked")


def test_slow_keys_do_not_hold_it_up() -> None:
    slow = READ.ask()
    for n in range(20):
        slow = slow.typed(n * FAST_SECONDS)
    assert slow.due(20 * FAST_SECONDS) == ReadingJob("asked")


def test_one_reading_at_a_time_and_newcomers_wait_for_the_next() -> None:
    running = READ.saved(0, ["a"]).begun(ReadingJob("trigger", frozenset("a"))).saved(30, ["b"])
    assert running.due(1000) is None
    assert running.ended(40, done=True).due(1000) == ReadingJob("trigger", frozenset("b"))


def test_typing_interrupts_and_the_reading_is_taken_up_again() -> None:
    job = ReadingJob("trigger", frozenset("a"))
    running = hurried(READ.saved(0, ["a"]).begun(job), 50)
    assert running.must_stop(50.4)
    assert not running.must_stop(60)
    assert running.ended(51, done=False).due(100) == job


def test_a_pause_stops_it_and_resume_takes_it_up() -> None:
    job = ReadingJob("trigger", frozenset("a"))
    paused = READ.begun(job).pause()
    assert paused.must_stop(0)
    rested = paused.ended(1, done=False)
    assert rested.due(1000) is None
    assert rested.next_look(1000) is None
    assert rested.resume().due(1000) == job


def test_a_pause_taken_back_in_time_stops_nothing() -> None:
    assert not READ.begun(ReadingJob("asked")).pause().resume().must_stop(0)


def test_asking_ends_a_pause() -> None:
    assert READ.pause().ask().due(0) == ReadingJob("asked")


def test_a_paused_question_is_asked_again_and_a_cancelled_one_is_not() -> None:
    running = READ.ask().begun(ReadingJob("asked"))
    assert running.pause().ended(1, done=False).resume().due(2) == ReadingJob("asked")
    assert running.cancel().ended(1, done=False).resume().due(2) is None


def test_cancel_ends_it_until_something_new_happens() -> None:
    job = ReadingJob("trigger", frozenset("a"))
    cancelled = READ.begun(job).cancel()
    assert cancelled.must_stop(0)
    rested = cancelled.ended(1, done=False)
    assert rested.due(1000) is None
    assert rested.saved(1000, ["b"]).due(1000 + QUIET_SECONDS) == ReadingJob("trigger", frozenset("ab"))


def test_a_cancelled_first_reading_comes_back_with_the_next_save() -> None:
    rested = Schedule().begun(ReadingJob("first")).cancel().ended(1, done=False)
    assert rested.due(1000) is None
    assert rested.saved(1000, ["b"]).due(1100) == ReadingJob("first", frozenset("b"))


def test_cancel_outweighs_a_pause() -> None:
    rested = READ.begun(ReadingJob("asked")).cancel().pause().ended(1, done=False)
    assert rested.resume().due(1000) is None


def test_a_whole_reading_done_leaves_nothing_unread() -> None:
    assert Schedule().begun(ReadingJob("first")).ended(5, done=True).due(1000) is None


@given(st.floats(0, 1e6), st.floats(0, 100))
def test_next_look_is_when_due_speaks(now: float, later: float) -> None:
    waiting = READ.saved(now, ["a"])
    wait = waiting.next_look(now + later)
    assert wait is not None
    assert waiting.due(now + later + wait + 1e-6) is not None


class Days(RuleBasedStateMachine):
    """Whatever happens in whatever order: nothing saved is ever lost, and there is one reading at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.schedule, self.now, self.number = READ, 0.0, 0
        self.owed: set[str] = set()

    @rule(seconds=st.floats(0.1, 700))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def save(self) -> None:
        self.number += 1
        self.schedule = self.schedule.saved(self.now, [str(self.number)])
        self.owed.add(str(self.number))

    @rule()
    def type(self) -> None:
        self.schedule = self.schedule.typed(self.now)

    @rule()
    def pause(self) -> None:
        self.schedule = self.schedule.pause()

    @rule()
    def resume(self) -> None:
        self.schedule = self.schedule.resume()

    @rule()
    def cancel(self) -> None:
        self.schedule = self.schedule.cancel()

    @rule()
    def ask(self) -> None:
        self.schedule = self.schedule.ask()

    @rule()
    def begin(self) -> None:
        job = self.schedule.due(self.now)
        if job is not None:
            assert self.schedule.running is None
            self.schedule = self.schedule.begun(job)

    @rule(done=st.booleans())
    def end(self, done: bool) -> None:
        job = self.schedule.running
        self.schedule = self.schedule.ended(self.now, done=done)
        if job is not None and done:
            self.owed -= job.triggers

    @invariant()
    def nothing_is_lost(self) -> None:
        job = self.schedule.running
        assert self.owed == self.schedule.waiting | (job.triggers if job else frozenset())

    @invariant()
    def a_pause_is_kept(self) -> None:
        if self.schedule.paused:
            assert self.schedule.due(self.now + 1e6) is None


TestDays = Days.TestCase
