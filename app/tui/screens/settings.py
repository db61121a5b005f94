"""The settings: the configuration file as a list, changed in place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual import on
from textual.widget import Widget

from app import settings
from app.private_files import make_private
from app.settings_file import CannotChange, SettingsFile
from app.tui import themes
from app.tui.folders import short
from app.tui.screens.ask import Ask
from app.tui.screens.picker import Pick, Picker
from app.tui.screens.place import Place, place_bindings
from app.tui.setting_list import GROUPS, SETTINGS, NotUsable, Setting, typed, understood, words
from app.tui.widgets.page import BLANK, Block, Line, Page, heading
from app.tui.widgets.pane import Pane

_NAMES = max(len(setting.name) for setting in SETTINGS) + 2
"""Cells for the names, so that the values stand in a column."""


class SettingsScreen(Place):
    HOLDER = "settings"
    NAME = "Settings"
    ABOUT = (
        "Your configuration file, line by line. Comments and what Belie does not know stay in it. "
        "Keys, strategies and further vaults are edited in the file itself."
    )
    BINDINGS = place_bindings("settings")
    AUTO_FOCUS = "#settings"

    def __init__(self) -> None:
        super().__init__()
        self._file: SettingsFile | None = None
        self._own = False
        """Settings are for this vault alone."""

    def content(self) -> Iterable[Widget]:
        yield Pane("Settings", content=Page(id="settings"), id="settings-pane")

    def begin(self) -> None:
        path = settings.config_file()
        problems = list(settings.load(path).problems)
        try:
            self._file = SettingsFile(path)
        except CannotChange as error:
            self._file = None
            problems = [str(error)]
        self.query_one("#settings", Page).show(self._blocks(problems))
        scope = f" for {self.workspace.session.vault.name}" if self._own else ""
        self.query_one("#settings-pane", Pane).name_as(f"Settings{scope}", short(path))
        self.tell_keys()

    def _blocks(self, problems: list[str]) -> list[Block]:
        blocks = [Block((Line(problem, "warning", head="⚠ ", head_look="warning"),)) for problem in problems]
        for title, group in GROUPS:
            listed = [s for s in group if s.per_vault or not self._own]
            if listed:
                blocks += [BLANK] if blocks else []
                blocks.append(heading(title))
                blocks += [self._block(setting) for setting in listed]
        return blocks

    def _block(self, setting: Setting) -> Block:
        value = self._value(setting)
        given = value is not None
        holds = value if given else self._inherited(setting)
        shown = setting.unset if holds is None else words(holds)
        look = "accent" if given else "muted"
        head = setting.name.ljust(_NAMES)
        return Block(
            (Line(shown, look, head=head, head_look="strong", aside="" if given else "default"),
             Line(setting.about, "muted", head="  ")),
            key=setting.name,
        )  # fmt: skip

    def _keys(self, setting: Setting) -> tuple[str, ...]:
        if not self._own or self._file is None:
            return setting.keys
        return ("vaults", self._file.key_of(self.workspace.session.vault), *setting.keys)

    def _value(self, setting: Setting) -> Any:
        return self._file.get(self._keys(setting)) if self._file is not None else None

    def _inherited(self, setting: Setting) -> Any:
        """What holds where nothing is set here."""
        common = self._file.get(setting.keys) if self._own and self._file is not None else None
        return common if common is not None else setting.default

    @property
    def _here(self) -> Setting | None:
        block = self.query_one("#settings", Page).here
        return next((s for s in SETTINGS if block is not None and s.name == block.key), None)

    def able(self) -> frozenset[str]:
        can = {"edit"}
        if self._file is not None:
            can.add("scope")
            if self._here is not None:
                can.add("change")
                if self._value(self._here) is not None:
                    can.add("default")
        return frozenset(can)

    @on(Page.Chosen)
    def _chosen(self) -> None:
        if "change" in self.able():
            self.action_settings_change()

    # keys
    def action_settings_change(self) -> None:
        setting = self._here
        if setting is None:
            return
        value = self._value(setting)
        now = value if value is not None else self._inherited(setting)
        if setting.form == "flag":
            self._set(setting, not now)
        elif setting.form == "choice":
            names = setting.choices or tuple(themes.load().found)
            picks = [Pick(name, name, aside="now" if name == now else "") for name in names]
            self.app.push_screen(
                Picker(setting.name, "type a part of it", picks, start=now),
                lambda name: self._set(setting, name) if name is not None else None,
            )
        else:
            how = " Several are separated by commas." if setting.form == "list" else ""
            inherited = self._inherited(setting)
            unset = setting.unset if inherited is None or setting.form == "list" else words(inherited)
            asked = Ask(setting.name, setting.about + how, typed(now), unset=unset)
            self.app.push_screen(asked, self._typed_for(setting))

    def _typed_for(self, setting: Setting):
        def given(text: str | None) -> None:
            if text is None:
                return
            if not text.strip() and setting.form != "list":
                self.action_settings_default()
                return
            try:
                self._set(setting, understood(setting, text))
            except NotUsable as error:
                self.warn(str(error))

        return given

    def _set(self, setting: Setting, value: Any) -> None:
        self._change(setting, lambda file: file.set(self._keys(setting), value))

    def action_settings_default(self) -> None:
        if (setting := self._here) is not None:
            self._change(setting, lambda file: file.remove(self._keys(setting)))

    def _change(self, setting: Setting, change) -> None:
        if self._file is None:
            return
        try:
            change(self._file)
        except CannotChange as error:
            self.warn(str(error))
            return
        now = settings.load()
        self.workspace.settings = now
        if setting.keys == ("theme",):
            self.workspace.take_theme(now.theme or themes.DEFAULT)
        elif setting.keys == ("editor",):
            self.workspace.editor = now.editor
        if not setting.at_once:
            self.notify("Kept. It takes effect at the next start.", timeout=4, markup=False)
        self.begin()

    def action_settings_scope(self) -> None:
        self._own = not self._own
        self.begin()

    def action_settings_edit(self) -> None:
        path = settings.config_file()
        make_private(path.parent)
        self.edit(path)
        self.begin()
