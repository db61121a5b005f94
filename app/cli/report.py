"""What a check found, as the JSON of the contract and as a page for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from app.conflicts.title import ROOMY, conflict_title
from app.detection.compare_norms import compare
from app.detection.norm_entry import entries
from app.detection.tier import shown_as
from app.plain import shown
from app.store.rows import Counts
from app.store.store import Store
from app.words import Claim, Conflict, Reason

GLYPH = {"state": "◆", "entity": "◇", "memory": "·"}
_CONTRADICTS = frozenset({"contradiction", "contradiction (value)"})
_COLOUR = {"disagreement": "red", "reversal": "magenta", "stale": "yellow"}


def conflict_json(conflict: Conflict, claims: Mapping[str, Claim]) -> dict[str, Any]:
    against = conflicts_with(conflict, claims)
    return {
        "id": conflict.id,
        "kind": conflict.kind,
        "status": conflict.status,
        "tier": conflict.tier,
        "confidence": round(conflict.confidence, 3),
        "question": conflict.question,
        "found_by": list(conflict.found_by),
        "slot": {"subject": conflict.slot.subject},
        "members": [
            {**member_json(claims[m]), "conflicts_with": list(against.get(m, ()))} for m in conflict.members
        ],
        "reasons": [reason_json(r) for r in conflict.reasons],
    }


def reason_json(reason: Reason) -> dict[str, str]:
    return {
        "stage": reason.stage,
        "verdict": reason.verdict,
        "confidence": reason.confidence,
        "detail": reason.detail,
    }


def member_json(claim: Claim) -> dict[str, Any]:
    s = claim.statement
    return {
        "claim": claim.id,
        "path": s.path,
        "line": s.line,
        "end_line": s.end_line,
        "quote": s.quote,
        "date": s.date,
        "layer": claim.layer,
        "trust": claim.trust,
    }


def conflicts_with(conflict: Conflict, claims: Mapping[str, Claim]) -> dict[str, tuple[str, ...]]:
    """For members of an open conflict those that it stands against and that are trusted more, so that they
    are taken to be right until somebody decides."""
    if conflict.status != "open":
        return {}
    outcomes = {
        (a, b): {compare(x, y).outcome for x in entries(claims[a]) for y in entries(claims[b])}
        for a in conflict.members
        for b in conflict.members
        if claims[a].trust < claims[b].trust
    }
    seen = {pair for pair, said in outcomes.items() if said & _CONTRADICTS}
    if not seen:  # something else than the rules found it, and all but those who plainly agree are against
        seen = {pair for pair, said in outcomes.items() if "consistent" not in said}
    found: dict[str, tuple[str, ...]] = {}
    for a, b in outcomes:
        if (a, b) in seen:
            found[a] = (*found.get(a, ()), b)
    return found


def members(store: Store, conflicts: Sequence[Conflict]) -> dict[str, Claim]:
    """The claims of these conflicts, by id."""
    ids = {m for c in conflicts for m in c.members}
    return {claim.id: claim for claim in store.claims.all(ids=ids)} if ids else {}


def report_json(
    vault: str, today: str, conflicts: Sequence[Conflict], claims: dict[str, Claim], stats: dict[str, Any]
) -> dict[str, Any]:
    return {
        "schema": 1,
        "vault": vault,
        "today": today,
        "conflicts": [conflict_json(c, claims) for c in conflicts],
        "stats": stats,
    }


def print_report(
    console: Console,
    name: str,
    conflicts: Sequence[Conflict],
    claims: dict[str, Claim],
    counts: Counts,
    unreadable: int = 0,
) -> None:
    head = Text.assemble(
        ("Belie", "bold"),
        "  ",
        (shown(name), "bold cyan"),
        f"  {counts.notes:,} notes, {counts.claims:,} claims  ",
    )
    head.append(
        f"{len(conflicts)} open" if conflicts else "coherent", style="bold red" if conflicts else "bold green"
    )
    console.print(head, soft_wrap=False)
    if unreadable:
        console.print(
            Text(f"{unreadable:,} could not be read; belie doctor tells which and why.", style="yellow")
        )
    if not conflicts:
        console.print(Text("Nothing in these notes contradicts itself."))
    for number, conflict in enumerate(conflicts, 1):
        console.print()
        print_conflict(console, number, conflict, claims)


def print_claim(console: Console, claim: Claim) -> None:
    """A claim in one line: what it is called, where it stands, what it says."""
    place = f"{shown(claim.statement.path)}:{claim.statement.line}"
    line = Text.assemble((f"  {claim.id}  ", "dim"), (f"{place}  ", "cyan"), shown(claim.statement.text))
    console.print(line, no_wrap=True, overflow="ellipsis")


def _said(claim: Claim) -> str:
    return "(redacted)" if claim.status == "redacted" else shown(claim.statement.text)


def print_conflict(
    console: Console,
    number: int,
    conflict: Conflict,
    claims: dict[str, Claim],
    *,
    ids: bool = False,
    reasons: bool = False,
) -> None:
    """A conflict and its members; with `ids` what a person may name, with `reasons` all that was said."""
    title = Text.assemble(
        (f"{number:>3}  ", "dim"),
        (f"{conflict.kind:<13}", _COLOUR[conflict.kind]),
        (conflict_title(conflict, [claims[m] for m in conflict.members], max(ROOMY, console.width)), "bold"),
    )
    title.append(f"  {conflict.id}", style="dim")
    console.print(title)
    places = [f"{claims[m].statement.path}:{claims[m].statement.line}" for m in conflict.members]
    width = min(max(map(len, places), default=0), max(20, console.width // 3))
    against = conflicts_with(conflict, claims) if reasons else {}
    for place, member in zip(places, conflict.members, strict=True):
        claim = claims[member]
        line = Text("     ")
        if ids:
            line.append(f"{claim.id}  ", style="bold" if claim.id == conflict.winner else "dim")
        line.append(f"{GLYPH[claim.layer]} ", style="blue")
        line.append(f"{clip(shown(place), width):<{width}}  ", style="cyan")
        line.append(f"{claim.statement.date or 'undated':<11}", style="dim")
        line.append(clip(_said(claim), max(20, console.width - line.cell_len - 1)))
        console.print(line, no_wrap=True, overflow="ellipsis")
        if member in against:
            console.print(
                Text(f"               against {' and '.join(against[member])}, trusted more", style="yellow")
            )
    if reasons:
        for reason in (*conflict.reasons, shown_as(conflict)):
            told = f"       {reason.stage}: {reason.verdict} ({reason.confidence}) {shown(reason.detail)}"
            console.print(Text(told, style="dim italic"))
        return
    for reason in conflict.reasons:
        if reason.stage in ("structural", "arc", "aligned", "judge"):
            console.print(
                Text(f"       {shown(reason.detail)}", style="dim italic"), no_wrap=True, overflow="ellipsis"
            )
            break


def clip(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
