"""The command palette over the registry: names by area, only what is possible now."""

from __future__ import annotations

from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.types import IgnoreReturnCallbackType

from app.tui.commands import COMMANDS, MAIN, Command, Situation

_OTHER_WORDS = 0.01


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
