"""Contradictions to decide, made in memory."""

from __future__ import annotations

from typing import Any

from app.strategies.api import Contradiction, Member
from app.words import TRUST, Layer


def member(claim: str, date: str | None = None, layer: Layer = "memory", **fields: Any) -> Member:
    given = {"text": f"Code {claim}.", "note": "Doors", "path": "Home/Doors.md", "line": 1, **fields}
    return Member(claim, date=date, layer=layer, trust=TRUST[layer], **given)


def contradiction(*members: Member, topic: str = "door code") -> Contradiction:
    ordered = tuple(sorted(members, key=lambda one: one.date or ""))
    return Contradiction("c-00000001", "disagreement", topic, "", "warn", "Is it?", 0.9, ordered)
