"""Does the latest statement settle the question? The one test every arc has to fail before it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Station:
    """One statement of a story, as far as one question is concerned."""

    date: str | None
    side: str
    """What it says the answer is."""
    in_words: bool = False
    """It says itself that something changed, ended, was corrected or came back."""


def settled(stations: Iterable[Station]) -> bool:
    """Would a reader today know the answer?

    Yes where all say the same; where the newest says in words that it replaces what was before; and where the
    newest agrees with the last that said so. A newer date alone settles nothing, and an undated statement is
    never the newest.
    """
    told = list(stations)
    if len({one.side for one in told}) <= 1:
        return True
    dated = [one for one in told if one.date]
    if not dated:
        return False
    last = max(one.date or "" for one in dated)
    newest = [one for one in dated if one.date == last]
    if len({one.side for one in newest}) > 1:
        spoken = {one.side for one in newest if one.in_words}
        return len(spoken) == 1  # on one day, who speaks of a change speaks last
    side = newest[0].side
    if any(one.in_words for one in newest):
        return True
    words = [one for one in dated if one.in_words]
    if not words:
        return False
    turn = max(words, key=lambda one: one.date or "")
    same_day = {one.side for one in words if one.date == turn.date}
    return same_day == {side}
