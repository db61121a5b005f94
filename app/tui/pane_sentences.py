"""What a pane says when it has nothing to show: loading, empty, and trouble, each in a friendly sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.tui.widgets.story import Story
from app.tui.wording import plural

if TYPE_CHECKING:
    from app.tui.controllers.controller import ScreenState


class Sentence(NamedTuple):
    """A sentence and a hint under it; both empty when there is something to show."""

    sentence: str
    hint: str = ""
    trouble: bool = False


def queue_sentence(state: ScreenState, total: int) -> Sentence:
    tab, counts, failure = state.tab, state.counts, state.failure
    if total:
        return Sentence("")
    if failure is not None:
        return Sentence(failure, "r tries again, q leaves. Your notes are untouched.", trouble=True)
    if state.sought:
        return Sentence(f"No conflict says “{state.sought}”.", "Esc shows all of them.")
    if tab == "snoozed":
        return Sentence("Nothing is snoozed.", "z snoozes a conflict for a week.")
    if tab == "settled":
        return Sentence("Nothing is settled yet.", "What you decide is kept here, and R takes it back.")
    if counts is None or not state.indexed:
        return Sentence("Reading your notes …", "Conflicts appear here as they are found.")
    if not counts.claims:
        return Sentence("There is nothing to read here yet.", "Write a note, and Belie will notice.")
    if state.reading is not None:
        return Sentence("Nothing found so far.", "Still reading; conflicts appear here as they are found.")
    statements, notes = plural(counts.claims, "statement"), plural(counts.notes, "note")
    return Sentence("Nothing contradicts itself.", f"{statements} in {notes} agree.")


def detail_sentence(state: ScreenState, shown: bool) -> Sentence:
    if shown:
        return Sentence("")
    claims = state.counts.claims if state.counts is not None else 0
    reading = not state.indexed or state.reading is not None
    if state.tab != "open" or state.failure is not None or reading or not claims:
        return Sentence(" ")  # the list beside it says what there is to say
    return Sentence(
        "Nothing waits for an answer.",
        "/ searches the story, m shows what your notes say, c writes something new.",
    )


def story_sentence(story: Story, indexed: bool, failure: str | None) -> Sentence:
    read = story.generation > 0
    if story.total:
        return Sentence("")
    if story.telling.query.strip():
        return Sentence(f"Nothing says “{story.telling.query.strip()}”.", "Esc shows the whole story.")
    if story.telling.day is not None:
        return Sentence("Nothing was known by then.", "→ goes on in time, Esc shows the whole story.")
    if failure is not None and not read:
        return Sentence("The story cannot be shown.", trouble=True)
    if not read or not indexed:
        return Sentence("The story grows as notes are read.")
    return Sentence("The story is empty.")
