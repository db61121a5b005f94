"""From screen to screen: what opens the further ones, and what they ask of the main one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.app import App
from textual.screen import Screen

from app import places
from app.tui.commands import Tab
from app.tui.screens.main import Main

if TYPE_CHECKING:
    from app.tui.app import Workspace
    from app.tui.screens.place import Place
    from app.words import Conflict


class Navigation(App):
    """The part of the workspace that opens screens; each is loaded when it is first wanted."""

    DEFAULT_MODE = "vault"
    _vaults = 0
    """How many vaults were opened after the first screen."""

    @property
    def _self(self) -> Workspace:
        return cast("Workspace", self)

    @property
    def main(self) -> Main | None:
        return next((screen for screen in self.screen_stack if isinstance(screen, Main)), None)

    @property
    def writable(self) -> bool:
        """Decisions can be written."""
        return self.main is not None and self.main.writable

    def _go(self, place: Place) -> None:
        """Open a further screen, in the place of the one that is open."""
        from app.tui.screens.place import Place

        if isinstance(self.screen, Place):
            if type(self.screen) is not type(place):
                self.switch_screen(place)
        elif isinstance(self.screen, Main):
            self.push_screen(place)

    def action_mirror(self) -> None:
        from app.tui.screens.mirror import Mirror

        self._go(Mirror())

    def action_history(self) -> None:
        from app.tui.screens.history import History

        self._go(History())

    def action_trends(self) -> None:
        from app.tui.screens.trends import Trends

        self._go(Trends())

    def action_forks(self) -> None:
        from app.tui.screens.forks import Forks

        self._go(Forks())

    def action_settings(self) -> None:
        from app.tui.screens.settings import SettingsScreen

        self._go(SettingsScreen())

    def action_doctor(self) -> None:
        from app.tui.screens.doctor import Doctor

        self._go(Doctor())

    def action_capture(self) -> None:
        from app.tui.screens.capture import Capture

        if self._self.opened and not self.screen.is_modal:
            self.push_screen(Capture())

    def action_jump(self) -> None:
        from app.tui.screens.jump import Jump, targets

        if found := targets(self.screen):
            self.push_screen(Jump(found))

    def action_open_vault(self) -> None:
        from app.tui.screens.welcome import Welcome

        if not isinstance(self.screen, Welcome) and not self.screen.is_modal:
            self.push_screen(Welcome())

    # what further screens ask of the main one
    def show_conflict(self, conflict: Conflict) -> None:
        """Close what lies over the main screen and select the conflict there."""
        main = self.main
        if main is None:
            return
        while self.screen is not main and len(self.screen_stack) > 1:
            self.pop_screen()
        tab = _tab(conflict, self._self.clock.now())
        if tab == main.tab:
            main.ask_queue(prefer=conflict.id)
        else:
            main.go_to_tab(tab, prefer=conflict.id)
        main.show_pane("detail" if main.has_class("-narrow") else "conflicts")

    def taken_back(self, seq: int) -> None:
        """A decision was undone elsewhere: it is not the next that `u` takes back."""
        main = self.main
        if main is not None:
            main.decided[:] = [
                kept for steps in main.decided if (kept := tuple(step for step in steps if step.seq != seq))
            ]
            main.reload()

    def open_vault(self, vault: Path) -> None:
        """Go on with another vault, or the first; raises CommandError where that is refused."""
        from app.cli.vaults import remember, store_place

        store_path = store_place(vault)
        if vault != places.sample_vault().resolve():
            remember(vault)
        # By the app itself: the screen that asks is closed on the way, and must not wait for that.
        self.call_next(self._change_vault, vault, store_path)

    async def _change_vault(self, vault: Path, store_path: Path) -> None:
        """Each vault has a stack of screens of its own, which Textual calls a mode; the one before goes."""
        workspace = self._self
        fresh = not store_path.exists()
        await asyncio.to_thread(workspace.close_hands)
        workspace.take_vault(vault, store_path)
        before = self.current_mode
        self._vaults += 1
        self.add_mode(f"vault {self._vaults}", workspace.main_screen)
        await self.switch_mode(f"vault {self._vaults}")
        if before == self.DEFAULT_MODE:
            # The first one was not made by that name; what can be removed must have been added.
            self.add_mode(before, Screen)
        await self.remove_mode(before)
        if fresh:
            from app.tui.screens.first_look import FirstLook

            await self.push_screen(FirstLook())


def _tab(conflict: Conflict, now: str) -> Tab:
    if conflict.status != "open":
        return "settled"
    return "snoozed" if (conflict.snoozed_until or "") > now else "open"
