"""The language model over the story of a vault, after its threads: what it names is checked and kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.detective.exam import OPEN, SETTLED
from app.detective.reader import CONTEXT, StoryReader
from app.detective.story import story_line
from app.detective.story_exam import COHERENT, INCOHERENT, ExamStory
from app.detective.story_prompt import CONSTANT, MAX_TOKENS, numbered
from app.detective.story_stage import StoryStage, UnreadBatches
from app.detective.thread_prompt import END, FEW_SHOT, written
from app.detective.thread_stage import ThreadStage
from app.models.files import default_llama
from app.models.host import ModelHost
from app.models.requests import Completed, Failed, Measured, Weighed
from app.models.setup import Setup
from app.pipeline.around import Around
from app.pipeline.index_vault import Pipeline
from app.pipeline.messages import Progress
from app.pipeline.stage_list import Models
from app.store.store import Store
from app.store.threads import ThreadRow
from app.vault.settings import vault_settings
from app.words import Conflict
from tests.models.real import needs_llama
from tests.robust.building import write

FIRST = {"Shed.md": "---\ndate: 2024-01-05\n---\nThe shed roof is felt.\n"}
TALE = {
    "Family.md": "---\ndate: 2024-05-05\n---\nGrandpa drives himself to the club.\n",
    "Boiler.md": "---\ndate: 2024-06-05\n---\nThe boiler is from 2009.\n",
    "Calendar.md": "---\ndate: 2025-03-05\n---\nTook Grandpa to the club, as every Saturday.\n",
}
LATER = {"Attic.md": "---\ndate: 2025-05-05\n---\nThe attic window leaks.\n"}
STALE = "- stale | 1 3 | Does Grandpa drive himself to the club?\n\n"
YES, NO = 0.99, 0.01


class Host:
    """A model that knows both exams; says of any story `tale`, and of any thread `odds`."""

    def __init__(
        self, cache: Path, tale: str | Failed = STALE, *, odds: float = YES, context: int = 8192
    ) -> None:
        self.setup = Setup(llama="/nowhere/own.gguf", cache=str(cache), context=context)
        self.context, self.each = context, 20
        self.tale, self.odds, self.whole = tale, odds, True
        self.stories: list[str] = []
        self.threads: list[str] = []
        self.wrote: list[str] = []
        self.order: list[str] = []
        self.exam: Callable[[ExamStory], str] = knows

    def measure(self, texts: list[str]) -> Measured:
        return Measured("own", self.context, (900, *(self.each for _ in texts[1:])))

    def weigh(self, constant: str, rest: str, choices: Any, **_: Any) -> Weighed | Failed:
        lines = rest.removesuffix(END)
        if constant == FEW_SHOT:
            for known, odds in ((OPEN, YES), (SETTLED, NO)):
                if lines in map(written, known):
                    return _weighed(odds)
            self.threads.append(lines)
            self.order.append("thread")
            return _weighed(self.odds)
        assert constant == CONSTANT, "what never changes comes first"
        for story in (*COHERENT, *INCOHERENT):
            if lines == numbered(story.texts):
                return _weighed(YES if self.exam(story) else NO)
        self.stories.append(lines)
        self.order.append("story")
        return self.tale if isinstance(self.tale, Failed) else _weighed(YES if self.tale else NO)

    def complete(self, prompt: str, **_: Any) -> Completed | Failed:
        lines = prompt.removeprefix(CONSTANT).partition(END)[0]
        for story in (*COHERENT, *INCOHERENT):
            if lines == numbered(story.texts):
                return Completed("own", self.exam(story), True, 9)
        if prompt.startswith(FEW_SHOT):
            return Completed("own", "", True, 0)
        self.wrote.append(lines)
        return self.tale if isinstance(self.tale, Failed) else Completed("own", self.tale, self.whole, 9)


def knows(story: ExamStory) -> str:
    numbers = " ".join(map(str, sorted(story.one | story.other)))
    return f"- stale | {numbers} | Is it still so?\n\n" if story.one else ""


def _weighed(yes: float) -> Weighed:
    return Weighed("own", (yes * 0.9, (1 - yes) * 0.9), 9, 9)


class World:
    """A vault that is known, into which the notes of a tale come: they set off the reading."""

    def __init__(self, folder: Path) -> None:
        self.root, self.cache = folder / "vault", folder / "cache"
        self.store = Store.open(folder / "store.db")
        write(self.root, FIRST)

    def check(self, host: Host, around: Around | None = None, *, budget: int = 6) -> list[Conflict]:
        self.detecting = ThreadStage(host, self.store, story_budget=budget)  # type: ignore[arg-type]
        models = Models(detecting=self.detecting)
        pipeline = Pipeline(self.root, self.store, vault_settings(self.root), around=around, models=models)
        self.run = pipeline.run()
        return self.store.conflicts.open()

    def batches(self) -> list[ThreadRow]:
        return [row for row in self.store.caches.threads.of("1:own") if row.key.startswith("batch-")]


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.check(Host(made.cache, ""))
    write(made.root, TALE)
    return made


def test_the_story_is_told_oldest_first_and_what_it_names_is_found(world: World) -> None:
    host = Host(world.cache)
    (conflict,) = world.check(host)
    assert host.stories == [
        "1. 2024-05-05 (Family) Grandpa drives himself to the club.\n"
        "2. 2024-06-05 (Boiler) The boiler is from 2009.\n"
        "3. 2025-03-05 (Calendar) Took Grandpa to the club, as every Saturday.\n"
    ]
    assert conflict.kind == "stale" and conflict.found_by == ("detective",)
    assert conflict.question == "Does Grandpa drive himself to the club?"
    assert host.order == ["story", "thread"] and host.threads[0].count("\n") == 2, "the lines it named"


def test_a_first_index_tells_only_what_is_not_forgotten(tmp_path: Path) -> None:
    world = World(tmp_path)
    write(world.root, {f"N{n:03}.md": f"The lamp of room {n} is {n} watt.\n" for n in range(120)})
    host = Host(world.cache, "")
    world.check(host)
    assert 0 < host.stories[0].count("\n") < 30


def test_what_was_found_holds_when_its_lines_are_forgotten(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [c.id for c in world.check(Host(world.cache))]
    assert len(found) == 1 and len(world.batches()) == 1
    monkeypatch.setattr(
        "app.detective.story.SHORT_STORY_LINES", 0
    )  # the story has become too long to go on with
    monkeypatch.setattr("app.detective.story.GROWTH", 1)
    write(world.root, LATER | {"Gate.md": "---\ndate: 2025-06-05\n---\nThe gate is painted green.\n"})
    again = Host(world.cache, "")
    assert [c.id for c in world.check(again)] == found
    # Nothing of it set this reading off, so it is forgotten; what was found holds all the same.
    assert "attic" in again.stories[0] and "Grandpa" not in again.stories[0]


def test_the_next_story_begins_as_the_last_one_did(world: World) -> None:
    """What set off the last reading stays, with its kin, so that a model need not read it anew."""
    first = Host(world.cache, "")
    world.check(first)
    write(world.root, LATER)
    gone = Host(world.cache, Failed("cancelled", "nobody waits for it any more"))
    world.check(gone)
    (told,) = gone.stories
    assert told.startswith(first.stories[0]) and told.removeprefix(first.stories[0]).count("\n") == 1
    again = Host(world.cache, "")
    world.check(again)
    assert again.stories == [told], "also where it was cut short"
    assert len(world.batches()) == 1, "the one before is forgotten"
    write(world.root, {"Gate.md": "---\ndate: 2025-06-05\n---\nThe gate is painted green.\n"})
    more = Host(world.cache, "")
    world.check(more)
    assert more.stories[0].startswith(told)


def test_an_answer_without_room_for_more_takes_nothing_back(world: World) -> None:
    found = [c.id for c in world.check(Host(world.cache))]
    write(world.root, LATER)
    full = Host(world.cache, "- stale | 1 2 | Is it so?\n" * 3 + "\n")
    assert set(found) <= {c.id for c in world.check(full)} and full.wrote
    write(world.root, {"Gate.md": "---\ndate: 2025-06-05\n---\nThe gate is painted green.\n"})
    world.check(Host(world.cache, ""))
    assert world.store.conflicts.open() == []


def test_a_batch_is_not_read_twice_until_a_line_of_it_changes(world: World) -> None:
    host = Host(world.cache)
    detecting = ThreadStage(host, world.store)  # type: ignore[arg-type]
    pipeline = Pipeline(
        world.root, world.store, vault_settings(world.root), models=Models(detecting=detecting)
    )
    run = pipeline.run()
    assert len(host.stories) == 1
    # The same claims set it off once more.
    pipeline._comparing._triggers = {c.id for c in world.store.claims.active()} & set(world.batches()[0].ids)
    world.store.caches.threads.mark_complete("")
    pipeline.read_on(run)
    assert len(host.stories) == 1
    write(world.root, {"Boiler.md": "---\ndate: 2024-06-05\n---\nThe boiler is from 2011.\n"})
    pipeline._comparing._triggers = {c.id for c in world.store.claims.active()}
    pipeline.run()
    assert len(host.stories) == 2 and "2011" in host.stories[1]


def test_what_is_read_again_without_a_word_about_it_is_taken_back(world: World) -> None:
    assert len(world.check(Host(world.cache))) == 1
    more = {"Club.md": "---\ndate: 2025-04-05\n---\nGrandpa drives again, a neighbour lent him a car.\n"}
    write(world.root, {name: text + "\n" for name, text in TALE.items()} | more)
    host = Host(world.cache, "")
    pipeline = Pipeline(
        world.root,
        world.store,
        vault_settings(world.root),
        models=Models(detecting=ThreadStage(host, world.store)),  # type: ignore[arg-type]
    )
    pipeline._comparing._triggers = {c.id for c in world.store.claims.active()}
    pipeline.run()
    assert "lent him" in host.stories[0] and "himself" in host.stories[0]
    assert world.store.conflicts.open() == []


@pytest.mark.parametrize(
    "tale",
    [
        "garbage " * 50,
        "- stale | 1 9 | Does Grandpa drive?\n\n",
        "- stale | 0 400 | Does Grandpa drive?\n\n",
        "- stale | 3 | Does Grandpa drive?\n\n",
        "- stale | 1 2 3 1 2 3 | \n\n" * 40,
        "- odd | 1 3 | Does Grandpa drive?\n\n",
        Failed("timeout", "the models took too long"),
        Failed("refused", "too long"),
        Failed("crashed", "it crashed"),
    ],
    ids=repr,
)
def test_whatever_it_says_nothing_false_is_stored(world: World, tale: str | Failed) -> None:
    world.check(Host(world.cache, tale))
    ids = {claim.id for claim in world.store.claims.active()}
    for conflict in world.store.conflicts.all():
        assert set(conflict.members) <= ids
    found = [row for row in world.store.caches.threads.of("1:own") if row.kind is not None]
    assert all(set(row.members) <= ids and len(row.members) > 1 for row in found)
    assert len(world.batches()) == 1, "and it is not asked again"
    assert world.store.verify() == []


@pytest.mark.parametrize(
    ("tale", "found"),
    [
        ("- stale | 1 3 | Does Grandpa drive himself to the club?\n- reversal | 1 2", 1),
        ("- stale | 1 3 | Does Grandpa drive himself to the club?\n- rev", 1),
        ("- stale | 1 3 | Does Grandpa dri", 1),
        ("- stale | 1 3", 0),  # there may have been more: 1 34
        ("- sta", 0),
    ],
)
def test_of_an_answer_that_was_cut_off_only_what_is_whole_counts(world: World, tale: str, found: int) -> None:
    host = Host(world.cache, tale)
    host.whole = False
    shown = world.check(host)
    rows = [row for row in world.store.caches.threads.of("1:own") if row.kind is not None]
    assert len(shown) == len(rows) == found and len(world.batches()) == 1
    claims = {c.id: c.statement.text for c in world.store.claims.active()}
    for row in rows:
        assert all("Grandpa" in claims[id] for id in row.members) and len(row.members) == 2
    assert not any(c.question.endswith("dri?") for c in shown)


def test_lines_that_do_not_exist_are_stored_as_nothing(world: World) -> None:
    assert world.check(Host(world.cache, "- stale | 1 9 | Does Grandpa drive?\n\n")) == []
    assert [row.kind for row in world.store.caches.threads.of("1:own")] == [None]


def test_a_question_with_names_that_stand_nowhere_is_put_plainly(world: World) -> None:
    (conflict,) = world.check(Host(world.cache, "- stale | 1 3 | Has Karin stolen the car?\n\n"))
    assert "Karin" not in conflict.question and conflict.question.endswith("?")


def test_what_the_story_settles_in_words_stays_settled(world: World) -> None:
    write(
        world.root,
        {"Calendar.md": "---\ndate: 2025-03-05\n---\nGrandpa no longer drives himself to the club.\n"},
    )
    assert world.check(Host(world.cache)) == []


def test_a_model_that_is_not_sure_of_the_lines_it_names_is_not_believed(world: World) -> None:
    host = Host(world.cache, odds=0.5)
    assert world.check(host) == []
    assert host.wrote and host.order == ["story", "thread"]
    assert all(row.kind is None for row in world.store.caches.threads.of("1:own"))


def test_what_it_cannot_answer_now_is_asked_later(world: World) -> None:
    gone = Failed("memory", "not enough")
    assert world.check(Host(world.cache, gone)) == [] and world.run.reading_failed == gone
    assert world.batches() == []


def test_a_context_too_small_means_it_is_not_asked(world: World) -> None:
    host = Host(world.cache, context=CONTEXT - 1)
    assert world.check(host) == [] and world.detecting.story_stage is None
    narrow = Host(world.cache)
    narrow.context = CONTEXT - 1  # as it turns out once it is loaded
    assert world.check(narrow) == []
    assert not host.stories and not narrow.stories


@pytest.mark.parametrize("says", ["", "- stale | 1 2 | Is it?\n\n"], ids=["nothing", "too much"])
def test_a_model_that_fails_the_exam_is_asked_nothing_about_notes(world: World, says: str) -> None:
    fresh = world.cache.with_name("other")
    host = Host(fresh)
    host.exam = lambda _: says
    assert world.check(host) == []
    assert not host.stories and not host.wrote
    again = Host(fresh)
    world.store.caches.threads.mark_complete("")
    assert world.check(again) == [] and not again.stories, "nobody sits it twice"


def many() -> dict[str, str]:
    return {
        f"N{n:02}.md": f"---\ndate: 2025-01-{n + 1:02}\n---\nThe lamp of room {n} is {n} watt.\n"
        for n in range(28)
    }


def test_a_long_story_is_read_in_batches_by_its_tokens(world: World) -> None:
    write(world.root, many())
    host = Host(world.cache, "", context=CONTEXT)
    host.each = 450
    seen: list[Progress] = []
    world.check(host, Around(on_progress=seen.append))
    told = [[line.partition(". ")[2] for line in lines.splitlines()] for lines in host.stories]
    assert len(told) > 3 and all(lines.startswith("1. ") for lines in host.stories)
    room = CONTEXT - 900 - MAX_TOKENS
    assert all(450 * len(lines) <= room for lines in told) and max(map(len, told)) == room // 450
    assert [line for lines in told for line in lines] == sorted(line for lines in told for line in lines)
    assert [p.done for p in seen if p.stage == "detecting"][-len(told) :] == list(range(len(told)))


def test_batches_overlap_so_that_neighbours_are_read_side_by_side(world: World) -> None:
    write(world.root, many())
    host = Host(world.cache, "", context=CONTEXT)
    host.each = 150
    world.check(host)
    first, second = ([line.partition(". ")[2] for line in lines.splitlines()] for lines in host.stories[-2:])
    assert first[-2:] == second[:2]


def test_a_budget_keeps_the_newest_and_counts_the_rest(world: World) -> None:
    write(world.root, many())
    host = Host(world.cache, "", context=CONTEXT)
    host.each = 450
    world.check(host, budget=2)
    assert len(host.stories) == 2 and "room 27" in host.stories[-1]
    assert world.run.batches_left > 0


def test_it_stops_in_the_middle_and_goes_on_in_the_next_run(world: World) -> None:
    write(world.root, many())
    host = Host(world.cache, "", context=CONTEXT)
    host.each = 450
    detecting = ThreadStage(host, world.store)  # type: ignore[arg-type]
    stop = [True]
    around = Around(interrupted=lambda: stop[0] and len(host.stories) == 2)
    pipeline = Pipeline(
        world.root, world.store, vault_settings(world.root), around=around, models=Models(detecting=detecting)
    )
    run = pipeline.run()
    assert len(host.stories) == 2 and len(world.batches()) == 2 and run.reading_failed is None
    stop[0] = False
    pipeline.read_on(run)
    assert len(host.stories) > 2 and len(set(host.stories)) == len(host.stories)
    assert world.store.caches.threads.complete_by == detecting.reader


def test_one_that_is_given_up_while_it_is_read_is_read_later(world: World) -> None:
    host = Host(world.cache, Failed("cancelled", "nobody waits for it any more"))
    assert world.check(host) == [] and world.run.reading_failed is None and world.batches() == []
    assert world.store.caches.threads.complete_by == ""


def test_what_set_off_a_reading_that_was_cancelled_is_told_by_the_next_process(world: World) -> None:
    cancelled = Host(world.cache, Failed("cancelled", "nobody waits for it any more"))
    assert world.check(cancelled) == [] and "Grandpa" in cancelled.stories[0]
    again = Host(world.cache)
    assert len(world.check(again)) == 1 and again.stories == cancelled.stories
    quiet = Host(world.cache)
    world.store.caches.threads.mark_complete("")
    write(world.root, {"Empty.md": "\n"})
    assert len(world.check(quiet)) == 1
    assert not any("Grandpa" in told for told in quiet.stories), "and is no news for the one after"


def test_a_save_after_a_first_index_that_was_never_read_is_told_by_the_next_process(tmp_path: Path) -> None:
    world = World(tmp_path)
    write(world.root, many())
    gone = Failed("cancelled", "nobody waits for it any more")
    first = Host(world.cache, gone)
    world.check(first)
    write(world.root, TALE)
    world.check(Host(world.cache, gone))
    last = Host(world.cache, "")
    world.check(last)
    assert "himself" in last.stories[0] and "Saturday" in last.stories[0]
    assert 3 <= last.stories[0].count("\n") < 28, "the first index is a sample still"


def test_a_redacted_claim_leaves_nothing_of_the_story(world: World) -> None:
    (conflict,) = world.check(Host(world.cache))
    world.store.claims.redact(conflict.members[0], "private")
    assert world.store.caches.threads.of("1:own") == []


@needs_llama
def test_the_shipped_model_fails_the_exam_and_reads_no_story(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = str(default_llama())
    with ModelHost(Setup(llama=own, context=CONTEXT, cache=str(tmp_path / "models"), nice=0)) as host:
        detecting = ThreadStage(host, world.store)
        assert isinstance(detecting.story_stage, StoryStage)
        asked: list[str] = []
        read = StoryReader.found

        def found(reader: StoryReader, lines: Any, stopping: Any) -> Any:
            asked.append(numbered(lines))
            return read(reader, lines, stopping)

        world.check(Host(world.cache, ""))
        monkeypatch.setattr(StoryReader, "found", found)
        lines = [story_line(claim) for claim in world.store.claims.active()]
        assert detecting.story_stage.unread(lines, lambda: False) == UnreadBatches([], 0)
        known = [numbered(story.texts) for story in (*COHERENT, *INCOHERENT)]
        assert asked and set(asked) <= set(known)
