"""The commands of the further screens, and those that open them from anywhere."""

from __future__ import annotations

from typing import cast

from app.tui.commands.command import Area, Command, Holder, Situation


def _open(id: str, name: str, keys: str, help: str, also: str = "") -> Command:
    """`id` is also the method of the navigator."""
    return Command(f"go.{id}", "go", name, keys, f"app.go('{id}')", help, held_by="app", also=also)


def _own(holder: Holder, id: str, name: str, keys: str, help: str, footer: str | None = None) -> Command:
    """A command of one screen: possible where that screen says so."""
    full = f"{holder}.{id}"

    def possible(now: Situation) -> bool:
        return full in now.able

    return Command(full, cast(Area, holder), name, keys, f"screen.{holder}_{id}", help, held_by=holder,
                   possible=possible, footer=footer)  # fmt: skip


PLACES: tuple[Command, ...] = (
    _open("capture", "capture a statement", "c",
          "Write a statement into your inbox; Belie says at once what stands against it."),
    _open("mirror", "the mirror", "m", "What is true today by your notes, page by page.",
          "current truth pages"),
    _open("history", "the history", "H", "Every decision, the newest first; any of them can be taken back.",
          "log ledger undo"),
    _open("trends", "the trends", "p", "How many conflicts there were and are, as plots.",
          "statistics charts"),
    _open("forks", "the forks", "F", "What if: decisions tried out beside the present.", "branch what if"),
    _open("settings", "the settings", "comma", "Your configuration, changed in place.",
          "config preferences options"),
    _open("doctor", "the vault doctor", "D", "What is ignored, broken or missing: notes, models, store.",
          "diagnose health check"),
    _open("open_vault", "another vault", "O", "Choose another folder of notes.", "folder open switch"),
    _open("jump", "jump to a label", "apostrophe,ctrl+o",
          "Puts a letter on every pane and line; pressing it goes there."),
    Command("place.back", "go", "back to the workspace", "escape,q", "screen.back",
            "Closes this screen.", held_by="place", footer="back", listed=False, in_palette=False),
    _own("history", "undo", "take this decision back", "u",
         "Takes back the decision under the cursor, whatever came after it.", "undo this one"),
    _own("history", "show", "show its conflict", "enter", "Goes to the conflict it was about.", "show"),
    _own("history", "more", "decisions or everything", "a",
         "Shows what Belie did by itself, too.", "decisions or all"),
    _own("mirror", "next", "next page", "right,l", "The next project or folder.", "next page"),
    _own("mirror", "previous", "page before", "left,h", "The project or folder before.", "page before"),
    _own("mirror", "disputed", "only what is disputed", "d",
         "Shows the disputed lines alone, or all of them again.", "disputed or all"),
    _own("mirror", "show", "show the conflict", "enter",
         "On a disputed line: its conflict in the workspace.", "show conflict"),
    _own("mirror", "edit", "edit the note at its line", "e", "Opens where it is said.", "edit"),
    _own("mirror", "export", "write the pages", "w",
         "Writes every page as Markdown, where `belie mirror` would.", "write pages"),
    _own("trends", "next", "next plot", "right,l,tab", "Where there is room for one at a time.", "next"),
    _own("trends", "previous", "plot before", "left,h,shift+tab", "The other way round.", "before"),
    _own("forks", "new", "make a fork", "n", "Asks for its name; it begins as everything is decided now.",
         "new fork"),
    _own("forks", "apply", "apply the fork", "a",
         "Makes its decisions in the present; its name is asked for first.", "apply"),
    _own("forks", "discard", "discard the fork", "x", "It goes for good; its name is asked for first.",
         "discard"),
    _own("settings", "change", "change it", "enter,space", "Turns it over, or asks for another value.",
         "change"),
    _own("settings", "default", "back to the default", "backspace,d",
         "Takes the setting out of the file.", "default"),
    _own("settings", "scope", "for all vaults or this one", "v",
         "Settings about reading can hold for this vault alone.", "this vault or all"),
    _own("settings", "edit", "edit the file", "e", "Opens the whole file in your editor.", "edit file"),
    _own("doctor", "again", "look again", "r", "Examines everything anew.", "look again"),
    _own("doctor", "edit", "edit the note", "e", "Opens the note under the cursor.", "edit"),
)  # fmt: skip
