"""The last word on a pair or a conflict: its tier, and why it is that one."""

from __future__ import annotations

from app.words import Confidence, Conflict, Finding, Reason, Tier

STAGE = "tier"
OPPOSITE = "a rule or a state against its opposite"
TRUST = "notes of different trust stand against each other"
VALUES = "two values for one thing, and neither is settled"
OUTDATED = "the older one speaks as if nothing had changed since"
_TURNED = "it turned back without a word"
_WEIGHED = "weighed as a whole, which never blocks"


def tier(verdict: Tier, why: str, confidence: Confidence = "HIGH") -> Reason:
    return Reason(STAGE, verdict, confidence, why)


def shown_as(found: Conflict | Finding) -> Reason:
    """The tier of what was found in a vault, told from the reasons that it keeps."""
    return tier(found.tier, _why(found))


def _why(found: Conflict | Finding) -> str:
    said = {(reason.stage, reason.verdict) for reason in found.reasons}
    if found.tier == "block":
        return OPPOSITE if ("structural", "contradiction") in said else TRUST
    if found.kind == "reversal":
        return _TURNED
    if not any(stage in ("structural", "arc") for stage, _ in said):
        return _WEIGHED
    return OUTDATED if found.kind == "stale" else VALUES
