"""The line above the keys: whether notes are watched, how far reading is, what is in use, what is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from app.tui.wording import LAYER_GLYPH, LAYER_WORD

if TYPE_CHECKING:
    from app.pipeline.messages import Progress

Mode = Literal["watching", "polling", "still", "starting"]

_MODES: dict[Mode, tuple[str, str, str]] = {
    "watching": ("●", "watching", "$success"),
    "polling": ("◌", "polling", "$warning"),
    "still": ("○", "not watching", "$muted"),
    "starting": ("○", "starting", "$muted"),
}
_BAR = 12
_APART = 6
"""Cells on either side of the legend, at the least."""
_STAGES = {
    "looking": "looking through the vault",
    "reading": "reading",
    "comparing": "comparing",
    "rereading": "reading closely",
    "judging": "weighing",
    "detecting": "reading threads",
    "waiting": "models wait for a quiet moment",
    "paused": "models paused",
}


class Status(Widget):
    """One line, made anew whenever something in it changes."""

    mode: reactive[Mode] = reactive("starting")
    progress: reactive[Progress | None] = reactive(None)
    open: reactive[int | None] = reactive(None)
    models: reactive[str] = reactive("rules")
    read_only: reactive[bool] = reactive(False)

    def render(self) -> Content:
        glyph, word, colour = _MODES[self.mode]
        left = Content.assemble((f"{glyph} ", colour), (word, "$muted"))
        if (progress := self.progress) is not None and progress.stage != "done":
            left += Content.assemble("   ", *_progress(progress, roomy=self.size.width >= 70))
        facts = [f"{self.models} only" if self.models == "rules" else self.models, "offline"]
        if self.read_only:
            facts.insert(0, "read-only")
        right = Content("")
        if self.open is not None:
            right = Content.styled(f"{self.open:,} open", "bold $warning" if self.open else "$success")
        # From the least important on, what has no room is left out.
        for fact in reversed(facts):
            wider = Content.assemble((fact, "$muted"), ("  ·  " if right else "", "$muted"), right)
            if left.cell_length + wider.cell_length + 2 > self.size.width:
                break
            right = wider
        legend = _legend()
        if left.cell_length + legend.cell_length + right.cell_length + 2 * _APART <= self.size.width:
            left += Content(" " * _APART) + legend
        gap = max(1, self.size.width - left.cell_length - right.cell_length)
        return Content.assemble(left, " " * gap, right)


def _legend() -> Content:
    """What the signs before the lines of the story stand for."""
    signs = [*((LAYER_GLYPH[layer], LAYER_WORD[layer]) for layer in LAYER_GLYPH), ("⚠", "disputed")]
    return Content.styled("   ".join(f"{sign} {word}" for sign, word in signs), "$muted")


def _progress(progress: Progress, *, roomy: bool) -> list[tuple[str, str]]:
    word = _STAGES[progress.stage]
    if progress.stage == "paused":
        return [(word, "$warning")]
    if not progress.total:
        return [(f"{word} …", "$muted")]
    done = min(_BAR, _BAR * progress.done // progress.total)
    bar = [("━" * done, "$primary"), ("━" * (_BAR - done) + " ", "$line")] if roomy else []
    return [*bar, (f"{word} {progress.done:,}/{progress.total:,}", "$muted")]
