"""When Python looks for garbage: while the keys rest, not under one of them."""

from __future__ import annotations

import gc
from time import monotonic

from textual.app import App

LOOK_SECONDS = 2.0
REST_SECONDS = 1.0
"""So long no key came: there is a moment."""
_SEARCHES_AT_REST = 8
"""Smaller searches since the last whole one, before another is worth it."""
_MOST_SEARCHES = 400
"""With so many it is time, keys or no keys."""


class GarbageTidier:
    """A whole search goes through every object there is and takes longer than painting a screen. Python would
    make it whenever enough objects were made, which is when a person pages through a story."""

    def __init__(self) -> None:
        self._pressed_at = 0.0
        self._thresholds: tuple[int, int, int] | None = None

    def begin(self, app: App) -> None:
        """What the start made stays to the end and is not looked through again."""
        gc.freeze()
        gc.enable()
        self._thresholds = small, middle, _ = gc.get_threshold()
        gc.set_threshold(small, middle, 100_000)
        app.set_interval(LOOK_SECONDS, self.tidy)

    def key_pressed(self) -> None:
        self._pressed_at = monotonic()

    def tidy(self) -> bool:
        """Look for garbage if this is the moment; says whether it was."""
        waiting = gc.get_count()[2]
        resting = monotonic() - self._pressed_at > REST_SECONDS
        if waiting > _MOST_SEARCHES or (resting and waiting > _SEARCHES_AT_REST):
            gc.collect()
            return True
        return False

    def end(self) -> None:
        """Leave Python as it was."""
        if self._thresholds is not None:
            gc.set_threshold(*self._thresholds)
            gc.unfreeze()
