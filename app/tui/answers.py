"""What each key would do to the selected conflict, said before it is pressed."""

from __future__ import annotations

from textual.content import Content

from app.plain import shown
from app.tui.cells import clip
from app.tui.clock import Clock, day_in_words
from app.tui.commands import MOST_MEMBERS, SNOOZE_DAYS, Keymap, Tab, first_key
from app.tui.reading import DetailView, MemberView
from app.tui.wording import outcome

_Answer = tuple[str, str]


def answers(view: DetailView, tab: Tab, clock: Clock, keymap: Keymap) -> Content:
    """A line per key; keys that would do nothing are left out."""
    if tab == "settled":
        became = outcome(view.conflict)
        when = view.conflict.resolved_at
        lines = [[(first_key("conflict.reopen", keymap), "puts it back into the queue")]]
        head = f"Settled: {shown(became)}" + (f", {day_in_words(when)}" if when else "")
    else:
        lines = _open_lines(view, tab, clock, keymap)
        head = "Your answer"
    rows = [Content.styled(head, "bold $muted")]
    rows += [_line(line) for line in lines]
    return Content("\n").join(rows)


def _line(line: list[_Answer]) -> Content:
    return Content.assemble(
        *(piece for key, said in line for piece in ((f" {key} ", "bold $primary"), f"{said}  "))
    )


def _open_lines(view: DetailView, tab: Tab, clock: Clock, keymap: Keymap) -> list[list[_Answer]]:
    others = "the other" if len(view.members) == 2 else "the others"
    lines = [
        [(_keys(member, view, keymap), f"keeps {core(member)}, supersedes {others}")]
        for member in view.members[:MOST_MEMBERS]
    ]
    when = clock.in_days(SNOOZE_DAYS)
    last = (
        (first_key("conflict.snooze", keymap), f"later, {day_in_words(when).rpartition(' ')[0]}")
        if tab == "open"
        else (first_key("conflict.reopen", keymap), "back into the queue now")
    )
    both_true = f"{first_key('conflict.both_true', keymap):<3}"
    lines.append(
        [(both_true, "both true"), (first_key("conflict.not_a_conflict", keymap), "not a conflict"), last]
    )
    return lines


def _keys(member: MemberView, view: DetailView, keymap: Keymap) -> str:
    """The keys that keep this member: its number, and those of newest and most trusted where they would."""
    more = [
        first_key(id, keymap)
        for id, number in (("conflict.newest", view.newest), ("conflict.most_trusted", view.most_trusted))
        if number == member.number
    ]
    narrow = len(more) == 2 and len("".join(more)) == 2
    return f"{member.number}{''.join(more)}" if narrow else f"{member.number} {' '.join(more) or ' '}"


def core(member: MemberView) -> str:
    """The words of a member that tell it from the others, quoted; the whole of it when nothing does."""
    words = member.around.words
    if member.differs and member.differs[0] != (0, len(words)):
        told = " … ".join(words[start:end] for start, end in member.differs)
        return f"“…{clip(told, 28)}”" if member.differs[0][0] else f"“{clip(told, 28)}”"
    return f"“{clip(words, 30)}”"
