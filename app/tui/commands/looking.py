"""The commands that change what is looked at: lists of conflicts, the part of the story, its day, colours."""

from __future__ import annotations

from app.tui.commands.command import Command


def _day(id: str, name: str, keys: str, action: str, help: str, footer: str | None = None) -> Command:
    return Command(
        f"day.{id}", "view", name, keys, action, help, held_by="scrubber", listed=False, in_palette=False,
        possible=lambda now: now.sliding, footer=footer, first_in="story",
    )  # fmt: skip


LOOKING: tuple[Command, ...] = (
    _day("earlier", "a day back", "left,h", "earlier", "The day before on which something was said.",
         "day back"),
    _day("later", "a day on", "right,l", "later", "The next day on which something was said.", "day on"),
    _day("much_earlier", "far back", "pageup", "much_earlier", "A tenth of the way back."),
    _day("much_later", "far on", "pagedown", "much_later", "A tenth of the way on."),
    _day("first", "the first day", "home,g", "first", "The first day."),
    _day("last", "the last day", "end,G", "last", "The last day."),
    _day("other_clock", "by notes or by Belie", "space", "other_clock",
         "By the dates in the notes, or by when Belie came to know.", "notes or Belie"),
    _day("done", "back to the story", "enter,down,j", "screen.run('days.back_to_story')",
         "Leaves the day as it is.", "to the story"),
    Command("view.next_tab", "view", "next list of conflicts", "right_square_bracket",
            "screen.run('queue.next_tab')",
            "Open, snoozed, settled."),
    Command("view.previous_tab", "view", "list of conflicts before", "left_square_bracket",
            "screen.run('queue.previous_tab')", "Settled, snoozed, open."),
    Command("view.search", "view", "search this list", "slash", "screen.run('search.begin')",
            "In the conflicts: words of one of them. Elsewhere: words in the text, the title or the path "
            "of the story; tag:, project:, trust:, kind: and subject: narrow it further.",
            footer="search", first_in="story",
            also="find filter grep"),
    Command("view.filter", "view", "filter the story", "f", "screen.run('story.filter')",
            "Lists the tags, projects, kinds of note, kinds of conflict and subjects there are.",
            footer="filter", first_in="story",
            also="narrow tag project"),
    Command("view.thread", "view", "only this subject", "s", "screen.run('story.thread')",
            "Shows all that is said about what the line (or the marked side) is about.",
            possible=lambda now: now.noted, footer="subject", first_in="story",
            also="subject topic"),
    Command("view.go_to_day", "view", "go to a day", "d", "screen.run('days.go_to_day')",
            "Takes a date (12 May, 2026-05, last week) and goes there in the story.",
            possible=lambda now: now.told, footer="day", first_in="story",
            also="date jump calendar"),
    Command("view.as_of", "view", "the story as of a day", "a", "screen.run('days.as_of')",
            "Shows what was written by then. ← and → go from day to day; Space turns to what Belie itself "
            "knew by then; Esc ends it.", footer="as of", first_in="story",
            also="time travel past date"),
    Command("view.next_disputed", "view", "next disputed line", "right_curly_bracket",
            "screen.run('story.next_disputed')", "Goes on to the next ⚠ of the story.",
            possible=lambda now: now.told),
    Command("view.previous_disputed", "view", "disputed line before", "left_curly_bracket",
            "screen.run('story.previous_disputed')", "Goes back to the ⚠ before.",
            possible=lambda now: now.told),
    Command("view.clear", "view", "show everything again", "escape", "screen.clear",
            "Lets go of what is picked; else ends search, filter, day and the reading of a line.",
            possible=lambda now: now.filtered or now.picked > 0),
    Command("view.theme", "view", "next theme", "T", "app.next_theme",
            "Dark, light, paper, high contrast, colour-blind safe and your own.", held_by="app",
            also="colours dark light"),
)  # fmt: skip
