"""Conflicts of a vault held against its gold: found, raised for nothing, missed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from app.words import Claim

Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Gold:
    """What a labelled vault says of itself, as places in its notes."""

    conflicts: Mapping[str, frozenset[Place]]
    kinds: Mapping[str, str]
    traps: Mapping[str, frozenset[Place]]
    """Pairs that look like a conflict and are none."""


@dataclass(slots=True)
class Score:
    found: set[str] = field(default_factory=set)
    false: list[tuple[str, ...]] = field(default_factory=list)
    traps: set[str] = field(default_factory=set)
    missed: set[str] = field(default_factory=set)

    @property
    def precision(self) -> float:
        raised = len(self.found) + len(self.false)
        return len(self.found) / raised if raised else 1.0

    @property
    def recall(self) -> float:
        return len(self.found) / max(1, len(self.found) + len(self.missed))

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if self.found else 0.0

    def line(self) -> str:
        return (
            f"P {self.precision:.2f}  R {self.recall:.2f}  F1 {self.f1:.2f}  found {len(self.found)}"
            f"  false {len(self.false)}  look-alikes {len(self.traps)}"
        )


def gold_of(vault: Path) -> Gold:
    stored = yaml.safe_load((vault / "gold.yaml").read_text(encoding="utf-8"))
    lines: dict[str, list[str]] = {}

    def places(members: Sequence[Mapping[str, Any]]) -> frozenset[Place]:
        found: set[Place] = set()
        for member in members:
            path = member["note"]
            if path not in lines:
                lines[path] = (vault / path).read_text(encoding="utf-8").split("\n")
            at = next((n for n, line in enumerate(lines[path], 1) if member["quote"] in line), None)
            if at is None:
                raise SystemExit(f"{vault}: no line holds {member['quote']!r}")
            found.add((path, at))
        return frozenset(found)

    return Gold(
        {str(g["id"]): places(g["members"]) for g in stored["conflicts"]},
        {str(g["id"]): g["kind"] for g in stored["conflicts"]},
        {str(g["id"]): places(g["members"]) for g in stored["must_not_flag"]},
    )


def touched(where: frozenset[Place], claim: Claim) -> frozenset[Place]:
    s = claim.statement
    return frozenset((path, n) for path, n in where if path == s.path and s.line <= n <= s.end_line)


def both_sides(where: frozenset[Place], a: Claim, b: Claim) -> bool:
    """Do the two claims stand on two different lines of one gold?"""
    left, right = touched(where, a), touched(where, b)
    return bool(left and right) and left != right


def score(gold: Gold, conflicts: Iterable[tuple[str, ...]], claims: Mapping[str, Claim]) -> Score:
    """A conflict finds a gold when it covers two of its members and half of it belongs there."""
    made = Score()
    for members in conflicts:
        held = [claims[m] for m in members]
        best, most = None, 1
        for id, where in gold.conflicts.items():
            covered = {place for c in held for place in touched(where, c)}
            belonging = sum(bool(touched(where, c)) for c in held)
            if len(covered) > most and belonging >= 2 and belonging * 2 >= len(held):
                best, most = id, len(covered)
        if best is None or best in made.found:
            made.false.append(members)
            if best is None:
                made.traps |= {
                    id
                    for id, where in gold.traps.items()
                    if len({place for c in held for place in touched(where, c)}) >= 2
                }
        else:
            made.found.add(best)
    made.missed = set(gold.conflicts) - made.found
    return made
