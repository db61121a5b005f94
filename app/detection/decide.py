"""From evidence to a verdict: whether a person is shown a pair, norms that contradict, an arc or a thread.

Pairs are decided here alone. Others decide part of the rest: norms that a gate or `settle` silences never get
here, and a person's own language model shows threads and drops arcs by the marks of its exam
(`app/detective/exam.py`).

What each piece of evidence about a pair is worth was learnt on labelled vaults. It is kept in `decision.json`
as boosted trees: `first` tells which pairs are worth aligning, `words` decides pairs known by their words,
`near` by words and nearness, and `judges` has one set of trees for each shipped judge. The opinion of any
other judge is shown but decides nothing. The numbers for norms, arcs and threads are in `rule_decision.json`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.detection.rivals import Rivalry, Rivals, Suspect
from app.odds import chance, log_odds
from app.words import Tier

DATA = Path(__file__).parent / "decision.json"
RULE_DATA = Path(__file__).parent / "rule_decision.json"
_JUDGED, _NEAR, _NORMS, _ALONE = "judge_alarm", "cosine", "norms_contradict", "alone"
SILENCING = ("exception", "list", "scope", "session", "series", "project", "release", "coexist")
"""Gates that no evidence outweighs: on the 20 vaults labelled by 2026-11-17 they were closed for 12 of the
711 pairs that should be shown. The others (standing, time, condition, subject) are evidence: if they
silenced, a year mentioned in passing would hide a plain contradiction."""
_LIKELY = "likely"
Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Trees:
    """Boosted trees: each is walked from its root by comparing one number with a threshold, and adds the
    value of its leaf."""

    names: tuple[str, ...]
    base: float
    feature: NDArray[np.int32]
    threshold: Matrix
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    missing_left: NDArray[np.bool_]
    value: Matrix
    roots: tuple[int, ...]
    shown: float
    """The probability from which a pair is shown."""
    shown_alone: float
    """The same for two statements by themselves, with no vault around them."""
    shown_contradicting: float
    """The same for two statements of a vault whose norms contradict each other."""
    rivalry: Rivalry | None = None
    """What rivals are worth; `shown` then applies to the probability given the rivals."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Trees:
        return cls(
            tuple(data["names"]),
            float(data["base"]),
            np.array(data["feature"], dtype=np.int32),
            np.array(data["threshold"], dtype=np.float32),
            np.array(data["left"], dtype=np.int32),
            np.array(data["right"], dtype=np.int32),
            np.array(data["missing_left"], dtype=np.bool_),
            np.array(data["value"], dtype=np.float32),
            tuple(data["roots"]),
            float(data["shown"]),
            float(data["shown_alone"]),
            float(data["shown_contradicting"]),
            Rivalry(tuple(data["rivals"]), float(data["rivals_constant"])) if "rivals" in data else None,
        )

    def probabilities(self, records: Sequence[Mapping[str, float]]) -> NDArray[np.float64]:
        rows = np.array(
            [[record.get(name, np.nan) for name in self.names] for record in records], dtype=np.float32
        ).reshape(len(records), len(self.names))
        total = np.full(len(records), self.base, dtype=np.float64)
        every = np.arange(len(records))
        for root in self.roots:
            at = np.full(len(records), root, dtype=np.int32)
            while (inner := self.feature[at] >= 0).any():
                value = rows[every, np.maximum(self.feature[at], 0)]
                goes_left = np.where(np.isnan(value), self.missing_left[at], value <= self.threshold[at])
                at = np.where(inner, np.where(goes_left, self.left[at], self.right[at]), at)
            total += self.value[at]
        made: NDArray[np.float64] = 1 / (1 + np.exp(-total))
        return made


