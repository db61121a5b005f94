"""What a key has to wait for, so that whoever types faster than the workspace works gets what they meant."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.widget import Widget


def takes_letters(widget: Widget | None) -> bool:
    """Whether it is a line to type in."""
    return widget is not None and widget.check_consume_key("a", "a")


async def mounted(screen: Screen) -> None:
    """Wait until everything is on a screen that was just opened, and its line has the focus."""
    while screen.is_attached and not screen.is_mounted:
        await asyncio.sleep(0)


async def caught_up(widget: Widget) -> None:
    """Wait until a widget has dealt with all that was sent to it so far: a line then holds every letter."""
    passed = asyncio.Event()
    widget.call_later(passed.set)
    # One that is taken away meanwhile deals with nothing any more.
    while widget.is_running and not passed.is_set():
        await asyncio.sleep(0)


async def dealt_with(widget: Widget) -> None:
    """Wait until what a widget has said has reached its screen and been dealt with there."""
    from textual.widget import Widget

    for node in widget.ancestors_with_self:
        if isinstance(node, Widget):
            await caught_up(node)
