"""The list of all commands, and what is made from it: bindings, keymap, lookups."""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import Binding, BindingType

from app.plain import shown
from app.tui.commands.command import AREAS, MAIN, SPELT, Area, Command, Holder, Keymap, key_name
from app.tui.commands.general import GENERAL
from app.tui.commands.looking import LOOKING
from app.tui.commands.moving import MOVING
from app.tui.commands.notes import NOTES
from app.tui.commands.places import PLACES
from app.tui.commands.settling import SETTLING

_LONGEST_KEY = 40
COMMANDS: tuple[Command, ...] = (*SETTLING, *NOTES, *MOVING, *LOOKING, *PLACES, *GENERAL)

_APART: tuple[frozenset[Holder], ...] = (
    frozenset({"rows", "detail"}), frozenset({"queue", "detail"}), frozenset({"rows", "scrubber"}),
    frozenset({"queue", "scrubber"}), frozenset({"detail", "scrubber"}),
)  # fmt: skip
"""Holders of which only one has the focus, so that a key may mean one thing in each."""
_OVER = {"scrubber"}
"""Holders whose keys go before those of the whole workspace while they have the focus."""

_BY_ACTION = {
    command.action.split(".", 1)[1]: command
    for command in COMMANDS
    if command.action.startswith(("app.", "screen."))
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
        pressed = [SPELT.get(key.strip(), key.strip()) for key in keys.split(",") if key.strip()]
        if id not in known:
            notices.append(f"keys: there is no command “{shown(id[:_LONGEST_KEY])}”.")
        elif known[id].group is not None:
            notices.append(f"keys: “{id}” stays as it is, the sides are numbered.")
        elif not pressed:
            notices.append(f"keys: “{id}” has no key.")
        elif not all(key.isprintable() and len(key) <= _LONGEST_KEY for key in pressed):
            notices.append(f"keys: “{id}” has a key that no keyboard has.")
        else:
            usable[id] = ",".join(pressed)
    # What is refused has its own key again, which another may have been given meanwhile.
    while clash := next(((id, other) for id in usable if (other := _rival(known[id], usable))), None):
        id, rival = clash
        notices.append(f"keys: “{usable.pop(id)}” for {id} is the key of {rival.id} already.")
    return usable, notices


def _rival(command: Command, keymap: Keymap) -> Command | None:
    """Another command with one of its keys that could apply at the same time."""
    keys = set(command.keys_in(keymap).split(","))
    return next(
        (
            other
            for other in COMMANDS
            if other.id != command.id
            and _meet(command, other)
            and keys & set(other.keys_in(keymap).split(","))
        ),
        None,
    )


def _meet(one: Command, other: Command) -> bool:
    """Whether the keys of both can apply at once."""
    holders = frozenset({one.held_by, other.held_by})
    if not holders <= MAIN:
        return _in_a_place(holders)
    return holders not in _APART and not (len(holders) > 1 and holders & _OVER)


def _in_a_place(holders: frozenset[Holder]) -> bool:
    """Whether both belong to one further screen, whose keys go before those of the whole program."""
    return len(holders - {"place", "rows"}) <= 1 and "app" not in holders


def first_key(id: str, keymap: Keymap) -> str:
    """The key that stands for a command where there is room for one."""
    command = next(command for command in COMMANDS if command.id == id)
    return key_name(command.keys_in(keymap).split(",")[0])


def action_of(id: str) -> str:
    """What a click has to run to do the same as the command's key."""
    return next(command.action for command in COMMANDS if command.id == id)


def for_action(action: str, parameters: tuple[object, ...]) -> Command | None:
    """The command behind an action as Textual names it."""
    key = f"{action}({', '.join(map(repr, parameters))})" if parameters else action
    return _BY_ACTION.get(key)


def by_area(commands: Iterable[Command] = COMMANDS) -> dict[Area, list[Command]]:
    """What the help lists, by area in the order of AREAS."""
    listed = [command for command in commands if command.listed]
    return {area: [command for command in listed if command.area == area] for area in AREAS}
