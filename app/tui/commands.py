"""Every command of the workspace, once: its key, its help and when it is possible.

Bindings, footer, help screen, palette and docs/keys.md are all made from this list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from textual.binding import Binding, BindingType

Area = Literal["conflict", "move", "view", "note", "belie"]
Holder = Literal["app", "workspace", "rows", "detail"]
Tab = Literal["open", "snoozed", "settled"]

AREAS: dict[Area, str] = {
    "conflict": "Settle the selected conflict",
    "move": "Move",
    "view": "Look around",
    "note": "Notes",
    "belie": "Belie",
}
Keymap = Mapping[str, str]
"""Ids of commands, each with the keys (separated by commas) that stand in for its own."""
_NO_KEYMAP: Keymap = {}
MOST_MEMBERS = 9
SNOOZE_DAYS = 7
BOTH_TRUE = "both are true"
NOT_A_CONFLICT = "not a conflict"


@dataclass(frozen=True, slots=True)
class Situation:
    """What the workspace is showing, as far as commands depend on it."""

    members: int = 0
    """Members of the selected conflict; 0 without one."""
    tab: Tab = "open"
    newest: int | None = None
    """The member that alone is the newest, by number."""
    most_trusted: int | None = None
    writable: bool = True
    noted: bool = False
    """There is a note to open: a member or a line of the story."""
    filtered: bool = False


def always(_: Situation) -> bool:
    return True


def decidable(now: Situation) -> bool:
    return now.writable and now.members > 0 and now.tab != "settled"


def _member(number: int) -> Callable[[Situation], bool]:
    return lambda now: decidable(now) and number <= now.members


@dataclass(frozen=True, slots=True)
class Command:
    """One thing the person can do."""

    id: str
    """Names it for a keymap; stable."""
    area: Area
    name: str
    keys: str
    action: str
    """With the namespace it runs in, so that palette and bindings run the same thing."""
    help: str
    held_by: Holder = "workspace"
    possible: Callable[[Situation], bool] = always
    footer: str | None = None
    """Its word in the footer; without one it is not shown there."""
    group: str | None = None
    """Footer word shared with its neighbours."""
    listed: bool = True
    """In the help and docs/keys.md; of a family of keys only the first is."""
    shown_keys: str | None = None
    """How the help writes the keys, where that differs."""
    in_palette: bool = True

    @property
    def title(self) -> str:
        return f"{self.area}: {self.name}"

    def keys_in(self, keymap: Keymap) -> str:
        """Its keys, the person's own where they chose others."""
        return keymap.get(self.id, self.keys)

    def key_words(self, keymap: Keymap = _NO_KEYMAP) -> str:
        if self.shown_keys and self.id not in keymap:
            return self.shown_keys
        return " ".join(key_name(key) for key in self.keys_in(keymap).split(","))


_NAMES = {
    "question_mark": "?", "slash": "/", "left_square_bracket": "[", "right_square_bracket": "]",
    "down": "↓", "up": "↑", "left": "←", "right": "→", "pagedown": "PgDn", "pageup": "PgUp",
    "home": "Home", "end": "End", "enter": "Enter", "escape": "Esc", "tab": "Tab", "shift+tab": "Shift+Tab",
    "ctrl+p": "Ctrl+P", "ctrl+d": "Ctrl+D", "ctrl+u": "Ctrl+U",
}  # fmt: skip


_SPELT = {shown: key for key, shown in _NAMES.items()}
"""The keys of `_NAMES` as a person may write them in the configuration."""


def key_name(key: str) -> str:
    """A key as a person would write it."""
    return _NAMES.get(key, key)


def _keep(number: int) -> Command:
    return Command(
        f"conflict.keep_{number}", "conflict", f"keep member {number}", str(number), f"screen.keep({number})",
        "Keeps that member; the others are superseded by it." if number == 1
        else f"Keeps member {number}; the others are superseded by it.",
        possible=_member(number), footer="keep", group="keep", listed=number == 1, shown_keys="1 – 9",
    )  # fmt: skip


