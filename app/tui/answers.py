"""What each key would do to the selected conflict, or to those picked, said before it is pressed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from textual.content import Content
from textual.style import Style

from app.cells import clip
from app.plain import shown
from app.tui.clock import day_in_words, until_words
from app.tui.commands import MOST_MEMBERS, Keymap, Tab, action_of, first_key
from app.tui.wording import outcome, plural

if TYPE_CHECKING:
    from app.tui.reading import DetailView, MemberView, QueueRow


class _Answer(NamedTuple):
    """A key, what it does in words, and the id of its command: a click does the same."""

    key: str
    said: str
    command: str
    aside: str = ""


_Line = list[_Answer]


def answers(
    view: DetailView, tab: Tab, keymap: Keymap, picked: Sequence[QueueRow] = (), why: str = "",
    room: int = 1000,
) -> Content:  # fmt: skip
    """A line per key; keys that would do nothing are left out. What the keys that keep a member have in
    common is said once, where `room` (in cells) is too little to say it on each line."""
    lines: list[_Line]
    common = ""
    if picked:
        head = f"For {plural(len(picked), 'picked conflict')}"
        lines = _picked_lines(picked, tab, keymap)
    elif tab == "settled":
        when = view.conflict.resolved_at
        head = f"Settled: {shown(outcome(view.conflict, still_said=view.still_said))}" + (
            f", {day_in_words(when)}" if when else ""
        )
        lines = [_settled_line(view, keymap)]
    else:
        until = view.conflict.snoozed_until if tab == "snoozed" else None
        head = f"Snoozed {until_words(until)}" if until else "Your answer"
        lines = _open_lines(view, tab, keymap)
        if any(_line(line).cell_length > room for line in lines):
            lines = _open_lines(view, tab, keymap, brief=True)
            common = f"keeping one retires the other{'s' if len(view.members) > 2 else ''}"
    reason = f"   because: {clip(why, 60)}" if why else ""
    rows = [Content.assemble((head, "bold $muted"), (reason, "italic $success"))]
    if common and rows[0].cell_length + 3 + cell_len(common) <= room:
        rows[0] += Content.styled(f"   {common}", "$muted")
    elif common:
        rows.append(Content.styled(common, "$muted"))
    rows += [_line(line) for line in lines]
    return Content("\n").join(rows)


def _line(line: _Line) -> Content:
    pieces: list[Content] = []
    for answer in line:
        words = Content.assemble((f" {answer.key} ", "bold $primary"), f"{answer.said} ")
        pieces.append(words.stylize(Style.from_meta({"@click": action_of(answer.command)})))
        if answer.aside:
            pieces.append(Content.styled(f" ★ {answer.aside}", "$success"))
    return Content("").join(pieces)


def _others(view: DetailView, kept: MemberView) -> str:
    """The other of two in its own words; more are not named."""
    others = [member for member in view.members if member is not kept]
    return core(others[0]) if len(others) == 1 else "the others"


def _open_lines(view: DetailView, tab: Tab, keymap: Keymap, *, brief: bool = False) -> list[_Line]:
    suggested = view.suggestion
    aside = f"Enter takes it: {suggested.why}" if suggested and not brief else "Enter takes it"
    lines = [
        [
            _Answer(
                _keys(member, view, keymap),
                f"keeps {core(member)}" + ("" if brief else f", retires {_others(view, member)}"),
                f"conflict.keep_{member.number}",
                aside if suggested and suggested.number == member.number else "",
            )
        ]
        for member in view.members[:MOST_MEMBERS]
    ]
    return [*lines, *_common(tab, keymap), _more(keymap)]


def _common(tab: Tab, keymap: Keymap) -> list[_Line]:
    last = (
        _Answer(first_key("conflict.snooze", keymap), "snooze a week", "conflict.snooze")
        if tab == "open"
        else _Answer(first_key("conflict.reopen", keymap), "back now", "conflict.reopen")
    )
    both = f"{first_key('conflict.both_true', keymap):<3}"
    none = first_key("conflict.not_a_conflict", keymap)
    return [
        [
            _Answer(both, "both true", "conflict.both_true"),
            _Answer(none, "not a conflict", "conflict.not_a_conflict"),
            last,
        ]
    ]


def _more(keymap: Keymap) -> _Line:
    return [
        _Answer(f"{first_key('conflict.write_back', keymap):<3}", "write back", "conflict.write_back"),
        _Answer(first_key("note.edit", keymap), "edit", "note.edit"),
        _Answer(first_key("conflict.reason", keymap), "say why", "conflict.reason"),
    ]


def _settled_line(view: DetailView, keymap: Keymap) -> _Line:
    again = _Answer(first_key("conflict.reopen", keymap), "back into the queue", "conflict.reopen")
    if view.conflict.winner is None:
        return [again]
    write = _Answer(first_key("conflict.write_back", keymap), "into the notes", "conflict.write_back")
    return [again, write]


def _picked_lines(picked: Sequence[QueueRow], tab: Tab, keymap: Keymap) -> list[_Line]:
    if tab == "settled":
        return [
            [_Answer(first_key("conflict.reopen", keymap), "puts all back into the queue", "conflict.reopen")]
        ]
    rules = (
        ("conflict.newest", "newest", sum(row.newest is not None for row in picked)),
        ("conflict.most_trusted", "most trusted", sum(row.most_trusted is not None for row in picked)),
    )
    lines = [
        [
            _Answer(
                f"{first_key(id, keymap):<3}",
                f"keeps the {what} of each" + ("" if count == len(picked) else f" ({count} have one)"),
                id,
            )
        ]
        for id, what, count in rules
        if count
    ]
    return [*lines, *_common(tab, keymap)]


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
    if member.option:
        return f"“{clip(member.option, 28)}”"
    words = member.around.words
    if member.differs and member.differs[0] != (0, len(words)):
        told = " … ".join(words[start:end] for start, end in member.differs)
        return f"“…{clip(told, 28)}”" if member.differs[0][0] else f"“{clip(told, 28)}”"
    return f"“{clip(words, 30)}”"
