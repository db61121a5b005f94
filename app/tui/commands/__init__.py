"""Every command of the workspace, once: bindings, footer, help, palette and docs/keys.md are made from it.

A command stands in the file of its area: `conflict` in `settling`, `move` in `moving`, `view` in `looking`,
`note` in `notes`, `belie` in `general`; `go` and the areas of further screens in `places`.
"""

from __future__ import annotations

from app.tui.commands.command import (
    AREAS,
    MAIN,
    MOST_MEMBERS,
    PANES,
    TABS,
    Area,
    Command,
    Holder,
    Keymap,
    Pane,
    Situation,
    Tab,
    key_name,
)
from app.tui.commands.registry import COMMANDS, action_of, bindings, by_area, first_key, for_action, keymap

__all__ = [
    "AREAS",
    "COMMANDS",
    "MAIN",
    "MOST_MEMBERS",
    "PANES",
    "TABS",
    "Area",
    "Command",
    "Holder",
    "Keymap",
    "Pane",
    "Situation",
    "Tab",
    "action_of",
    "bindings",
    "by_area",
    "first_key",
    "for_action",
    "key_name",
    "keymap",
]
