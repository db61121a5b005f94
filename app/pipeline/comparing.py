"""From claims to conflicts: every stage looks at what was touched, then models read what they have not read
yet."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable

from app.conflicts.affected import FindingIndex
from app.conflicts.assemble import assemble
from app.conflicts.canon import in_dispute, is_new_or_relayered
from app.conflicts.reconcile import reconcile
from app.detection.claim_index import ClaimIndex
from app.detection.compare_norms import same_subject
from app.detection.slots import slot_keys
from app.detection.stages import Findings, ModelStage, ReadingTask, Touched, Work, found_by
from app.pipeline.around import Around
from app.pipeline.messages import Progress
from app.pipeline.run import Run
from app.pipeline.stage_list import Models, stages
from app.store.changes import ClaimChange, ConflictChange
from app.store.read_conflicts import settled_among
from app.store.store import Store
from app.words import Claim, Conflict

_ROUNDS = 4
_SECONDS: dict[Work, str] = {"rereading": "reread", "judging": "judge", "detecting": "detective"}


class Comparing:
    """Holds the claim index and the findings between runs, so that a save costs little."""

    def __init__(self, store: Store, around: Around, models: Models) -> None:
        self._store, self._around = store, around
        self._rereading = models.rereading
        self._reads_story = models.detecting is not None
        self._stages = stages(store, models)
        self._index: ClaimIndex | None = None
        self._compared = False
        """Every stage has spoken about what is in the index."""
        self._kept: FindingIndex | None = None
        """The findings behind the stored conflicts."""
        self._kept_at = (0, 0)
        """The store's version and last event at that time: they show whether anyone has written or decided
        since."""
        self._touched: set[str] = set()
        """Claims to compare again: kept until that succeeds."""
        self._triggers: set[str] = set()
        """Claims saved since the story was last read; a first index does not count. They are judged before
        claims that already waited."""
        self._changed: set[str] = set()
        """Claims that are new, or whose layer changed, since `disputed` was last called."""
        self._first = False
        """Everything written until the next comparison belongs to the first index."""
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
                if is_new_or_relayered(change):
                    self._changed.add(claim.id)
            self._place(claim.id, claim if claim.status == "active" else None)

    @property
    def waits(self) -> bool:
        """Is there something to compare?"""
        return bool(self._touched) or not self._store.progress.compared

    def compare(self, run: Run) -> None:
        """Compare what was touched, and again if another process wrote claims meanwhile: whoever finishes
        last has seen all of them. If the other never stops writing, it has the last word."""
        self._around.on_progress(Progress("comparing", 0, len(self._touched)))
        for _ in range(_ROUNDS):
            count = self._compare_once(run)
            if not self._store.ledger.claims_changed_since(self._seen):
                break
        else:
            self._store.progress.compare_again()
        self._around.on_progress(Progress("comparing", count, count))

    def get_ready(self) -> None:
        """Read and compare everything stored, so that the next save need not wait for it."""
        if self._index is None or not self._compared:
            index = self._refresh()
            found = found_by(self._stages.all, index, Touched((), None, written_by_others=True))
            self._compared = True
            self._keep_conflicts(index, found)

    def disputed(self, written: set[str]) -> list[Conflict]:
        """The open conflicts about claims just changed in a canon note."""
        changed, self._changed = self._changed, set()
        if not changed or not written:
            return []
        claims = self._store.claims.active(paths=written)
        now = [self._over(claim) for claim in claims if claim.id in changed]
        return in_dispute(now, slot_keys, self._store.conflicts.touching)

    def held_claims(self) -> list[Claim]:
        """The active claims, each as it is compared."""
        return [self._over(claim) for claim in self._store.claims.active()]

    def read_on(self, run: Run) -> None:
        """What the models have not read yet."""
        for stage in self._stages.by_models:
            if stage.pending:
                began = time.perf_counter()
                self._let_read(run, stage)
                run.seconds[_SECONDS[stage.work]] += time.perf_counter() - began

    # the index
    def _place(self, id: str, claim: Claim | None) -> None:
        """Put a claim into the index or take it out; its neighbours are compared again: the text that went
        away may have settled an old pair."""
        if self._index is None:
            return
        if self._compared:
            self._touched |= _near(self._index, id)
        self._index.remove(id)
        if claim is not None:
            self._index.add(self._over(claim))

    def _over(self, claim: Claim) -> Claim:
        """The claim as the language model read it, if it did; the store keeps what the rules read."""
        return self._rereading.over(claim) if self._rereading is not None else claim

    def _compare_once(self, run: Run) -> int:
        index = self._refresh()
        self._touched |= index.take_renamed()
        claims = self._touched
        around = claims.union(*(_near(index, id) for id in claims)) if self._compared else None
        others = self._kept is None or self._store.data_version() != self._kept_at[0]
        began = time.perf_counter()

        def spoke(by: str) -> None:
            nonlocal began
            began, before = time.perf_counter(), began
            run.seconds[by] += began - before

        found = found_by(
            self._stages.all, index, Touched(claims, around, others), lambda stage: spoke(stage.seconds)
        )
        self._compared = True
        for stage in self._stages.by_models:
            stage.reopen(bool(claims), self._seen if self._first else None)
        self._keep_conflicts(index, found, claims)
        self._store.progress.mark_compared()
        self._touched, self._first = set(), False
        spoke("detective")
        return len(claims)

    def _keep_conflicts(self, index: ClaimIndex, found: Findings, touched: Collection[str] = ()) -> bool:
        """Write the conflicts that follow from all findings; returns whether anything changed."""
        before = self._store.data_version()
        # If writing fails, what the store holds is unknown.
        kept, self._kept = self._kept, None
        kept, changes = self._conflicts_of(index, kept, found, touched)
        self._store.conflicts.apply(changes, self._around.clock())
        self._kept, self._kept_at = kept, (before, self._store.ledger.last_event())
        return bool(changes)

    def _conflicts_of(
        self,
        index: ClaimIndex,
        kept: FindingIndex | None,
        findings: Findings,
        touched: Collection[str],
    ) -> tuple[FindingIndex, list[ConflictChange]]:
        """What became of conflicts: of all, or if nobody else wrote, of those connected with what was
        touched; and the findings to keep."""

        def active(id: str) -> bool:
            return id in index.claims

        version, since = self._kept_at
        if kept is None or self._store.data_version() != version or self._store.ledger.decided_since(since):
            fresh = FindingIndex()
            fresh.replace_all(findings)
            conflicts = assemble(list(findings.values()), index.claims, self._store.conflicts.settled_pairs())
            return fresh, reconcile(conflicts, self._store.conflicts.all(), active)
        some = kept.reachable_from(kept.replace_all(findings).union(touched), self._store.conflicts.touching)
        stored = list(some.stored.values())
        conflicts = assemble(list(some.findings.values()), index.claims, settled_among(stored))
        taken = self._store.conflicts.ids() if conflicts else ()
        return kept, reconcile(conflicts, stored, active, taken)

    def _refresh(self) -> ClaimIndex:
        """The index, updated with what decisions and other processes did to claims."""
        seen, self._seen = self._seen, self._store.ledger.last_event()
        if self._index is None:
            self._index = ClaimIndex(map(self._over, self._store.claims.active()))
            self._triggers |= self._saved_but_unread()
            return self._index
        # This run has just read what it touched.
        changed = self._store.ledger.claims_changed_since(seen) - self._touched
        claims = {claim.id: claim for claim in self._store.claims.active(ids=changed)} if changed else {}
        for id in changed:
            self._place(id, claims.get(id))
        self._touched |= changed
        self._triggers |= changed
        return self._index

    def _saved_but_unread(self) -> set[str]:
        """What an earlier process saved but did not get to read still triggers a reading."""
        seen = self._store.caches.threads.seen if self._reads_story else None
        return self._store.ledger.claims_changed_since(seen) if seen is not None else set()

    # the models
    def _let_read(self, run: Run, stage: ModelStage) -> None:
        """Read slice by slice while nothing else waits; what changed is compared and kept at once."""
        if self._index is None or not self._compared:
            self.compare(run)
        index = self._index
        assert index is not None
        today = self._around.clock()[:10]
        whole = True
        for step in stage.read(ReadingTask(index, self._triggers, today, lambda: self._around.must_end)):
            run.record(stage.work, step)
            for claim in step.claims:
                self._place(claim.id, claim)
                self._touched.add(claim.id)
            if step.found and self._keep_conflicts(index, found_by(self._stages.all, index, None)):
                self._around.on_found()
            if step.failed is not None or step.stopped or self._around.must_end:
                whole = False
                break
            if step.progress is not None:
                self._around.on_progress(Progress(stage.work, *step.progress))
        if self._touched:
            self.compare(run)
            self._around.on_found()
        if whole:
            stage.close(self._seen)
            if stage.work == "detecting":
                self._triggers = set()


def _near(index: ClaimIndex, id: str) -> set[str]:
    """The claims about the same things as this one."""
    return {
        other.id
        for entry in index.entries_of(id)
        for other in index.candidates(entry)
        if same_subject(entry, other)
    }
