"""The commands that decide: on the selected conflict, or on all that are picked."""

from __future__ import annotations

from collections.abc import Callable

from app.tui.commands.command import MOST_MEMBERS, Command, Situation, decidable

SNOOZE_DAYS = 7
BOTH_TRUE = "both are true"
NOT_A_CONFLICT = "not a conflict"


def _member(number: int) -> Callable[[Situation], bool]:
    return lambda now: decidable(now) and number <= now.members


def _snoozable(now: Situation) -> bool:
    return decidable(now) and now.tab == "open"


def _writable_back(now: Situation) -> bool:
    return now.writable and not now.picked and now.members > 1 and (now.tab != "settled" or now.kept)


def _suggested(now: Situation) -> bool:
    return decidable(now) and now.suggested is not None and now.pane == "detail"


def _keep(number: int) -> Command:
    return Command(
        f"conflict.keep_{number}", "conflict", f"keep member {number}", str(number),
        f"screen.run('decisions.keep', {number})",
        "Keeps that member; the others are superseded by it." if number == 1
        else f"Keeps member {number}; the others are superseded by it.",
        possible=_member(number), footer="keep", group="keep", listed=number == 1, shown_keys="1 – 9",
    )  # fmt: skip


SETTLING: tuple[Command, ...] = (
    *(_keep(number) for number in range(1, MOST_MEMBERS + 1)),
    Command("conflict.both_true", "conflict", "both are true", "b", "screen.run('decisions.both_true')",
            "Leaves every member as it is and remembers that they go together.",
            possible=decidable, footer="both true"),
    Command("conflict.not_a_conflict", "conflict", "not a conflict", "x",
            "screen.run('decisions.not_a_conflict')",
            "Takes it out of the queue; it stays out until one of the lines is reworded.",
            possible=decidable, footer="no conflict"),
    Command("conflict.snooze", "conflict", "ask again in a week", "z", "screen.run('decisions.snooze')",
            "Puts it off for seven days, or until one of its lines changes.",
            possible=_snoozable, footer="later"),
    Command("conflict.undo", "conflict", "undo the last decision", "u", "screen.run('decisions.undo')",
            "Takes back your last decision, and with the next press the one before.",
            possible=lambda now: now.writable, footer="undo"),
    Command("conflict.newest", "conflict", "keep the newest", "n", "screen.run('decisions.newest')",
            "Keeps the member with the latest date, where one alone has it.",
            possible=lambda now: decidable(now) and now.newest is not None, footer="newest"),
    Command("conflict.most_trusted", "conflict", "keep the most trusted", "t",
            "screen.run('decisions.most_trusted')",
            "Keeps the member from the most trusted note: canon before record before note.",
            possible=lambda now: decidable(now) and now.most_trusted is not None, footer="trusted"),
    Command("conflict.accept", "conflict", "take the suggestion", "enter", "screen.run('decisions.accept')",
            "In the detail: keeps the member marked as suggested.",
            held_by="detail", possible=_suggested, footer="take ★", first_in="detail"),
    Command("conflict.write_back", "conflict", "write it into the notes", "w",
            "screen.run('decisions.write_back')",
            "Shows how the losing lines would be struck or marked; writes only when you agree.",
            possible=_writable_back, footer="write back"),
    Command("conflict.snooze_until", "conflict", "ask again on a day", "Z",
            "screen.run('decisions.snooze_until')",
            "Asks for the day, or puts it off until one of its lines changes.", possible=_snoozable),
    Command("conflict.reason", "conflict", "say why", "i", "screen.run('decisions.reason')",
            "A sentence of yours that is kept with the next decision.",
            possible=lambda now: now.writable and now.members > 0),
    Command("conflict.reopen", "conflict", "reopen", "R", "screen.run('decisions.reopen')",
            "Puts a snoozed or settled conflict back into the queue.",
            possible=lambda now: now.writable and now.members > 0 and now.tab != "open", footer="reopen"),
    Command("conflict.pick", "conflict", "pick for one decision", "space", "pick",
            "Picks the conflict; the next decision is for all that are picked.",
            held_by="queue", in_palette=False, possible=lambda now: now.listed),
    Command("conflict.pick_all", "conflict", "pick all, or none", "A", "screen.run('queue.pick_all')",
            "Picks every conflict of the list, or lets go of those picked.",
            possible=lambda now: now.listed),
)  # fmt: skip
