"""The judge over near pairs: a slice of claims at a time, and whatever fails costs nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.detective.both_ways import judged
from app.detective.reader import ThreadReader, tuned
from app.guard.judged import KEEP, closed, finding, worth_asking, worth_judging
from app.guard.meeting import FLOOR
from app.guard.worth import FARTHEST, Opinions
from app.guard.written import said, written
from app.index.measured import Measured
from app.models.cache import model_id, vectors
from app.models.files import judge_id
from app.models.host import ModelHost
from app.models.neighbours import Neighbours
from app.models.words import Failed, Priority
from app.store.judgements import Alarm
from app.store.store import Store
from app.words import Claim, Finding

NEAR = 10
"""So many neighbours of a claim are judged."""
NEAR_NEWCOMER = 20
"""A newcomer looks further: it cannot know who would have counted it among their nearest."""
_FEW = 400
"""Of more claims than these the store is not asked by name."""

Pair = tuple[Claim, Claim]


@dataclass(slots=True)
class Slice:
    """What judging some claims brought."""

    findings: list[Finding] = field(default_factory=list)
    pairs: int = 0
    failed: Failed | None = None


class Judging:
    """Holds the vectors of all claims worth judging between runs."""

    def __init__(self, host: ModelHost, store: Store) -> None:
        self._host, self._store = host, store
        self._second = ThreadReader(host) if tuned(host.setup) else None
        """Reads once more what the judge alone cannot decide; None where no adapter for that is there."""
        self.judge = judge_id(host.setup) + (f" {self._second.reader}" if self._second is not None else "")
        """Names what both say."""
        self._near: Neighbours | None = None
        self._measured = Measured()

    @property
    def embedder(self) -> str | None:
        """The name that vectors are kept under, as its files stand now."""
        return model_id(self._host.setup)

    def remembered(self, claims: Mapping[str, Claim], among: Collection[str] | None = None) -> list[Finding]:
        """What earlier runs found (of these claims), as far as both are there and read as they did."""
        made = []
        stale: set[str] = set()
        for one in self._store.alarms(self.judge, among):
            a, b = claims.get(one.a), claims.get(one.b)
            if a is None or b is None:
                continue
            if _key(a, b) != one.key:
                stale |= {a.id, b.id}
            elif found := finding(a, b, _opinions(one)):
                made.append(found)
        self._store.forget_judgements(stale)
        return made

    def pending(self, claims: Mapping[str, Claim]) -> list[str]:
        """Claims not judged yet, newest first."""
        known = self._store.judged(self.judge, claims if len(claims) < _FEW else None)
        waiting = [c for c in claims.values() if c.id not in known and worth_judging(c)]
        waiting.sort(key=lambda c: (c.statement.date or "", c.id), reverse=True)
        return [c.id for c in waiting]

    def place(self, claims: Mapping[str, Claim], some: int) -> int | Failed:
        """Find the place of up to `some` more claims among the others; how many are still without one."""
        held = self._near
        missing = [c for c in claims.values() if (held is None or c.id not in held) and worth_judging(c)]
        missing.sort(key=lambda c: c.id)
        chosen = missing[:some]
        if not chosen:
            return 0
        texts = {c.statement.content_hash: c.statement.text for c in chosen}
        made = vectors(texts, self._host, self._store)
        if made.failed is not None and not (made.failed.lasting and made.by_hash):
            return made.failed
        if held is None:
            held = self._near = Neighbours(made.width)
        nothing = bytes(2 * held.width)  # what cannot be embedded is near to nothing
        held.add_many((c.id, made.by_hash.get(c.statement.content_hash, nothing)) for c in chosen)
        for claim in chosen:
            self._measured.add(claim)
        return len(missing) - len(chosen)

    def drop(self, gone: Collection[str]) -> None:
        for id in gone:
            if self._near is not None:
                self._near.remove(id)
                self._measured.remove(id)

    def read(
        self,
        ids: Sequence[str],
        claims: Mapping[str, Claim],
        *,
        newcomers: bool,
        priority: Priority = Priority.BACKGROUND,
    ) -> Slice:
        """Judge these claims against their neighbours, and keep what came of it."""
        pairs = self._pairs(ids, claims, NEAR_NEWCOMER if newcomers else NEAR)
        odds = judged(self._host, list(pairs), priority)
        if isinstance(odds, Failed):
            return Slice(failed=odds)
        raised = {
            pair: one
            for pair, one in zip(pairs, odds, strict=True)
            if one is not None and one[0] + one[1] >= KEEP
        }
        assert self._near is not None
        ranks = ranks_of(self._near, [(a.id, b.id) for a, b in raised])
        made = Slice(pairs=len(pairs))
        alarms = []
        for (a, b), of_pair in raised.items():
            opinions = Opinions(of_pair, ranks[a.id, b.id])
            if pairs[a, b] and self._second is not None and worth_asking(a, b, opinions.alarm):
                unsure = self._unsure(self._second, a, b, priority)
                if isinstance(unsure, Failed):
                    return Slice(failed=unsure)
                opinions = opinions._replace(unsure=unsure)
            alarms.append(Alarm(a.id, b.id, _key(a, b), *opinions))
            if found := finding(a, b, opinions):
                made.findings.append(found)
        self._store.put_judgements(self.judge, alarms, ids)
        return made

    def _unsure(self, second: ThreadReader, a: Claim, b: Claim, priority: Priority) -> float | Failed | None:
        """A second reader's word on two values. A failure that lasts costs only that."""
        answer = second.odds([said(a), said(b)], priority=priority)
        return None if isinstance(answer, Failed) and (answer.lasting or answer.why == "timeout") else answer

    def _pairs(self, ids: Sequence[str], claims: Mapping[str, Claim], k: int) -> dict[Pair, bool]:
        """The near pairs of these, older first, and whether they are the nearest in what both measure."""
        assert self._near is not None
        measured = self._measured.nearest(ids, self._near)
        near = {
            frozenset((id, one.id))
            for id, around in self._near.nearest_of(ids, k).items()
            for one in around
            if one.cosine >= FLOOR
        }
        out: dict[Pair, bool] = {}
        for both in sorted(near | measured, key=sorted):
            if not claims.keys() >= both:
                continue
            a, b = sorted((claims[id] for id in both), key=age)
            if a.statement.text.casefold() != b.statement.text.casefold() and closed(a, b) is None:
                out[a, b] = both in measured
        return out


