"""The language model over threads: first what the arc reader proposed, then what it may find by itself."""

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
from app.detective.mentions import is_in_story
from app.detective.merge import beside, merged
from app.detective.reader import Stopping, ThreadReader, can_read_story, never
from app.detective.story import chronological
from app.detective.story_stage import BUDGET as STORY_BUDGET
from app.detective.story_stage import StoryStage
from app.detective.thread_answer import ThreadAnswer, finding
from app.detective.thread_memory import STORY_KEY_PREFIX, ThreadMemory, thread_key
from app.detective.thread_prompt import LONGEST
from app.detective.two_readers import TwoReaders
from app.models.host import ModelHost
from app.models.requests import Failed
from app.store.store import Store
from app.store.threads import ThreadRow
from app.words import Claim, Finding, Reason

BUDGET = 40
"""Threads read per vault, up to four seconds each with a person's own model: within three minutes. They stay
the same until notes change, so the same notes give the same conflicts."""

_CLAIMS_BETWEEN_CHECKS = 256
"""Claims between two checks whether something else waits."""

Thread = tuple[str, ...]


class UnreadThreads(NamedTuple):
    """Threads to read, and how many exceed the budget."""

    threads: list[Thread]
    left: int


class ThreadStage:
    """Holds what the model said about threads, which the store keeps."""

    def __init__(
        self, host: ModelHost, store: Store, *, budget: int = BUDGET, story_budget: int = STORY_BUDGET
    ) -> None:
        self._model = ThreadReader(host)
        self._exams = Exams(host.setup.cache_dir / "exams")
        self._budget = budget
        self._two = TwoReaders(host, self._model) if host.setup.llama is None else None
        """Reads if the person has no model of their own."""
        self._known = ThreadMemory(store, self._two.reader if self._two is not None else self._model.reader)
        self.story_stage: StoryStage | None = None
        """Reads the whole story; None if the model's context is too small."""
        if can_read_story(host.setup):
            self.story_stage = StoryStage(host, self._known, self._model, budget=story_budget)
        name = self._two.reader if self._two is not None else self._model.reader
        self.reader = name + (self.story_stage.reader if self.story_stage is not None else "")
        """Names the models whose reading is complete."""

    def skill(self, stopping: Stopping) -> Skill | Failed | None:
        """What the model may do, by its exam; None if nothing. The two shipped models may find, but not
        dismiss; that was measured."""
        if self._two is not None:
            return Skill(0.5, 0.0)
        return self._exams.skill(self._model, stopping)

    def pending(
        self, index: ClaimIndex, arcs: Iterable[Finding], stopping: Stopping = never
    ) -> UnreadThreads | None:
        """Every arc first, then threads of two or more claims from several notes, the newest first. None if
        something else waits: gathering them takes seconds among 100,000 claims."""
        gathered = threads(index, stopping)
        if gathered is None:
            return None
        wanted = list(dict.fromkeys(f.members[-LONGEST:] for f in arcs))
        known = set(wanted)
        wanted += [one for one in gathered if one not in known]
        chosen = wanted[: self._budget]
        return UnreadThreads(
            [one for one in chosen if thread_key(one, index.claims) not in self._known],
            len(wanted) - len(chosen),
        )

    def read(
        self, thread: Thread, claims: Mapping[str, Claim], skill: Skill, stopping: Stopping
    ) -> Failed | None:
        """Ask about one thread and keep the answer: an empty one if it fails for this thread alone."""
        row = self._asked(thread, claims, skill, stopping)
        if isinstance(row, Failed):
            if not row.lasting and row.why != "timeout":
                return row
            row = ThreadRow(thread_key(thread, claims), thread, "", 0.0)
        self._known.keep([row])
        return None

    def found(self, thread: Sequence[str], claims: Mapping[str, Claim], skill: Skill) -> Finding | None:
        """The finding in one thread, read now if it never was; None if there is none or it cannot be read."""
        ids = tuple(thread)
        if thread_key(ids, claims) not in self._known and self.read(ids, claims, skill, never) is not None:
            return None
        row = self._row(ids, claims)
        return _found_by_model(row, claims) if row is not None else None

    def _asked(
        self, thread: Thread, claims: Mapping[str, Claim], skill: Skill, stopping: Stopping
    ) -> ThreadRow | Failed:
        lines = [claims[id] for id in thread]
        nothing = ThreadRow(thread_key(thread, claims), thread, "", 0.0)
        if self._two is not None:
            both = self._two.read(lines, stopping)
            if both is None or isinstance(both, Failed):
                return both or nothing
            if finding(both.answer, lines, both.sure) is None:
                return nothing._replace(verdict="yes", odds=both.sure)
            return ThreadRow(nothing.key, thread, "yes", both.sure, *both.answer)
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
            # It may still confirm the arc reader's finding.
            return nothing._replace(verdict="yes", odds=odds, question=found.question if found else None)
        if found.members != thread:
            # A model that does not say yes about the very lines it names contradicts itself.
            alone = self._model.odds([said(claims[id]) for id in found.members], stopping)
            if isinstance(alone, Failed):
                return alone
            if alone is None or alone <= skill.find:
                return nothing._replace(odds=odds)
        return ThreadRow(nothing.key, thread, "yes", odds, *found)

    def over(self, findings: Findings, claims: Mapping[str, Claim]) -> Findings:
        """The rules' findings with the model's opinion on arcs, and its own findings."""
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
        own = (_found_by_model(row, claims) for row in self._known.values())
        for one in beside(out.values(), merged([[found for found in own if found is not None]])):
            out[one.members] = one
        return out

    def _row(self, thread: Thread, claims: Mapping[str, Claim]) -> ThreadRow | None:
        return self._known.get(thread_key(thread, claims)) if all(id in claims for id in thread) else None


def _found_by_model(row: ThreadRow, claims: Mapping[str, Claim]) -> Finding | None:
    """The model's own finding in a thread or the story, if the lines are still as it read them."""
    if row.kind is None or any(id not in claims for id in row.ids):
        return None
    if thread_key(row.ids, claims) != row.key.removeprefix(STORY_KEY_PREFIX):
        return None
    return finding(
        ThreadAnswer(row.kind, row.members, row.question), [claims[id] for id in row.ids], row.odds
    )


def threads(index: ClaimIndex, stopping: Stopping = never) -> list[Thread] | None:
    """The claims of one subject from several notes, oldest first; threads with the newest line first. None if
    it was stopped."""
    found: dict[frozenset[str], list[Claim]] = {}
    for number, id in enumerate(sorted(index.ids())):
        if number % _CLAIMS_BETWEEN_CHECKS == 0 and stopping():
            return None
        for entry in index.entries_of(id):
            kin = {entry.id, *(o.id for o in index.candidates(entry) if _kin(entry, o))}
            lines = [index.claims[one] for one in kin if is_in_story(index.claims[one])]
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
    """Same subject, or largely the same words: the model sees how they are related, while the rules only see
    what they are called."""
    if same_subject(a, b):
        return True
    shared = len(a.subject & b.subject)
    return shared >= 2 and 2 * shared >= min(len(a.subject), len(b.subject))
