"""Conflicts over time, week by week, from what the store knows of each; pure but for the reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median
from typing import TYPE_CHECKING, get_args

from app.words import Conflict, Kind, Layer

if TYPE_CHECKING:
    from app.store.store import Store

LEAST_WEEKS, MOST_WEEKS = 8, 26
_CONTESTED = 12
KINDS: tuple[Kind, ...] = get_args(Kind)
LAYERS: tuple[Layer, ...] = get_args(Layer)


@dataclass(frozen=True, slots=True)
class Trends:
    """Every series has a value for each week; a week is named by its Monday."""

    weeks: tuple[date, ...]
    found: tuple[int, ...]
    settled: tuple[int, ...]
    open_by_kind: dict[Kind, tuple[int, ...]]
    """How many were open at the end of the week."""
    median_age: tuple[float, ...]
    """Days since those open at the end of the week were found; 0 where none was."""
    layers: dict[Layer, int]
    contested: tuple[tuple[str, int], ...]
    """Notes by how many conflicts they were ever in, the most first."""
    conflicts: int


def read_trends(store: Store, today: date) -> Trends:
    conflicts = store.conflicts.all()
    members = {member for conflict in conflicts for member in conflict.members}
    claims = store.claims.all(ids=members) if members else []
    paths = {claim.id: claim.statement.path for claim in claims}
    active = {claim.id for claim in claims if claim.status == "active"}
    layers = dict(store.story.facets().layers)
    # What Belie withdrew by itself was never a conflict to speak of: its notes say all of it as before.
    held = [c for c in conflicts if c.resolution != "edited" or not active.issuperset(c.members)]
    return trends(held, paths, {layer: layers.get(layer, 0) for layer in LAYERS}, today)


def trends(
    conflicts: Sequence[Conflict], paths: dict[str, str], layers: dict[Layer, int], today: date
) -> Trends:
    spans = [(c.kind, _day(c.detected_at) or today, _day(c.resolved_at)) for c in conflicts]
    weeks = _weeks(min((found for _, found, _ in spans), default=today), today)
    ends = [min(week + timedelta(days=6), today) for week in weeks]
    ages = [[(end - found).days for _, found, done in spans if _open(found, done, end)] for end in ends]
    contested = Counter(
        path for conflict in conflicts for path in {paths[m] for m in conflict.members if m in paths}
    )
    return Trends(
        weeks,
        found=tuple(sum(_monday(found) == week for _, found, _ in spans) for week in weeks),
        settled=tuple(
            sum(done is not None and _monday(done) == week for *_, done in spans) for week in weeks
        ),
        open_by_kind={
            kind: tuple(sum(k == kind and _open(f, d, end) for k, f, d in spans) for end in ends)
            for kind in KINDS
        },
        median_age=tuple(float(median(days)) if days else 0.0 for days in ages),
        layers=layers,
        contested=tuple(sorted(contested.items(), key=lambda item: (-item[1], item[0]))[:_CONTESTED]),
        conflicts=len(conflicts),
    )


def _weeks(first: date, today: date) -> tuple[date, ...]:
    """Up to this week: since the first conflict, but neither too few to see nor too many to tell apart."""
    last = _monday(today)
    count = (last - _monday(first)).days // 7 + 1
    count = max(LEAST_WEEKS, min(count, MOST_WEEKS))
    return tuple(last - timedelta(weeks=back) for back in range(count - 1, -1, -1))


def _open(found: date, done: date | None, day: date) -> bool:
    return found <= day and (done is None or done > day)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _day(at: str | None) -> date | None:
    return date.fromisoformat(at[:10]) if at else None
