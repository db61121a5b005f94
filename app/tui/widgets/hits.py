"""What was searched for, marked where a row says it."""

from __future__ import annotations

import re

from rich.style import Style

from app.tui.widgets.rows import Part


def with_hits(text: str, sought: str, style: Style, hit: Style) -> list[Part]:
    """The text in pieces: those that say what is sought in the style `hit` besides their own."""
    if not sought:
        return [(text, style)]
    pieces = re.split(f"({re.escape(sought)})", text, flags=re.IGNORECASE)
    return [(piece, style + hit if odd % 2 else style) for odd, piece in enumerate(pieces) if piece]
