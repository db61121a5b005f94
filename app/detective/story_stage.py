"""The language model over the whole story, batch by batch, after the threads: for a model with enough context
that has passed the story exam."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.detection.judge_input import said
from app.detective import story_exam, story_prompt
from app.detective.exam import Exams, Skill
from app.detective.reader import Room, Stopping, StoryReader, ThreadReader
from app.detective.story import Line, batches
from app.detective.thread_answer import ThreadAnswer, finding, grounded
from app.detective.thread_memory import STORY_KEY_PREFIX, ThreadMemory, digest, thread_key
from app.models.host import ModelHost
from app.models.requests import Failed
from app.store.threads import ThreadRow
from app.words import Claim

BUDGET = 6
"""How many batches are read, the newest ones: up to a few minutes each with a large model."""
_BATCH = "batch-"
"""Prefix of the key of a batch that was read."""

Batch = list[Line]


class UnreadBatches(NamedTuple):
    """Batches to read, and how many exceed the budget."""

    batches: list[Batch]
    left: int


class _StoryAnswer(NamedTuple):
    """The part of an answer that holds."""

    rows: list[ThreadRow]
    everything: bool
    """It could have named more, so it is not unsure about what it did not name."""


class StoryStage:
    """Holds which batches were read and what was found in them, among the stored answers about threads."""

    def __init__(
        self, host: ModelHost, known: ThreadMemory, threads: ThreadReader, *, budget: int = BUDGET
    ) -> None:
        self._model, self._threads = StoryReader(host), threads
        self._exams = Exams(host.setup.cache_dir / "exams")
        self._known, self._budget = known, budget
        self._current: frozenset[str] = frozenset()
        """The batches of the current story, by key."""
        self.reader = f" {self._model.reader} {host.setup.context}"
        """With a larger context there is more to read."""

    @property
    def told_before(self) -> set[str]:
        """The claims of the story as last read."""
        return {id for row in self._batches() for id in row.ids}

    def unread(self, lines: Sequence[Line], stopping: Stopping) -> UnreadBatches | Failed:
        """The batches this model has not read, oldest first; none if it may not read stories."""
        if len(lines) < 2:
            return UnreadBatches([], 0)
        passes = self._exams.result_of(
            self._model.reader, bool, lambda: story_exam.examine(self._model, stopping)
        )
        if isinstance(passes, Failed):
            return passes
        room = self._model.room(lines) if passes else Room(0, ())
        if isinstance(room, Failed):
            return room
        if room.tokens <= 0:
            return UnreadBatches([], 0)
        sizes = {f"{line.text}\n": size for line, size in zip(lines, room.lines, strict=True)}
        cut = [one for one in batches(lines, sizes.__getitem__, limit=room.tokens) if len(one) > 1]
        chosen = cut[-self._budget :]
        self._current = frozenset(_key(batch) for batch in chosen)
        self._forget_others()
        return UnreadBatches([one for one in chosen if _key(one) not in self._known], len(cut) - len(chosen))

    def read(
        self, batch: Batch, claims: Mapping[str, Claim], skill: Skill, stopping: Stopping
    ) -> Failed | None:
        """Ask about one batch and keep the answer: an empty one if it fails for this batch alone."""
        row = ThreadRow(_key(batch), tuple(line.id for line in batch), "", 0.0)
        answered = self._asked(batch, claims, skill, stopping)
        if isinstance(answered, Failed):
            if not answered.lasting and answered.why != "timeout":
                return answered
            answered = _StoryAnswer([], everything=False)
        if answered.everything:
            self._known.drop(self._taken_back(row, {found.key for found in answered.rows}))
        self._known.keep([*answered.rows, row])
        self._forget_others()
        return None

    def _asked(
        self, batch: Batch, claims: Mapping[str, Claim], skill: Skill, stopping: Stopping
    ) -> _StoryAnswer | Failed:
        answer = self._model.found([line.text for line in batch], stopping)
        if isinstance(answer, Failed):
            return answer
        lines = [claims[line.id] for line in batch]
        rows: dict[str, ThreadRow] = {}
        for named in (grounded(one, lines) for one in answer):
            if finding(named, lines, 1.0) is None:
                continue
            odds = self._odds(named, claims, stopping)
            if isinstance(odds, Failed):
                return odds
            if odds > skill.find:
                row = ThreadRow(
                    f"{STORY_KEY_PREFIX}{thread_key(named.members, claims)}",
                    named.members,
                    "yes",
                    odds,
                    *named,
                )
                rows.setdefault(row.key, row)
        return _StoryAnswer(list(rows.values()), everything=len(answer) < story_prompt.MOST_FINDINGS)

    def _odds(self, named: ThreadAnswer, claims: Mapping[str, Claim], stopping: Stopping) -> float | Failed:
        """How sure it is about the lines it named when asked about them as a thread."""
        known = self._known.get(thread_key(named.members, claims))
        if known is not None:
            return known.odds
        odds = self._threads.odds([said(claims[id]) for id in named.members], stopping)
        if isinstance(odds, Failed) and not (odds.lasting or odds.why == "timeout"):
            return odds
        return odds if isinstance(odds, float) else 0.0

    def _taken_back(self, read: ThreadRow, named: set[str]) -> list[str]:
        """Earlier findings whose lines were all read again without being named. A finding whose lines are no
        longer in the story, because they are forgotten, still holds."""
        others = [set(row.ids) for row in self._batches() if row.key in self._current]
        return [
            row.key
            for row in self._known.values()
            if row.key.startswith(STORY_KEY_PREFIX)
            and row.key not in named
            and set(row.members) <= set(read.ids)
            and not any(set(row.members) <= other for other in others)
        ]

    def _forget_others(self) -> None:
        """Forget an earlier story once this one is read completely: until then both count."""
        if self._known.keys() >= self._current:
            self._known.drop([row.key for row in self._batches() if row.key not in self._current])

    def _batches(self) -> list[ThreadRow]:
        return [row for row in self._known.values() if row.key.startswith(_BATCH)]


def _key(batch: Batch) -> str:
    text = story_prompt.numbered(line.text for line in batch)
    return _BATCH + digest((str(story_prompt.VERSION), *(line.id for line in batch), text))
