"""Which member of a conflict to keep when none is named: the newest, or the most trusted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from app.words import Claim

_Value = TypeVar("_Value", str, int)
_Item = TypeVar("_Item")


def newest(claims: Sequence[Claim]) -> Claim | None:
    """The one that alone has the latest date; an undated one is not newer."""
    return alone(claims, [claim.statement.date or "" for claim in claims], "")


def most_trusted(claims: Sequence[Claim]) -> Claim | None:
    """The one that alone has the highest trust."""
    return alone(claims, [claim.trust for claim in claims], 0)


def alone(items: Sequence[_Item], values: list[_Value], least: _Value) -> _Item | None:
    """The item that alone has the highest value above the least."""
    best = max(values, default=least)
    return items[values.index(best)] if best != least and values.count(best) == 1 else None