def _opinions(one: Alarm) -> Opinions:
    return Opinions(one.odds, one.ranks, one.unsure)


def just_saved_first(
    waiting: Sequence[str], saved: Collection[str], *, among: int, at_once: int
) -> Iterator[tuple[list[str], bool, Priority]]:
    """Slices of claims to judge, whether they are newcomers among so many, and how they are asked about. What
    was just saved comes by itself, so that what is found in it is shown at once; then the backlog."""
    just = [id for id in waiting if id in saved]
    rest = [id for id in waiting if id not in saved]
    for ids, priority in ((just, Priority.INTERACTIVE), (rest, Priority.BACKGROUND)):
        for start in range(0, len(ids), at_once):
            yield ids[start : start + at_once], len(ids) * 10 < among, priority


def ranks_of(held: Neighbours, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], tuple[int, int]]:
    """For each pair the place of the second among the nearest of the first, and the other way round."""
    near = held.nearest_of(sorted({id for pair in pairs for id in pair}), FARTHEST)
    place = {id: {other.id: n for n, other in enumerate(around)} for id, around in near.items()}
    return {(a, b): (place.get(a, {}).get(b, FARTHEST), place.get(b, {}).get(a, FARTHEST)) for a, b in pairs}


def age(claim: Claim) -> tuple[str, str, int, str]:
    s = claim.statement
    return (s.date or "", s.path, s.line, claim.id)


def _key(a: Claim, b: Claim) -> str:
    return hashlib.blake2b("\0".join(written(said(a), said(b))).encode(), digest_size=8).hexdigest()
