"""Trust that learns: how often the person kept what a source says, damped, by topic. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from app.words import Claim

PRIOR = 2.0
"""As if every source had been kept twice and beaten twice before: one verdict moves it a little."""
TOPIC_PRIOR = 4.0
"""How many verdicts on a topic weigh as much as what the source's other topics say."""
EVEN = 0.5


@dataclass(frozen=True, slots=True)
class Verdict:
    """The person kept one claim against others."""

    seq: int
    topic: str
    winner: tuple[str, ...]
    """Its sources."""
    losers: tuple[tuple[str, ...], ...]


@dataclass(slots=True)
class Tally:
    kept: float = 0.0
    beaten: float = 0.0

    @property
    def score(self) -> float:
        return (self.kept + PRIOR) / (self.kept + self.beaten + 2 * PRIOR)


@dataclass(frozen=True, slots=True)
class Trust:
    """Scores between 0 and 1 of sources, at large and by topic; 0.5 says nothing."""

    sources: Mapping[str, Tally] = field(default_factory=dict)
    topics: Mapping[tuple[str, str], Tally] = field(default_factory=dict)
    """By source and topic."""

    def score(self, source: str, topic: str | None = None) -> float:
        known = self.sources.get(source, Tally())
        own = self.topics.get((source, topic.casefold())) if topic is not None else None
        if own is None:
            return known.score
        # A verdict must not count twice: what is expected is what the other topics say.
        others = Tally(known.kept - own.kept, known.beaten - own.beaten)
        return (own.kept + TOPIC_PRIOR * others.score) / (own.kept + own.beaten + TOPIC_PRIOR)

    def of(self, sources: Iterable[str], topic: str) -> float:
        """What all sources of a claim come to: the mean of their scores."""
        scores = [self.score(source, topic) for source in sources]
        return sum(scores) / len(scores) if scores else EVEN


def sources(claim: Claim, note_tags: Iterable[str] = ()) -> tuple[str, ...]:
    """Where a claim comes from: its note, every folder above, its layer, its tags and its note's."""
    path = PurePosixPath(claim.statement.path)
    folders = [str(folder) for folder in path.parents if str(folder) != "."]
    tags = dict.fromkeys(tag.removeprefix("#") for tag in (*claim.statement.tags, *note_tags))
    return (
        f"note:{path}",
        *(f"folder:{folder}" for folder in folders),
        f"layer:{claim.layer}",
        *(f"tag:{tag}" for tag in tags if tag),
    )


def learn(verdicts: Iterable[Verdict], resets: Mapping[str, int] | None = None) -> Trust:
    """Trust as the verdicts teach it; of a source that was reset only those after that event count.

    One verdict is one win for each source of the winner and one defeat shared by those of the losers, so
    that a source on both sides learns nothing from it.
    """
    since = resets or {}
    at_large: dict[str, Tally] = defaultdict(Tally)
    by_topic: dict[tuple[str, str], Tally] = defaultdict(Tally)
    for verdict in verdicts:
        topic = verdict.topic.casefold()
        gains: dict[str, float] = dict.fromkeys(verdict.winner, 1.0)
        defeats: dict[str, float] = defaultdict(float)
        for loser in verdict.losers:
            for source in dict.fromkeys(loser):
                defeats[source] += 1 / len(verdict.losers)
        for source in dict.fromkeys((*gains, *defeats)):
            if verdict.seq <= since.get(source, 0):
                continue
            for tally in (at_large[source], by_topic[source, topic]):
                tally.kept += gains.get(source, 0.0)
                tally.beaten += defeats.get(source, 0.0)
    return Trust(dict(at_large), dict(by_topic))
