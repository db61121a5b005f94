"""From claims to conflicts: the rules and arcs over what is touched, then whatever models have to say."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from app.conflicts.affected import Findings
from app.conflicts.assemble import assemble
from app.conflicts.canon import in_dispute, says_anew
from app.conflicts.reconcile import reconcile
from app.detection import norm_findings
from app.detection.claim_index import ClaimIndex
from app.detection.compare_norms import same_subject
from app.detection.finding import finding
from app.detection.judge_stage import JudgeStage
from app.detection.judged_pairs import Slice
from app.detection.norm_stage import NormStage
from app.detection.pairs import PairReader
from app.detection.slots import slot_keys
from app.detective import arcs
from app.detective.reader import can_read
from app.detective.story import Line, story
from app.detective.thread_stage import ThreadStage, is_arc
from app.models.host import ModelHost
from app.pipeline.around import Around
from app.pipeline.detective_turn import Turn
from app.pipeline.judge_turn import JudgeTurn
from app.pipeline.messages import Progress
from app.pipeline.run import Run
from app.reading.reader import ClaimReader
from app.store.changes import ClaimChange, ConflictChange
from app.store.read_conflicts import settled_among
from app.store.store import Store
from app.words import Both, Claim, Conflict, Finding

_ROUNDS = 4
_FEW = 400
"""Of more claims than these the store is not asked by name."""
_REREAD_AT_ONCE = 4
"""Statements in a slice of the language model's, at about half a second each."""


class Models(NamedTuple):
    """What reads besides the rules; None for what is not there."""

    judging: JudgeStage | None = None
    rereading: NormStage | None = None
    detecting: ThreadStage | None = None

    @classmethod
    def of(cls, host: ModelHost | None, store: Store) -> Models:
        if host is None:
            return cls()
        detecting = ThreadStage(host, store) if can_read(host.setup) else None
        return cls(JudgeStage(host, store), NormStage(host, store), detecting)

    @property
    def names(self) -> tuple[str | None, ...]:
        """What their answers are kept under: others for other models."""
        judging, rereading, detecting = self
        return (
            judging.judge if judging is not None else None,
            judging.embedder if judging is not None else None,
            rereading.reader if rereading is not None else None,
            detecting.reader if detecting is not None else None,
        )


