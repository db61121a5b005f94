"""What is otherwise in a fork: conflicts and claims whose state is not the present one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from app.conflicts.title import conflict_title
from app.store.changes import UNTIL_CHANGE
from app.words import Claim, Conflict


@dataclass(frozen=True, slots=True)
class Difference:
    """One conflict or claim; None where the one side does not know it."""

    kind: Literal["conflict", "claim"]
    id: str
    text: str
    """The title, or what the claim says."""
    fork: str | None
    present: str | None
    question: str = ""


def differences(
    fork: tuple[Iterable[Conflict], Iterable[Claim]], present: tuple[Iterable[Conflict], Iterable[Claim]]
) -> list[Difference]:
    """Conflicts first, then claims, each by id; what is the same on both sides is left out. Pure."""
    ours, theirs = {c.id: c for c in fork[0]}, {c.id: c for c in present[0]}
    claims, others = {c.id: c for c in fork[1]}, {c.id: c for c in present[1]}
    found = []
    for id in sorted(ours.keys() | theirs.keys()):
        one = theirs.get(id) or ours[id]
        members = [known for member in one.members if (known := others.get(member) or claims.get(member))]
        named = conflict_title(one, members)
        found.append(Difference("conflict", id, named, _of(ours.get(id)), _of(theirs.get(id)), one.question))
    found += [
        Difference(
            "claim", id, (others.get(id) or claims[id]).statement.text,
            _status(claims.get(id)), _status(others.get(id)),
        )
        for id in sorted(claims.keys() | others.keys())
    ]  # fmt: skip
    return [one for one in found if one.fork != one.present]


def _of(conflict: Conflict | None) -> str | None:
    if conflict is None:
        return None
    if conflict.status == "open":
        if conflict.snoozed_until is None:
            return "open"
        until = "it changes" if conflict.snoozed_until == UNTIL_CHANGE else conflict.snoozed_until[:10]
        return f"put off until {until}"
    winner = f", for {conflict.winner}" if conflict.winner else ""
    return f"{conflict.status}: {conflict.resolution}{winner}"


def _status(claim: Claim | None) -> str | None:
    if claim is None:
        return None
    return f"{claim.status} by {claim.superseded_by}" if claim.status == "superseded" else claim.status
