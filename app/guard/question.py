"""The yes/no question of a conflict, worded so that it can be answered without the notes."""

from __future__ import annotations

from app.guard.entry import Entry

_LIMIT = 80


def question(old: Entry, new: Entry, kind: str) -> str:
    """About the older or the disputed side: "Is the garage door code still 4411?"."""
    norm = old.norm
    subject = _clip(norm.subject)
    if norm.value:
        value = norm.value
        other = f", not {new.norm.value}" if new.norm.value and kind == "disagreement" else ""
        if norm.object == "owned":
            return f"Is {value} {'still ' if kind != 'disagreement' else ''}the {subject}{other}?"
        verb = "Is" if kind != "disagreement" else "Is it true:"
        if kind == "disagreement":
            return f"{subject[:1].upper()}{subject[1:]}: is it {value}{other}?"
        return f"{verb} {subject} still {value}?"
    text = _clip(old.claim.statement.text.rstrip(" ."))
    return f"Does “{text}” {'still ' if kind != 'disagreement' else ''}hold?"


def _clip(text: str) -> str:
    return text if len(text) <= _LIMIT else text[: _LIMIT - 1].rstrip() + "…"
