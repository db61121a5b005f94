"""The help: what one is looking at and its keys first, then every command by area; what cannot be done just
now is dimmed."""

from __future__ import annotations

from typing import cast

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from app.cells import fit
from app.plain import shown
from app.tui.commands import AREAS, COMMANDS, MAIN, Area, Command, Holder, Keymap, Situation, by_area
from app.tui.wording import KIND_GLYPH, KIND_MEANING, LAYER_GLYPH

_PANES = {
    "conflicts": (
        "Conflicts",
        "What needs an answer, the most pressing first. The number keys keep a side of the selected one, "
        "whichever pane has the focus.",
    ),
    "detail": (
        "Detail",
        "Both sides as they stand in their notes, with the words that differ marked, why Belie thinks they "
        "disagree, and what each key would do.",
    ),
    "story": (
        "Story",
        "Every statement of the vault, the oldest first. ⚠ marks what is disputed. Enter shows the conflict "
        "of a line, or the whole line with its note.",
    ),
}


class Help(ModalScreen[None]):
    """One page that can be searched; any of the usual keys closes it."""

    AUTO_FOCUS = ""

    BINDINGS = [  # noqa: RUF012
        Binding("escape,question_mark,q", "close", "close", id="help.close"),
        Binding("slash", "find", show=False),
        Binding("j,down", "scroll('down')", show=False),
        Binding("k,up", "scroll('up')", show=False),
        Binding("pagedown,space,ctrl+d", "scroll('page_down')", show=False),
        Binding("pageup,ctrl+u", "scroll('page_up')", show=False),
        Binding("g,home", "scroll('home')", show=False),
        Binding("G,end", "scroll('end')", show=False),
    ]

    def __init__(self, over: Screen | None = None) -> None:
        super().__init__()
        self._over = over
        self._situation = Situation()
        self._keymap: Keymap = {}
        self._groups: dict[Area, list[Command]] = {}
        self._shown: list[tuple[Static, tuple[Area, ...]]] = []

    def compose(self) -> ComposeResult:
        situation = self._situation = cast("Situation", getattr(self.app, "situation", Situation()))
        self._keymap = cast("Keymap", getattr(self.app, "keymap", {}))
        holders = cast("frozenset[Holder]", getattr(self._over, "holders", MAIN))
        self._groups = by_area([command for command in COMMANDS if command.held_by in holders])
        with VerticalScroll(id="help") as box:
            box.border_title = Content("Keys")
            box.border_subtitle = Content("/ searches, j and k scroll, Esc closes")
            yield Input(placeholder="what do you want to do?", compact=True, id="help-find")
            yield Static(self._about(situation), markup=False, id="help-about")
            with Container(id="help-columns"):
                for areas in _columns(self._groups, place=situation.place is not None):
                    column = Static(markup=False, classes="help-column")
                    self._shown.append((column, areas))
                    yield column

    def on_mount(self) -> None:
        self._show("")

    def _show(self, words: str) -> None:
        """The commands that these words may mean; all of them and the signs where there are none."""
        found = False
        for number, (column, areas) in enumerate(self._shown):
            fitting = {area: [c for c in self._groups[area] if c.found_by(words)] for area in areas}
            parts = [
                _area(AREAS[area], commands, self._situation, self._keymap)
                for area, commands in fitting.items()
                if commands
            ]
            found = found or bool(parts)
            if number == 0 and not words and self._situation.place is None:
                parts.insert(1, _signs())
            column.update(Content("\n\n").join(parts))
        if not found:
            self._shown[0][0].update(Content.styled(f"Nothing is called “{shown(words)}”.", "$muted"))

    @on(Input.Changed, "#help-find")
    def _typed(self, message: Input.Changed) -> None:
        self._show(message.value)

    def action_find(self) -> None:
        self.query_one("#help", VerticalScroll).scroll_home(animate=False)
        line = self.query_one("#help-find", Input)
        line.add_class("-asked")
        self.set_focus(line)

    def action_close(self) -> None:
        """The search first, then the help."""
        line = self.query_one("#help-find", Input)
        if not line.has_class("-asked"):
            self.dismiss(None)
            return
        line.value = ""
        line.remove_class("-asked")
        self.set_focus(None)

    def _about(self, situation: Situation) -> Content:
        """What the person is looking at."""
        if situation.place is not None:
            name, about = getattr(self._over, "NAME", ""), getattr(self._over, "ABOUT", "")
        else:
            name, about = _PANES[situation.pane]
        return Content.assemble((f"{name}  ", "bold"), (about, "$muted"), "\n")

    def action_scroll(self, way: str) -> None:
        getattr(self.query_one("#help", VerticalScroll), f"scroll_{way}")(animate=False)


def _columns(groups: dict[Area, list[Command]], *, place: bool) -> tuple[tuple[Area, ...], ...]:
    if not place:
        return ("conflict", "note", "belie"), ("move", "view", "go")
    own = tuple(area for area in groups if area not in ("conflict", "note", "belie", "move", "view", "go"))
    return (*own, "view", "belie"), ("move", "go")


def _area(title: str, commands: list[Command], situation: Situation, keymap: Keymap) -> Content:
    lines = [Content.styled(title, "bold $primary")]
    for command in commands:
        possible = command.possible(situation)
        name = "keep that side" if command.group else command.name
        lines.append(
            Content.assemble(
                (fit(command.key_words(keymap), 14), "bold" if possible else "$muted"),
                (name, "" if possible else "$muted"),
            )
        )
    return Content("\n").join(lines)


def _signs() -> Content:
    """What the glyphs in the panes stand for."""
    signs = [(glyph, f"{kind}: {KIND_MEANING[kind]}") for kind, glyph in KIND_GLYPH.items()]
    signs += [
        (LAYER_GLYPH["state"], "trusted note: it says `trust: canon`"),
        (LAYER_GLYPH["entity"], "record: a decision, component, requirement …"),
        (LAYER_GLYPH["memory"], "any other note"),
        ("⚠", "disputed: part of an open conflict"),
        ("~", "undated: when its file was last changed"),
    ]
    width = max(cell_len(glyph) for glyph, _ in signs) + 2
    lines = [Content.styled("Signs", "bold $primary")]
    lines += [Content.assemble((fit(glyph, width), "bold"), (said, "$muted")) for glyph, said in signs]
    return Content("\n").join(lines)
