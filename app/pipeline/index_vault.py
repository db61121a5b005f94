"""From a vault to the store: plan, read, normalize, store claims, compare, store conflicts."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from app.claims.claim_changes import by_note, diff
from app.claims.note_reader import SET_ASIDE, norms_of_note, read_note_file
from app.pipeline.around import Around
from app.pipeline.comparing import Comparing
from app.pipeline.messages import Progress
from app.pipeline.run import Run
from app.pipeline.stage_list import Models
from app.private_files import is_leftover
from app.reading import norm_rules
from app.store.changes import ClaimChange, FileStat, Gone, NoteChange
from app.store.forgotten import RedactedHashes, cleaned
from app.store.store import Store
from app.vault.files import remove_leftovers
from app.vault.hashing import hash_bytes, hash_file
from app.vault.plan import Plan, held_back, plan, too_many_gone
from app.vault.saved import look_at
from app.vault.settings import VaultSettings
from app.vault.walk import Seen, walk_if_there
from app.words import Claim, Norm, Note, Statement, Status

EXTRACTOR = f"rules-{norm_rules.VERSION}"
_BATCH = 200
_CURRENT: tuple[Status, ...] = ("active", "candidate", "superseded")
_RETRACTED: tuple[Status, ...] = ("retracted",)


class Pipeline:
    """Brings one vault into one store. A save costs little: see Comparing."""

    def __init__(
        self,
        root: Path,
        store: Store,
        settings: VaultSettings,
        *,
        around: Around | None = None,
        models: Models | None = None,
        reads_on: bool = True,
        accepts_deletions: bool = False,
    ) -> None:
        """`reads_on`: the models read what they have not read yet; otherwise their earlier answers count.
        `accepts_deletions`: most of the vault may disappear at once."""
        self.root, self.store, self.settings = root, store, settings
        self._around = around or Around()
        self._comparing = Comparing(store, self._around, models or Models())
        self._reads_on = reads_on
        self._accepts_deletions = accepts_deletions
        self._extractor = extractor(settings)
        self._taken: set[str] | None = None
        self._aside: dict[str, tuple[Seen, str]] = {}
        """Notes that took too long, as they were then, and the reason given: not tried again until they
        change."""

    def run(self, suspects: Collection[str] = (), *, saved: bool = False, models: bool = True) -> Run:
        """Look at the whole vault (paths in `suspects` by content) and bring the store up to date; then let
        the models read, unless that is done separately (`read_on`).

        With `saved`, nothing else is known to have been written: if all suspects are known notes that still
        exist, only they are looked at.
        """
        began = time.perf_counter()
        self._around.on_progress(Progress("looking", 0, 0))
        whole = self.store.progress.needs_reindex or self.store.progress.extractor != self._extractor
        known = self.store.notes.known(suspects) if saved and not whole else {}
        near = look_at(self.root, self.settings, suspects) if len(known) == len(set(suspects)) else None
        seen = near or walk_if_there(self.root, self.settings)
        known = known if near else self.store.notes.known()
        the_plan = plan(seen, known, lambda path: hash_file(self.root / path), suspects=suspects)
        held: tuple[str, ...] = ()
        if not self._accepts_deletions and too_many_gone(the_plan, known):
            held, the_plan = the_plan.deleted, held_back(the_plan)
        remove_leftovers(self.root, [path for path, _ in seen.ignored if is_leftover(path)])
        run = Run(seen, the_plan, unreadable={u.path for u in seen.unreadable} | set(the_plan.unreadable))
        run.narrow, run.held_back = near is not None, held
        self._read(run, self._again(the_plan) if whole else self._returned(the_plan))
        run.seconds["read"] = time.perf_counter() - began
        if self._around.stopping():
            return run
        if self._comparing.waits:
            self._comparing.compare(run)
            if known:  # a first index reports no disputes
                run.canon = self._comparing.disputed({*the_plan.new, *the_plan.modified})
        if whole:
            self.store.progress.mark_indexed(self._extractor)
        if models and self._reads_on:
            self._comparing.read_on(run)
        self._around.on_progress(Progress("done", run.changed, run.changed))
        return run

    def read_on(self, after: Run) -> Run:
        """Let the models read what they have not read yet of the notes as that run saw them."""
        run = Run(after.walk, after.plan)
        self._comparing.read_on(run)
        self._around.on_progress(Progress("done", 0, 0))
        return run

    def get_ready(self) -> None:
        """Do now what the next save would otherwise have to wait for."""
        self._comparing.get_ready()
        if self._taken is None:
            self._taken = self.store.claims.ids() or None

    def held_claims(self) -> list[Claim]:
        """The active claims as the stages compare them: as the language model read them, if it did."""
        return self._comparing.held_claims()

    # reading
    def _again(self, the_plan: Plan) -> set[str]:
        """Unchanged notes to read again. If a full index was cut short, the notes it reached are done."""
        done = set() if self.store.progress.needs_reindex else self.store.notes.read_by(self._extractor)
        return {*the_plan.unchanged, *the_plan.touched} - done

    def _returned(self, the_plan: Plan) -> set[str]:
        """Unchanged notes that were unreadable in the meantime and can be read again."""
        return self.store.notes.unreadable() & {*the_plan.unchanged, *the_plan.touched}

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
            self.store.notes.apply(quiet, self._around.clock(), extractor=self._extractor)
        total = len(fresh) + len(the_plan.deleted)
        if not total:
            return
        batches: Iterator[list[str]] = _batches(sorted(fresh), _BATCH)
        done, gone = 0, list(the_plan.deleted)
        while True:
            paths = next(batches, [])
            if not paths and not gone:
                return
            run.unreadable |= self._read_batch(run, paths, gone, moved, stats)
            run.changed += len(paths) + len(gone)
            done += len(paths) + len(gone)
            gone = []
            self._around.on_progress(Progress("reading", done, total))
            if self._around.stopping():
                return

    def _read_batch(
        self,
        run: Run,
        paths: Sequence[str],
        gone: Sequence[str],
        moved: dict[str, str],
        stats: dict[str, Seen],
    ) -> set[str]:
        """Write what became of some notes; returns those that could not be read."""
        notes: dict[str, Note] = {}
        norms: dict[str, dict[Statement, tuple[Norm, ...]]] = {}
        problems: dict[str, str] = {}
        forgotten = self.store.claims.forgotten()
        for path in paths:
            match self._read_one(path, stats[path], forgotten):
                case Note() as note, dict() as read_norms:
                    notes[path], norms[path] = note, read_norms
                case str() as problem:
                    problems[path] = problem
        at = self._around.clock()
        changes = by_note(self._diff(list(notes.values()), gone, moved, at))
        written = [
            NoteChange(
                p,
                note=n,
                stat=_stat(stats[p]),
                moved_from=moved.get(p),
                claims=_with_norms(norms[p], changes.get(p, ())),
            )
            for p, n in notes.items()
        ]
        written += [NoteChange(path, "gone", claims=changes.get(path, ())) for path in gone]
        written += [NoteChange(path, "unreadable", problem=reason) for path, reason in problems.items()]
        self.store.notes.apply(written, at, extractor=self._extractor)
        kept = [change for note in written for change in note.claims]
        if self._taken is not None:
            self._taken |= {change.claim.id for change in kept}
        run.claims |= {c.claim.id for c in kept if c.kind != "kept" and c.claim.status == "active"}
        self._comparing.follow(kept)
        return set(problems)

    def _read_one(
        self, path: str, stat: Seen, forgotten: RedactedHashes
    ) -> tuple[Note, dict[Statement, tuple[Norm, ...]]] | str | None:
        """The note and its norms, or why there are none, or None if it disappeared."""
        before, problem = self._aside.get(path, (None, ""))
        if before == stat:
            return problem
        note = read_note_file(self.root, path, self.settings)
        if isinstance(note, Note):
            note = cleaned(note, forgotten)
            norms = norms_of_note(note, stat.size)
            if isinstance(norms, dict):
                self._aside.pop(path, None)
                return note, norms
            note = norms
        if note is not None and note.startswith(SET_ASIDE):
            self._aside[path] = (stat, note)
        return note

    def _diff(
        self, notes: list[Note], gone: Sequence[str], moved: dict[str, str], at: str
    ) -> list[ClaimChange]:
        if self._taken is None:
            self._taken = self.store.claims.ids()
            if not self._taken:  # a first index: what is written is all there is to compare
                self._comparing.begin_empty()
        if not self._taken:
            old: dict[str, list[Claim]] = {}
            retracted: dict[str, list[Claim]] = {}
        else:
            where = {moved.get(n.path, n.path) for n in notes} | set(gone)
            old = self.store.claims.by_path(where, status=_CURRENT)
            retracted = self.store.claims.by_path(where, status=_RETRACTED)
        here = {n.path: moved[n.path] for n in notes if n.path in moved}
        left: list[Note | Gone] = [*notes, *(Gone(path) for path in gone)]
        return diff(
            old,
            left,
            retracted=retracted,
            moved=here,
            taken=self._taken,
            promoted=self.store.claims.promoted({c.id for held in old.values() for c in held}) if old else (),
            at=at,
        )


def _with_norms(
    norms: Mapping[Statement, tuple[Norm, ...]], changes: Sequence[ClaimChange]
) -> tuple[ClaimChange, ...]:
    return tuple(
        change
        if change.kind == "retracted"
        else replace(change, claim=replace(change.claim, norms=norms[change.claim.statement]))
        for change in changes
    )


def extractor(settings: VaultSettings) -> str:
    """What the claims depend on besides the notes: the rules and the vault's settings."""
    return f"{EXTRACTOR}-{hash_bytes(repr(settings).encode())[:8]}"


