"""Which member to propose: the one that date and trust both speak for; nothing where they disagree."""

from __future__ import annotations

from typing import NamedTuple


class Suggestion(NamedTuple):
    """A member by its number, and why."""

    number: int
    why: str


def suggestion(newest: int | None, most_trusted: int | None) -> Suggestion | None:
    """A proposal only: it is marked before the person decides and never taken by itself."""
    if newest is not None and newest == most_trusted:
        return Suggestion(newest, "newest and most trusted")
    if newest is not None and most_trusted is None:
        return Suggestion(newest, "newest")
    if most_trusted is not None and newest is None:
        return Suggestion(most_trusted, "most trusted")
    return None
