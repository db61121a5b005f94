"""The keys that do something now, in one line; a click presses them."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from app.tui.commands import COMMANDS, MAIN, Command, Holder, Keymap, Situation, key_name

_ALWAYS_LAST = ("belie.help", "belie.quit")
_TYPING = (("Enter", "takes it"), ("Esc", "drops it"))


class Keys(Widget):
    """One line drawn as a whole, so that moving through a list costs nothing here."""

    situation: reactive[Situation] = reactive(Situation())

    def __init__(self, holders: frozenset[Holder] = MAIN) -> None:
        super().__init__()
        self._commands = [command for command in COMMANDS if command.footer and command.held_by in holders]
        self._places: list[tuple[int, int, Command]] = []

    def render(self) -> Content:
        if self.situation.typing:
            self._places = []
            return Content("  ").join([_hint(key, word) for key, word in _TYPING])
        keymap: Keymap = getattr(self.app, "keymap", {})
        shown = [command for command in self._commands if command.possible(self.situation)]
        # Whoever has little room knows how to leave, or finds it in the help.
        always = _ALWAYS_LAST if self.size.width >= 80 else _ALWAYS_LAST[:1]
        last = [command for command in shown if command.id in always]
        rest = [command for command in shown if command.id not in _ALWAYS_LAST]
        # What the pane with the focus is for comes first; decisions work everywhere.
        groups = _grouped(sorted(rest, key=lambda command: command.first_in != self.situation.pane))
        end = Content("  ").join([_key([command], keymap) for command in last])
        room = self.size.width - end.cell_length - 2
        line, self._places = Content(""), []
        for group in groups:
            key = _key(group, keymap)
            if line.cell_length + key.cell_length > room:
                break
            at = line.cell_length
            self._places += [
                (at + index * 2, at + (index * 2 + 1 if index < len(group) - 1 else key.cell_length), command)
                for index, command in enumerate(group)
            ]
            line += key + Content("  ")
        at = self.size.width - end.cell_length
        line += Content(" " * (at - line.cell_length)) + end
        for command in last:
            width = _key([command], keymap).cell_length
            self._places.append((at, at + width, command))
            at += width + 2
        return line

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        for start, end, command in self._places:
            if offset is not None and start <= offset.x < end:
                # By the app, as the keys are: what is typed next waits until it is done.
                self.app.call_later(self.screen.run_action, command.action)
                return


def _grouped(commands: list[Command]) -> list[list[Command]]:
    """Neighbours that share a footer word stand together."""
    groups: list[list[Command]] = []
    for command in commands:
        if command.group and groups and groups[-1][0].group == command.group:
            groups[-1].append(command)
        else:
            groups.append([command])
    return groups


def _key(group: list[Command], keymap: Keymap) -> Content:
    keys = " ".join(key_name(command.keys_in(keymap).split(",")[0]) for command in group)
    assert cell_len(keys) == len(keys), "the places of clicks count on keys one cell wide"
    return _hint(keys, group[0].footer or "")


def _hint(keys: str, word: str) -> Content:
    return Content.assemble((keys, "bold $primary"), (f" {word}", "$muted"))
