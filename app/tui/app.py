"""The workspace as a Textual app: the vault that is open, the screens over it, themes and keys."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events
from textual.app import App

from app import places
from app.tui import themes
from app.tui.clock import Clock
from app.tui.commands import Keymap, Situation, bindings, for_action, keymap
from app.tui.garbage import GarbageTidier
from app.tui.key_order import caught_up, dealt_with, mounted, takes_letters
from app.tui.messages import FromIndex
from app.tui.navigation import Navigator
from app.tui.screens.main import Main
from app.tui.vault_session import IndexWorker, VaultSession, WorkerFactory

if TYPE_CHECKING:
    from textual.command import Provider
    from textual.screen import Screen

    from app.pipeline.messages import Message as IndexMessage
    from app.settings import Settings


SWITCH_SECONDS = 0.001
"""How long a thread that reads may keep the keys waiting for Python's lock; the usual 5 ms can be felt."""


def _command_provider() -> type[Provider]:
    """Named when the palette is opened: what is not needed for the first paint is not loaded for it."""
    from app.tui.palette import CommandProvider

    return CommandProvider


class Workspace(App[int]):
    """Shows rows and sends commands; the truth is in the store."""

    TITLE = "Belie"
    DEFAULT_MODE = "vault"
    CSS_PATH = Path(__file__).with_name("workspace.tcss")
    COMMANDS = {_command_provider}  # noqa: RUF012
    BINDINGS = bindings("app")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (120, "-wide"), (200, "-huge")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-tall")]  # noqa: RUF012
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "ctrl+p"

    def __init__(
        self,
        vault: Path | None,
        store_path: Path | None,
        worker_factory: WorkerFactory,
        *,
        now: str | None = None,
        theme: str | None = None,
        editor: str | None = None,
        keys: Keymap | None = None,
        notices: Sequence[str] = (),
        settings: Settings | None = None,
    ) -> None:
        """Without a vault the person is asked for one first."""
        super().__init__()
        self.clock = Clock(now)
        self.backups = places.backups_dir()
        self.editor = editor
        """The editor of the person's configuration; None leaves it to VISUAL and EDITOR."""
        self.keymap, refused = keymap(keys or {})
        self._theme_names: list[str] = []
        self._notices = [*notices, *refused, *self.take_theme(theme or themes.DEFAULT)]
        self.stylesheet.set_variables(self.get_css_variables())
        self._styled_as: str | None = self.theme
        self._worker_factory = worker_factory
        self._session: VaultSession | None = None
        self.navigator = Navigator(self)
        self.garbage = GarbageTidier()
        self._lent_until = 0.0
        """When an editor gave the terminal back, by the clock of the keys."""
        self.settings = settings
        """The person's configuration as it was at the start; None: there is none."""
        if vault is not None and store_path is not None:
            self.take_vault(vault, store_path)

    def take_vault(self, vault: Path, store_path: Path) -> None:
        """Make what belongs to a vault: its worker and its threads."""
        self._session = VaultSession(
            vault,
            store_path,
            self._worker_factory(vault, store_path),
            hear=self._hear,
            now=self.clock.now,
            overrides=self.settings.overrides(vault) if self.settings is not None else {},
            rules=self.settings.rules(vault) if self.settings is not None else (),
        )

    @property
    def opened(self) -> bool:
        """There is a vault."""
        return self._session is not None and not self._session.closed

    @property
    def session(self) -> VaultSession:
        """The vault that is open, or was until a moment ago; only asked for where there is one."""
        assert self._session is not None
        return self._session

    def close_vault(self) -> None:
        """End worker and threads; decisions that were made are written first."""
        if self.opened:
            self.session.close()

    @property
    def main(self) -> Main | None:
        return next((screen for screen in self.screen_stack if isinstance(screen, Main)), None)

    @property
    def writable(self) -> bool:
        """Decisions can be written."""
        return self.main is not None and self.main.state.writable

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """What our styles use besides Textual's own names, for themes that do not set it."""
        return {
            "line": "#555b66",
            "muted": "#8a909c",
            "cursor": "#33394a",
            "mark": "#5a4526",
            "mark-text": "#ffd896",
        }

    def get_default_screen(self) -> Screen[None]:
        return self.main_screen() if self.opened else super().get_default_screen()

    def main_screen(self) -> Main:
        main = Main(self.session.vault, self.clock)
        # Known from the start, so that the first layout is the right one.
        main.set_classes([_breakpoint(self.size.width, self.HORIZONTAL_BREAKPOINTS),
                          _breakpoint(self.size.height, self.VERTICAL_BREAKPOINTS)])  # fmt: skip
        return main

    def on_mount(self) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        # Whoever ends the process leaves a terminal behind that can be typed in.
        with contextlib.suppress(RuntimeError, ValueError):  # only the main thread hears signals
            asyncio.get_running_loop().add_signal_handler(
                signal.SIGTERM, lambda: self.exit(return_code=128 + signal.SIGTERM)
            )
        self.set_keymap(self.keymap)
        if not self.opened:
            from app.tui.screens.welcome import Welcome

            self.push_screen(Welcome())
        self.call_after_refresh(self._load_themes)

    def take_theme(self, wanted: str) -> list[str]:
        """Take a theme by its name (at the start before anything is drawn); says what went wrong."""
        found, notice = themes.find(wanted)
        if found is None and wanted != themes.DEFAULT:
            found, _ = themes.find(themes.DEFAULT)
        if found is not None:
            self.register_theme(found)
            self.theme = found.name
        return [notice] if notice else []

    def refresh_css(self, animate: bool = True) -> None:
        """Textual applies the theme once more when it has started; by then everything was styled with it."""
        before, self._styled_as = self._styled_as, None
        if before != self.theme:
            super().refresh_css(animate)

    def _load_themes(self) -> None:
        """Read the other themes once the window is there."""
        self.garbage.begin(self)
        loaded = themes.load()
        for theme in loaded.found.values():
            self.register_theme(theme)
        self._theme_names = list(loaded.found)
        for notice in dict.fromkeys([*self._notices, *loaded.notices]):
            self.notify(notice, severity="warning", markup=False)

    def _hear(self, word: IndexMessage) -> None:
        """Called from the worker's reader thread; hands the word to the main screen's handlers."""
        self.post_message(FromIndex(word))

    def on_from_index(self, message: FromIndex) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, Main) or getattr(screen, "HEARS_INDEX", False):
                screen.post_message(FromIndex(message.word))

    # keys
    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key) and not event.is_forwarded:
            if event.time > self._lent_until:
                await self._take_key(event)
        else:
            await super().on_event(event)

    async def _take_key(self, event: events.Key) -> None:
        """Deal with a key before the next one is looked at: what is typed behind `/` is in the line it opens.

        Textual would send every key to the widget with the focus, and run its command once it had come back
        up from there. By then the next key would be on its way to the same widget, and `/x` would decide.
        """
        self.garbage.key_pressed()
        self.app_focus = True
        await mounted(self.screen)
        focused = self.focused
        if (focused or self.screen).check_consume_key(event.key, event.character):
            if self.opened and takes_letters(focused):
                # Whoever types fast, into whichever line, is not to share the machine with the models.
                self.session.worker.models("typed")
            await super().on_event(event)
            return
        line = focused if takes_letters(focused) else None
        if line is not None:
            await caught_up(line)
        if not await self._check_bindings(event.key, priority=True):
            await self._check_bindings(event.key)
        if line is not None:
            # Enter may have closed it.
            await dealt_with(line)

    @contextlib.contextmanager
    def suspend(self) -> Iterator[None]:
        """Lend the terminal; what was pressed until it is back was for whoever had it."""
        with super().suspend():
            yield
        self._lent_until = events.Idle().time

    def on_unmount(self) -> None:
        self.garbage.end()

    # commands
    @property
    def situation(self) -> Situation:
        """Of the screen in front; a dialog over it changes nothing."""
        found = (getattr(screen, "situation", None) for screen in reversed(self.screen_stack))
        return next((one for one in found if isinstance(one, Situation)), Situation())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        command = for_action(action, parameters)
        return True if command is None else command.possible(self.situation)

    def action_go(self, name: str) -> None:
        """Open a further screen, by the name of the navigator's method."""
        getattr(self.navigator, name)()

    def action_help(self) -> None:
        from app.tui.screens.help import Help

        if not isinstance(self.screen, Help):
            self.push_screen(Help(self.screen))

    def action_command_palette(self) -> None:
        from app.tui.palette import Palette

        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    def action_next_theme(self) -> None:
        if not self._theme_names:
            return
        here = self._theme_names.index(self.theme) if self.theme in self._theme_names else -1
        self.theme = self._theme_names[(here + 1) % len(self._theme_names)]
        self.clear_notifications()
        self.notify(f"Theme: {self.theme}", timeout=2, markup=False)

    async def action_quit(self) -> None:
        self.exit(0)


def _breakpoint(cells: int, breakpoints: list[tuple[int, str]]) -> str:
    """The class of the largest breakpoint that is reached."""
    return max((at, name) for at, name in breakpoints if cells >= at)[1]


def run_workspace(vault: Path | None, store_path: Path | None, settings: Settings) -> int:
    """Open the workspace and stay until the person quits; returns the exit code. Without a vault they are
    asked for one."""

    def factory(root: Path, store: Path) -> IndexWorker:
        from app.pipeline.handle import Worker

        return Worker(
            root,
            store,
            overrides=settings.overrides(root),
            models=settings.models,
            strategies=settings.rules(root),
            config=places.config_dir(),
        )

    workspace = Workspace(
        vault,
        store_path,
        factory,
        theme=os.environ.get("BELIE_THEME") or settings.theme or themes.for_terminal(),
        editor=settings.editor,
        keys=settings.keys,
        notices=settings.problems,
        settings=settings,
    )
    try:
        answer = workspace.run()
    finally:
        workspace.close_vault()
    return answer if answer is not None else workspace.return_code or 0