@dataclass(frozen=True, slots=True)
class Learnt:
    """The decisions that ship."""

    first: Trees
    """By what costs nothing to know. Here `shown` is the minimum probability for a pair to be aligned."""
    words: Trees
    near: Trees
    """By words and nearness in meaning."""
    judges: Mapping[str, Trees]
    """By all of that and a judge's opinion; the keys are names of judges."""

    def at(self, record: Mapping[str, float], judge: str) -> Trees:
        """The trees for what is known about a pair."""
        if _JUDGED in record and judge in self.judges:
            return self.judges[judge]
        return self.near if _NEAR in record else self.words

    def judged_by(self, judge: str) -> Trees:
        return self.judges.get(judge, self.near)


@lru_cache(maxsize=1)
def learnt() -> Learnt:
    stored = json.loads(DATA.read_text(encoding="utf-8"))
    judges = {name: Trees.of(trees) for name, trees in stored["judges"].items()}
    first, words, near = (Trees.of(stored[by]) for by in ("first", "words", "near"))
    return Learnt(first, words, near, judges)


def promising(records: Sequence[Mapping[str, float]]) -> NDArray[np.bool_]:
    """Which pairs are worth aligning, by what costs nothing to know about them?"""
    first = learnt().first
    out: NDArray[np.bool_] = first.probabilities(records) >= first.shown
    return out


def calibrated(judge: str) -> bool:
    """Was it learnt what this judge's opinion is worth?"""
    return judge in learnt().judges


@lru_cache(maxsize=1)
def decision_id() -> str:
    """Identifies what was learnt: with other numbers, pairs are decided again."""
    return hashlib.blake2b(DATA.read_bytes(), digest_size=4).hexdigest()


@dataclass(frozen=True, slots=True)
class Decision:
    probability: float
    shown: bool
    silenced: bool = False
    """Kept silent, however likely it is."""
    blocks: bool = False
    """Capture must ask before storing a claim against this."""

    @property
    def tier(self) -> Tier:
        if not self.shown:
            return "clean"
        return "block" if self.blocks else "warn"


def decide(records: Sequence[Mapping[str, float]], judge: str = "") -> list[Decision]:
    """Decide each pair by its own evidence; `judge` names the judge whose opinions are in the records. In a
    vault, `decide_among_rivals` makes the final decision on judged pairs."""
    out: list[Decision] = [Decision(0.0, False)] * len(records)
    known = learnt()
    for of in (known.words, known.near, *known.judges.values()):
        places = [n for n, record in enumerate(records) if known.at(record, judge) is of]
        if not places:
            continue
        some: Sequence[Mapping[str, float]] = [records[n] for n in places]
        if of is not known.words and of is not known.near:
            some = with_likelihood(some, known.near.probabilities(some))
        for n, p in zip(places, of.probabilities(some), strict=True):
            least = threshold(of, records[n].get(_NORMS, 0.0) > 0, records[n].get(_ALONE, 0.0) > 0)
            quiet = silenced(records[n])
            out[n] = Decision(float(p), bool(p >= least) and not quiet, quiet)
    return out


def decide_among_rivals(
    rivals: Rivals, one: Suspect, judge: str, *, lines: int, contradict: bool = False, alone: bool = False
) -> Decision:
    """Decide a judged pair, given its rivals and the vault's discord. `lines`: number of comparable claims;
    `contradict`: the norms of the two contradict each other; `alone`: there are no other claims."""
    trees = learnt().judged_by(judge)
    numbers = None if alone or trees.rivalry is None else rivals.numbers(one, lines)
    p = one.probability if numbers is None or trees.rivalry is None else trees.rivalry.probability(numbers)
    return Decision(p, not one.silenced and p >= threshold(trees, contradict, alone), one.silenced)


