"""The commands on the notes themselves: opening, copying, reading them again."""

from __future__ import annotations

from app.tui.commands.command import Command, Situation


def _noted(now: Situation) -> bool:
    return now.noted


NOTES: tuple[Command, ...] = (
    Command("note.edit", "note", "edit the note at its line", "e", "screen.run('notes.edit')",
            "Opens the marked side (or the line of the story) in $VISUAL or $EDITOR.",
            possible=_noted, footer="edit",
            also="open editor fix"),
    Command("note.copy", "note", "copy the words", "y", "screen.run('notes.copy')",
            "Copies what the marked side (or the line of the story) says.",
            possible=_noted, footer="copy",
            also="clipboard yank"),
    Command("note.copy_link", "note", "copy a link", "Y", "screen.run('notes.copy_link')",
            "Copies the obsidian:// link of the note; path:line where it is no Obsidian vault.",
            possible=_noted),
    Command("note.obsidian", "note", "open in Obsidian", "o", "screen.run('notes.obsidian')",
            "Opens the note by its obsidian:// link.", possible=_noted),
    Command("note.redact", "note", "redact its words", "f9", "screen.run('redaction.redact')",
            "Takes what the marked side (or the line of the story) says out of Belie's record for good; "
            "asks first, and cannot be undone.", possible=lambda now: now.noted and now.writable,
            also="delete remove forget erase secret"),
    Command("note.rescan", "note", "look at every note again", "r", "screen.run('index.rescan')",
            "Reads the vault again, and lets the models read at once; normally Belie notices changes by "
            "itself.",
            also="refresh reload reindex"),
    Command("note.pause", "note", "pause the models", "P", "screen.run('index.pause')",
            "They stop at their next step, and go on when it is pressed again or with r.",
            also="ai llm"),
    Command("note.stop", "note", "stop the models", "X", "screen.run('index.stop')",
            "Ends what they are reading; they take it up with the next change of a note, or with r.",
            also="ai llm"),
)  # fmt: skip