COMMANDS: tuple[Command, ...] = (
    *(_keep(number) for number in range(1, MOST_MEMBERS + 1)),
    Command("conflict.both_true", "conflict", "both are true", "b", "screen.both_true",
            "Leaves every member as it is and remembers that they go together.",
            possible=decidable, footer="both true"),
    Command("conflict.not_a_conflict", "conflict", "not a conflict", "x", "screen.not_a_conflict",
            "Takes it out of the queue; it stays out until one of the lines is reworded.",
            possible=decidable, footer="no conflict"),
    Command("conflict.snooze", "conflict", "ask again in a week", "z", "screen.snooze",
            "Puts it off for seven days.",
            possible=lambda now: decidable(now) and now.tab == "open", footer="later"),
    Command("conflict.undo", "conflict", "undo the last decision", "u", "screen.undo",
            "Takes back your last decision, and with the next press the one before.",
            possible=lambda now: now.writable, footer="undo"),
    Command("conflict.newest", "conflict", "keep the newest", "n", "screen.newest",
            "Keeps the member with the latest date, where one alone has it.",
            possible=lambda now: decidable(now) and now.newest is not None, footer="newest"),
    Command("conflict.most_trusted", "conflict", "keep the most trusted", "t", "screen.most_trusted",
            "Keeps the member from the most trusted note: canon before record before note.",
            possible=lambda now: decidable(now) and now.most_trusted is not None, footer="trusted"),
    Command("conflict.reopen", "conflict", "reopen", "R", "screen.reopen",
            "Puts a snoozed or settled conflict back into the queue.",
            possible=lambda now: now.writable and now.members > 0 and now.tab != "open", footer="reopen"),
    Command("note.edit", "note", "edit the note at its line", "e", "screen.edit",
            "Opens the marked member (or the line of the story) in $VISUAL or $EDITOR.",
            possible=lambda now: now.noted, footer="edit"),
    Command("note.rescan", "note", "look at every note again", "r", "screen.rescan",
            "Reads the vault again; normally Belie notices changes by itself."),
    Command("move.down", "move", "down", "j,down", "cursor_down", "Next line.",
            held_by="rows", in_palette=False),
    Command("move.up", "move", "up", "k,up", "cursor_up", "Line before.", held_by="rows", in_palette=False),
    Command("move.page_down", "move", "page down", "pagedown,ctrl+d", "page_down", "A page on.",
            held_by="rows", in_palette=False),
    Command("move.page_up", "move", "page up", "pageup,ctrl+u", "page_up", "A page back.",
            held_by="rows", in_palette=False),
    Command("move.first", "move", "to the start", "g,home", "first", "First line.",
            held_by="rows", in_palette=False),
    Command("move.last", "move", "to the end", "G,end", "last", "Last line.",
            held_by="rows", in_palette=False),
    Command("move.choose", "move", "choose", "enter", "choose",
            "On a conflict: its detail. On a ⚠ line of the story: its conflict.",
            held_by="rows", in_palette=False),
    Command("detail.down", "move", "scroll down", "j,down", "scroll_down", "Scrolls the detail.",
            held_by="detail", listed=False, in_palette=False),
    Command("detail.up", "move", "scroll up", "k,up", "scroll_up", "Scrolls the detail.",
            held_by="detail", listed=False, in_palette=False),
    Command("detail.page_down", "move", "page down", "pagedown,ctrl+d", "page_down", "Scrolls the detail.",
            held_by="detail", listed=False, in_palette=False),
    Command("detail.page_up", "move", "page up", "pageup,ctrl+u", "page_up", "Scrolls the detail.",
            held_by="detail", listed=False, in_palette=False),
    Command("detail.first", "move", "to the start", "g,home", "scroll_home", "Scrolls the detail.",
            held_by="detail", listed=False, in_palette=False),
    Command("detail.last", "move", "to the end", "G,end", "scroll_end", "Scrolls the detail.",
            held_by="detail", listed=False, in_palette=False),
    Command("move.next_member", "move", "mark the next member", "l,right", "screen.next_member",
            "Chooses which note `e` opens.", possible=lambda now: now.members > 1),
    Command("move.previous_member", "move", "mark the member before", "h,left", "screen.previous_member",
            "Chooses which note `e` opens.", possible=lambda now: now.members > 1),
    Command("move.next_pane", "move", "next pane", "tab", "screen.next_pane",
            "Conflicts, Detail, Story."),
    Command("move.previous_pane", "move", "pane before", "shift+tab", "screen.previous_pane",
            "The other way round."),
    Command("view.next_tab", "view", "next list of conflicts", "right_square_bracket", "screen.next_tab",
            "Open, snoozed, settled."),
    Command("view.previous_tab", "view", "list of conflicts before", "left_square_bracket",
            "screen.previous_tab", "Settled, snoozed, open."),
    Command("view.search", "view", "search the story", "slash", "screen.search",
            "Shows only claims with these words in the text, the title or the path.", footer="search"),
    Command("view.clear", "view", "show the whole story", "escape", "screen.clear_search",
            "Ends the search.", possible=lambda now: now.filtered),
    Command("view.theme", "view", "next theme", "T", "app.next_theme",
            "Dark, light, paper, high contrast, colour-blind safe and your own.", held_by="app"),
    Command("belie.help", "belie", "help", "question_mark", "app.help", "This list.",
            held_by="app", footer="help"),
    Command("belie.palette", "belie", "command palette", "ctrl+p", "app.command_palette",
            "Finds any command by its name.", held_by="app", in_palette=False),
    Command("belie.quit", "belie", "quit", "q", "app.quit",
            "Ends Belie; what you decided is kept.", held_by="app", footer="quit"),
)  # fmt: skip

