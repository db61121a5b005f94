"""The language model over the whole story, batch by batch, after the threads: for a model that can look at
enough of it and has passed the exam for that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.detection.judge_input import said
from app.detective import story_exam, story_prompt
from app.detective.exam import Exams, Skill
from app.detective.reader import Room, Stopping, StoryReader, ThreadReader
from app.detective.story import Line, batches
from app.detective.thread_answer import Told, finding, grounded
from app.detective.thread_memory import FOUND, ThreadMemory, digest, key
from app.models.host import ModelHost
from app.models.requests import Failed
from app.store.threads import ThreadRow
from app.words import Claim

BUDGET = 6
"""Batches of a story that are read, the newest: at up to a few minutes each with a large model."""
_BATCH = "batch-"
"""Before the key of a batch that was read."""

Batch = list[Line]


class Unread(NamedTuple):
    """Batches to read, and how many more there are than can be."""

    batches: list[Batch]
    left: int


class _Heard(NamedTuple):
    """What of an answer stands."""

    rows: list[ThreadRow]
    everything: bool
    """It could have named more: what it did not name, it is not unsure about."""


class StoryStage:
    """Holds which batches were read, and what was found in them, among what is known of threads."""

    def __init__(
        self, host: ModelHost, known: ThreadMemory, threads: ThreadReader, *, budget: int = BUDGET
    ) -> None:
        self._model, self._threads = StoryReader(host), threads
        self._exams = Exams(host.setup.cache_dir / "exams")
        self._known, self._budget = known, budget
        self._current: frozenset[str] = frozenset()
        """The batches of the story that is being told, by key."""
        self.reader = f" {self._model.reader} {host.setup.context}"
        """With a larger context it has more to read."""

    @property
    def before(self) -> set[str]:
        """The claims in the story as it was last told."""
        return {id for row in self._batches() for id in row.ids}

    def unread(self, lines: Sequence[Line], stopping: Stopping) -> Unread | Failed:
        """What of a story waits for this model, oldest first; nothing where it is not to read stories."""
        if len(lines) < 2:
            return Unread([], 0)
        passes = self._exams.kept(self._model.reader, bool, lambda: story_exam.examine(self._model, stopping))
        if isinstance(passes, Failed):
            return passes
        room = self._model.room(lines) if passes else Room(0, ())
        if isinstance(room, Failed):
            return room
        if room.tokens <= 0:
            return Unread([], 0)
        sizes = {f"{line.text}\n": size for line, size in zip(lines, room.lines, strict=True)}
        cut = [one for one in batches(lines, sizes.__getitem__, limit=room.tokens) if len(one) > 1]
        chosen = cut[-self._budget :]
        self._current = frozenset(_key(batch) for batch in chosen)
        self._forget_others()
        return Unread([one for one in chosen if _key(one) not in self._known], len(cut) - len(chosen))

    def read(
        self, batch: Batch, claims: Mapping[str, Claim], skill: Skill, stopping: Stopping
    ) -> Failed | None:
        """Ask about one batch and keep what came of it: nothing, where it fails for this one alone."""
        row = ThreadRow(_key(batch), tuple(line.id for line in batch), "", 0.0)
        heard = self._asked(batch, claims, skill, stopping)
        if isinstance(heard, Failed):
            if not heard.lasting and heard.why != "timeout":
                return heard
            heard = _Heard([], everything=False)
        if heard.everything:
            self._known.drop(self._taken_back(row, {found.key for found in heard.rows}))
        self._known.keep([*heard.rows, row])
        self._forget_others()
        return None

    def _asked(
        self, batch: Batch, claims: Mapping[str, Claim], skill: Skill, stopping: Stopping
    ) -> _Heard | Failed:
        answer = self._model.found([line.text for line in batch], stopping)
        if isinstance(answer, Failed):
            return answer
        lines = [claims[line.id] for line in batch]
        rows: dict[str, ThreadRow] = {}
        for told in (grounded(one, lines) for one in answer):
            if finding(told, lines, 1.0) is None:
                continue
            odds = self._odds(told, claims, stopping)
            if isinstance(odds, Failed):
                return odds
            if odds > skill.find:
                row = ThreadRow(f"{FOUND}{key(told.members, claims)}", told.members, "yes", odds, *told)
                rows.setdefault(row.key, row)
        return _Heard(list(rows.values()), everything=len(answer) < story_prompt.MOST)

    def _odds(self, told: Told, claims: Mapping[str, Claim], stopping: Stopping) -> float | Failed:
        """How sure it is of the lines it named, as a thread: one that is not contradicts itself."""
        known = self._known.get(key(told.members, claims))
        if known is not None:
            return known.odds
        odds = self._threads.odds([said(claims[id]) for id in told.members], stopping)
        if isinstance(odds, Failed) and not (odds.lasting or odds.why == "timeout"):
            return odds
        return odds if isinstance(odds, float) else 0.0

    def _taken_back(self, read: ThreadRow, named: set[str]) -> list[str]:
        """What was found before in lines that were now all read again without a word about it. What is no
        longer told, because it is forgotten, still holds."""
        others = [set(row.ids) for row in self._batches() if row.key in self._current]
        return [
            row.key
            for row in self._known.values()
            if row.key.startswith(FOUND)
            and row.key not in named
            and set(row.members) <= set(read.ids)
            and not any(set(row.members) <= other for other in others)
        ]

    def _forget_others(self) -> None:
        """An earlier telling is forgotten when this one is read whole: until then both say what was told."""
        if self._known.keys() >= self._current:
            self._known.drop([row.key for row in self._batches() if row.key not in self._current])

    def _batches(self) -> list[ThreadRow]:
        return [row for row in self._known.values() if row.key.startswith(_BATCH)]


def _key(batch: Batch) -> str:
    text = story_prompt.numbered(line.text for line in batch)
    return _BATCH + digest((str(story_prompt.VERSION), *(line.id for line in batch), text))
