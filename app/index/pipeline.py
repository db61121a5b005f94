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
from app.index.judging import Judging
from app.index.messages import Progress
from app.index.reading import norms, read
from app.index.reconcile import reconcile
from app.models.words import Failed
from app.normalize import rules
from app.store.changes import ClaimChange, FileStat, Gone, NoteChange
from app.store.forgotten import cleaned
from app.store.store import Store, now_utc
from app.vault.hashing import hash_bytes, hash_file
from app.vault.plan import Plan, plan
from app.vault.settings import VaultSettings
from app.vault.walk import Seen, Walk, walk_if_there
from app.words import Claim, Conflict, Finding, Note, Status

EXTRACTOR = f"rules-{rules.VERSION}"
_BATCH = 200
_ROUNDS = 4
_JUDGED_AT_ONCE = 48
"""Claims in a slice: so many that the judge works in full batches, so few that a save need not wait long."""
_PLACED_AT_ONCE = 1024
_STANDING: tuple[Status, ...] = ("active", "candidate", "superseded")
_RETRACTED: tuple[Status, ...] = ("retracted",)


@dataclass(slots=True)
class Run:
    """What one run did."""

    walk: Walk
    plan: Plan
    changed: int = 0
    unreadable: set[str] = field(default_factory=set)
    """Notes and folders that are there but could not be read."""
    seconds: dict[str, float] = field(
        default_factory=lambda: {"read": 0.0, "guard": 0.0, "detective": 0.0, "judge": 0.0}
    )
    canon: list[Conflict] = field(default_factory=list)
    """Open conflicts with a claim of a canon note that was just written."""
    pairs: int = 0
    """How many pairs the judge read."""
    judge_failed: Failed | None = None
    """Why near pairs were not judged; what the rules see was found all the same."""


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
        judging: Judging | None = None,
        interrupted: Callable[[], bool] = lambda: False,
        on_found: Callable[[], None] = lambda: None,
    ) -> None:
        """`interrupted` says that something more urgent waits: judging then stops, and goes on in the next
        run. `on_found` is told when judging changed the conflicts."""
        self.root, self.store, self.settings = root, store, settings
        self._judging, self._interrupted, self._on_found = judging, interrupted, on_found
        self._progress, self._clock, self._stopping = on_progress, clock, stopping
        self._extractor = extractor(settings)
        self._index: ClaimIndex | None = None
        self._findings: dict[tuple[str, ...], Finding] | None = None
        self._judged: dict[tuple[str, ...], Finding] = {}
        self._taken: set[str] | None = None
        self._touched: set[str] = set()
        """Claims to compare anew: kept until that is done, should it fail the first time."""
        self._seen = 0
        """The last event of the ledger that the index knows of."""

    def run(self, suspects: Collection[str] = ()) -> Run:
        """Look at the whole vault (paths in `suspects` by content), and bring the store up to date."""
        began = time.perf_counter()
        self._progress(Progress("looking", 0, 0))
        seen = walk_if_there(self.root, self.settings)
        known = self.store.known_notes()
        the_plan = plan(seen, known, lambda path: hash_file(self.root / path), suspects=suspects)
        run = Run(seen, the_plan, unreadable={u.path for u in seen.unreadable} | set(the_plan.unreadable))
        whole = self.store.needs_reindex or self.store.extractor != self._extractor
        self._read(run, self._again(the_plan) if whole else set())
        run.seconds["read"] = time.perf_counter() - began
        if self._stopping():
            return run
        if self._touched or not self.store.compared:
            self._compare(run)
            if known:  # a first reading writes nothing anew
                run.canon = self._canon_disputed({*the_plan.new, *the_plan.modified})
        if whole:
            self.store.mark_indexed(self._extractor)
        if self._judging is not None and self.store.judged_by != self._judging.judge:
            began = time.perf_counter()
            self._judge(run, self._judging)
            run.seconds["judge"] = time.perf_counter() - began
        self._progress(Progress("done", run.changed, run.changed))
        return run

    # reading
    def _again(self, the_plan: Plan) -> set[str]:
        """Notes to be read anew though they did not change. Where a full index was cut short, those it had
        come to are done."""
        done = set() if self.store.needs_reindex else self.store.paths_read_by(self._extractor)
        return {*the_plan.unchanged, *the_plan.touched} - done

    def _read(self, run: Run, again: set[str]) -> None:
        """Write what became of notes and their claims."""
        the_plan = run.plan
        changed = not (the_plan.is_empty and not the_plan.touched and not again)
        stats = {s.path: s for s in run.walk.seen} if changed else {}
        moved = {move.new: move.old for move in the_plan.moved}
        fresh = [*the_plan.new, *the_plan.modified, *moved, *again]
        quiet = [
            *(NoteChange(path, stat=_stat(stats[path])) for path in the_plan.touched if path not in again),
            *(
                NoteChange(path, "unreadable", problem=reason)
                for path, reason in _new_unreadable(run, self.store)
            ),
            *(NoteChange(path, "gone") for path in _never_read_and_gone(run, self.store)),
        ]
        if quiet:
            self.store.apply_notes(quiet, self._clock(), extractor=self._extractor)
        total = len(fresh) + len(the_plan.deleted)
        if not total:
            return
        batches: Iterator[list[str]] = _batches(sorted(fresh), _BATCH)
        done, gone = 0, list(the_plan.deleted)
        while True:
            paths = next(batches, [])
            if not paths and not gone:
                return
            run.unreadable |= self._read_batch(paths, gone, moved, stats)
            run.changed += len(paths) + len(gone)
            done += len(paths) + len(gone)
            gone = []
            self._progress(Progress("reading", done, total))
            if self._stopping():
                return

    def _read_batch(
        self, paths: Sequence[str], gone: Sequence[str], moved: dict[str, str], stats: dict[str, Seen]
    ) -> set[str]:
        """Write what became of some notes; returns those that could not be read."""
        notes: dict[str, Note] = {}
        problems: dict[str, str] = {}
        forgotten = self.store.forgotten()
        for path in paths:
            match read(self.root, path, self.settings):
                case Note() as note:
                    notes[path] = cleaned(note, forgotten)
                case str() as problem:
                    problems[path] = problem
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
        self.store.apply_notes(written, at, extractor=self._extractor)
        self._follow(change for note in written for change in note.claims)
        return set(problems)

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
            else replace(change, claim=replace(change.claim, norms=norms(change.claim.statement, note)))
            for change in changes
        )

    def _follow(self, changes: Iterable[ClaimChange]) -> None:
        """Keep the claim index in step with what was just written."""
        for change in changes:
            claim = change.claim
            if self._taken is not None:
                self._taken.add(claim.id)
            if change.kind == "kept" and change.before is not None and change.before.norms == claim.norms:
                continue
            self._touched.add(claim.id)
            self._place(claim.id, claim if claim.status == "active" else None)

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
            self._index.add(claim)

    # comparing
    def _compare(self, run: Run) -> None:
        """Compare what is touched, and again if another process wrote claims meanwhile: whoever ends last
        has seen all of them. One that never stops writing is left the last word."""
        self._progress(Progress("comparing", 0, len(self._touched)))
        for _ in range(_ROUNDS):
            count = self._compare_once(run)
            if not self.store.claims_changed_since(self._seen):
                break
        else:
            self.store.look_again()
        self._progress(Progress("comparing", count, count))

    def _compare_once(self, run: Run) -> int:
        began = time.perf_counter()
        index = self._refresh()
        touched = self._touched
        affected = (
            touched.union(*(_near(index, id) for id in touched)) if self._findings is not None else None
        )
        found = find.findings(index, affected)
        run.seconds["guard"] += time.perf_counter() - began
        began = time.perf_counter()
        found += arcs.findings(index, affected)
        kept = (
            {}
            if affected is None
            else {m: f for m, f in (self._findings or {}).items() if not affected.intersection(m)}
        )
        self._findings = kept | {f.members: f for f in found}
        if self._judging is not None:
            self._judged = {f.members: f for f in self._judging.remembered(index.claims)}
            self.store.mark_judged("")
        self._keep_conflicts(index)
        self.store.mark_compared()
        self._touched = set()
        run.seconds["detective"] += time.perf_counter() - began
        return len(touched)

    def _canon_disputed(self, written: set[str]) -> list[Conflict]:
        """Who changes a canon note should know at once that what it says is disputed."""
        claims = self._index.claims.values() if self._index is not None else ()
        canon = {c.id for c in claims if c.layer == "state" and c.statement.path in written}
        return [c for c in self.store.conflicts("open") if canon.intersection(c.members)] if canon else []

    def _keep_conflicts(self, index: ClaimIndex) -> bool:
        """Write what all findings together make; whether that changed anything."""
        findings = self._judged | (self._findings or {})  # where both speak, the rules say why
        conflicts = assemble(list(findings.values()), index.claims, self.store.settled_pairs())
        changes = reconcile(conflicts, self.store.conflicts(None), lambda id: id in index.claims)
        self.store.apply_conflicts(changes, self._clock())
        return bool(changes)

    def _judge(self, run: Run, judging: Judging) -> None:
        """Near pairs that the rules cannot decide, newest claims first; stops when something else waits."""
        if self._index is None or self._findings is None:
            self._compare(run)
        index = self._index
        assert index is not None
        left: int | Failed = 1
        while left:
            left = judging.place(index.claims, _PLACED_AT_ONCE)
            if isinstance(left, Failed):
                run.judge_failed = left
                return
            if self._stopping() or self._interrupted():
                return
        waiting = judging.pending(index.claims)
        newcomers = len(waiting) * 10 < len(index.claims)
        for start in range(0, len(waiting), _JUDGED_AT_ONCE):
            self._progress(Progress("judging", start, len(waiting)))
            some = judging.read(waiting[start : start + _JUDGED_AT_ONCE], index.claims, newcomers=newcomers)
            if some.failed is not None:
                run.judge_failed = some.failed
                return
            run.pairs += some.pairs
            if some.findings:
                self._judged |= {f.members: f for f in some.findings}
                if self._keep_conflicts(index):
                    self._on_found()
            if self._stopping() or self._interrupted():
                return
        self.store.mark_judged(judging.judge)

    def _refresh(self) -> ClaimIndex:
        """The index, brought in step with what decisions and other processes did to claims."""
        seen, self._seen = self._seen, self.store.last_event()
        if self._index is None:
            self._index = ClaimIndex(self.store.claims(status="active"))
            return self._index
        active = self.store.active_ids()
        # What this run touched it has just read itself.
        changed = (active ^ self._index.claims.keys()) | (
            self.store.claims_changed_since(seen) - self._touched
        )
        claims = (
            {claim.id: claim for claim in self.store.claims(status="active", ids=changed)} if changed else {}
        )
        for id in changed:
            self._place(id, claims.get(id))
        self._touched |= changed
        return self._index


def _near(index: ClaimIndex, id: str) -> set[str]:
    """The claims about the same things as this one."""
    return {
        other.id
        for entry in index.entries_of(id)
        for other in index.candidates(entry)
        if same_subject(entry, other)
    }


def extractor(settings: VaultSettings) -> str:
    """What the claims depend on besides the notes: the rules, and how the vault is to be read."""
    return f"{EXTRACTOR}-{hash_bytes(repr(settings).encode())[:8]}"


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


def _never_read_and_gone(run: Run, store: Store) -> list[str]:
    """Files that could never be read, and so have no claims, and are no longer there."""
    troubled = {path for path, _ in store.problems()}
    if not troubled:  # nearly always: do not pay for it at every start
        return []
    there = {s.path for s in run.walk.seen} | {i.path for i in run.walk.ignored}
    planned = {*run.plan.unreadable, *run.plan.deleted, *(move.old for move in run.plan.moved)}
    return sorted(troubled - there - planned)


def _batches(items: Sequence[str], size: int) -> Iterator[list[str]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
