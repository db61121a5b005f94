"""From screen to screen: what opens the further ones, and what they ask of the main one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from app import places
from app.tui.commands import Tab
from app.tui.screens.main import Main

if TYPE_CHECKING:
    from app.tui.app import Workspace
    from app.tui.screens.place import Place
    from app.words import Conflict


class Navigator:
    """Opens screens; each is loaded when it is first wanted."""

    def __init__(self, workspace: Workspace) -> None:
        self._app = workspace
        self._vaults = 0
        """How many vaults were opened after the first screen."""

    def _go(self, place: Place) -> None:
        """Open a further screen, in the place of the one that is open."""
        from app.tui.screens.place import Place

        if isinstance(self._app.screen, Place):
            if type(self._app.screen) is not type(place):
                self._app.switch_screen(place)
        elif isinstance(self._app.screen, Main):
            self._app.push_screen(place)

    def mirror(self) -> None:
        from app.tui.screens.mirror import Mirror

        self._go(Mirror())

    def history(self) -> None:
        from app.tui.screens.history import History

        self._go(History())

    def trends(self) -> None:
        from app.tui.screens.trends import Trends

        self._go(Trends())

    def forks(self) -> None:
        from app.tui.screens.forks import Forks

        self._go(Forks())

    def settings(self) -> None:
        from app.tui.screens.settings import SettingsScreen

        self._go(SettingsScreen())

    def doctor(self) -> None:
        from app.tui.screens.doctor import Doctor

        self._go(Doctor())

    def capture(self) -> None:
        from app.tui.screens.capture import Capture

        if self._app.opened and not self._app.screen.is_modal:
            self._app.push_screen(Capture())

    def jump(self) -> None:
        from app.tui.screens.jump import Jump, targets

        if found := targets(self._app.screen):
            self._app.push_screen(Jump(found))

    def open_vault(self) -> None:
        from app.tui.screens.welcome import Welcome

        if not isinstance(self._app.screen, Welcome) and not self._app.screen.is_modal:
            self._app.push_screen(Welcome())

    # what further screens ask of the main one
    def show_conflict(self, conflict: Conflict) -> None:
        """Close what lies over the main screen and select the conflict there."""
        main = self._app.main
        if main is None:
            return
        while self._app.screen is not main and len(self._app.screen_stack) > 1:
            self._app.pop_screen()
        tab = _tab(conflict, self._app.clock.now())
        main.controllers.queue.show_conflict(tab, conflict.id)
        main.controllers.panes.show("detail" if main.has_class("-narrow") else "conflicts")

    def change_vault(self, vault: Path) -> None:
        """Go on with another vault, or the first; raises ServiceError where that is refused."""
        from app.services.vaults import remember, store_place

        store_path = store_place(vault)
        if vault != places.sample_vault().resolve():
            remember(vault)
        # By the app itself: the screen that asks is closed on the way, and must not wait for that.
        self._app.call_next(self._put_vault, vault, store_path)

    async def _put_vault(self, vault: Path, store_path: Path) -> None:
        """Each vault has a stack of screens of its own, which Textual calls a mode; the one before goes."""
        workspace = self._app
        fresh = not store_path.exists()
        await asyncio.to_thread(workspace.close_vault)
        workspace.take_vault(vault, store_path)
        before = self._app.current_mode
        self._vaults += 1
        self._app.add_mode(f"vault {self._vaults}", workspace.main_screen)
        await self._app.switch_mode(f"vault {self._vaults}")
        if before == self._app.DEFAULT_MODE:
            # The first one was not made by that name; what can be removed must have been added.
            self._app.add_mode(before, Screen)
        await self._app.remove_mode(before)
        if fresh:
            from app.tui.screens.first_look import FirstLook

            await self._app.push_screen(FirstLook())


def _tab(conflict: Conflict, now: str) -> Tab:
    if conflict.status != "open":
        return "settled"
    return "snoozed" if (conflict.snoozed_until or "") > now else "open"
