"""The help: every command by area, with what cannot be done just now dimmed."""

from __future__ import annotations

from typing import cast

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from app.tui.cells import fit
from app.tui.commands import AREAS, Area, Command, Keymap, Situation, by_area
from app.tui.wording import KIND_GLYPH, KIND_MEANING, LAYER_GLYPH


class Help(ModalScreen[None]):
    """One page; any of the usual keys closes it."""

    BINDINGS = [  # noqa: RUF012
        Binding("escape,question_mark,q", "dismiss", "close", id="help.close"),
        Binding("j,down", "scroll('down')", show=False),
        Binding("k,up", "scroll('up')", show=False),
        Binding("pagedown,space", "scroll('page_down')", show=False),
        Binding("pageup", "scroll('page_up')", show=False),
    ]

    def compose(self) -> ComposeResult:
        situation = cast("Situation", getattr(self.app, "situation", Situation()))
        keymap = cast("Keymap", getattr(self.app, "keymap", {}))
        groups = by_area()
        columns: tuple[tuple[Area, ...], ...] = (("conflict", "note", "belie"), ("move", "view"))
        with VerticalScroll(id="help") as box:
            box.border_title = Content("Keys")
            box.border_subtitle = Content("Esc closes")
            with Container(id="help-columns"):
                for areas in columns:
                    parts = [_area(AREAS[area], groups[area], situation, keymap) for area in areas]
                    if areas is columns[0]:
                        parts.append(_signs())
                    yield Static(Content("\n\n").join(parts), markup=False, classes="help-column")

    def action_scroll(self, way: str) -> None:
        getattr(self.query_one("#help", VerticalScroll), f"scroll_{way}")(animate=False)


def _area(title: str, commands: list[Command], situation: Situation, keymap: Keymap) -> Content:
    lines = [Content.styled(title, "bold $primary")]
    for command in commands:
        possible = command.possible(situation)
        name = "keep that member" if command.group else command.name
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
        (LAYER_GLYPH["state"], "canon: the note says `trust: canon`"),
        (LAYER_GLYPH["entity"], "record: a decision, component, requirement …"),
        (LAYER_GLYPH["memory"], "any other note"),
        ("⚠", "disputed: part of an open conflict"),
    ]
    width = max(cell_len(glyph) for glyph, _ in signs) + 2
    lines = [Content.styled("Signs", "bold $primary")]
    lines += [Content.assemble((fit(glyph, width), "bold"), (said, "$muted")) for glyph, said in signs]
    return Content("\n").join(lines)
