"""The language model over threads of a vault: it confirms, dismisses, finds, and nothing false is stored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.detection.claim_index import ClaimIndex
from app.detective.exam import OPEN, SETTLED
from app.detective.thread_prompt import END, written
from app.detective.thread_stage import ThreadStage, threads
from app.models.requests import Completed, Failed, Weighed
from app.models.setup import Setup
from app.models.ticket import Ticket
from app.pipeline.around import Around
from app.pipeline.index_vault import Pipeline
from app.pipeline.stage_list import Models
from app.store.store import Store
from app.vault.settings import vault_settings
from app.words import Conflict
from tests.models.saying import Saying
from tests.robust.building import write

ARC = {
    "API.md": "---\ndate: 2025-01-05\n---\nOur API is REST.\n",
    "Change.md": "---\ndate: 2025-03-05\n---\nOur API moved from REST to GraphQL.\n",
    "Docs.md": "---\ndate: 2025-09-05\n---\nOur API is REST.\n",
}
THREAD = {
    "Guests.md": "---\ndate: 2025-01-05\n---\nThe guest wifi password is kept at the desk.\n",
    "Desk.md": "---\ndate: 2025-03-05\n---\nThe guest wifi password is on the fridge door only.\n",
}
YES, NO = 0.99, 0.01
WORDS = " | stale | 1 2 | Is the guest wifi password kept at the desk?"


class Host:
    """A model that knows the exam and answers about everything else as the test says."""

    def __init__(self, cache: Path, odds: float | Failed = NO, answer: str | Failed = WORDS) -> None:
        self.setup = Setup(llama="/nowhere/own.gguf", cache=str(cache))
        self.odds, self.answer, self.whole = odds, answer, True
        self.asked: list[str] = []
        self.wrote = 0
        self.when_asked: Callable[[], None] = lambda: None

    def weigh(self, constant: str, rest: str, choices: Any, **_: Any) -> Weighed | Failed:
        lines = rest.removesuffix(END)
        for known, odds in ((OPEN, YES), (SETTLED, NO)):
            if lines in map(written, known):
                return self._odds(odds)
        self.asked.append(lines)
        self.when_asked()
        return self.odds if isinstance(self.odds, Failed) else self._odds(self.odds)

    def _odds(self, yes: float) -> Weighed:
        return Weighed("own", (yes * 0.9, (1 - yes) * 0.9), 9, 9)

    def complete(self, prompt: str, **_: Any) -> Completed | Failed:
        self.wrote += 1
        return (
            self.answer if isinstance(self.answer, Failed) else Completed("own", self.answer, self.whole, 9)
        )


class World:
    def __init__(self, folder: Path) -> None:
        self.root, self.cache = folder / "vault", folder / "cache"
        self.store = Store.open(folder / "store.db")

    def check(self, host: Host | Saying, around: Around | None = None) -> list[Conflict]:
        models = Models(detecting=ThreadStage(host, self.store))  # type: ignore[arg-type]
        pipeline = Pipeline(self.root, self.store, vault_settings(self.root), around=around, models=models)
        self.run = pipeline.run()
        return self.store.conflicts.open()


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_an_arc_is_confirmed_and_says_so(world: World) -> None:
    write(world.root, ARC)
    host = Host(world.cache, YES, " | reversal | 1 2 3 | Is our API REST again?")
    (conflict,) = world.check(host)
    assert conflict.kind == "reversal" and conflict.question == "Is our API REST again?"
    assert {reason.stage for reason in conflict.reasons} >= {"arc", "thread"}
    assert host.asked[0].splitlines()[-1].endswith("Our API is REST.")


def test_an_arc_is_dismissed(world: World) -> None:
    write(world.root, ARC)
    assert [c for c in world.check(Host(world.cache, NO)) if c.found_by == ("detective",)] == []


def test_an_arc_the_model_is_not_sure_of_stands(world: World) -> None:
    write(world.root, ARC)
    (conflict,) = world.check(Host(world.cache, 0.5))
    assert conflict.kind == "reversal" and "thread" not in {reason.stage for reason in conflict.reasons}


def test_it_finds_what_the_rules_do_not(world: World) -> None:
    write(world.root, THREAD)
    assert world.check(Host(world.cache, NO)) == []
    fresh = World(world.root.parent / "again")
    write(fresh.root, THREAD)
    (conflict,) = fresh.check(Host(fresh.cache, YES))
    assert conflict.kind == "stale" and conflict.found_by == ("detective",)
    assert conflict.question == "Is the guest wifi password kept at the desk?"


def test_what_was_read_is_not_read_again_until_a_line_changes(world: World) -> None:
    write(world.root, THREAD)
    first = Host(world.cache, YES)
    found = [c.id for c in world.check(first)]
    assert len(found) == 1 and first.asked
    again = Host(world.cache, NO)
    assert [c.id for c in world.check(again)] == found and not again.asked
    write(world.root, {"Desk.md": "---\ndate: 2025-03-05\n---\nThe guest wifi password is on a card.\n"})
    assert world.check(again) == [] and again.asked


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "garbage " * 50,
        " | stale | 7 9 | Is it?",
        " | stale | 1 | Is it?",
        " | reversal | 2 2 | Is it?",
        " | odd | 1 2 | Is it?",
        Failed("timeout", "the models took too long"),
        Failed("crashed", "it crashed"),
    ],
    ids=repr,
)
def test_whatever_it_writes_nothing_false_is_stored(world: World, answer: str | Failed) -> None:
    """Not even where it is unsure about lines it does not name, or that do not exist."""
    write(world.root, THREAD)
    assert world.check(Host(world.cache, YES, answer)) == []
    (row,) = world.store.caches.threads.of("1:own")
    assert (row.kind, row.members, row.question) == (None, (), None)
    assert world.store.conflicts.all() == [] and world.store.verify() == []


@pytest.mark.parametrize(
    "answer",
    [
        " | stale | 1 2",
        " | stale | 1 2 | Has Karin stolen the password?",
        " | stale | 1 2 | The password is gone.",
    ],
)
def test_lines_that_it_named_with_words_of_no_use_are_asked_about_plainly(world: World, answer: str) -> None:
    write(world.root, THREAD)
    (conflict,) = world.check(Host(world.cache, YES, answer))
    assert set(conflict.members) == {claim.id for claim in world.store.claims.active()}
    assert conflict.question.endswith("?") and "Karin" not in conflict.question
    assert all(row.question is None for row in world.store.caches.threads.of("1:own"))


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (" | stale | 1 2 | Is the guest wifi password kept at the d", True),
        (" | stale | 1 2 |", True),
        (" | stale | 1 2", False),  # there may have been more: 1 23
        (" | sta", False),
        ("", False),
    ],
)
def test_of_an_answer_that_was_cut_off_only_what_is_whole_counts(
    world: World, answer: str, found: bool
) -> None:
    write(world.root, THREAD)
    host = Host(world.cache, YES, answer)
    host.whole = False
    shown = world.check(host)
    assert [c.kind for c in shown] == ["stale"] * found
    (row,) = world.store.caches.threads.of("1:own")
    assert row.question is None and len(row.members) == 2 * found
    assert not any("kept at the d?" in c.question for c in shown)


def test_a_model_that_contradicts_itself_is_not_believed(world: World) -> None:
    """Yes to the whole thread, but not to the very lines it names."""
    write(world.root, THREAD | {"More.md": "---\ndate: 2025-05-05\n---\nThe guest wifi password is long.\n"})
    host = Host(world.cache, YES)

    def doubt() -> None:
        host.odds = YES if host.asked[-1].count("\n") > 2 else NO

    host.when_asked = doubt
    assert world.check(host) == []
    assert host.wrote == 1 and [asked.count("\n") for asked in host.asked] == [3, 2]


def test_a_model_that_fails_its_exam_is_asked_nothing_about_notes(world: World) -> None:
    write(world.root, ARC | THREAD)
    host = Host(world.cache, YES)
    host.weigh = lambda *_, **__: host._odds(0.5)  # type: ignore[method-assign]
    (conflict,) = world.check(host)
    assert conflict.kind == "reversal" and not host.asked and not host.wrote


def test_a_model_that_is_not_there_costs_nothing(world: World) -> None:
    write(world.root, ARC | THREAD)
    host = Host(world.cache, YES)
    gone = Failed("absent", "no llama.cpp model is installed")
    host.weigh = lambda *_, **__: gone  # type: ignore[method-assign]
    (conflict,) = world.check(host)
    assert conflict.kind == "reversal" and world.run.reading_failed == gone


def test_it_stops_between_two_threads_and_goes_on_in_the_next_run(world: World) -> None:
    write(world.root, ARC | THREAD)
    host = Host(world.cache, YES)
    assert world.check(host, Around(interrupted=lambda: bool(host.asked)))
    assert len(host.asked) == 1
    world.check(host)
    assert len(set(host.asked)) > 1 and len(set(host.asked)) == len(host.asked)


class Slow(Host):
    """Its answer to the given question, counted from 1, never comes; the others do."""

    def __init__(self, cache: Path, hangs: int) -> None:
        super().__init__(cache, YES)
        self.hangs, self.waits = hangs, False

    def weigh(self, constant: str, rest: str, choices: Any, **how: Any) -> Weighed | Failed:
        before = len(self.asked)
        answer = super().weigh(constant, rest, choices, **how)
        return answer if len(self.asked) == before else self._perhaps(answer, how)

    def complete(self, prompt: str, **how: Any) -> Completed | Failed:
        answer: Completed | Failed = self._perhaps(super().complete(prompt, **how), how)
        return answer

    def _perhaps(self, answer: Any, how: dict[str, Any]) -> Any:
        if len(self.asked) + self.wrote != self.hangs:
            return answer
        self.waits = True
        return Ticket(1, None, lambda *_: answer).unless(how["stopping"])


@pytest.mark.parametrize("hangs", [1, 2, 3], ids=["is it unsure", "of what", "is it really"])
def test_a_stop_ends_the_reading_of_a_thread_and_nothing_of_it_is_stored(world: World, hangs: int) -> None:
    write(world.root, THREAD | {"More.md": "---\ndate: 2025-05-05\n---\nThe guest wifi password is long.\n"})
    host = Slow(world.cache, hangs)
    assert world.check(host, Around(interrupted=lambda: host.waits)) == []
    assert len(host.asked) + host.wrote == hangs
    assert world.store.caches.threads.of("1:own") == [] and world.store.caches.threads.complete_by == ""
    assert world.run.reading_failed is None
    assert world.check(Host(world.cache, YES)), "it is read the next time"


def test_a_stop_ends_the_exam_and_it_is_sat_later(world: World) -> None:
    write(world.root, THREAD)
    host, waits = Host(world.cache, YES), [False]

    def weigh(*_: Any, **how: Any) -> Weighed | Failed:
        waits[0] = True
        return Ticket(1, None, lambda *_: host._odds(YES)).unless(how["stopping"])

    host.weigh = weigh  # type: ignore[method-assign]
    assert world.check(host, Around(interrupted=lambda: waits[0])) == []
    assert world.run.reading_failed is None and not list(world.cache.rglob("*.json"))


def test_more_threads_than_can_be_read_are_counted(world: World) -> None:
    write(world.root, ARC | THREAD)
    models = Models(detecting=ThreadStage(Host(world.cache), world.store, budget=1))  # type: ignore[arg-type]
    run = Pipeline(world.root, world.store, vault_settings(world.root), models=models).run()
    assert run.threads_left >= 1


def test_a_redacted_claim_leaves_nothing_in_the_threads(world: World) -> None:
    write(world.root, THREAD)
    host = Host(world.cache, YES)
    world.check(host)
    (row,) = world.store.caches.threads.of("1:own")
    world.store.claims.redact(row.ids[0], "private")
    assert world.store.caches.threads.of("1:own") == []
    world.store.caches.threads.put("1:own", [row])
    assert world.store.caches.threads.of("1:own") == []


def test_threads_are_of_one_subject_in_more_than_one_note_and_never_too_long(world: World) -> None:
    write(
        world.root, THREAD | {f"N{n:02}.md": f"The boat engine is serviced {n} times.\n" for n in range(30)}
    )
    write(world.root, {"Single.md": "The barn roof is green.\n\nThe barn roof is new.\n"})
    world.check(Host(world.cache))
    index = ClaimIndex(world.store.claims.active())
    found = threads(index)
    assert found is not None
    texts = [[index.claims[id].statement.text for id in thread] for thread in found]
    assert ["The guest wifi password is kept at the desk.",
            "The guest wifi password is on the fridge door only."] in texts  # fmt: skip
    assert all(2 <= len(thread) <= 12 for thread in found)
    assert not any("barn" in text for thread in texts for text in thread)


def test_gathering_threads_ends_where_something_else_waits(world: World) -> None:
    write(world.root, THREAD)
    host = Host(world.cache)
    world.check(host)
    index = ClaimIndex(world.store.claims.active())
    detecting = ThreadStage(host, world.store)  # type: ignore[arg-type]
    assert threads(index, lambda: True) is None
    assert detecting.pending(index, [], lambda: True) is None and detecting.pending(index, []) is not None


# without a model of the person's own


def two(world: World, odds: float | None, alarm: float = 0.9) -> Saying:
    """The models that are carried along: one is so unsure of every thread, the other of every pair."""
    host = Saying(world.cache)
    host.otherwise = odds
    host.every = (alarm, 0.0, 0.0, 1 - alarm, 0.0)
    return host


def test_two_readers_find_together_what_the_rules_do_not(world: World) -> None:
    write(world.root, THREAD)
    (conflict,) = world.check(two(world, YES))
    assert conflict.found_by == ("detective",) and len(conflict.members) == 2
    assert {reason.stage for reason in conflict.reasons} == {"thread"}


@pytest.mark.parametrize(("odds", "alarm"), [(NO, 0.99), (0.99, 0.001), (0.5, 0.5), (None, 0.99)])
def test_what_one_of_them_is_sure_of_they_leave_alone(world: World, odds: float | None, alarm: float) -> None:
    write(world.root, THREAD)
    assert world.check(two(world, odds, alarm)) == []


@pytest.mark.parametrize("odds", [NO, 0.0, 0.5, YES, None])
def test_they_may_confirm_an_arc_and_never_dismiss_one(world: World, odds: float | None) -> None:
    write(world.root, ARC)
    (conflict,) = world.check(two(world, odds, 0.99 if odds == YES else 0.0))
    assert conflict.kind == "reversal" and "arc" in {reason.stage for reason in conflict.reasons}
    assert ("thread" in {reason.stage for reason in conflict.reasons}) == (odds == YES)


def test_they_sit_no_exam_and_are_told_no_story(world: World) -> None:
    write(world.root, THREAD)
    host = two(world, NO)
    world.check(host)
    assert len(host.read) == 1 and not (world.cache / "exams").exists()
    assert ThreadStage(host, world.store).story_stage is None  # type: ignore[arg-type]


def test_what_both_read_is_not_read_again(world: World) -> None:
    write(world.root, THREAD)
    found = [c.id for c in world.check(two(world, YES))]
    again = two(world, NO)
    assert [c.id for c in world.check(again)] == found and again.read == []


def test_where_one_goes_away_the_thread_is_read_the_next_time(world: World) -> None:
    write(world.root, THREAD)
    host = two(world, YES)
    host.judging = Failed("broken", "it went away")
    assert world.check(host) == [] and world.run.reading_failed == host.judging
    assert len(world.check(two(world, YES))) == 1
