"""What each key would do to the selected conflict, said before it is pressed."""

from __future__ import annotations

from textual.content import Content

from app.tui.cells import clip
from app.tui.clock import Clock, day_in_words
from app.tui.commands import MOST_MEMBERS, SNOOZE_DAYS, Tab
from app.tui.plain import shown
from app.tui.reading import DetailView, MemberView
from app.tui.wording import outcome

_Answer = tuple[str, str]


def answers(view: DetailView, tab: Tab, clock: Clock) -> Content:
    """A line per key; keys that would do nothing are left out."""
    if tab == "settled":
        became = outcome(view.conflict)
        when = view.conflict.resolved_at
        lines = [[("R", "puts it back into the queue")]]
        head = f"Settled: {shown(became)}" + (f", {day_in_words(when)}" if when else "")
    else:
        lines = _open_lines(view, tab, clock)
        head = "Your answer"
    rows = [Content.styled(head, "bold $muted")]
    rows += [_line(line) for line in lines]
    return Content("\n").join(rows)


def _line(line: list[_Answer]) -> Content:
    return Content.assemble(
        *(piece for key, said in line for piece in ((f" {key} ", "bold $primary"), f"{said}  "))
    )


def _open_lines(view: DetailView, tab: Tab, clock: Clock) -> list[list[_Answer]]:
    others = "the other" if len(view.members) == 2 else "the others"
    lines = [
        [(_keys(member, view), f"keeps {core(member)}, supersedes {others}")]
        for member in view.members[:MOST_MEMBERS]
    ]
    when = clock.in_days(SNOOZE_DAYS)
    last = (
        ("z", f"later, {day_in_words(when).rpartition(' ')[0]}")
        if tab == "open"
        else ("R", "back into the queue now")
    )
    lines.append([("b  ", "both true"), ("x", "not a conflict"), last])
    return lines


def _keys(member: MemberView, view: DetailView) -> str:
    """The keys that keep this member: its number, and `n` or `t` where they would choose it."""
    newest = "n" if view.newest == member.number else " "
    trusted = "t" if view.most_trusted == member.number else " "
    both = (newest + trusted).strip()
    return f"{member.number} {both[:1] or ' '}" if len(both) < 2 else f"{member.number}{both}"


def core(member: MemberView) -> str:
    """The words of a member that tell it from the others, quoted; the whole of it when nothing does."""
    words = member.around.words
    if member.differs and member.differs[0] != (0, len(words)):
        told = " … ".join(words[start:end] for start, end in member.differs)
        return f"“…{clip(told, 28)}”" if member.differs[0][0] else f"“{clip(told, 28)}”"
    return f"“{clip(words, 30)}”"
