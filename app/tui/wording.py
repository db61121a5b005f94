"""Plain words and glyphs for what the store holds in terms of the design."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.words import Conflict, Kind, Layer, Status

KIND_GLYPH: dict[Kind, str] = {"disagreement": "≠", "reversal": "↶", "stale": "◷"}
KIND_MEANING: dict[Kind, str] = {
    "disagreement": "These cannot all be true.",
    "reversal": "It changed, then went back unsaid.",
    "stale": "Newer notes have moved on.",
}
KIND_COLOUR: dict[Kind, str] = {"disagreement": "$error", "reversal": "$secondary", "stale": "$warning"}
LAYER_GLYPH: dict[Layer, str] = {"state": "◆", "entity": "◇", "memory": "·"}
LAYER_WORD: dict[Layer, str] = {"state": "trusted note", "entity": "record", "memory": "note"}


STATUS_WORD: dict[Status, str] = {
    "candidate": "draft",
    "active": "",
    "superseded": "retired",
    "retracted": "gone from the note",
    "redacted": "redacted",
}


def outcome(conflict: Conflict, *, still_said: bool = False) -> str:
    """What became of a settled conflict, in a few words; empty for one that is open. `still_said`: the notes
    say all of it as before."""
    if conflict.status == "open":
        return ""
    if conflict.status == "dismissed":
        return "left as is"  # by “both are true” as well as by “not a conflict”
    if conflict.resolution == "edited":
        return "withdrawn" if still_said else "fixed in the note"
    if conflict.winner and conflict.winner in conflict.members:
        return f"kept {conflict.members.index(conflict.winner) + 1}"
    return conflict.resolution or "resolved"


def plural(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
