"""The judge over pairs that may contradict each other: the likeliest first, a few at a time, so that a
failure loses little."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from app.detection.decide import decision_id
from app.detection.evidence import Meeting
from app.detection.judge import judged
from app.detection.judge_queue import JudgeQueue, Waiting
from app.detection.judged_pairs import JudgedPairs, Slice
from app.detection.pairs import FARTHEST, PairReader, nearer
from app.detection.would_meet import FLOOR
from app.models.cache import model_id, vectors
from app.models.files import judge_id, judge_name
from app.models.host import ModelHost
from app.models.neighbours import Neighbours
from app.models.requests import Failed, Priority
from app.reading.reader import ClaimReader
from app.store.store import Store
from app.words import Both, Claim

NEAR = 10
"""How many neighbours of a claim are considered."""
NEAR_NEWCOMER = 20
"""For a new claim, more: it may be among the nearest of claims that were looked at before it came."""
ASKED = 0.002
"""The judge reads pairs that are at least this likely to be worth showing, by the evidence without it."""
AT_ONCE = 16
"""Pairs sent to the judge together: enough to fill its batches, few enough that a save need not wait long."""
MOST_WAITING = 20_000
"""Only this many pairs wait for the judge, the likeliest: some minutes of its time."""
_AHEAD = 8
"""Look this many batches ahead and group pairs of similar length."""
_MOST_IDS = 400
"""Above this number, fetch all rows instead of filtering by id."""


class JudgeStage:
    """Holds the vectors of all comparable claims between runs."""

    def __init__(self, host: ModelHost, store: Store) -> None:
        self._host, self._store = host, store
        self.pairs = PairReader(ClaimReader(store.caches.readings))
        self.judge = f"{judge_id(host.setup)} {decision_id()}"
        """The name its opinions are stored under."""
        self._judged = JudgedPairs(store, self.pairs, self.judge, judge_name(host.setup))
        self._near: Neighbours | None = None
        self._places: dict[str, dict[str, int]] = {}
        """For each claim looked up so far, its nearest claims with their ranks."""
        self._queue = JudgeQueue()
        self._weighed: set[str] = set()
        """Claims whose pairs are queued or have been read."""
        self.left_out = 0
        """Number of pairs that are not read because likelier ones fill the queue."""

    @property
    def embedder(self) -> str | None:
        """The name vectors are stored under; it follows from the model's files."""
        return model_id(self._host.setup)

    def remembered(
        self,
        claims: Mapping[str, Claim],
        contradicting: Collection[Both],
        among: Collection[str] | None = None,
    ) -> Slice:
        """Stored judgements that still apply: both claims exist and are unchanged."""
        made = self._judged.recall(claims, contradicting, among)
        self._weighed -= made.stale
        return made

    def pending(self, claims: Mapping[str, Claim]) -> list[str]:
        """Claims whose pairs have not been looked for yet, newest first."""
        known = (
            self._store.caches.judgements.judged(self.judge, claims if len(claims) < _MOST_IDS else None)
            | self._weighed
        )
        waiting = [c for c in claims.values() if c.id not in known and self.pairs.comparable(c.id)]
        waiting.sort(key=lambda c: (c.statement.date or "", c.id), reverse=True)
        return [c.id for c in waiting]

    def unplaced(self, claims: Mapping[str, Claim]) -> list[Claim]:
        """The comparable claims that have no vector yet, by length: similar lengths are embedded faster
        together."""
        held = self._near
        if held is not None:
            self.drop([id for id in claims if id in held and not self.pairs.comparable(id)])
        missing = [
            c for c in claims.values() if (held is None or c.id not in held) and self.pairs.comparable(c.id)
        ]
        return sorted(missing, key=lambda c: (len(c.statement.text), c.id))

    def place(self, some: Sequence[Claim]) -> Failed | None:
        """Embed these claims, so that their neighbours can be found."""
        if not some:
            return None
        texts = {c.statement.content_hash: c.statement.text for c in some}
        made = vectors(texts, self._host, self._store.caches.embeddings)
        if made.failed is not None and not (made.failed.lasting and made.by_hash):
            return made.failed
        if self._near is None:
            self._near = Neighbours(made.width)
        nothing = bytes(2 * self._near.width)  # what cannot be embedded is near to nothing
        self._places.clear()
        self._near.add_many((c.id, made.by_hash.get(c.statement.content_hash, nothing)) for c in some)
        return None

    def drop(self, gone: Collection[str]) -> None:
        self._places.clear()
        self._judged.drop(gone)
        self._weighed.difference_update(gone)
        self._queue.drop(gone)
        for id in gone:
            if self._near is not None:
                self._near.remove(id)

    def weigh(
        self,
        ids: Sequence[str],
        contradicting: Collection[Both],
        *,
        newcomers: bool,
        urgent: bool = False,
        by_words: Collection[Both] = (),
    ) -> None:
        """Queue the pairs of these claims that the judge is to read. It reads all pairs in `contradicting`,
        whose norms contradict, and in `by_words`, which are shown by their words alone."""
        met = self._met(ids, NEAR_NEWCOMER if newcomers else NEAR, contradicting)
        named = {both for both in (*contradicting, *by_words) if both in met}
        for one in self.pairs.weigh(met, contradicting):
            likely = 1.0 if one.both in named else one.decision.probability
            if likely >= ASKED and not self._judged.knows(one.a, one.b, one.both in contradicting):
                day = one.b.statement.date or ""
                self._queue.put(Waiting(one.both, likely, day, urgent, met[one.both]))
        self.left_out += self._queue.cut(MOST_WAITING)
        self._weighed.update(ids)
        self._mark_read(ids)

    @property
    def waiting(self) -> int:
        """How many pairs are queued."""
        return len(self._queue)

    def read(
        self,
        most: int,
        contradicting: Collection[Both],
        *,
        urgent: bool = False,
        least: float = 0.0,
        priority: Priority = Priority.BACKGROUND,
    ) -> Slice:
        """Judge the next pairs and store the outcome: only urgent ones if asked, and none less likely than
        `least`."""
        ahead = self._queue.first(_AHEAD * most, urgent=urgent, least=least)
        if gone := {id for one in ahead for id in one.both if not self.pairs.comparable(id)}:
            self._queue.drop(gone)
            return self.read(most, contradicting, urgent=urgent, least=least, priority=priority)
        meetings = {one.both: one.meeting for one in self._alike(ahead)[:most]}
        answer = judged(self._host, [self.pairs.older_first(both) for both in meetings], priority)
        if isinstance(answer, Failed):
            return Slice(failed=answer)
        known = {both: one for both, one in zip(meetings, answer.of_pairs, strict=True) if one is not None}
        met = {both: meetings[both] for both in known}
        made = self._judged.keep(self.pairs.weigh(met, contradicting, known, answer.judge), contradicting)
        made.pairs = len(meetings)
        self._queue.remove(meetings)
        self._mark_read({id for both in meetings for id in both})
        return made

    def _alike(self, waiting: Sequence[Waiting]) -> list[Waiting]:
        """Sorted by how close their length is to that of the first: the judge reads similar lengths faster
        together."""

        def length(one: Waiting) -> int:
            return sum(len(claim.statement.text) for claim in self.pairs.older_first(one.both))

        return sorted(waiting, key=lambda one: abs(length(one) - length(waiting[0])))

    def _mark_read(self, ids: Iterable[str]) -> None:
        """Record the claims that have no pair left to read."""
        done = [id for id in ids if id in self._weighed and not self._queue.waits(id)]
        self._store.caches.judgements.put(self.judge, [], done)

    def _met(self, ids: Sequence[str], k: int, contradicting: Collection[Both]) -> dict[Both, Meeting]:
        """Pairs that share words or are near in meaning, each with how near they are."""
        assert self._near is not None
        held = self._near
        chosen = set(ids)
        met: dict[Both, Meeting | None] = dict(self.pairs.met(ids))
        met |= {both: None for both in contradicting if not chosen.isdisjoint(both) and both not in met}
        for id, around in held.nearest_of(ids, k).items():
            for one in around:
                if one.cosine >= FLOOR:
                    met.setdefault(frozenset((id, one.id)), None)
        wanted = {id for both in met for id in both}
        self._places |= places_of(held, wanted - self._places.keys())
        places = self._places
        out = {}
        for both, meeting in met.items():
            a, b = sorted(both)
            x, y = held.vector(a), held.vector(b)
            if x is not None and y is not None:
                near = places[a].get(b, FARTHEST), places[b].get(a, FARTHEST)
                out[both] = nearer(meeting, float(x @ y), *near)
        return out


def places_of(held: Neighbours, ids: Collection[str]) -> dict[str, dict[str, int]]:
    """For each claim its nearest claims with their ranks, from 0."""
    near = held.nearest_of(sorted(ids), FARTHEST)
    return {id: {other.id: n for n, other in enumerate(near.get(id, ()))} for id in ids}
