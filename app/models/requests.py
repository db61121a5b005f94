"""What is asked of the models and what comes back: typed, and never an exception."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

Component = Literal["embedder", "judge", "llama"]
COMPONENTS: tuple[Component, ...] = ("embedder", "judge", "llama")

Why = Literal["absent", "broken", "crashed", "memory", "timeout", "cancelled", "closed", "refused"]


class Priority(IntEnum):
    """What the person is looking at goes before everything else."""

    INTERACTIVE = 0
    BACKGROUND = 10


@dataclass(frozen=True, slots=True)
class Failed:
    """No answer; the caller goes on without one."""

    why: Why
    reason: str

    @property
    def lasting(self) -> bool:
        """It lies with what was asked and fails the next time too; anything else may pass."""
        return self.why in ("crashed", "refused")


@dataclass(frozen=True, slots=True)
class Embedded:
    """One vector a text, of length one, as float16 bytes: just as cached, so fresh and cached ones agree."""

    model: str
    width: int
    rows: tuple[bytes | None, ...]
    failures: Mapping[int, Failed] = field(default_factory=dict)
    """Why a row is None."""

    def matrix(self) -> NDArray[numpy.float32]:
        """All rows as float32; a missing one is zeros, which is near to nothing."""
        import numpy

        empty = bytes(2 * self.width)
        data = b"".join(row if row is not None else empty for row in self.rows)
        return numpy.frombuffer(data, numpy.float16).reshape(-1, self.width).astype(numpy.float32)


@dataclass(frozen=True, slots=True)
class Judged:
    """One row of probabilities a pair, in the order of LABELS."""

    model: str
    rows: tuple[tuple[float, ...] | None, ...]
    failures: Mapping[int, Failed] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Completed:
    """What llama.cpp wrote; `whole` is False when it ran into max_tokens."""

    model: str
    text: str
    whole: bool
    tokens: int


@dataclass(frozen=True, slots=True)
class Weighed:
    """How likely each of the choices was to be said next, of everything that could have been."""

    model: str
    odds: tuple[float, ...]
    tokens: int
    fresh: int
    """Tokens that were not held from an earlier prompt."""


@dataclass(frozen=True, slots=True)
class Measured:
    """How long texts are to llama.cpp, in tokens, and how many it can look at together."""

    model: str
    context: int
    tokens: tuple[int, ...]


State = Literal["idle", "loading", "ready", "absent", "failed"]


@dataclass(frozen=True, slots=True)
class Part:
    """How one model stands."""

    state: State
    name: str = ""
    reason: str = ""
    """Why it is absent or failed; for one that is ready, what it had to do without."""
    repair: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """What works, for the status line."""

    process: Literal["off", "running", "restarting", "closed"]
    parts: Mapping[Component, Part]
    deaths: int = 0
    set_aside: int = 0
    last_error: str = ""

    @property
    def in_use(self) -> str:
        """What reads, in a few words: near pairs need embedder and judge, the language model is by itself."""

        def works(name: Component) -> bool:
            return self.parts[name].state not in ("absent", "failed")

        if works("embedder") and works("judge"):
            return "models" if works("llama") else "models, no language model"
        return "rules and language model" if works("llama") else "rules"

    @property
    def notes(self) -> list[str]:
        """What models that work had to do without, for the person."""
        return [f"{name}: {p.reason}" for name, p in self.parts.items() if p.state == "ready" and p.reason]
