"""An exam of threads with known answers, which a model must pass before its opinion on notes counts.

Its answers give two marks. It may report a thread that scores above every coherent one here, and dismiss an
arc that scores below every incoherent one. In between it has no say; a model that cannot tell them apart has
none at all.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from app.detection.judge_input import Said
from app.models.requests import Failed
from app.private_files import write_private

Result = TypeVar("Result")
MIN_RANKED = 0.9
"""How often it must score an incoherent thread above a coherent one (the AUC)."""
MIN_FOUND = 0.5
"""The share of incoherent threads that must score above every coherent one."""
MIN_SURENESS = 0.75
"""A finding of its own needs this, however low the marks are."""


class ThreadModel(Protocol):
    @property
    def reader(self) -> str: ...
    def odds(self, thread: Sequence[Said], stopping: Callable[[], bool]) -> float | Failed | None: ...


class Skill(NamedTuple):
    """What a model may do: find above one mark, dismiss below the other."""

    find: float
    dismiss: float


def _thread(*lines: tuple[str, str, str]) -> tuple[Said, ...]:
    return tuple(Said(text, note, date or None) for note, date, text in lines)


OPEN: tuple[tuple[Said, ...], ...] = (
    _thread(("Website", "2024-02-03", "the shop runs on Shopware"),
            ("Website", "2024-09-12", "switched from Shopware to WooCommerce, old contract cancelled"),
            ("To do", "2025-02-20", "update the plug-ins in Shopware before the sale")),
    _thread(("House", "2024-05-01", "oil tank gets filled every October by Brenner"),
            ("House", "2025-03-11", "heat pump fitted, tank taken out"),
            ("Calendar", "2025-09-28", "Brenner comes on the 9th to fill the tank")),
    _thread(("Team rules", "2025-01-10", "stand-up is at 9:15 every morning"),
            ("Onboarding", "2025-01-30", "be there at 10:00, that is when the stand-up starts")),
    _thread(("Deploys", "2024-03-02", "never deploy on a Friday"),
            ("Runbook", "2024-03-20", "the weekly release goes out on Friday at 14:00")),
    _thread(("Family", "2023-06-18", "Oma lives alone in Lindau"),
            ("2024-11-02", "2024-11-02", "visited Oma in the home, her room mate snores"),
            ("2025-02-09", "2025-02-09", "the nurses at Oma's home want new slippers for her")),
    _thread(("Ledger service", "2023-08-01", "we are on Postgres 13"),
            ("Incident", "2025-01-14", "bug in Postgres 16 hit us again, waiting for 16.4"),
            ("Ops", "2025-03-02", "Postgres 16 vacuum settings tuned")),
    _thread(("Garage", "2025-04-01", "door code is 7714"),
            ("Neighbours", "2025-04-12", "told Ana the code for the garage door, 2290")),
    _thread(("Diet", "2024-01-05", "no coffee at all any more"),
            ("2024-08-19", "2024-08-19", "second espresso as every morning, then work"),
            ("Shopping", "2024-09-01", "1 kg coffee beans, the usual")),
    _thread(("API", "2024-01-10", "clients talk to us over REST"),
            ("API", "2024-06-02", "moved everything to gRPC, REST is gone"),
            ("Mobile", "2024-12-15", "app sends its data to the REST endpoint")),
    _thread(("Kennel", "2025-02-01", "Bruno is fed twice a day"),
            ("Sitter", "2025-02-08", "Bruno gets one meal, in the evening, nothing else")),
)  # fmt: skip
SETTLED: tuple[tuple[Said, ...], ...] = (
    _thread(("Website", "2024-02-03", "the shop runs on Shopware"),
            ("Website", "2024-09-12", "switched from Shopware to WooCommerce, old contract cancelled"),
            ("To do", "2025-02-20", "update the plug-ins in WooCommerce before the sale")),
    _thread(("House", "2024-05-01", "oil tank gets filled every October by Brenner"),
            ("House", "2025-03-11", "heat pump fitted, tank taken out")),
    _thread(("Team rules", "2025-01-10", "stand-up is at 9:15 every morning"),
            ("Team rules", "2025-03-01", "from March the stand-up is at 10:00 instead of 9:15"),
            ("Onboarding", "2025-04-30", "be there at 10:00, that is when the stand-up starts")),
    _thread(("Deploys", "2024-03-02", "never deploy on a Friday"),
            ("Deploys", "2024-03-20", "exception: security fixes may go out on any day")),
    _thread(("Family", "2023-06-18", "Oma lives alone in Lindau"),
            ("2024-11-02", "2024-11-02", "visited Oma in Lindau, she baked")),
    _thread(("Ledger service", "2023-08-01", "prod is on Postgres 13"),
            ("Ledger service", "2023-08-02", "staging is on Postgres 16 already")),
    _thread(("Garage", "2025-04-01", "door code is 7714"),
            ("Bike shed", "2025-04-12", "lock code is 2290")),
    _thread(("Running", "2024-05-04", "10 km in 52:10"), ("Running", "2024-05-11", "10 km in 51:40"),
            ("Running", "2024-05-18", "10 km in 53:05")),
    _thread(("API", "2024-01-10", "clients talk to us over REST"),
            ("Ideas", "2024-06-02", "maybe try gRPC for the mobile app next year")),
    _thread(("Kennel", "2025-02-01", "Bruno is fed twice a day"),
            ("Sitter", "2025-02-08", "Bruno: half a tin in the morning, half a tin at night")),
    _thread(("Rent", "2024-01-01", "rent is 840"),
            ("Rent", "2024-10-01", "rent went up to 870 as of October"),
            ("Bank", "2024-11-02", "870 to the landlord")),
    _thread(("Choir", "2024-09-01", "rehearsal on Tuesdays"),
            ("Choir", "2024-11-20", "Maria thinks Thursdays would be better")),
)  # fmt: skip


def skill_from(open_odds: Sequence[float], settled_odds: Sequence[float]) -> Skill | None:
    """What such answers allow; None if they prove nothing."""
    pairs = [(a > b) + 0.5 * (a == b) for a in open_odds for b in settled_odds]
    if not pairs or sum(pairs) / len(pairs) < MIN_RANKED:
        return None
    find, dismiss = max(settled_odds), min(open_odds)
    if sum(odds > find for odds in open_odds) < MIN_FOUND * len(open_odds):
        return None
    return Skill(max(find, MIN_SURENESS), min(find, dismiss))


def examine(model: ThreadModel, stopping: Callable[[], bool] = lambda: False) -> Skill | Failed | None:
    """Ask everything; None if the model gets no say."""
    answers: list[list[float]] = []
    for threads in (OPEN, SETTLED):
        odds: list[float] = []
        for thread in threads:
            if stopping():
                return Failed("cancelled", "something else came first")
            one = model.odds(thread, stopping)
            if isinstance(one, Failed):
                return one
            if one is None:
                return None
            odds.append(one)
        answers.append(odds)
    return skill_from(*answers)


class Exams:
    """Exam results, one file each: a model takes an exam once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def skill(
        self, model: ThreadModel, stopping: Callable[[], bool] = lambda: False
    ) -> Skill | Failed | None:
        def read(stored: Any) -> Skill | None:
            return None if stored is None else Skill(*map(float, stored))

        return self.result_of(model.reader, read, lambda: examine(model, stopping))

    def result_of(
        self, reader: str, read: Callable[[Any], Result], sit: Callable[[], Result | Failed]
    ) -> Result | Failed:
        """The result of this reader's exam, which is taken now if it never was."""
        path = self._folder / f"{hashlib.blake2b(reader.encode(), digest_size=8).hexdigest()}.json"
        with contextlib.suppress(OSError, ValueError, TypeError):
            return read(json.loads(path.read_bytes()))
        result = sit()
        if not isinstance(result, Failed):
            with contextlib.suppress(OSError):
                write_private(path, json.dumps(result).encode())
        return result
