"""What capture speaks in: what is wanted, what the guard said, what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from app.models.requests import Failed
from app.words import Both, Claim, Conflict, Finding, Tier

Verb = Literal["remember", "learn", "ingest", "supersede"]


class CaptureError(Exception):
    """A statement that cannot be taken, or an inbox that cannot be written; the message is for the person."""


class InboxChanged(Exception):
    """Somebody else wrote the inbox since it was read."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One statement to be captured."""

    verb: Verb
    text: str
    source: str | None = None
    """Where something learned was found out."""
    replaces: str | None = None
    """The claim it supersedes."""
    also: tuple[str, ...] = ()
    """Further claims it supersedes."""
    reason: str = ""
    """Why it supersedes them."""
    exception: str | None = None
    """Why it is stored although the guard says no."""

    @property
    def superseded(self) -> tuple[str, ...]:
        """All that it supersedes, each once."""
        return tuple(dict.fromkeys((self.replaces, *self.also))) if self.replaces is not None else ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the guard said about the statement before it was stored."""

    tier: Tier = "clean"
    findings: tuple[Finding, ...] = ()
    against: tuple[Claim, ...] = ()
    """The claims already held that it disagrees with."""

    @property
    def contradicting(self) -> set[Both]:
        """Pairs whose norms contradict each other."""
        return {
            frozenset(finding.members)
            for finding in self.findings
            if any(reason.stage == "structural" for reason in finding.reasons)
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of it."""

    status: Literal["stored", "known", "blocked"]
    claims: tuple[Claim, ...]
    """The claims it is or (blocked) would be."""
    verdict: Verdict = field(default_factory=Verdict)
    event: int | None = None
    """The ledger's event; None where nothing was written."""
    superseded: tuple[str, ...] = ()
    """The claims it took the place of."""
    canon: tuple[Conflict, ...] = ()
    """Open conflicts with a claim of a canon note that was just written."""
    failed: Failed | None = None
    """Why the judge was not heard; what the rules see was told all the same."""
