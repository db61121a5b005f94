"""Widgets without border and padding, drawn without the work that Textual spends on those."""

from __future__ import annotations

from textual.containers import Container
from textual.geometry import Region
from textual.scrollbar import ScrollBar
from textual.strip import Strip
from textual.widget import Widget


def ground(widget: Widget, crop: Region) -> list[Strip]:
    """The lines of a widget without border or content. Textual would style each of them by itself, and again
    for every paint that comes near; its own way around that leaves out NO_COLOR."""
    strip = Strip.blank(crop.width, widget.visual_style.rich_style)
    for filter in widget.get_line_filters():
        strip = strip.apply_filter(filter, widget.background_colors[1])
    return [strip] * crop.height


def bare(widget: Widget, crop: Region) -> list[Strip]:
    """The lines that a widget draws itself, each as wide as the widget. Textual would look up some twenty
    styles for each of them, which takes longer than drawing it."""
    strips = [widget.render_line(y) for y in crop.line_range]
    for filter in widget.get_line_filters():
        background = widget.background_colors[1]
        strips = [strip.apply_filter(filter, background) for strip in strips]
    if crop.column_span != (0, widget.region.width):
        strips = [strip.crop(*crop.column_span) for strip in strips]
    return strips


class Bar(ScrollBar):
    """The scroll bar of a list: as high as the list, and all of it drawn anew at each step."""

    def render_lines(self, crop: Region) -> list[Strip]:
        return bare(self, crop)


class Panes(Container):
    """What the panes stand on."""

    def render_lines(self, crop: Region) -> list[Strip]:
        return ground(self, crop)
