"""The judge's opinions on pairs: kept in the store, and decided given their rivals.

A pair that comes or goes makes the pairs that share a claim with it more or less likely, so these are decided
again as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from app.detection.decide import calibrated, decide_among_rivals
from app.detection.finding import finding
from app.detection.judge_input import said, written
from app.detection.pairs import PairReader, Weighed
from app.detection.rivals import SILENCED, Rivals, Suspect
from app.models.requests import Failed
from app.reading.reader import VERSION
from app.store.judgements import Alarm
from app.store.store import Store
from app.words import Both, Claim, Finding


@dataclass(slots=True)
class Slice:
    """The outcome of judging some claims."""

    findings: list[Finding] = field(default_factory=list)
    silenced: set[Both] = field(default_factory=set)
    """Pairs that are not shown, whatever other stages say."""
    stale: set[str] = field(default_factory=set)
    """Claims to judge again: their text has changed since."""
    pairs: int = 0
    """How many were read."""
    failed: Failed | None = None

    def then(self, later: Slice) -> Slice:
        """Both together; where they disagree, the later one counts."""
        told = {frozenset(f.members): f for f in (*self.findings, *later.findings)}
        silenced = (self.silenced - {frozenset(f.members) for f in later.findings}) | later.silenced
        return Slice(
            [finding for both, finding in told.items() if both not in silenced],
            silenced,
            self.stale | later.stale,
            self.pairs + later.pairs,
            later.failed,
        )


class JudgedPairs:
    """Holds one judge's stored opinions on pairs whose claims both exist."""

    def __init__(self, store: Store, pairs: PairReader, kept_as: str, judge: str) -> None:
        self._store, self._pairs, self._kept_as, self._judge = store, pairs, kept_as, judge
        self._alarms: dict[Both, Alarm] = {}
        self._rivals = Rivals()
        self._loaded = False
        self._discord: float | None = None
        """The vault's discord when pairs were last decided."""
        self._lost_a_rival: set[str] = set()
        """Claims that lost a rival since pairs were last decided."""

    def recall(
        self, claims: Mapping[str, Claim], contradicting: Collection[Both], among: Collection[str] | None
    ) -> Slice:
        """Stored judgements that still apply: both claims exist and are unchanged. `among`: only pairs with
        one of these claims."""
        made = Slice()
        if among is None or not self._loaded:
            among = None
            self._alarms, self._rivals, self._loaded = {}, Rivals(), True
        else:
            self.drop(among)
        fresh: set[str] = set()
        for one in self._store.caches.judgements.alarms(self._kept_as, among):
            a, b = claims.get(one.a), claims.get(one.b)
            if a is None or b is None:
                continue
            if not (self._pairs.comparable(a.id) and self._pairs.comparable(b.id)):
                continue
            if _key(a, b, frozenset((a.id, b.id)) in contradicting) != one.key:
                made.stale |= {a.id, b.id}
            else:
                self._hold(one)
                fresh |= {a.id, b.id}
        self._store.caches.judgements.forget(made.stale)
        self.drop(made.stale)
        self._decide_touching(made, fresh | self._lost_a_rival, contradicting)
        return made

    def knows(self, a: Claim, b: Claim, against: bool) -> bool:
        """Has the judge read this pair as it is now?"""
        self._load()
        held = self._alarms.get(frozenset((a.id, b.id)))
        return held is not None and held.key == _key(a, b, against)

    def keep(self, weighed: Iterable[Weighed], contradicting: Collection[Both]) -> Slice:
        """Store the judge's opinions and decide every pair they affect."""
        made = Slice()
        self._load()
        alarms = []
        for one in weighed:
            assert one.opinion is not None
            key = _key(one.a, one.b, one.both in contradicting)
            probability = SILENCED if one.decision.silenced else one.decision.probability
            alarms.append(Alarm(one.a.id, one.b.id, key, one.opinion, probability))
        self._store.caches.judgements.put(self._kept_as, alarms, [])
        for alarm in alarms:
            self._hold(alarm)
        self._decide_touching(made, {id for alarm in alarms for id in (alarm.a, alarm.b)}, contradicting)
        return made

    def drop(self, gone: Collection[str]) -> None:
        """These claims no longer exist, or have changed."""
        for one in self._rivals.touching(gone):
            self._alarms.pop(one.both, None)
        self._lost_a_rival = (self._lost_a_rival | self._rivals.drop(gone)).difference(gone)

    def _load(self) -> None:
        """Load the stored judgements without validating them, for callers that skip `recall`."""
        if not self._loaded:
            self._loaded = True
            for one in self._store.caches.judgements.alarms(self._kept_as):
                if self._pairs.comparable(one.a) and self._pairs.comparable(one.b):
                    self._hold(one)

    def _hold(self, one: Alarm) -> None:
        both = frozenset((one.a, one.b))
        self._alarms[both] = one
        self._rivals.put(Suspect(both, one.probability, one.opinion.steady_alarm))

    def _decide_touching(self, made: Slice, of: Collection[str], contradicting: Collection[Both]) -> None:
        """Decide every pair with one of these claims, given its rivals; every pair of the vault if its
        discord has changed."""
        lines, alone = self._pairs.lines, self._pairs.alone
        discord = self._rivals.discord(lines)
        told = self._rivals.touching(of) if discord == self._discord else self._rivals.all()
        self._discord = discord
        for one in told:
            against = one.both in contradicting
            decision = decide_among_rivals(
                self._rivals, one, self._judge, lines=lines, contradict=against, alone=alone
            )
            if decision.shown:
                alarm = self._alarms[one.both]
                made.findings.append(finding(self._pairs.recalled(alarm.a, alarm.b, decision, alarm.opinion)))
            elif not against or calibrated(self._judge):  # a judge that was never measured silences no norms
                made.silenced.add(one.both)
        self._lost_a_rival = set()


def _key(a: Claim, b: Claim, against: bool) -> str:
    """A hash of what the probability depends on: the texts, the parser's version, whether the norms
    contradict."""
    told = "\0".join((*written(said(a), said(b)), VERSION, str(against)))
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=8).hexdigest()
