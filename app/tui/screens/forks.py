"""Forks: decisions tried out in a store of their own, and what would be otherwise."""

from __future__ import annotations

from collections.abc import Iterable

from textual import on
from textual.widget import Widget

from app.forks.diff import Difference
from app.plain import shown
from app.tui.fork_reading import Fork, ForkChanged, ForksRead, apply, discard, make, read_forks
from app.tui.screens.ask import Ask
from app.tui.screens.place import Place, place_bindings
from app.tui.widgets.page import BLANK, Block, Line, Page
from app.tui.widgets.pane import Pane
from app.tui.wording import plural

_MOST_DIFFERENCES = 200
"""More differences than this are counted, not shown."""
_UNKNOWN = "not there"


class Forks(Place):
    HOLDER = "forks"
    NAME = "Forks"
    ABOUT = (
        "What if you kept the other? A fork is a copy of what is decided; belie conflicts … --fork NAME "
        "decides in it, and here stands what would be otherwise. Notes are never touched."
    )
    BINDINGS = place_bindings("forks")
    AUTO_FOCUS = "#forks"

    def __init__(self) -> None:
        super().__init__()
        self._forks: tuple[Fork, ...] = ()

    def content(self) -> Iterable[Widget]:
        yield Pane("Forks", content=Page(id="forks"), id="forks-pane")

    def begin(self) -> None:
        if not self._forks:
            self.query_one("#forks-pane", Pane).say("Holding the forks against the present …")
        self.workspace.session.story.ask(self, read_forks(self.workspace.session.store_path), name="forks")

    @on(ForksRead)
    def _read(self, message: ForksRead) -> None:
        self._forks = message.forks
        pane = self.query_one("#forks-pane", Pane)
        self.query_one("#forks", Page).show(_blocks(self._forks))
        pane.name_as("Forks", plural(len(self._forks), "fork") if self._forks else "")
        if self._forks:
            pane.say("")
        else:
            pane.say(
                "There is no fork.", "n makes one: a copy to decide in otherwise, while the present stays."
            )
        self.tell_keys()

    @property
    def _here(self) -> Fork | None:
        block = self.query_one("#forks", Page).here
        name = (block.key or "").partition("\0")[0] if block is not None else ""
        return next((fork for fork in self._forks if fork.name == name), None)

    def able(self) -> frozenset[str]:
        fork, writable = self._here, self.workspace.writable
        can = {"new"} if writable else set()
        if fork is not None:
            can |= {"discard"} | ({"apply"} if writable and fork.decisions else set())
        return frozenset(can)

    # keys
    def action_forks_new(self) -> None:
        about = "Its name, such as “keep the old pump”. It begins as everything is decided now."
        self.app.push_screen(Ask("A new fork", about), self._named)

    def _named(self, name: str | None) -> None:
        if name is not None and name.strip():
            self.workspace.session.decisions.ask(self, make(name.strip()))

    def action_forks_apply(self) -> None:
        if (fork := self._here) is not None:
            made = plural(fork.decisions, "decision")
            about = (
                f"Makes its {made} in the present; the history can take each back. Type its name to go on."
            )
            self._confirm(
                f"Apply {fork.name}", about, fork.name, apply(self.workspace.session.store_path, fork.name)
            )

    def action_forks_discard(self) -> None:
        if (fork := self._here) is not None:
            about = "It goes with what was decided in it, for good. Type its name to go on."
            self._confirm(
                f"Discard {fork.name}",
                about,
                fork.name,
                discard(self.workspace.session.store_path, fork.name),
            )

    def _confirm(self, title: str, about: str, name: str, job) -> None:
        def answered(typed: str | None) -> None:
            if typed is not None and typed.strip() == name:
                self.workspace.session.decisions.ask(self, job)
            elif typed is not None:
                self.warn(f"That is not its name, {name}. Nothing was changed.")

        self.app.push_screen(Ask(title, about), answered)

    @on(ForkChanged)
    def _changed(self, message: ForkChanged) -> None:
        if message.said:
            self.notify(shown(message.said), timeout=6, markup=False)
        if message.trouble:
            self.warn(message.trouble)
        if message.applied:
            self.workspace.session.look_again()
            if (main := self.workspace.main) is not None:
                main.controllers.store.reload()
        self.begin()


def _blocks(forks: Iterable[Fork]) -> list[Block]:
    blocks: list[Block] = []
    for fork in forks:
        blocks += [BLANK] if blocks else []
        blocks.append(_fork(fork))
        blocks += [_difference(fork.name, one) for one in fork.differences[:_MOST_DIFFERENCES]]
        if (more := len(fork.differences) - _MOST_DIFFERENCES) > 0:
            blocks.append(Block((Line(f"and {more:,} more", "muted", head="  "),)))
    return blocks


def _fork(fork: Fork) -> Block:
    if fork.trouble:
        told = Line(fork.trouble, "warning", head="⚠ ", head_look="warning")
    elif not fork.differences:
        told = Line("Nothing is otherwise in it yet.", "muted")
    else:
        otherwise = f"{plural(len(fork.differences), 'thing')} otherwise"
        told = Line(f"{plural(fork.decisions, 'decision')} to apply, {otherwise}", "muted")
    since = f"from event {fork.at:,}" if fork.at else ""
    return Block((Line(fork.name, "heading", aside=since), told), key=fork.name)


def _difference(name: str, one: Difference) -> Block:
    return Block(
        (
            Line(one.text, "text", head="  "),
            Line(one.present or _UNKNOWN, "muted", head="    now      "),
            Line(one.fork or _UNKNOWN, "accent", head="    in fork  "),
        ),
        key=f"{name}\0{one.id}",
    )