_BY_ACTION = {
    command.action.split(".", 1)[1]: command
    for command in COMMANDS
    if command.held_by in ("app", "workspace")
}


def bindings(holder: Holder) -> list[BindingType]:
    """The bindings of one holder, in the order of the list."""
    return [
        Binding(
            command.keys,
            command.action,
            command.footer or command.name,
            show=command.footer is not None,
            tooltip=command.help,
            id=command.id,
            group=Binding.Group(command.group, compact=True) if command.group else None,
            key_display=key_name(command.keys.split(",")[0]),
        )
        for command in COMMANDS
        if command.held_by == holder
    ]


def keymap(chosen: Keymap) -> tuple[dict[str, str], list[str]]:
    """The part of the person's keymap that can be used, and a sentence for each line that cannot.

    A key means one thing: one that another command of the same pane has is refused.
    """
    known = {command.id: command for command in COMMANDS}
    usable: dict[str, str] = {}
    notices: list[str] = []
    for id, keys in chosen.items():
        pressed = [_SPELT.get(key.strip(), key.strip()) for key in keys.split(",") if key.strip()]
        if id not in known:
            notices.append(f"keys: there is no command “{id}”.")
        elif known[id].group is not None:
            notices.append(f"keys: “{id}” stays as it is, the members are numbered.")
        elif not pressed:
            notices.append(f"keys: “{id}” has no key.")
        else:
            usable[id] = ",".join(pressed)
    # What is refused has its own key again, which another may have been given meanwhile.
    while clash := next(((id, other) for id in usable if (other := _rival(known[id], usable))), None):
        id, rival = clash
        notices.append(f"keys: “{usable.pop(id)}” for {id} is the key of {rival.id} already.")
    return usable, notices


def _rival(command: Command, keymap: Keymap) -> Command | None:
    """Another command with one of its keys; keys of the lists and of the detail never apply at once."""
    keys = set(command.keys_in(keymap).split(","))
    return next(
        (
            other
            for other in COMMANDS
            if other.id != command.id
            and {other.held_by, command.held_by} != {"rows", "detail"}
            and keys & set(other.keys_in(keymap).split(","))
        ),
        None,
    )


def first_key(id: str, keymap: Keymap) -> str:
    """The key that stands for a command where there is room for one."""
    command = next(command for command in COMMANDS if command.id == id)
    return key_name(command.keys_in(keymap).split(",")[0])


def for_action(action: str, parameters: tuple[object, ...]) -> Command | None:
    """The command behind an action as Textual names it."""
    key = f"{action}({', '.join(map(repr, parameters))})" if parameters else action
    return _BY_ACTION.get(key)


def by_area(commands: Iterable[Command] = COMMANDS) -> dict[Area, list[Command]]:
    """What the help lists, by area in the order of AREAS."""
    listed = [command for command in commands if command.listed]
    return {area: [command for command in listed if command.area == area] for area in AREAS}
