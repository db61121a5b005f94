"""The judge's turn: pairs of what was just saved, then the likeliest ones. It ends where something else
waits, and goes on from there the next time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from app.detection import judge_stage
from app.detection.judge_stage import JudgeStage
from app.detection.judged_pairs import Slice
from app.models.requests import Failed, Priority
from app.pipeline.around import Around
from app.pipeline.messages import Progress
from app.pipeline.run import Run
from app.words import Both, Claim

LIKELY = 0.1
"""Pairs from here on are read as soon as they are met, before the others are looked for."""
_PLACED_AT_ONCE = 1024
_WEIGHED_AT_ONCE = 256
"""Claims whose pairs are looked for at a time."""
_FEW = 10
"""Claims are newcomers where there are more than so many times as many."""


@dataclass(frozen=True, slots=True)
class JudgeTurn:
    run: Run
    judging: JudgeStage
    around: Around
    contradicting: Collection[Both]
    """Pairs whose norms contradict each other."""
    by_words: Collection[Both]
    """Pairs that their words are enough to show."""
    hear: Callable[[Slice], None]
    """Told what came of some pairs."""

    def take(self, claims: Mapping[str, Claim], saved: Collection[str], among: int) -> bool:
        """Whether nothing is left to read. `claims` may not have been judged yet, `saved` were just saved,
        and there are so many in all."""
        if not self._placed(claims):
            return False
        waiting = self.judging.pending(claims)
        just = [id for id in waiting if id in saved]
        rest = [id for id in waiting if id not in saved]
        done = all(self._judged(ids, among, urgent) for ids, urgent in ((just, True), (rest, False)))
        self.run.pairs_left = self.judging.left_out
        return done

    def _placed(self, claims: Mapping[str, Claim]) -> bool:
        left: int | Failed = 1
        while left:
            left = self.judging.place(claims, _PLACED_AT_ONCE)
            if isinstance(left, Failed):
                self.run.judge_failed = left
                return False
            if self.around.must_end:
                return False
        return True

    def _judged(self, ids: Sequence[str], among: int, urgent: bool) -> bool:
        newcomers = len(ids) * _FEW < among
        for start in range(0, len(ids), _WEIGHED_AT_ONCE):
            self.judging.weigh(
                ids[start : start + _WEIGHED_AT_ONCE],
                self.contradicting,
                newcomers=newcomers,
                urgent=urgent,
                by_words=self.by_words,
            )
            if not self._read(urgent, LIKELY):
                return False
        return self._read(urgent)

    def _read(self, urgent: bool, least: float = 0.0) -> bool:
        """Have the pairs judged that wait; whether that came to its end."""
        priority = Priority.INTERACTIVE if urgent else Priority.BACKGROUND
        run, judging = self.run, self.judging
        while not self.around.must_end:
            self.around.on_progress(Progress("judging", run.pairs, run.pairs + judging.waiting))
            some = judging.read(
                judge_stage.AT_ONCE, self.contradicting, urgent=urgent, least=least, priority=priority
            )
            if some.failed is not None:
                run.judge_failed = some.failed
                return False
            if not some.pairs:
                return True
            run.pairs += some.pairs
            self.hear(some)
        return False
