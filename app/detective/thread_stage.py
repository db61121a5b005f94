"""The language model over threads: what the arc reader proposed, then what it may find by itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.detection.claim_index import ClaimIndex
from app.detection.compare_norms import same_subject
from app.detection.judge_input import said
from app.detection.norm_entry import Entry
from app.detection.pair_gates import worth_judging
from app.detection.stages import Findings, is_arc
from app.detective.exam import Exams, Skill
from app.detective.mentions import told
from app.detective.merge import beside, merged
from app.detective.reader import Stopping, ThreadReader, can_tell, never
from app.detective.story import chronological
from app.detective.story_stage import StoryStage
from app.detective.thread_answer import Told, finding
from app.detective.thread_memory import FOUND, ThreadMemory, key
from app.detective.thread_prompt import LONGEST
from app.detective.two_readers import TwoReaders
from app.models.host import ModelHost
from app.models.requests import Failed
from app.store.store import Store
from app.store.threads import ThreadRow
from app.words import Claim, Finding, Reason

BUDGET = 40
"""Threads read in a vault, at up to four seconds each with a model of the person's own: within three minutes.
The same ones however often it is read, until notes change: so the same notes give the same conflicts."""

_A_FEW = 256
"""Claims between two looks at whether something else waits."""

Thread = tuple[str, ...]


class Waiting(NamedTuple):
    """Threads to read, and how many more there are than can be."""

    threads: list[Thread]
    left: int


class ThreadStage:
    """Holds what the model said of threads, which the store keeps."""

    def __init__(self, host: ModelHost, store: Store, *, budget: int = BUDGET) -> None:
        self._model = ThreadReader(host)
        self._exams = Exams(host.setup.cache_dir / "exams")
        self._budget = budget
        self._two = TwoReaders(host, self._model) if host.setup.llama is None else None
        """Who reads where the person has no model of their own."""
        self._known = ThreadMemory(store, self._two.reader if self._two is not None else self._model.reader)
        self.telling = StoryStage(host, self._known, self._model) if can_tell(host.setup) else None
        """Reads the whole story; None for a model that cannot look at so much."""
        name = self._two.reader if self._two is not None else self._model.reader
        self.reader = name + (self.telling.reader if self.telling is not None else "")
        """Names who has read all there is."""

    def skill(self, stopping: Stopping) -> Skill | Failed | None:
        """What the model may do, by its exam; None where it may do nothing. Of the two that are carried along
        it was measured: find, and dismiss nothing."""
        if self._two is not None:
            return Skill(0.5, 0.0)
        return self._exams.skill(self._model, stopping)

    def pending(
        self, index: ClaimIndex, arcs: Iterable[Finding], stopping: Stopping = never
    ) -> Waiting | None:
        """Every arc first; then the threads of two or more claims in more than one note, the newest first.
        None where something else waits: to gather them takes seconds among 100,000 claims."""
        gathered = threads(index, stopping)
        if gathered is None:
            return None
        wanted = list(dict.fromkeys(f.members[-LONGEST:] for f in arcs))
        known = set(wanted)
        wanted += [one for one in gathered if one not in known]
        chosen = wanted[: self._budget]
        return Waiting(
            [one for one in chosen if key(one, index.claims) not in self._known], len(wanted) - len(chosen)
        )

    def read(
        self, thread: Thread, claims: Mapping[str, Claim], skill: Skill, stopping: Stopping
    ) -> Failed | None:
        """Ask about one thread and keep what came of it: nothing, where it fails for this one alone."""
        row = self._asked(thread, claims, skill, stopping)
        if isinstance(row, Failed):
            if not row.lasting and row.why != "timeout":
                return row
            row = ThreadRow(key(thread, claims), thread, "", 0.0)
        self._known.keep([row])
        return None

    def found(self, thread: Sequence[str], claims: Mapping[str, Claim], skill: Skill) -> Finding | None:
        """What is made of one thread, read now if it never was; None where it cannot be, or is nothing."""
        ids = tuple(thread)
        if key(ids, claims) not in self._known and self.read(ids, claims, skill, never) is not None:
            return None
        row = self._row(ids, claims)
        return _own(row, claims) if row is not None else None

    def _asked(
        self, thread: Thread, claims: Mapping[str, Claim], skill: Skill, stopping: Stopping
    ) -> ThreadRow | Failed:
        lines = [claims[id] for id in thread]
        nothing = ThreadRow(key(thread, claims), thread, "", 0.0)
        if self._two is not None:
            both = self._two.read(lines, stopping)
            if both is None or isinstance(both, Failed):
                return both or nothing
            if finding(both.told, lines, both.sure) is None:
                return nothing._replace(verdict="yes", odds=both.sure)
            return ThreadRow(nothing.key, thread, "yes", both.sure, *both.told)
        odds = self._model.odds([said(c) for c in lines], stopping)
        if isinstance(odds, Failed):
            return odds
        if odds is None:
            return nothing
        if odds < skill.dismiss:
            return nothing._replace(verdict="no", odds=odds)
        if odds <= skill.find:
            return nothing._replace(odds=odds)
        found = self._model.told(lines, stopping)
        if isinstance(found, Failed):
            return found
        if found is None or finding(found, lines, odds) is None:
            # It may still confirm what the arc reader found.
            return nothing._replace(verdict="yes", odds=odds, question=found.question if found else None)
        if found.members != thread:
            # A model that is unsure about the very lines it names contradicts itself.
            alone = self._model.odds([said(claims[id]) for id in found.members], stopping)
            if isinstance(alone, Failed):
                return alone
            if alone is None or alone <= skill.find:
                return nothing._replace(odds=odds)
        return ThreadRow(nothing.key, thread, "yes", odds, *found)

    def over(self, findings: Findings, claims: Mapping[str, Claim]) -> Findings:
        """The rules' findings with the model's word on arcs, and its own beside them."""
        read = {row.ids for row in self._known.values()}
        out: Findings = {}
        for members, one in findings.items():
            thread = members[-LONGEST:]
            row = self._row(thread, claims) if thread in read and is_arc(one) else None
            if row is None or row.verdict == "":
                out[members] = one
            elif row.verdict == "yes":
                why = Reason("thread", "confirmed", "MED", f"{row.odds:.0%} sure that it is left open")
                asked = row.question or one.question
                out[members] = replace(one, reasons=(*one.reasons, why), question=asked)
        own = (_own(row, claims) for row in self._known.values())
        for one in beside(out.values(), merged([[found for found in own if found is not None]])):
            out[one.members] = one
        return out

    def _row(self, thread: Thread, claims: Mapping[str, Claim]) -> ThreadRow | None:
        return self._known.get(key(thread, claims)) if all(id in claims for id in thread) else None


def _own(row: ThreadRow, claims: Mapping[str, Claim]) -> Finding | None:
    """What the model found by itself, in a thread or in the story, if the lines stand as it read them."""
    if row.kind is None or any(id not in claims for id in row.ids):
        return None
    if key(row.ids, claims) != row.key.removeprefix(FOUND):
        return None
    return finding(Told(row.kind, row.members, row.question), [claims[id] for id in row.ids], row.odds)


def threads(index: ClaimIndex, stopping: Stopping = never) -> list[Thread] | None:
    """The claims of one subject in more than one note, oldest first; those with the newest line first. None
    where it was stopped."""
    found: dict[frozenset[str], list[Claim]] = {}
    for number, id in enumerate(sorted(index.ids())):
        if number % _A_FEW == 0 and stopping():
            return None
        for entry in index.entries_of(id):
            kin = {entry.id, *(o.id for o in index.candidates(entry) if _kin(entry, o))}
            lines = [index.claims[one] for one in kin if told(index.claims[one])]
            lines = [claim for claim in lines if worth_judging(claim)]
            if len(lines) > 1 and len({claim.statement.path for claim in lines}) > 1:
                newest = chronological(lines)[-LONGEST:]
                found.setdefault(frozenset(c.id for c in newest), newest)
    having: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    for ids in found:
        for id in ids:
            having[id].append(ids)
    whole = [ids for ids in found if not any(ids < other for other in having[min(ids)])]
    ordered = sorted(
        (found[ids] for ids in whole),
        key=lambda lines: (lines[-1].statement.date or "", lines[-1].id),
        reverse=True,
    )
    return [tuple(claim.id for claim in lines) for lines in ordered]


def _kin(a: Entry, b: Entry) -> bool:
    """About the same thing, or about much the same words: the model sees what they have to do with each
    other, where the rules only see what they are called."""
    if same_subject(a, b):
        return True
    shared = len(a.subject & b.subject)
    return shared >= 2 and 2 * shared >= min(len(a.subject), len(b.subject))
