"""Evidence to a verdict: the only place that decides whether a person is shown a pair, an arc or a thread.

What each piece of evidence is worth was learnt on labelled vaults and is kept beside this file, as boosted
trees: for pairs known by their words alone, by words and nearness, and for each judge that ships by its word,
too. A judge they were not learnt for informs and does not decide. What norms, arcs and threads are worth was
measured and is kept in `rule_decision.json`.
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
"""Gates that no evidence outweighs: on 20 labelled vaults they close before 12 of 711 pairs to be shown. The
others (standing, time, condition, subject) are evidence: a year in an aside would silence what is
plain."""
_LIKELY = "likely"
Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Trees:
    """Boosted trees: each walks from its root by comparing one number with a threshold, and adds its leaf."""

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
    """What rivals are worth; `shown` is then about the probability beside them."""

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
    """By what costs nothing to know; `shown` is from where on a pair is looked at at all."""
    words: Trees
    near: Trees
    """By words and nearness in meaning."""
    judges: Mapping[str, Trees]
    """By all of that and the word of a judge, by its name."""

    def at(self, record: Mapping[str, float], judge: str) -> Trees:
        """The decision for what is known of a pair."""
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
    """Which pairs are worth aligning at all, by what costs nothing to know of them?"""
    first = learnt().first
    out: NDArray[np.bool_] = first.probabilities(records) >= first.shown
    return out


def calibrated(judge: str) -> bool:
    """Was it learnt what the word of the judge of that name is worth?"""
    return judge in learnt().judges


@lru_cache(maxsize=1)
def decision_id() -> str:
    """Names what was learnt: with other numbers pairs are decided anew."""
    return hashlib.blake2b(DATA.read_bytes(), digest_size=4).hexdigest()


@dataclass(frozen=True, slots=True)
class Decision:
    probability: float
    shown: bool
    silenced: bool = False
    """By a gate, however likely it is."""
    blocks: bool = False
    """No capture is to pass it by without a word."""

    @property
    def tier(self) -> Tier:
        if not self.shown:
            return "clean"
        return "block" if self.blocks else "warn"


def decide(records: Sequence[Mapping[str, float]], judge: str = "") -> list[Decision]:
    """For each record how likely a person should be shown the pair by its own evidence, and whether that
    is enough; `judge` names the one whose word is in the records. In a vault `beside` has the last word on
    judged pairs."""
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
            least = enough(of, records[n].get(_NORMS, 0.0) > 0, records[n].get(_ALONE, 0.0) > 0)
            quiet = silenced(records[n])
            out[n] = Decision(float(p), bool(p >= least) and not quiet, quiet)
    return out


def beside(
    rivals: Rivals, one: Suspect, judge: str, *, lines: int, contradict: bool = False, alone: bool = False
) -> Decision:
    """The same for a judged pair, seeing which others share a line with it and how much its vault, of so many
    comparable lines, contradicts itself. `contradict`: the norms of the two do; `alone`: there are no
    others."""
    trees = learnt().judged_by(judge)
    numbers = None if alone or trees.rivalry is None else rivals.numbers(one, lines)
    p = one.probability if numbers is None or trees.rivalry is None else trees.rivalry.probability(numbers)
    return Decision(p, not one.silenced and p >= enough(trees, contradict, alone), one.silenced)


def silenced(record: Mapping[str, float]) -> bool:
    """Does a gate keep the pair silent, however likely it is? What was logged or is over never disagrees with
    its like, a question states nothing, what both ways of reading take for planned, reported or imagined is
    not asserted, and what is the same word for word but for how its amounts are written says the same."""
    over = record.get("old_over", 0.0) > 0 and record.get("new_over", 0.0) > 0
    not_held = record.get("not_held", 0.0) > 0 and record.get("clauses_not_held", 0.0) > 0
    asked = record.get("asked", 0.0) > 0
    walls = any(record.get(f"gate_{gate}", 0.0) > 0 for gate in SILENCING)
    return over or not_held or asked or _same(record) or walls


def _same(record: Mapping[str, float]) -> bool:
    """The norms agree, and alignment finds nothing that differs and nothing that only one side has."""
    return record.get("norms_agree", 0.0) > 0 and record.get("only_more") == record.get("differences") == 0


def with_likelihood(
    records: Sequence[Mapping[str, float]], likely: Sequence[float] | NDArray[np.float64]
) -> list[dict[str, float]]:
    """The records of judged pairs, with how likely each was before the judge read it, as log-odds."""
    return [{**record, _LIKELY: log_odds(float(one))} for record, one in zip(records, likely, strict=True)]


def enough(of: Trees, contradict: bool, alone: bool) -> float:
    """The probability from which a pair is shown. Norms that contradict each other need little other
    evidence, and none where there is no vault around them."""
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
    """Norms that contradict each other, and that nothing settles. A rule or a state against its opposite
    blocks, and so does a claim against one that is trusted more."""
    numbers = rule_numbers()["norms"]
    probability = numbers["same_subject" if same_subject else "other_subject"]
    return Decision(probability, probability >= numbers["shown"], blocks=opposite or other_trust)


def decide_arc(found_by: Arc) -> Decision:
    """A reversal or an outdated claim that the story shows and no later word settles."""
    numbers = rule_numbers()["arcs"]
    return Decision(numbers[found_by], numbers[found_by] >= numbers["shown"])


class ThreadEvidence(NamedTuple):
    """What the language model and the judge make of a thread."""

    whole: float
    """How unsure the language model is about all of it."""
    alarm: float
    """How sure the judge is that the two lines that go together least cannot both hold."""
    doubt: float | None
    """How unsure the language model is about these two alone; None where the thread has no more lines."""


def decide_thread(evidence: ThreadEvidence) -> Decision:
    """The log-odds of both readers are added. The pair counts for less than the whole, since each was asked
    about it; two lines that nothing else bears out need more."""
    numbers = rule_numbers()["threads"]
    pair = thread_odds(evidence.alarm)
    if evidence.doubt is None:
        odds, least = thread_odds(evidence.whole) + pair, numbers["shown_alone"]
    else:
        pair += thread_odds(evidence.doubt)
        odds, least = thread_odds(evidence.whole) + numbers["pair"] * pair, numbers["shown"]
    return Decision(chance(odds), odds >= least)


def decide_told(sure: float) -> Decision:
    """What a language model says of lines it named itself, and is so sure of."""
    return Decision(round(sure * rule_numbers()["threads"]["found"], 3), True)


def hopeless(whole: float) -> bool:
    """A thread as a whole that is so little unsure is not made up for by any pair."""
    return whole < rule_numbers()["threads"]["hopeless"]


def thread_odds(probability: float) -> float:
    return log_odds(probability, rule_numbers()["threads"]["certain"])
