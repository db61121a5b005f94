"""Gathering touched paths into batches: one for a save however many steps it takes, one for a flood."""

from __future__ import annotations


class Batch:
    """Paths waiting for quiet; the clock is passed in."""

    def __init__(self, quiet: float, longest: float = 1.0, flood: int = 500) -> None:
        self._quiet = quiet
        self._longest = longest
        self._flood = flood
        self._paths: set[str] = set()
        self._everything = False
        self._due: float | None = None
        self._latest = 0.0

    @property
    def due(self) -> float | None:
        """When the batch is to be taken, as things stand; None while it is empty."""
        return self._due

    def add(self, path: str | None, now: float) -> None:
        """Add a touched path, or None for "look at everything"."""
        if self._due is None:
            self._latest = now + max(self._longest, self._quiet)
        self._due = min(now + self._quiet, self._latest)
        if path is None or len(self._paths) >= self._flood:
            self._everything = True
            self._paths.clear()
        elif not self._everything:
            self._paths.add(path)

    def take(self) -> frozenset[str] | None:
        """What was touched, None for everything; the batch is empty afterwards."""
        paths = None if self._everything else frozenset(self._paths)
        self._paths.clear()
        self._everything = False
        self._due = None
        return paths
