"""The list of stages that every run goes through, in order."""

from __future__ import annotations

from typing import NamedTuple

from app.detection.judge_stage import JudgeStage
from app.detection.model_norms import ModelNorms
from app.detection.norm_stage import NormStage
from app.detection.pair_judge import PairJudge
from app.detection.pairs import PairReader
from app.detection.rule_stages import NormRules, WordPairs
from app.detection.stages import ModelStage, Stage
from app.detective.arcs import Arcs
from app.detective.detective_stage import DetectiveStage
from app.detective.reader import can_read
from app.detective.thread_stage import ThreadStage
from app.models.host import ModelHost
from app.reading.reader import ClaimReader
from app.store.store import Store


class Models(NamedTuple):
    """The models that read besides the rules; None for those that are not available."""

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
        """The names under which their answers are stored; other models have other names."""
        judging, rereading, detecting = self
        return (
            judging.judge if judging is not None else None,
            judging.embedder if judging is not None else None,
            rereading.reader if rereading is not None else None,
            detecting.reader if detecting is not None else None,
        )


class Stages(NamedTuple):
    by_rules: tuple[Stage, ...]
    by_models: tuple[ModelStage, ...]
    """In reading order: norms first, since they decide which claims are near each other."""

    @property
    def all(self) -> tuple[Stage, ...]:
        return *self.by_rules, *self.by_models


def stages(store: Store, models: Models) -> Stages:
    judging, rereading, detecting = models
    norms, arcs = NormRules(), Arcs()
    pairs = judging.pairs if judging is not None else PairReader(ClaimReader(store.caches.readings))
    words = WordPairs(pairs, norms)
    by_models: list[ModelStage] = []
    if rereading is not None:
        by_models.append(ModelNorms(rereading, store))
    if judging is not None:
        by_models.append(PairJudge(judging, store, norms, words))
    if detecting is not None:
        by_models.append(DetectiveStage(detecting, store, arcs))
    return Stages((norms, words, arcs), tuple(by_models))


def rule_stages(pairs: PairReader | None) -> tuple[Stage, ...]:
    """The stages that need no model, for a single look at a few claims; without `pairs`, only those that need
    no parser either."""
    norms = NormRules()
    by_words = (WordPairs(pairs, norms),) if pairs is not None else ()
    return norms, *by_words, Arcs()
