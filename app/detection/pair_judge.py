"""The pair judge as a stage: pairs of what was just saved, then the likeliest ones."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Mapping

from app.detection import judge_stage
from app.detection.claim_index import ClaimIndex
from app.detection.judge_stage import JudgeStage
from app.detection.judged_pairs import Slice
from app.detection.rule_stages import NormRules, WordPairs
from app.detection.stages import Findings, Left, ReadingTask, Step, Touched, Work, is_arc
from app.models.requests import Priority
from app.store.store import Store
from app.words import Both, Claim

LIKELY = 0.1
"""Pairs from here on are read as soon as they are met, before the others are looked for."""
_PLACED_AT_ONCE = 64
_WEIGHED_AT_ONCE = 24
"""Claims whose pairs are looked for at a time: between two such steps a save is seen to."""
_NEWCOMER_RATIO = 10
"""Claims count as newcomers if the vault has more than this many times as many."""
_MOST_IDS = 400
"""Above this number, fetch all rows instead of filtering by id."""


class PairJudge:
    """A pair it has read and does not show is silent, whatever words and norms alone say; arcs are more than
    a pair."""

    seconds = "detective"
    work: Work = "judging"

    def __init__(self, judging: JudgeStage, store: Store, norms: NormRules, words: WordPairs) -> None:
        self._judging, self._store = judging, store
        self._norms, self._words = norms, words
        self._found: Findings = {}
        self._silenced: set[Both] = set()
        """Pairs that it has read and that are not to be shown."""
        self._unjudged: set[str] | None = None
        """Claims that may not have been judged; None where only the store knows."""

    def findings(self, index: ClaimIndex, touched: Touched | None, before: Findings) -> Findings:
        """Where others found the same, they say why."""
        if touched is not None:
            self._recall(index, touched)
        told = self._found | before
        return {m: one for m, one in told.items() if is_arc(one) or frozenset(m) not in self._silenced}

    def _recall(self, index: ClaimIndex, touched: Touched) -> None:
        """What it said before; where nobody else wrote, only of what is touched."""
        ids = frozenset(touched.claims)
        if gone := [id for id in ids if id not in index.claims]:
            self._judging.drop(gone)
        whole = touched.written_by_others or len(ids) > _MOST_IDS
        before = {} if whole else {m: f for m, f in self._found.items() if not ids.intersection(m)}
        heard = self._judging.remembered(index.claims, self._norms.contradicting, None if whole else ids)
        silenced = set() if whole else {both for both in self._silenced if ids.isdisjoint(both)}
        self._hear(heard, before, silenced)
        known = not whole and self._unjudged is not None
        self._unjudged = {*(self._unjudged or ()), *ids, *heard.stale} if known else None

    def _hear(self, some: Slice, found: Findings, silenced: Collection[Both]) -> None:
        """What it says now, over what it said before."""
        shown = {frozenset(f.members) for f in some.findings}
        kept = {m: f for m, f in found.items() if frozenset(m) not in some.silenced}
        self._found = kept | {f.members: f for f in some.findings}
        self._silenced = some.silenced.union(silenced) - shown

    @property
    def pending(self) -> bool:
        return self._store.caches.judgements.complete_by != self._judging.judge

    def reopen(self, touched: bool, seen: int | None) -> None:
        self._store.caches.judgements.mark_complete("")

    def close(self, seen: int) -> None:
        self._store.caches.judgements.mark_complete(self._judging.judge)
        self._unjudged = set()

    def read(self, task: ReadingTask) -> Iterator[Step]:
        held = task.index.claims
        claims: Mapping[str, Claim] = held
        if self._unjudged is not None:
            claims = {id: held[id] for id in self._unjudged if id in held}
        unplaced = self._judging.unplaced(claims)
        for start in range(0, len(unplaced), _PLACED_AT_ONCE):
            failed = self._judging.place(unplaced[start : start + _PLACED_AT_ONCE])
            yield Step(failed=failed)
            if failed is not None:
                return
        waiting = self._judging.pending(claims)
        just = [id for id in waiting if id in task.saved]
        rest = [id for id in waiting if id not in task.saved]
        read = 0
        for ids, urgent in ((just, True), (rest, False)):
            for start in range(0, len(ids), _WEIGHED_AT_ONCE):
                self._judging.weigh(
                    ids[start : start + _WEIGHED_AT_ONCE],
                    self._norms.contradicting,
                    newcomers=len(ids) * _NEWCOMER_RATIO < len(held),
                    urgent=urgent,
                    by_words=self._words.shown,
                )
                read = yield from self._slices(read, urgent, LIKELY)
            read = yield from self._slices(read, urgent)

    def _slices(self, read: int, urgent: bool, least: float = 0.0) -> Generator[Step, None, int]:
        """Have the pairs judged that wait; how many are read then."""
        priority = Priority.INTERACTIVE if urgent else Priority.BACKGROUND
        found = False
        while True:
            progress = read, read + self._judging.waiting
            yield Step(progress, found=found, left=Left("pairs", self._judging.left_out))
            contradicting = self._norms.contradicting
            some = self._judging.read(
                judge_stage.AT_ONCE, contradicting, urgent=urgent, least=least, priority=priority
            )
            if some.failed is not None:
                yield Step(failed=some.failed)
            if not some.pairs:
                return read
            read += some.pairs
            self._hear(some, self._found, self._silenced)
            found = True
