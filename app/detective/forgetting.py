"""The forgetting curve: which claims of a long story are read again, drawn so that it can be repeated."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from itertools import pairwise

from app.words import Claim

_DAY, _WEEK, _YEAR = 1.0, 7.0, 365.0
# Age in days, and the share of claims of that age that survive; in between it falls linearly.
_CURVE: tuple[tuple[float, float], ...] = ((0.0, 0.40), (_DAY, 0.20), (_WEEK, 0.10), (_YEAR, 0.05))
_PER_CONFLICT = 2.0
_DRAWS = 2**64


def survival(age_days: float | None, conflicts: int = 0) -> float:
    """The share of claims of this age that is read. An undated claim (None) counts as the oldest.

    Every conflict a claim was in doubles its share: contested claims deserve another look.
    """
    return min(1.0, _base(age_days) * _PER_CONFLICT ** min(max(0, conflicts), 64))


def _base(age_days: float | None) -> float:
    if age_days is None:
        return _CURVE[-1][1]
    age = max(0.0, age_days)  # a line dated tomorrow is as fresh as one of today
    for (from_age, from_rate), (to_age, to_rate) in pairwise(_CURVE):
        if age <= to_age:
            return from_rate + (to_rate - from_rate) * (age - from_age) / (to_age - from_age)
    return _CURVE[-1][1]


def draw(claim_id: str) -> float:
    """A number from 0 to 1 that is always the same for a claim.

    A claim's share only falls with age, so a forgotten claim stays forgotten until a conflict brings it back:
    the beginning of a story changes little from one reading to the next.
    """
    digest = hashlib.blake2b(claim_id.encode(), digest_size=8, person=b"forgetting").digest()
    return int.from_bytes(digest, "big") / _DRAWS


def age_days(claim: Claim, today: str) -> float | None:
    """The age of a claim by its own date."""
    said = claim.statement.date
    try:
        return float((date.fromisoformat(today) - date.fromisoformat(said)).days) if said else None
    except ValueError:
        return None


def remembered(
    claims: Iterable[Claim],
    today: str,
    *,
    conflicts: Mapping[str, int] | None = None,
    always: Collection[str] = (),
) -> list[Claim]:
    """The claims that survive, in the order given.

    `conflicts` counts the conflicts each claim has been in. `always` are the claims that triggered the
    reading and those in their slot or thread: an old contradiction of theirs is never forgotten.
    """
    counted, kept = conflicts or {}, frozenset(always)
    return [
        c for c in claims if c.id in kept or draw(c.id) < survival(age_days(c, today), counted.get(c.id, 0))
    ]
