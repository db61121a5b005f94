"""Fitting text into terminal cells, where a character may take none, one or two."""

from __future__ import annotations

from rich.cells import cell_len, chop_cells

from app.plain import shown


def clip(text: str, width: int) -> str:
    """The text made plain, cut with an ellipsis if it needs more cells than there are."""
    if width <= 0:
        return ""
    # A character takes a cell on average; there is no need to look at a page of text to fill a line.
    head = shown(text[: width * 4 + 16])
    if head.isascii():  # made plain, it has no character that takes more or less than a cell
        fits = len(head) <= width and len(text) <= width * 4 + 16
        return head if fits else head[: width - 1].rstrip() + "…"
    if cell_len(head) <= width and len(text) <= width * 4 + 16:
        return head
    if width == 1:
        return "…"
    return (chop_cells(head, width - 1) or [""])[0].rstrip() + "…"


def fit(text: str, width: int) -> str:
    """The text clipped and padded to exactly this many cells."""
    cut = clip(text, width)
    return cut + " " * max(0, width - cell_len(cut))


def right(text: str, width: int) -> str:
    """As `fit`, but standing at the right edge."""
    cut = clip(text, width)
    return " " * max(0, width - cell_len(cut)) + cut
