"""How a claim was read, in a sentence: its standing, and what its norms say of what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.detection.pair_gates import dates_tell, how_held
from app.words import Claim, Confidence, Norm, Reason, Standing

STAGE = "normalize"
_MOST_NORMS = 3
"""More norms than these are counted, not told."""
_LONGEST_TEXT = 60
_READERS = {"rules": "the rules", "llama": "the language model"}


def readings(a: Claim, b: Claim) -> tuple[Reason, Reason]:
    """One for each side. The dates name them where they tell who is older, else their order does."""
    if not dates_tell(a, b):
        return reading(a, "first"), reading(b, "second")
    first_is_older = (a.statement.date or "") < (b.statement.date or "")
    names = ("older", "newer") if first_is_older else ("newer", "older")
    return reading(a, names[0]), reading(b, names[1])


def reading(claim: Claim, side: str) -> Reason:
    """What was read in one claim, and by whom; where it is nothing, still how its note holds it."""
    held = how_held(claim)
    if not claim.norms:
        return Reason(STAGE, held, "LOW", f"{side}: nothing could be read in it")
    told = "; ".join(_norm(norm, held) for norm in claim.norms[:_MOST_NORMS])
    more = len(claim.norms) - _MOST_NORMS
    counted = f" and {more:,} more" if more > 0 else ""
    return Reason(STAGE, held, _sure(claim.norms), f"{side}: {told}{counted}, by {_readers(claim.norms)}")


def _norm(norm: Norm, held: Standing) -> str:
    subject = f"“{clipped(norm.subject)}”" if norm.subject else "no subject"
    unclear = " (not clear what that is)" if norm.subject and norm.subject_kind != "PRESENT" else ""
    says = f"{subject}{unclear} {norm.modality.replace('_', ' ')}"
    if norm.value:
        says += f" {clipped(norm.value)}"
    elif norm.object != "other":
        says += f" ({norm.object})"
    return ", ".join((says, *_bounds(norm), *([] if norm.standing == held else [norm.standing])))


def _bounds(norm: Norm) -> Iterator[str]:
    """Where and when it holds, and what it changed."""
    yield from (f"{key} {clipped(name)}" for key, name in norm.scope)
    if norm.valid_from:
        yield f"from {norm.valid_from}"
    if norm.valid_until:
        yield f"until {norm.valid_until}"
    if norm.change is not None:
        was, now = (clipped(value) if value else "" for value in (norm.change.was, norm.change.now))
        yield "a change" + (f" from {was}" if was else "") + (f" to {now}" if now else "")


def _sure(norms: Sequence[Norm]) -> Confidence:
    if all(norm.subject_kind != "PRESENT" for norm in norms):
        return "LOW"
    return "HIGH" if all(norm.sure and norm.subject_kind == "PRESENT" for norm in norms) else "MED"


def _readers(norms: Sequence[Norm]) -> str:
    return " and ".join(dict.fromkeys(_READERS[norm.by] for norm in norms))


def clipped(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1].rstrip() + "…"
