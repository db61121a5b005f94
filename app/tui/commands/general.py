"""The commands of the program as a whole."""

from __future__ import annotations

from app.tui.commands.command import Command

GENERAL: tuple[Command, ...] = (
    Command("belie.help", "belie", "help", "question_mark", "app.help", "This list.",
            held_by="app", footer="help",
            also="keys shortcuts"),
    Command("belie.palette", "belie", "command palette", "ctrl+p", "app.command_palette",
            "Finds any command by its name.", held_by="app", in_palette=False),
    Command("belie.quit", "belie", "quit", "q", "app.quit",
            "Ends Belie; what you decided is kept.", held_by="app", footer="quit",
            possible=lambda now: now.place is None,
            also="exit leave close"),
)  # fmt: skip
