"""The commands that move: in lists, in the detail, between members and panes."""

from __future__ import annotations

from app.tui.commands.command import Command, Situation


def _several(now: Situation) -> bool:
    return now.members > 1 and not now.picked


def _scroll(id: str, name: str, keys: str, action: str) -> Command:
    return Command(f"detail.{id}", "move", name, keys, action, "Scrolls the detail.", held_by="detail",
                   listed=False, in_palette=False)  # fmt: skip


def _row(id: str, name: str, keys: str, action: str, help: str) -> Command:
    return Command(f"move.{id}", "move", name, keys, action, help, held_by="rows", in_palette=False)


MOVING: tuple[Command, ...] = (
    _row("down", "down", "j,down", "cursor_down", "Next line."),
    _row("up", "up", "k,up", "cursor_up", "Line before."),
    _row("page_down", "page down", "pagedown,ctrl+d", "page_down", "A page on."),
    _row("page_up", "page up", "pageup,ctrl+u", "page_up", "A page back."),
    _row("first", "to the start", "g,home", "first", "First line."),
    _row("last", "to the end", "G,end", "last", "Last line."),
    _row("choose", "choose", "enter", "choose",
         "On a conflict: its detail. On a line of the story: its conflict, or the whole line with its note."),
    _scroll("down", "scroll down", "j,down", "scroll_down"),
    _scroll("up", "scroll up", "k,up", "scroll_up"),
    _scroll("page_down", "page down", "pagedown,ctrl+d", "page_down"),
    _scroll("page_up", "page up", "pageup,ctrl+u", "page_up"),
    _scroll("first", "to the start", "g,home", "scroll_home"),
    _scroll("last", "to the end", "G,end", "scroll_end"),
    Command("move.next_member", "move", "mark the next side", "l,right",
            "screen.run('selection.next_member')",
            "Chooses which note is opened or copied, and goes to its line in the story.", possible=_several),
    Command("move.previous_member", "move", "mark the side before", "h,left",
            "screen.run('selection.previous_member')",
            "The other way round.", possible=_several),
    Command("move.next_pane", "move", "next pane", "tab", "screen.run('panes.next')",
            "Conflicts, Detail, Story."),
    Command("move.previous_pane", "move", "pane before", "shift+tab", "screen.run('panes.previous')",
            "The other way round."),
)  # fmt: skip
