"""Who meets whom by words: claims that share telling words, the most telling overlap first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from app.detection.evidence import Meeting
from app.detection.word_relations import weight
from app.reading.frame import Reading, Word
from app.reading.tokens import stem

MOST_NEIGHBOURS = 24
"""How many others a claim is compared with."""
_LEAST_OVERLAP = 0.7
_COMMON = 0.04
"""A word in more than this share of all claims leads nowhere."""
_RARE_WORD_CLAIMS, _COMMON_WORD_CLAIMS = 60, 400
"""A word used by at most the first number of claims is always followed; one used by more than the second
never is, since in a large vault that costs more than it tells."""
_AROUND = 0.5
"""Words of title and heading count half."""
_AS_MUCH = 0.85


class WordIndex:
    """Claims by the stems they use; kept in step claim by claim."""

    def __init__(self) -> None:
        self._weights: dict[str, dict[str, float]] = {}
        self._users: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._known: dict[tuple[str, int], dict[str, float]] = {}
        """What was looked up since the last change."""

    def add(self, id: str, reading: Reading) -> None:
        self.remove(id)
        weights: dict[str, float] = {}
        for words, factor in (((*reading.title, *reading.around), _AROUND), (_said(reading), 1.0)):
            for word in words:
                weights[stem(word.lemma)] = factor * weight(word.lemma)
        self._weights[id] = weights
        self._known.clear()
        for one in weights:
            self._users[one][id] = None

    def remove(self, id: str) -> None:
        self._known.clear()
        for one in self._weights.pop(id, ()):
            self._users[one].pop(id, None)

    def near(self, id: str, most: int = MOST_NEIGHBOURS) -> dict[str, float]:
        """The others with the greatest overlap, and how great it is."""
        known = self._known.get((id, most))
        if known is None:
            known = self._known[id, most] = self._near(id, most)
        return known

    def _near(self, id: str, wanted: int) -> dict[str, float]:
        found: defaultdict[str, float] = defaultdict(float)
        most = min(_COMMON_WORD_CLAIMS, max(_RARE_WORD_CLAIMS, int(_COMMON * len(self._weights))))
        for one, mine in self._weights.get(id, {}).items():
            users = self._users[one]
            if len(users) <= most:
                for other in users:
                    found[other] += min(mine, self._weights[other][one])
        found.pop(id, None)
        best = sorted(((o, other) for other, o in found.items() if o >= _LEAST_OVERLAP), reverse=True)[
            :wanted
        ]
        return {other: overlap for overlap, other in best}


def _said(reading: Reading) -> Iterable[Word]:
    return (word for frame in reading.frames for word in frame.words)


def meetings(
    near: Mapping[str, Mapping[str, float]], wanted: Collection[str]
) -> dict[frozenset[str], Meeting]:
    """The pairs with one of the wanted of which one is near the other, with the place each has among the
    other's nearest."""
    places = {id: {other: n for n, other in enumerate(around)} for id, around in near.items()}
    out: dict[frozenset[str], Meeting] = {}
    for id, around in near.items():
        for other, overlap in around.items():
            both = frozenset((id, other))
            if both in out or (id not in wanted and other not in wanted):
                continue
            a, b = sorted(both)
            crowd = sum(
                o >= _AS_MUCH * overlap for one in both for k, o in near.get(one, {}).items() if k not in both
            )
            out[both] = Meeting(
                overlap,
                places.get(a, {}).get(b, MOST_NEIGHBOURS),
                places.get(b, {}).get(a, MOST_NEIGHBOURS),
                crowd,
            )
    return out