def _stat(seen: Seen) -> FileStat:
    return FileStat(seen.size, seen.mtime_ns, seen.inode, time.time_ns())


def _new_unreadable(run: Run, store: Store) -> list[tuple[str, str]]:
    if not run.plan.unreadable:
        return []
    reasons = {u.path: u.reason for u in run.walk.unreadable}
    reasons |= dict.fromkeys(run.held_back, "gone with most of the vault; what it said is kept")
    noted = dict(store.notes.problems())
    return [
        (p, reasons.get(p, "its folder cannot be read"))
        for p in run.plan.unreadable
        if reasons.get(p, "its folder cannot be read") != noted.get(p)
    ]


def _never_read_and_gone(run: Run, store: Store) -> list[str]:
    """Files that could never be read, so have no claims, and no longer exist."""
    if run.narrow:  # it looked only at notes that exist
        return []
    troubled = {path for path, _ in store.notes.problems()}
    if not troubled:  # nearly always: keep the start cheap
        return []
    there = {s.path for s in run.walk.seen} | {i.path for i in run.walk.ignored}
    planned = {*run.plan.unreadable, *run.plan.deleted, *(move.old for move in run.plan.moved)}
    return sorted(troubled - there - planned)


def _batches(items: Sequence[str], size: int) -> Iterator[list[str]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
