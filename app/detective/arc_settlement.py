"""Does the latest statement settle the question? An arc is shown only if this test fails."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Station:
    """One statement of a story with regard to one question."""

    date: str | None
    side: str
    """Its answer."""
    in_words: bool = False
    """It says explicitly that something changed, ended, was corrected or came back."""


def settled(stations: Iterable[Station]) -> bool:
    """Would a reader today know the answer?

    Yes if all say the same, if the newest says in words that it replaces what was before, or if the newest
    agrees with the last one that did. A newer date alone settles nothing, and an undated statement is
    never the newest.
    """
    said = list(stations)
    if len({one.side for one in said}) <= 1:
        return True
    dated = [one for one in said if one.date]
    if not dated:
        return False
    last = max(one.date or "" for one in dated)
    newest = [one for one in dated if one.date == last]
    if len({one.side for one in newest}) > 1:
        spoken = {one.side for one in newest if one.in_words}
        return len(spoken) == 1  # on the same day, a statement about a change comes last
    side = newest[0].side
    if any(one.in_words for one in newest):
        return True
    words = [one for one in dated if one.in_words]
    if not words:
        return False
    turn = max(words, key=lambda one: one.date or "")
    same_day = {one.side for one in words if one.date == turn.date}
    return same_day == {side}
