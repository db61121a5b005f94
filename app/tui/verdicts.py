"""What the guard says about a statement that is being captured, as words on the screen."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from app.capture.outcomes import Outcome, Verdict
from app.plain import shown
from app.tui.trace import trace
from app.tui.wording import LAYER_WORD
from app.words import Claim, Finding

_MOST_CLAIMS = 4
"""More claims than this are counted, not shown."""
_LONGEST_TEXT = 240


def verdict_words(outcome: Outcome) -> Content:
    """The verdict in a sentence; its colour is repeated by a sign, for those who see none."""
    if outcome.status == "known":
        return Content.styled("✓ Held already, in these words.", "$success")
    match outcome.verdict.tier:
        case "clean":
            return Content.styled("✓ Nothing you hold stands against it.", "bold $success")
        case "warn":
            return Content.styled("⚠ It can be stored; you will be asked about this:", "bold $warning")
        case "block":
            return Content.styled("✗ It contradicts what you hold:", "bold $error")


def read_as(claims: Sequence[Claim]) -> Content:
    """How the rules read it, so that a misreading is seen at once."""
    said = []
    for claim in claims[:_MOST_CLAIMS]:
        norm = next((n for n in claim.norms if n.subject), None)
        if norm is not None and norm.value:
            how = ":" if norm.modality == "is" else " " + norm.modality.replace("_", " ")
            said.append(f"{norm.subject}{how} {norm.value}")
    return Content.styled("read as: " + shown(_cut("; ".join(said))), "$muted") if said else Content("")


def against(verdict: Verdict) -> Content:
    """The claims it stands against, each with its place and why."""
    reasons = {member: finding for finding in reversed(verdict.findings) for member in finding.members}
    parts = [
        claim_words(claim, number, reasons.get(claim.id))
        for number, claim in enumerate(verdict.against[:_MOST_CLAIMS], start=1)
    ]
    more = len(verdict.against) - _MOST_CLAIMS
    if more > 0:
        parts.append(Content.styled(f"and {more:,} more", "$muted"))
    return Content("\n").join(parts)


def claim_words(
    claim: Claim, number: int, finding: Finding | None = None, *, marked: bool = False
) -> Content:
    s = claim.statement
    place = f"{s.path}:{s.line}  ·  {s.date or 'undated'}  ·  {LAYER_WORD[claim.layer]}"
    lines = [
        Content.assemble(
            (f" {number} ", "bold reverse" if marked else "bold $primary"), " ", shown(_cut(s.text))
        ),
        Content.styled(f"    {shown(place)}", "$muted"),
    ]
    steps = trace(finding) if finding is not None else []
    lines += [Content.styled(f"    {_cut(step.found)}", "$accent") for step in steps[:2]]
    return Content("\n").join(lines)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT].rstrip() + "…"
