"""Widgets of which nothing is seen but their background: drawn once for all their lines."""

from __future__ import annotations

from textual.containers import Container
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


def ground(widget: Widget, crop: Region) -> list[Strip]:
    """The lines of a widget without border or content. Textual would style each of them by itself, and again
    for every paint that comes near; its own way around that leaves out NO_COLOR."""
    strip = Strip.blank(crop.width, widget.visual_style.rich_style)
    for filter in widget.get_line_filters():
        strip = strip.apply_filter(filter, widget.background_colors[1])
    return [strip] * crop.height


class Panes(Container):
    """What the panes stand on."""

    def render_lines(self, crop: Region) -> list[Strip]:
        return ground(self, crop)
