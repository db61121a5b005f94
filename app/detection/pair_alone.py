"""Two statements as a vault of two notes: the same reading, evidence and decision as in any vault."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.detection.claim_index import ClaimIndex
from app.detection.evidence import Meeting
from app.detection.judge import Opinions
from app.detection.norm_findings import findings
from app.detection.pairs import FARTHEST, PairReader, Weighed, nearer
from app.reading.frame import Reading
from app.reading.reader import ClaimReader
from app.words import Claim, Opinion

Pair = tuple[Claim, Claim]


class _AlreadyRead(ClaimReader):
    """Hands out what was read for all pairs at once."""

    def __init__(self, readings: dict[str, Reading]) -> None:
        super().__init__()
        self._readings = readings

    def read(self, claims: Iterable[Claim]) -> dict[str, Reading]:
        return {claim.id: self._readings[claim.id] for claim in claims if claim.id in self._readings}


def weigh_pairs(
    pairs: Sequence[Pair], cosines: Sequence[float | None], opinions: Opinions
) -> list[Weighed | None]:
    """What the evidence makes of each pair by itself; None where a statement says nothing comparable."""
    readings = ClaimReader().read(claim for pair in pairs for claim in pair)
    return [
        _weighed(pair, _AlreadyRead(readings), cosine, opinion, opinions.judge)
        for pair, cosine, opinion in zip(pairs, cosines, opinions.of_pairs, strict=True)
    ]


def _weighed(
    pair: Pair, reader: ClaimReader, cosine: float | None, opinion: Opinion | None, judge: str
) -> Weighed | None:
    claims = {claim.id: claim for claim in pair}
    both = frozenset(claims)
    reader_of_two = PairReader(reader)
    reader_of_two.follow(claims)
    by_words = reader_of_two.met().get(both)
    if cosine is not None:
        meeting = nearer(by_words, cosine, 0, 0)
    else:
        meeting = by_words or Meeting(rank_a=FARTHEST, rank_b=FARTHEST)
    contradicting = {both} if findings(ClaimIndex(pair)) else set()
    known = {both: opinion} if opinion is not None else None
    weighed = reader_of_two.weigh({both: meeting}, contradicting, known, judge)
    return weighed[0] if weighed else None
