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
        f"conflict.keep_{number}", "conflict", f"keep side {number}", str(number),
        f"screen.run('decisions.keep', {number})",
        "Keeps that side and retires the others." if number == 1
        else f"Keeps side {number} and retires the others.",
        possible=_member(number), footer="keep", group="keep", listed=number == 1, shown_keys="1 – 9",
        also="resolve settle choose",
    )  # fmt: skip


SETTLING: tuple[Command, ...] = (
    *(_keep(number) for number in range(1, MOST_MEMBERS + 1)),
    Command("conflict.both_true", "conflict", "both are true", "b", "screen.run('decisions.both_true')",
            "Leaves every side as it is and remembers that they go together.",
            possible=decidable, footer="both true",
            also="resolve settle dismiss accept coexist"),
    Command("conflict.not_a_conflict", "conflict", "not a conflict", "x",
            "screen.run('decisions.not_a_conflict')",
            "Takes it out of the queue; it stays out until one of the lines is reworded.",
            possible=decidable, footer="no conflict",
            also="ignore dismiss resolve settle false alarm hide"),
    Command("conflict.snooze", "conflict", "snooze for a week", "z", "screen.run('decisions.snooze')",
            "Takes it out of the queue for seven days, or until one of its lines changes.",
            possible=_snoozable, footer="snooze",
            also="later postpone defer put off remind"),
    Command("conflict.undo", "conflict", "undo the last decision", "u", "screen.run('decisions.undo')",
            "Takes back your last decision, and with the next press the one before.",
            possible=lambda now: now.writable, footer="undo",
            also="revert take back"),
    Command("conflict.newest", "conflict", "keep the newest", "n", "screen.run('decisions.newest')",
            "Keeps the side with the latest date, where one alone has it.",
            possible=lambda now: decidable(now) and now.newest is not None, footer="newest",
            also="resolve settle latest"),
    Command("conflict.most_trusted", "conflict", "keep the most trusted", "t",
            "screen.run('decisions.most_trusted')",
            "Keeps the side from the most trusted note: ◆ before ◇ before ·.",
            possible=lambda now: decidable(now) and now.most_trusted is not None, footer="trusted",
            also="resolve settle"),
    Command("conflict.accept", "conflict", "take the suggestion", "enter", "screen.run('decisions.accept')",
            "In the detail: keeps the side marked ★, and says so.",
            held_by="detail", possible=_suggested, footer="take ★", first_in="detail",
            also="resolve settle star"),
    Command("conflict.write_back", "conflict", "write it into the notes", "w",
            "screen.run('decisions.write_back')",
            "Shows how the losing lines would be struck or marked; writes only when you agree.",
            possible=_writable_back, footer="write back",
            also="diff patch edit apply strike fix"),
    Command("conflict.snooze_until", "conflict", "snooze until a day", "Z",
            "screen.run('decisions.snooze_until')",
            "Asks for the day, or snoozes it until one of its lines changes.", possible=_snoozable,
            also="later postpone defer put off remind"),
    Command("conflict.reason", "conflict", "say why", "i", "screen.run('decisions.reason')",
            "A sentence of yours that is kept with the next decision.",
            possible=lambda now: now.writable and now.members > 0,
            also="comment note why"),
    Command("conflict.reopen", "conflict", "reopen", "R", "screen.run('decisions.reopen')",
            "Puts a snoozed or settled conflict back into the queue.",
            possible=lambda now: now.writable and now.members > 0 and now.tab != "open", footer="reopen",
            also="unsnooze restore"),
    Command("conflict.pick", "conflict", "pick for one decision", "space", "pick",
            "Picks the conflict; the next decision is for all that are picked.",
            held_by="queue", in_palette=False, possible=lambda now: now.listed,
            also="select mark bulk"),
    Command("conflict.pick_all", "conflict", "pick all, or none", "A", "screen.run('queue.pick_all')",
            "Picks every conflict of the list, or lets go of those picked.",
            possible=lambda now: now.listed,
            also="select mark bulk"),
)  # fmt: skip