class Comparing:
    """Holds the claim index and what was found between runs, so one save costs little."""

    def __init__(self, store: Store, around: Around, models: Models) -> None:
        self._store, self._around = store, around
        self._pairs = (
            models.judging.pairs if models.judging else PairReader(ClaimReader(store.caches.readings))
        )
        self._judging, self._rereading, self._detecting = models
        self._index: ClaimIndex | None = None
        self._findings: dict[tuple[str, ...], Finding] | None = None
        self._by_guard: dict[tuple[str, ...], Finding] = {}
        self._by_words: dict[tuple[str, ...], Finding] = {}
        self._kept: Findings | None = None
        """What the conflicts in the store were last made of."""
        self._kept_at = (0, 0)
        """The store's version and last event then: has anybody else written since, or decided something?"""
        self._judged: dict[tuple[str, ...], Finding] = {}
        self._silenced: set[Both] = set()
        """Pairs that the judge has read and that are not to be shown."""
        self._unjudged: set[str] | None = None
        """Claims that may not have been judged; None where only the store knows."""
        self._touched: set[str] = set()
        """Claims to compare anew: kept until that is done, should it fail the first time."""
        self._triggers: set[str] = set()
        """Claims that came since the story was last read; a first index is no reason to tell it whole. They
        were just saved, so they are judged before what waited already."""
        self._changed: set[str] = set()
        """Claims that are new, or in a note of another layer, since `disputed` was last asked."""
        self._first = False
        """All that is written until the next comparison is the first index."""
        self._seen = 0
        """The last event of the ledger that the index knows of."""

    def begin_empty(self) -> None:
        """A first index: what is written from now on is all there is to compare."""
        self._index = ClaimIndex()
        self._first = True

    def follow(self, changes: Iterable[ClaimChange]) -> None:
        """Keep the claim index in step with what was just written."""
        for change in changes:
            claim = change.claim
            if change.kind == "kept" and change.before is not None and change.before.norms == claim.norms:
                continue
            self._touched.add(claim.id)
            if not self._first:
                self._triggers.add(claim.id)
                if says_anew(change):
                    self._changed.add(claim.id)
            self._place(claim.id, claim if claim.status == "active" else None)

    @property
    def waits(self) -> bool:
        """Is there something to compare?"""
        return bool(self._touched) or not self._store.progress.compared

    def compare(self, run: Run) -> None:
        """Compare what is touched, and again if another process wrote claims meanwhile: whoever ends last
        has seen all of them. One that never stops writing is left the last word."""
        self._around.on_progress(Progress("comparing", 0, len(self._touched)))
        for _ in range(_ROUNDS):
            count = self._compare_once(run)
            if not self._store.ledger.claims_changed_since(self._seen):
                break
        else:
            self._store.progress.compare_again()
        self._around.on_progress(Progress("comparing", count, count))

    def get_ready(self) -> None:
        """Read and compare all that is stored, so that the next save need not wait for it."""
        if self._index is None or self._findings is None:
            index = self._refresh()
            self._find(index, None)
            if self._judging is not None:
                self._recall(index, self._judging)
            self._keep_conflicts(index)

    def disputed(self, written: set[str]) -> list[Conflict]:
        """Who changes a canon note should know at once that what was changed is disputed."""
        changed, self._changed = self._changed, set()
        if not changed or not written:
            return []
        claims = self._store.claims.active(paths=written)
        now = [self._over(claim) for claim in claims if claim.id in changed]
        return in_dispute(now, slot_keys, self._store.conflicts.touching)

    def read_on(self, run: Run) -> None:
        """What the models have not read yet: first the norms, since those decide who is near whom."""
        if (
            self._rereading is not None
            and self._store.caches.rereadings.complete_by != self._rereading.reader
        ):
            began = time.perf_counter()
            self._reread(run, self._rereading)
            run.seconds["reread"] = time.perf_counter() - began
        if self._judging is not None and self._store.caches.judgements.complete_by != self._judging.judge:
            began = time.perf_counter()
            self._judge(run, self._judging)
            run.seconds["judge"] = time.perf_counter() - began
        if self._detecting is not None and self._store.caches.threads.complete_by != self._detecting.reader:
            began = time.perf_counter()
            self._detect(run, self._detecting)
            run.seconds["detective"] += time.perf_counter() - began

    # the rules
    def _place(self, id: str, claim: Claim | None) -> None:
        """Put a claim into the index, or take it out; whoever stood near it is compared anew: a word that
        goes away may have settled an old pair."""
        if self._index is None:
            return
        if self._findings is not None:
            self._touched |= _near(self._index, id)
        self._index.remove(id)
        if claim is None and self._judging is not None:
            self._judging.drop([id])
        if claim is not None:
            self._index.add(self._over(claim))

    def _over(self, claim: Claim) -> Claim:
        """The claim as the language model read it, where it did; the store keeps what the rules read."""
        return self._rereading.over(claim) if self._rereading is not None else claim

    def _compare_once(self, run: Run) -> int:
        began = time.perf_counter()
        index = self._refresh()
        self._touched |= index.take_renamed()
        touched = self._touched
        affected = (
            touched.union(*(_near(index, id) for id in touched)) if self._findings is not None else None
        )
        by_rules = self._find(index, affected)
        run.seconds["guard"] += by_rules
        if self._rereading is not None and touched:
            self._store.caches.rereadings.mark_complete("")
        if self._judging is not None:
            self._recall(index, self._judging)
            self._store.caches.judgements.mark_complete("")
        if self._detecting is not None and touched:
            self._store.caches.threads.mark_complete("", seen=self._seen if self._first else None)
        self._keep_conflicts(index, touched)
        self._store.progress.mark_compared()
        self._touched, self._first = set(), False
        run.seconds["detective"] += time.perf_counter() - began - by_rules
        return len(touched)

    def _find(self, index: ClaimIndex, affected: set[str] | None) -> float:
        """What rules and arcs find, of these claims and all others; returns the seconds the rules took. Arcs
        follow the index by themselves: a word far away may end one."""
        began = time.perf_counter()
        found = {f.members: f for f in norm_findings.findings(index, affected)}
        if affected is not None:
            found |= {m: f for m, f in self._by_guard.items() if not affected.intersection(m)}
        self._by_guard = found
        self._by_words = self._aligned(index, affected)
        seconds = time.perf_counter() - began
        self._findings = self._by_words | found | {f.members: f for f in arcs.findings(index)}
        return seconds

    def _aligned(self, index: ClaimIndex, affected: set[str] | None) -> dict[tuple[str, ...], Finding]:
        """What the words of two claims are enough to show."""
        self._pairs.follow(index.claims)
        weighed = self._pairs.weigh(self._pairs.met(affected), self._contradicting, shown_only=True)
        found = {one.members: one for one in map(finding, weighed)}
        if affected is not None:
            found |= {m: f for m, f in self._by_words.items() if not affected.intersection(m)}
        return found

    @property
    def _contradicting(self) -> set[Both]:
        """Pairs whose norms contradict each other."""
        return {frozenset(members) for members in self._by_guard}

    def _recall(self, index: ClaimIndex, judging: JudgeStage) -> None:
        """What the judge said before; where nobody else wrote, only of what is touched."""
        touched = self._touched
        whole = self._kept is None or self._store.data_version() != self._kept_at[0] or len(touched) > _FEW
        before = {} if whole else {m: f for m, f in self._judged.items() if not touched.intersection(m)}
        heard = judging.remembered(index.claims, self._contradicting, None if whole else touched)
        silenced = set() if whole else {both for both in self._silenced if touched.isdisjoint(both)}
        self._hear(heard, before, silenced)
        known = not whole and self._unjudged is not None
        self._unjudged = {*(self._unjudged or ()), *touched, *heard.stale} if known else None

    def _hear(
        self, some: Slice, judged: Mapping[tuple[str, ...], Finding], silenced: Collection[Both]
    ) -> None:
        """What the judge says now, over what it said before."""
        shown = {frozenset(f.members) for f in some.findings}
        kept = {m: f for m, f in judged.items() if frozenset(m) not in some.silenced}
        self._judged = kept | {f.members: f for f in some.findings}
        self._silenced = some.silenced.union(silenced) - shown

    def _keep_conflicts(self, index: ClaimIndex, touched: Collection[str] = ()) -> bool:
        """Write what all findings together make; whether that changed anything."""
        # Where the rules and the judge speak, the rules say why.
        told = self._judged | (self._findings or {})
        findings = {m: f for m, f in told.items() if is_arc(f) or frozenset(m) not in self._silenced}
        if self._detecting is not None:
            findings = self._detecting.over(findings, index.claims)
        before = self._store.data_version()
        # Until it is written, nothing is known of what the store holds.
        kept, self._kept = self._kept, None
        kept, changes = self._conflicts_of(index, kept, findings, touched)
        self._store.conflicts.apply(changes, self._around.clock())
        self._kept, self._kept_at = kept, (before, self._store.ledger.last_event())
        return bool(changes)

    def _conflicts_of(
        self,
        index: ClaimIndex,
        kept: Findings | None,
        findings: dict[tuple[str, ...], Finding],
        touched: Collection[str],
    ) -> tuple[Findings, list[ConflictChange]]:
        """What became of conflicts: of all, or where nobody else wrote, of those that hang together with what
        is touched; and the findings as they will be kept."""

        def active(id: str) -> bool:
            return id in index.claims

        version, since = self._kept_at
        if kept is None or self._store.data_version() != version or self._store.ledger.decided_since(since):
            fresh = Findings()
            fresh.take(findings)
            conflicts = assemble(list(findings.values()), index.claims, self._store.conflicts.settled_pairs())
            return fresh, reconcile(conflicts, self._store.conflicts.all(), active)
        some = kept.part(kept.take(findings).union(touched), self._store.conflicts.touching)
        stored = list(some.stored.values())
        conflicts = assemble(list(some.findings.values()), index.claims, settled_among(stored))
        taken = self._store.conflicts.ids() if conflicts else ()
        return kept, reconcile(conflicts, stored, active, taken)

    def _refresh(self) -> ClaimIndex:
        """The index, brought in step with what decisions and other processes did to claims."""
        seen, self._seen = self._seen, self._store.ledger.last_event()
        if self._index is None:
            self._index = ClaimIndex(map(self._over, self._store.claims.active()))
            self._triggers |= self._never_told()
            return self._index
        # What this run touched it has just read itself.
        changed = self._store.ledger.claims_changed_since(seen) - self._touched
        claims = {claim.id: claim for claim in self._store.claims.active(ids=changed)} if changed else {}
        for id in changed:
            self._place(id, claims.get(id))
        self._touched |= changed
        self._triggers |= changed
        return self._index

    def _never_told(self) -> set[str]:
        """What an earlier process saved and did not come to read: it still sets off a reading."""
        seen = self._store.caches.threads.seen if self._detecting is not None else None
        return self._store.ledger.claims_changed_since(seen) if seen is not None else set()

    def _compared(self, run: Run) -> ClaimIndex:
        """The index, with the rules' findings beside it."""
        if self._index is None or self._findings is None:
            self.compare(run)
        assert self._index is not None
        return self._index

    # the models
    def _reread(self, run: Run, rereading: NormStage) -> None:
        """What the rules could not read goes to the language model; what it changed is compared anew."""
        index = self._compared(run)
        waiting = rereading.pending(index)
        whole = True
        for start in range(0, len(waiting), _REREAD_AT_ONCE):
            self._around.on_progress(Progress("rereading", start, len(waiting)))
            some = rereading.read(waiting[start : start + _REREAD_AT_ONCE], index.claims)
            for claim in some.claims:
                self._place(claim.id, claim)
                self._touched.add(claim.id)
            run.reading_failed = some.failed
            if some.failed is not None or self._around.must_end:
                whole = False
                break
        if self._touched:
            self.compare(run)
            self._around.on_found()
        if whole:
            self._store.caches.rereadings.mark_complete(rereading.reader)

    def _judge(self, run: Run, judging: JudgeStage) -> None:
        """Pairs that the rules cannot decide: of what was just saved, then the likeliest ones. Stops when
        something else waits, and goes on from there."""
        index = self._compared(run)
        claims: Mapping[str, Claim] = index.claims
        if self._unjudged is not None:
            claims = {id: index.claims[id] for id in self._unjudged if id in index.claims}

        def hear(some: Slice) -> None:
            self._hear(some, self._judged, self._silenced)
            if self._keep_conflicts(index):
                self._around.on_found()

        by_words = {frozenset(members) for members in self._by_words}
        turn = JudgeTurn(run, judging, self._around, self._contradicting, by_words, hear)
        if turn.take(claims, self._triggers, len(index.claims)):
            self._store.caches.judgements.mark_complete(judging.judge)
            self._unjudged = set()

    def _detect(self, run: Run, detecting: ThreadStage) -> None:
        """Threads and the story before the language model, as far as it passed its exams."""
        index = self._compared(run)
        arcs = sorted((f for f in (self._findings or {}).values() if is_arc(f)), key=lambda f: f.members)
        if Turn(run, detecting, index, self._around).take(arcs, self._told):
            self._store.caches.threads.mark_complete(detecting.reader, seen=self._seen)
            self._triggers = set()
        if self._keep_conflicts(index):
            self._around.on_found()

    def _told(self, before: Collection[str]) -> list[Line]:
        """The story as it is read today."""
        assert self._index is not None
        contested = Counter(id for conflict in self._store.conflicts.all() for id in conflict.members)
        today = self._around.clock()[:10]
        return story(self._index, today, triggers=self._triggers, conflicts=contested, before=before)


def _near(index: ClaimIndex, id: str) -> set[str]:
    """The claims about the same things as this one."""
    return {
        other.id
        for entry in index.entries_of(id)
        for other in index.candidates(entry)
        if same_subject(entry, other)
    }
