"""What a command is, and what of the workspace it may depend on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

Area = Literal[
    "conflict", "move", "view", "note", "go", "history", "mirror", "trends", "forks", "settings", "doctor",
    "belie",
]  # fmt: skip
Holder = Literal[
    "app", "workspace", "rows", "queue", "detail", "scrubber",
    "place", "history", "mirror", "trends", "forks", "settings", "doctor",
]  # fmt: skip
Tab = Literal["open", "snoozed", "settled"]
Pane = Literal["conflicts", "detail", "story"]

TABS: tuple[Tab, ...] = ("open", "snoozed", "settled")
PANES: tuple[Pane, ...] = ("conflicts", "detail", "story")
AREAS: dict[Area, str] = {
    "conflict": "Settle the selected conflict",
    "move": "Move",
    "view": "Look around",
    "note": "Notes",
    "go": "Go to",
    "history": "In the history",
    "mirror": "In the mirror",
    "trends": "In the trends",
    "forks": "In the forks",
    "settings": "In the settings",
    "doctor": "In the doctor",
    "belie": "Belie",
}
Keymap = Mapping[str, str]
"""Ids of commands, each with the keys (separated by commas) that stand in for its own."""
NO_KEYMAP: Keymap = {}
MOST_MEMBERS = 9
MAIN: frozenset[Holder] = frozenset({"app", "workspace", "rows", "queue", "detail", "scrubber"})
"""Whose keys work on the main screen; each further screen has its own."""


class Situation(NamedTuple):
    """What the workspace is showing, as far as commands depend on it."""

    members: int = 0
    """Members of the selected conflict, or the most that one of the picked conflicts has; 0 without one."""
    tab: Tab = "open"
    pane: Pane = "conflicts"
    picked: int = 0
    """How many conflicts are picked for one decision."""
    newest: int | None = None
    """The member that alone is the newest, by number; with several picked: of any of them."""
    most_trusted: int | None = None
    suggested: int | None = None
    """The member that is pre-selected, where something speaks for one."""
    kept: bool = False
    """The conflict is settled for one of its members."""
    writable: bool = True
    noted: bool = False
    """There is a note to open: a member or a line of the story."""
    listed: bool = False
    """There are conflicts in the list."""
    told: bool = False
    """There are lines in the story."""
    filtered: bool = False
    """The story is not shown whole."""
    typing: bool = False
    """A line to type in has the focus: letters are words now, not keys."""
    sliding: bool = False
    """The line of days has the focus."""
    place: Holder | None = None
    """The further screen in front, if one is."""
    able: frozenset[str] = frozenset()
    """Which of its commands do something now, by id."""


def always(_: Situation) -> bool:
    return True


def decidable(now: Situation) -> bool:
    return now.writable and now.members > 0 and now.tab != "settled"


class Command(NamedTuple):
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
    first_in: Pane | None = None
    """The pane in which the footer shows it before the others."""
    group: str | None = None
    """Footer word shared with its neighbours."""
    listed: bool = True
    """In the help and docs/keys.md; of a family of keys only the first is."""
    shown_keys: str | None = None
    """How the help writes the keys, where that differs."""
    in_palette: bool = True
    also: str = ""
    """Other words a person may look for it by."""

    def found_by(self, words: str) -> bool:
        """Whether each of these words begins a word of its name, its other names or its help."""
        known = f"{self.area} {self.name} {self.also} {self.help}".casefold().replace("-", " ").split()
        return all(
            any(one.strip("(.,:;)").startswith(word) for one in known) for word in words.casefold().split()
        )

    @property
    def title(self) -> str:
        return f"{self.area}: {self.name}"

    def keys_in(self, keymap: Keymap) -> str:
        """Its keys, the person's own where they chose others."""
        return keymap.get(self.id, self.keys)

    def key_words(self, keymap: Keymap = NO_KEYMAP) -> str:
        if self.shown_keys and self.id not in keymap:
            return self.shown_keys
        return " ".join(key_name(key) for key in self.keys_in(keymap).split(","))


_NAMES = {
    "question_mark": "?", "slash": "/", "left_square_bracket": "[", "right_square_bracket": "]",
    "left_curly_bracket": "{", "right_curly_bracket": "}", "space": "Space",
    "down": "↓", "up": "↑", "left": "←", "right": "→", "pagedown": "PgDn", "pageup": "PgUp",
    "comma": ",", "apostrophe": "'", "backspace": "Backspace", "ctrl+o": "Ctrl+O",
    "home": "Home", "end": "End", "enter": "Enter", "escape": "Esc", "tab": "Tab", "shift+tab": "Shift+Tab",
    "ctrl+p": "Ctrl+P", "f9": "F9", "ctrl+d": "Ctrl+D", "ctrl+u": "Ctrl+U",
}  # fmt: skip

SPELT = {shown: key for key, shown in _NAMES.items()}
"""The keys of `_NAMES` as a person may write them in the configuration."""


def key_name(key: str) -> str:
    """A key as a person would write it."""
    return _NAMES.get(key, key)