def silenced(record: Mapping[str, float]) -> bool:
    """Must the pair stay silent, however likely it is? So it must if

    - both claims are past or logged: each was true at its time;
    - one is not asserted, by the norms and by the parser alike: it is planned, reported or hypothetical;
    - one is a question, which states nothing;
    - both say the same, word for word except for how amounts are written;
    - one of the gates in `SILENCING` is closed.
    """
    over = record.get("old_over", 0.0) > 0 and record.get("new_over", 0.0) > 0
    not_held = record.get("not_held", 0.0) > 0 and record.get("clauses_not_held", 0.0) > 0
    asked = record.get("asked", 0.0) > 0
    walls = any(record.get(f"gate_{gate}", 0.0) > 0 for gate in SILENCING)
    return over or not_held or asked or _same(record) or walls


def _same(record: Mapping[str, float]) -> bool:
    """The norms agree, and alignment finds no difference and nothing that only one side says."""
    return record.get("norms_agree", 0.0) > 0 and record.get("only_more") == record.get("differences") == 0


def with_likelihood(
    records: Sequence[Mapping[str, float]], likely: Sequence[float] | NDArray[np.float64]
) -> list[dict[str, float]]:
    """The records of judged pairs, each with its probability before the judge read it, as log-odds."""
    return [{**record, _LIKELY: log_odds(float(one))} for record, one in zip(records, likely, strict=True)]


def threshold(of: Trees, contradict: bool, alone: bool) -> float:
    """The probability from which a pair is shown. If the norms contradict each other, little other evidence
    is needed, and none if there is no vault around the pair."""
    if contradict:
        return 0.0 if alone else of.shown_contradicting
    return of.shown_alone if alone else of.shown


# norms, arcs and threads
Arc = Literal["values", "mentions", "weekdays", "versions", "rates"]
"""How an arc was found."""


@lru_cache(maxsize=1)
def rule_numbers() -> Mapping[str, Mapping[str, float]]:
    stored: dict[str, dict[str, float]] = json.loads(RULE_DATA.read_text(encoding="utf-8"))
    return stored


def decide_norms(*, same_subject: bool, opposite: bool, other_trust: bool) -> Decision:
    """Norms that contradict each other, with no gate closed and nothing that settles them. A rule or state
    against its opposite blocks, and so do two claims of different trust."""
    numbers = rule_numbers()["norms"]
    probability = numbers["same_subject" if same_subject else "other_subject"]
    return Decision(probability, probability >= numbers["shown"], blocks=opposite or other_trust)


def decide_arc(found_by: Arc) -> Decision:
    """A reversal or an outdated claim in the story that no later line settles."""
    numbers = rule_numbers()["arcs"]
    return Decision(numbers[found_by], numbers[found_by] >= numbers["shown"])


class ThreadEvidence(NamedTuple):
    """What the language model and the judge say about a thread."""

    whole: float
    """How unsure the language model is about the whole thread."""
    alarm: float
    """How sure the judge is that the least compatible two lines cannot both hold."""
    doubt: float | None
    """How unsure the language model is about these two alone; None if the thread has no other lines."""


def decide_thread(evidence: ThreadEvidence) -> Decision:
    """Adds the log-odds of both readers. The pair is weighted less than the whole, since both were asked
    about it; a thread of only two lines has a higher threshold."""
    numbers = rule_numbers()["threads"]
    pair = thread_odds(evidence.alarm)
    if evidence.doubt is None:
        odds, least = thread_odds(evidence.whole) + pair, numbers["shown_alone"]
    else:
        pair += thread_odds(evidence.doubt)
        odds, least = thread_odds(evidence.whole) + numbers["pair"] * pair, numbers["shown"]
    return Decision(chance(odds), odds >= least)


def decide_told(sure: float) -> Decision:
    """A finding in lines its reader chose itself; `sure` is its confidence. Always shown: `decide_thread` or
    the model's exam has decided that before."""
    return Decision(round(sure * rule_numbers()["threads"]["found"], 3), True)


def hopeless(whole: float) -> bool:
    """If the model is this confident that the whole thread is consistent, no pair in it can change the
    verdict."""
    return whole < rule_numbers()["threads"]["hopeless"]


def thread_odds(probability: float) -> float:
    return log_odds(probability, rule_numbers()["threads"]["certain"])
