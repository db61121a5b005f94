"""The judge over pairs that may contradict each other: a slice of claims at a time, and whatever fails costs
nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.detection.decide import decision_id, enough, learnt
from app.detection.evidence import Meeting
from app.detection.finding import finding
from app.detection.judge import judged
from app.detection.pairs import FARTHEST, Both, PairReader, Weighed, nearer
from app.guard.judge_input import said, written
from app.guard.meeting import FLOOR
from app.models.cache import model_id, vectors
from app.models.files import judge_id, judge_name
from app.models.host import ModelHost
from app.models.neighbours import Neighbours
from app.models.requests import Failed, Priority
from app.reading.reader import VERSION, ClaimReader
from app.store.judgements import Alarm
from app.store.store import Store
from app.words import Claim, Finding

NEAR = 10
"""So many neighbours of a claim are looked at."""
NEAR_NEWCOMER = 20
"""A newcomer looks further: it cannot know who would have counted it among their nearest."""
ASKED = 0.004
"""The judge is asked about pairs that are at least so likely to be worth showing, by what is cheap."""
ASKED_OF_ONE = 4
"""So many pairs of a claim are judged, on average."""
ASKED_AT_LEAST = 24
KEEP = 0.05
"""From here on a pair is kept in the store."""
_FEW = 400
"""Of more claims than these the store is not asked by name."""


@dataclass(slots=True)
class Slice:
    """What judging some claims brought."""

    findings: list[Finding] = field(default_factory=list)
    silenced: set[Both] = field(default_factory=set)
    """Pairs that are not shown, whatever else speaks for them."""
    stale: set[str] = field(default_factory=set)
    """Claims to be judged anew: what was said of them was said of other words."""
    pairs: int = 0
    failed: Failed | None = None


class JudgeStage:
    """Holds the vectors of all comparable claims between runs."""

    def __init__(self, host: ModelHost, store: Store) -> None:
        self._host, self._store = host, store
        self.pairs = PairReader(ClaimReader(store))
        self._name = judge_name(host.setup)
        self.judge = f"{judge_id(host.setup)} {decision_id()}"
        """Names what is kept of it."""
        self._near: Neighbours | None = None
        self._places: dict[str, dict[str, int]] = {}
        """For each claim the places of its nearest, as far as they were looked up."""

    @property
    def embedder(self) -> str | None:
        """The name that vectors are kept under, as its files stand now."""
        return model_id(self._host.setup)

    def remembered(
        self,
        claims: Mapping[str, Claim],
        contradicting: Collection[Both],
        among: Collection[str] | None = None,
    ) -> Slice:
        """What earlier runs made of these claims, as far as both are there and read as they did."""
        made = Slice()
        for one in self._store.alarms(self.judge, among):
            a, b = claims.get(one.a), claims.get(one.b)
            if a is None or b is None:
                continue
            if not (self.pairs.comparable(a.id) and self.pairs.comparable(b.id)):
                continue
            against = frozenset((a.id, b.id)) in contradicting
            if _key(a, b, against) != one.key:
                made.stale |= {a.id, b.id}
            elif one.probability >= enough(learnt().judged_by(self._name), against, self.pairs.alone):
                made.findings.append(finding(self.pairs.recalled(a, b, one.probability, one.odds)))
            else:
                made.silenced.add(frozenset((a.id, b.id)))
        self._store.forget_judgements(made.stale)
        return made

    def pending(self, claims: Mapping[str, Claim]) -> list[str]:
        """Claims not judged yet, newest first."""
        known = self._store.judged(self.judge, claims if len(claims) < _FEW else None)
        waiting = [c for c in claims.values() if c.id not in known and self.pairs.comparable(c.id)]
        waiting.sort(key=lambda c: (c.statement.date or "", c.id), reverse=True)
        return [c.id for c in waiting]

    def place(self, claims: Mapping[str, Claim], some: int) -> int | Failed:
        """Find the place of up to `some` more claims among the others; how many are still without one."""
        held = self._near
        if held is not None:
            self.drop([id for id in claims if id in held and not self.pairs.comparable(id)])
        missing = [
            c for c in claims.values() if (held is None or c.id not in held) and self.pairs.comparable(c.id)
        ]
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
        self._places.clear()
        held.add_many((c.id, made.by_hash.get(c.statement.content_hash, nothing)) for c in chosen)
        return len(missing) - len(chosen)

    def drop(self, gone: Collection[str]) -> None:
        self._places.clear()
        for id in gone:
            if self._near is not None:
                self._near.remove(id)

    def read(
        self,
        ids: Sequence[str],
        contradicting: Collection[Both],
        *,
        newcomers: bool,
        priority: Priority = Priority.BACKGROUND,
        by_words: Collection[Both] = (),
    ) -> Slice:
        """Judge what these claims may contradict, and keep what came of it. `contradicting` are pairs whose
        norms do: the judge has a word in those, too, and in what is shown by words."""
        met = self._met(ids, NEAR_NEWCOMER if newcomers else NEAR, contradicting)
        named = {both for both in (*contradicting, *by_words) if both in met}
        asked = _worth_asking(self.pairs.weigh(met, contradicting), named, len(ids))
        answer = judged(self._host, [(one.a, one.b) for one in asked], priority)
        if isinstance(answer, Failed):
            return Slice(failed=answer)
        known = {one.both: odds for one, odds in zip(asked, answer.odds, strict=True) if odds is not None}
        made = Slice(pairs=len(asked))
        alarms = []
        judged_pairs = {both: met[both] for both in known}
        for one in self.pairs.weigh(judged_pairs, contradicting, known, answer.judge):
            probability = one.decision.probability
            if one.decision.shown:
                made.findings.append(finding(one))
            else:
                made.silenced.add(one.both)
            if probability >= KEEP or one.both in named:
                assert one.odds is not None
                key = _key(one.a, one.b, one.both in contradicting)
                alarms.append(Alarm(one.a.id, one.b.id, key, one.odds, probability))
        self._store.put_judgements(self.judge, alarms, ids)
        return made

    def _met(self, ids: Sequence[str], k: int, contradicting: Collection[Both]) -> dict[Both, Meeting]:
        """Pairs that share words or are near in meaning, each with how near."""
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


def _worth_asking(weighed: Sequence[Weighed], named: Collection[Both], claims: int) -> list[Weighed]:
    """Those that are named, and the likeliest of the rest, as many as the judge is to read."""
    sure = [one for one in weighed if one.both in named]
    rest = [one for one in weighed if one.both not in named and one.decision.probability >= ASKED]
    rest.sort(key=lambda one: (-one.decision.probability, one.a.id, one.b.id))
    return [*sure, *rest[: max(ASKED_AT_LEAST, ASKED_OF_ONE * claims)]]


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


def places_of(held: Neighbours, ids: Collection[str]) -> dict[str, dict[str, int]]:
    """For each claim the places of its nearest, from 0."""
    near = held.nearest_of(sorted(ids), FARTHEST)
    return {id: {other.id: n for n, other in enumerate(near.get(id, ()))} for id in ids}


def _key(a: Claim, b: Claim, against: bool) -> str:
    """What the probability depends on: the texts, how they are read, whether their norms contradict."""
    told = "\0".join((*written(said(a), said(b)), VERSION, str(against)))
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=8).hexdigest()
