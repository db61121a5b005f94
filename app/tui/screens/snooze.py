"""Until when a conflict is snoozed: one of the usual spans, a day that is typed, or until it changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from app.store.changes import UNTIL_CHANGE
from app.tui.clock import day_in_words
from app.tui.days import day_from
from app.tui.screens.picker import Pick, Picker

_SPANS = (("tomorrow", "tomorrow"), ("in a week", "1w"), ("in two weeks", "2w"), ("in a month", "1m"),
          ("in three months", "3m"))  # fmt: skip


class Snooze(Picker[str]):
    """Answers with the day, as ISO."""

    def __init__(self, today: date) -> None:
        self._today = today
        spans = [(words, day_from(typed, today, ahead=True)) for words, typed in _SPANS]
        picks = [Pick(day, words, aside=day_in_words(day)) for words, day in spans if day]
        picks.append(Pick(UNTIL_CHANGE, "until one of its lines changes"))
        super().__init__("Snooze until", "or type a day: friday, 12 July, 3 weeks", picks)

    def typed(self, text: str) -> Sequence[Pick[str]]:
        day = day_from(text, self._today, ahead=True)
        if day is None or day <= self._today.isoformat():
            return ()
        return (Pick(day, f"on {day_in_words(day)}"),)
