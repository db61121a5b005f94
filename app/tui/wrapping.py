"""Text broken into lines of so many cells, at blanks where there are any."""

from __future__ import annotations

from rich.cells import cell_len, chop_cells

from app.plain import shown

_MOST_CHARACTERS = 2000
"""Of a longer text the beginning is shown, and how much there is more."""


def wrapped(text: str, width: int) -> list[str]:
    """The text made plain, in lines that each take at most `width` cells; at least one line."""
    width = max(1, width)
    plain = shown(text[:_MOST_CHARACTERS])
    if len(text) > _MOST_CHARACTERS:
        plain += f" … ({len(text) - _MOST_CHARACTERS:,} more characters)"
    if cell_len(plain) <= width:
        return [plain]
    lines: list[str] = []
    line = ""
    for word in plain.split(" "):
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *whole, line = chop_cells(word, width) or [""]
        # A character may need two cells where there is one.
        lines += [piece for piece in whole if cell_len(piece) <= width]
    return [*lines, line] if line or not lines else lines
