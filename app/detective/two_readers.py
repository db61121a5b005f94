"""Threads read by the two shipped models: the tuned language model and the judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.detection.decide import hopeless
from app.detection.judge import judged
from app.detection.judge_input import said
from app.detective.combined_odds import CombinedOpinion, LinePair, combine, line_pairs
from app.detective.reader import Stopping, ThreadReader, never
from app.detective.thread_answer import ThreadAnswer, turns_back
from app.detective.thread_prompt import LONGEST
from app.models.cache import model_id
from app.models.files import judge_id
from app.models.host import ModelHost
from app.models.requests import Failed
from app.words import Claim, Kind, Opinion

Opinions = Mapping[LinePair, Opinion]


class UnsureThread(NamedTuple):
    """What both say about a thread that leaves a reader unsure, and how sure they are."""

    answer: ThreadAnswer
    sure: float


class TwoReaders:
    """At temperature 0, so the same thread gives the same answer."""

    def __init__(self, host: ModelHost, model: ThreadReader) -> None:
        self._host, self._model = host, model
        self.reader = f"{model.reader} {judge_id(host.setup)} {model_id(host.setup)}"
        """The name their answers are stored under."""

    def read(self, thread: Sequence[Claim], stopping: Stopping = never) -> UnsureThread | Failed | None:
        """None if they are sure enough what holds, or one of them does not answer. Only dated claims count:
        undated descriptions say the same thing in many ways."""
        thread = [claim for claim in thread if claim.statement.date][-LONGEST:]
        if len(thread) < 2:
            return None
        whole = self._model.odds([said(c) for c in thread], stopping)
        if isinstance(whole, Failed):
            return whole
        if whole is None or hopeless(whole):
            return None
        opinions = self._judged(thread)
        if isinstance(opinions, Failed):
            return opinions
        near = self._near(thread)
        if isinstance(near, Failed):
            return near
        alarms = {pair: one.alarm for pair, one in opinions.items()}
        seen = combine(
            len(thread),
            whole,
            alarms,
            lambda two: self._model.odds([said(thread[place]) for place in two], stopping),
            near,
        )
        return seen if seen is None or isinstance(seen, Failed) else _unsure(seen, thread, opinions)

    def _judged(self, thread: Sequence[Claim]) -> Opinions | Failed:
        """What the judge says about every two lines."""
        asked = line_pairs(thread)
        answer = judged(self._host, [(thread[one], thread[other]) for one, other in asked])
        if isinstance(answer, Failed):
            return answer
        return {two: one for two, one in zip(asked, answer.of_pairs, strict=True) if one is not None}

    def _near(self, thread: Sequence[Claim]) -> dict[LinePair, float] | Failed:
        """How near every two lines are in meaning, without those that cannot be embedded."""
        answer = self._host.embed([claim.statement.text for claim in thread])
        if isinstance(answer, Failed):
            return answer
        passing = next((one for one in answer.failures.values() if not one.lasting), None)
        if passing is not None:
            return passing
        rows, missing = answer.matrix(), answer.failures
        return {
            (one, other): float(rows[one] @ rows[other])
            for one, other in line_pairs(thread)
            if one not in missing and other not in missing
        }


def _unsure(seen: CombinedOpinion, thread: Sequence[Claim], opinions: Opinions) -> UnsureThread:
    members = [thread[place] for place in seen.places]
    return UnsureThread(
        ThreadAnswer(_kind(seen, members, opinions), tuple(c.id for c in members), None), seen.sure
    )


def _kind(seen: CombinedOpinion, members: Sequence[Claim], opinions: Opinions) -> Kind:
    if turns_back(members):
        return "reversal"
    return "stale" if opinions[seen.pair].finds_outdated else "disagreement"
