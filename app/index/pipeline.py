"""From a vault to the store: plan, read, normalize, keep claims, compare, keep conflicts."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from app.detective import arcs
from app.guard import find
from app.guard.candidates import ClaimIndex
from app.guard.compare import same_subject
from app.index.assemble import assemble
from app.index.diff import by_note, diff
from app.index.messages import Progress
from app.index.reconcile import reconcile
from app.normalize import rules
from app.store.changes import ClaimChange, FileStat, Gone, NoteChange
from app.store.rows import KnownNote
from app.store.store import Store, now_utc
from app.vault.hashing import hash_file, read_bytes
from app.vault.note import read_note
from app.vault.plan import Known, Plan, plan
from app.vault.settings import VaultSettings
from app.vault.walk import Seen, Walk, walk_if_there
from app.words import Claim, Finding, Note, Status

EXTRACTOR = f"rules-{rules.VERSION}"
_BATCH = 200
_STANDING: tuple[Status, ...] = ("active", "candidate", "superseded")
_RETRACTED: tuple[Status, ...] = ("retracted",)


@dataclass(slots=True)
class Run:
    """What one run did."""

    walk: Walk
    plan: Plan
    changed: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: {"read": 0.0, "guard": 0.0, "detective": 0.0})


def _silent(_: Progress) -> None:
    pass


class Pipeline:
    """Carries one vault into one store. Holds the claim index between runs, so one save costs little."""

    def __init__(
        self,
        root: Path,
        store: Store,
        settings: VaultSettings,
        *,
        on_progress: Callable[[Progress], None] = _silent,
        clock: Callable[[], str] = now_utc,
        stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self.root, self.store, self.settings = root, store, settings
        self._progress, self._clock, self._stopping = on_progress, clock, stopping
        self._index: ClaimIndex | None = None
        self._findings: dict[tuple[str, ...], Finding] | None = None
        self._taken: set[str] | None = None

    def run(self, suspects: Collection[str] = ()) -> Run:
        """Look at the whole vault (paths in `suspects` by content), and bring the store up to date."""
        began = time.perf_counter()
        self._progress(Progress("looking", 0, 0))
        seen = walk_if_there(self.root, self.settings)
        known = {path: _known(note) for path, note in self.store.known_notes().items()}
        again = self.store.needs_reindex or (bool(known) and self.store.extractor != EXTRACTOR)
        the_plan = plan(seen, known, lambda path: hash_file(self.root / path), suspects=suspects)
        run = Run(seen, the_plan)
        touched = self._read(run, again)
        run.seconds["read"] = time.perf_counter() - began
        if self._stopping():
            return run
        if touched or not self.store.compared:
            self._compare(run, touched)
        if again or (not known and run.changed) or not self.store.extractor:
            self.store.mark_indexed(EXTRACTOR)
        self._progress(Progress("done", run.changed, run.changed))
        return run

    # reading
    def _read(self, run: Run, again: bool) -> set[str]:
        """Write what became of notes and claims; the ids of claims that came, changed or went."""
        the_plan, stats = run.plan, {s.path: s for s in run.walk.seen}
        moved = {move.new: move.old for move in the_plan.moved}
        fresh = [*the_plan.new, *the_plan.modified, *moved, *(the_plan.unchanged if again else ())]
        quiet = [
            *(NoteChange(path, stat=_stat(stats[path])) for path in the_plan.touched),
            *(
                NoteChange(path, "unreadable", problem=reason)
                for path, reason in _new_unreadable(run, self.store)
            ),
        ]
        if quiet:
            self.store.apply_notes(quiet, self._clock(), extractor=EXTRACTOR)
        total = len(fresh) + len(the_plan.deleted)
        if not total:
            return set()
        touched: set[str] = set()
        batches: Iterator[list[str]] = _batches(sorted(fresh), _BATCH)
        done, gone = 0, list(the_plan.deleted)
        while True:
            paths = next(batches, [])
            if not paths and not gone:
                return touched
            touched |= self._read_batch(paths, gone, moved, stats)
            run.changed += len(paths) + len(gone)
            done += len(paths) + len(gone)
            gone = []
            self._progress(Progress("reading", done, total))
            if self._stopping():
                return touched

    def _read_batch(
        self, paths: Sequence[str], gone: Sequence[str], moved: dict[str, str], stats: dict[str, Seen]
    ) -> set[str]:
        notes: dict[str, Note] = {}
        problems: dict[str, str] = {}
        for path in paths:
            try:
                data = read_bytes(self.root, path, self.settings.max_bytes)
            except OSError as error:
                problems[path] = error.strerror or str(error)
                continue
            notes[path] = read_note(path, data, self.settings)
        at = self._clock()
        changes = by_note(self._diff(list(notes.values()), gone, moved, at))
        written = [
            NoteChange(
                p,
                note=n,
                stat=_stat(stats[p]),
                moved_from=moved.get(p),
                claims=self._with_norms(n, changes.get(p, ())),
            )
            for p, n in notes.items()
        ]
        written += [NoteChange(path, "gone", claims=changes.get(path, ())) for path in gone]
        written += [NoteChange(path, "unreadable", problem=reason) for path, reason in problems.items()]
        self.store.apply_notes(written, at, extractor=EXTRACTOR)
        return self._follow(change for note in written for change in note.claims)

    def _diff(
        self, notes: list[Note], gone: Sequence[str], moved: dict[str, str], at: str
    ) -> list[ClaimChange]:
        if self._taken is None:
            self._taken = self.store.claim_ids()
            if not self._taken:  # a first index: what is written is all there is to compare
                self._index = ClaimIndex()
        if not self._taken:
            old: dict[str, list[Claim]] = {}
            retracted: dict[str, list[Claim]] = {}
        else:
            where = {moved.get(n.path, n.path) for n in notes} | set(gone)
            old = self.store.claims_by_path(where, status=_STANDING)
            retracted = self.store.claims_by_path(where, status=_RETRACTED)
        here = {n.path: moved[n.path] for n in notes if n.path in moved}
        left: list[Note | Gone] = [*notes, *(Gone(path) for path in gone)]
        return diff(
            old,
            left,
            retracted=retracted,
            moved=here,
            taken=self._taken,
            promoted=self.store.promoted() if old else (),
            at=at,
        )

    @staticmethod
    def _with_norms(note: Note, changes: Sequence[ClaimChange]) -> tuple[ClaimChange, ...]:
        return tuple(
            change
            if change.kind == "retracted"
            else replace(
                change, claim=replace(change.claim, norms=rules.normalize(change.claim.statement, note))
            )
            for change in changes
        )

    def _follow(self, changes: Iterable[ClaimChange]) -> set[str]:
        """Keep the claim index in step with what was just written."""
        touched: set[str] = set()
        for change in changes:
            claim = change.claim
            if self._taken is not None:
                self._taken.add(claim.id)
            if change.kind == "kept" and change.before is not None and change.before.norms == claim.norms:
                continue
            touched.add(claim.id)
            if self._index is not None:
                self._index.remove(claim.id)
                if claim.status == "active":
                    self._index.add(claim)
        return touched

    # comparing
    def _compare(self, run: Run, touched: set[str]) -> None:
        began = time.perf_counter()
        self._progress(Progress("comparing", 0, len(touched)))
        index, touched = self._refresh(touched)
        affected = _affected(index, touched) if self._findings is not None else None
        found = find.findings(index, affected)
        run.seconds["guard"] = time.perf_counter() - began
        began = time.perf_counter()
        found += arcs.findings(index, affected)
        if self._findings is None or affected is None:
            self._findings = {f.members: f for f in found}
        else:
            stale = affected | touched
            kept = {m: f for m, f in self._findings.items() if not stale.intersection(m)}
            self._findings = kept | {f.members: f for f in found}
        conflicts = assemble(list(self._findings.values()), index.claims, self.store.settled_pairs())
        changes = reconcile(conflicts, self.store.conflicts(None), lambda id: id in index.claims)
        self.store.apply_conflicts(changes, self._clock())
        self.store.mark_compared()
        run.seconds["detective"] = time.perf_counter() - began
        self._progress(Progress("comparing", len(touched), len(touched)))

    def _refresh(self, touched: set[str]) -> tuple[ClaimIndex, set[str]]:
        """The index, brought in step with what decisions elsewhere made active or took away."""
        if self._index is None:
            self._index = ClaimIndex(self.store.claims(status="active"))
            return self._index, touched
        active = self.store.active_ids()
        for id in [id for id in self._index.claims if id not in active]:
            self._index.remove(id)
            touched = touched | {id}
        missing = active - self._index.claims.keys()
        if missing:
            for claim in self.store.claims(status="active", ids=missing):
                self._index.add(claim)
            touched = touched | missing
        return self._index, touched


def _affected(index: ClaimIndex, touched: set[str]) -> set[str]:
    """Touched claims and all about the same things: a new word can settle an old pair."""
    near = {
        other.id
        for id in touched
        for entry in index.entries_of(id)
        for other in index.candidates(entry)
        if same_subject(entry, other)
    }
    return touched | near


def _known(note: KnownNote) -> Known:
    return Known(note.path, note.size, note.mtime_ns, note.inode, note.content_hash, note.indexed_ns)


def _stat(seen: Seen) -> FileStat:
    return FileStat(seen.size, seen.mtime_ns, seen.inode, time.time_ns())


def _new_unreadable(run: Run, store: Store) -> list[tuple[str, str]]:
    reasons = {u.path: u.reason for u in run.walk.unreadable}
    noted = dict(store.problems())
    return [
        (p, reasons.get(p, "its folder cannot be read"))
        for p in run.plan.unreadable
        if reasons.get(p, "its folder cannot be read") != noted.get(p)
    ]


def _batches(items: Sequence[str], size: int) -> Iterator[list[str]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
