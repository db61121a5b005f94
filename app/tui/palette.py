"""The command palette over the registry: names by area, only what is possible now."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from inspect import isawaitable

from textual.binding import Binding
from textual.command import Command as FoundCommand
from textual.command import CommandInput, CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.types import IgnoreReturnCallbackType
from textual.worker import WorkerCancelled

from app.tui.commands import COMMANDS, MAIN, Command, Situation
from app.tui.key_order import dealt_with

_OTHER_WORDS = 0.01


class Palette(CommandPalette):
    """Enter runs what the words mean, however fast they were typed."""

    BINDINGS = [Binding("enter", "take", show=False, priority=True)]  # noqa: RUF012

    async def action_take(self) -> None:
        # Textual would take what is marked, which may be from before the last letter, and run it behind the
        # keys that are there already; either could be a decision nobody made.
        await dealt_with(self.query_one(CommandInput))
        for search in [worker for worker in self.workers if worker.node is self]:
            with suppress(WorkerCancelled):
                await search.wait()
        found = self.query_one(CommandList)
        marked = found.get_option_at_index(found.highlighted) if found.highlighted is not None else None
        if isinstance(marked, FoundCommand):
            self.dismiss()
            done = marked.hit.command()
            if isawaitable(done):
                await done


class CommandProvider(Provider):
    """Finds commands by any part of "area: name", by other words for them, and by the words of their help."""

    def _possible(self) -> list[Command]:
        situation = getattr(self.app, "situation", Situation())
        # Of the screen the palette lies over.
        holders = getattr(self.screen, "holders", MAIN)
        possible = [
            command
            for command in COMMANDS
            if command.in_palette and command.held_by in holders and command.possible(situation)
        ]
        # A further screen's own come before those that work everywhere.
        return sorted(possible, key=lambda command: command.held_by in MAIN)

    async def discover(self) -> Hits:
        for command in self._possible():
            yield DiscoveryHit(command.title, self._run(command), help=self._help(command))

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command in self._possible():
            # By another word for it, or a word of its help: below those whose name is meant.
            score = matcher.match(command.title) or (_OTHER_WORDS if command.found_by(query) else 0.0)
            if score > 0:
                yield Hit(
                    score, matcher.highlight(command.title), self._run(command), help=self._help(command)
                )

    def _run(self, command: Command) -> IgnoreReturnCallbackType:
        return partial(self.screen.run_action, command.action)

    def _help(self, command: Command) -> str:
        keymap = getattr(self.app, "keymap", {})
        key = command.keys_in(keymap) if command.group else command.key_words(keymap)
        return f"{key}  {command.help}"
