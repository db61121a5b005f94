"""What a person's own resolver is given, and what it may answer; docs/strategies.md is about these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Strategy = Literal["manual", "last_write_wins", "highest_trust", "custom"]
Fallback = Literal["manual", "last_write_wins", "highest_trust"]
"""What a resolver can hand a conflict on to; not to itself."""
FALLBACKS: tuple[Fallback, ...] = ("manual", "last_write_wins", "highest_trust")

ACCEPT_NEW = "accept_new"
KEEP_EXISTING = "keep_existing"


@dataclass(frozen=True, slots=True)
class Member:
    """One of the claims that contradict each other."""

    claim: str
    text: str
    note: str
    """The note's title."""
    path: str
    """Relative to the vault, with slashes."""
    line: int
    date: str | None
    """ISO day, or None: undated counts as older than any date."""
    layer: Literal["memory", "entity", "state"]
    trust: int
    """That of its layer: 1, 2 or 3."""
    learned: float = 0.5
    """What your verdicts say of its sources on this topic, from 0 to 1; 0.5 where they say nothing."""
    tags: tuple[str, ...] = ()
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Contradiction:
    """An open conflict; members oldest first, the undated before the dated."""

    id: str
    kind: Literal["disagreement", "reversal", "stale"]
    topic: str
    project: str
    tier: str
    question: str
    confidence: float
    members: tuple[Member, ...]

    @property
    def existing(self) -> Member:
        """The oldest member."""
        return self.members[0]

    @property
    def new(self) -> Member:
        """The newest member."""
        return self.members[-1]


@dataclass(frozen=True, slots=True)
class ResolveContext:
    """What holds besides the conflict itself."""

    vault: str
    """The vault's folder."""
    folder: str | None = None
    """The glob of the rule that led here; None for one that holds for the whole vault."""
    apply: bool = False
    """Whether the answer is acted upon at once; else it is a proposal."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The rule's own `options`, as the configuration has them."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """An answer; make one with the methods below."""

    kind: Literal["keep", "escalate", "fallback"]
    claim: str | None = None
    strategy: Fallback | None = None
    why: str = ""

    @classmethod
    def keep_existing(cls, contradiction: Contradiction, why: str = "") -> Resolution:
        """The oldest member stands."""
        return cls("keep", contradiction.existing.claim, why=why)

    @classmethod
    def accept_new(cls, contradiction: Contradiction, why: str = "") -> Resolution:
        """The newest member stands."""
        return cls("keep", contradiction.new.claim, why=why)

    @classmethod
    def keep(cls, member: Member | str, why: str = "") -> Resolution:
        """This member stands; for conflicts of more than two."""
        return cls("keep", member if isinstance(member, str) else member.claim, why=why)

    @classmethod
    def escalate(cls, contradiction: Contradiction | None = None, why: str = "") -> Resolution:
        """The person decides."""
        return cls("escalate", why=why)

    @classmethod
    def fallback_to(cls, strategy: Fallback, why: str = "") -> Resolution:
        """Let another strategy decide."""
        return cls("fallback", strategy=strategy, why=why)


class Unusable(ValueError):
    """An answer that is none, in words for the person."""


def answer(returned: object, contradiction: Contradiction) -> Resolution:
    """What a resolver or callback returned, as a resolution of this contradiction."""
    if returned == ACCEPT_NEW:
        return Resolution.accept_new(contradiction)
    if returned == KEEP_EXISTING:
        return Resolution.keep_existing(contradiction)
    if not isinstance(returned, Resolution):
        raise Unusable(f"it returned {type(returned).__name__}, not a Resolution")
    if returned.kind == "keep" and returned.claim not in {m.claim for m in contradiction.members}:
        raise Unusable(f"it would keep {returned.claim}, which is no member")
    if returned.kind == "fallback" and returned.strategy not in FALLBACKS:
        raise Unusable(f"it falls back to {returned.strategy}; possible are {', '.join(FALLBACKS)}")
    return returned


def to_json(contradiction: Contradiction, context: ResolveContext) -> dict[str, Any]:
    return {"contradiction": asdict(contradiction), "context": asdict(context)}


def from_json(told: Mapping[str, Any]) -> tuple[Contradiction, ResolveContext]:
    given = dict(told["contradiction"])
    members = tuple(Member(**{**m, "tags": tuple(m["tags"])}) for m in given.pop("members"))
    return Contradiction(**given, members=members), ResolveContext(**told["context"])
