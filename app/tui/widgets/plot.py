"""A plot in the theme's colours, with weeks or names along the bottom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from textual_hires_canvas import HiResMode
from textual_plot import PlotWidget
from textual_plot.axis_formatter import AxisFormatter

Draw = Callable[["Plot"], None]


class Counted(AxisFormatter):
    """Whole numbers, few enough to have room."""

    def get_ticks(self, min_: float, max_: float, max_ticks: int = 8) -> list[float]:
        step = next(
            step for size in range(12) for step in (10**size, 2 * 10**size, 5 * 10**size) if max_ / step <= 5
        )
        return [float(tick) for tick in range(0, int(max_) + 1, step)]

    def get_labels_for_ticks(self, ticks: Sequence[float]) -> list[str]:
        return [f"{int(tick):,}" for tick in ticks]


class Weekly(AxisFormatter):
    """Places are weeks; as many are named as have room."""

    def __init__(self, weeks: Sequence[date], each: int) -> None:
        self._weeks = weeks
        self._each = max(1, each)

    def get_ticks(self, min_: float, max_: float, max_ticks: int = 8) -> list[float]:
        return [float(place) for place in range(len(self._weeks) - 1, -1, -self._each)][::-1]

    def get_labels_for_ticks(self, ticks: Sequence[float]) -> list[str]:
        days = [self._weeks[int(tick)] for tick in ticks]
        return [f"{day.day} {day:%b}" for day in days]


class Named(AxisFormatter):
    """Places are names."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def get_ticks(self, min_: float, max_: float, max_ticks: int = 8) -> list[float]:
        return [float(place) for place in range(len(self._names))]

    def get_labels_for_ticks(self, ticks: Sequence[float]) -> list[str]:
        return [self._names[int(tick)] for tick in ticks]


class Plot(PlotWidget, can_focus=True, inherit_bindings=False):
    """Drawn anew when it gets another size or the theme changes, by the function it was given last."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, allow_pan_and_zoom=False)
        self._draw: Draw | None = None

    def on_mount(self) -> None:
        self.margin_top, self.margin_left, self.margin_bottom = 0, 6, 1
        super().on_mount()
        self.app.theme_changed_signal.subscribe(self, lambda _: self._again())

    def draw(self, draw: Draw) -> None:
        self._draw = draw
        self._again()

    def on_resize(self) -> None:
        self.call_after_refresh(self._again)

    def _again(self) -> None:
        if self._draw is not None:
            self.clear()
            self._draw(self)

    def colour(self, name: str) -> str:
        """A colour of the theme, as plots take it."""
        return self.app.theme_variables[name]

    # what our plots are made of
    def along_weeks(self, weeks: Sequence[date], top: float) -> None:
        # A date takes six cells and a gap.
        each = -(-len(weeks) * 8 // max(8, self.size.width - 8))
        self.set_x_formatter(Weekly(weeks, each))
        self._span(len(weeks), top)

    def along_names(self, names: Sequence[str], top: float) -> None:
        self.set_x_formatter(Named(names))
        self._span(len(names), top)

    def _span(self, places: int, top: float) -> None:
        self.set_y_formatter(Counted())
        self.set_xlimits(-0.6, places - 0.4)
        self.set_ylimits(0, max(1.0, top) * 1.08)

    def bars(
        self, heights: Sequence[float], colour: str, *, shift: float = 0.0, width: float = 0.7,
        whole: bool = False,
    ) -> None:  # fmt: skip
        """`whole`: in whole cells, for bars upon each other; half a cell would hide what is behind."""
        # Nothing is drawn for nothing: in whole cells it would be a row high.
        bars = [(place + shift, height) for place, height in enumerate(heights) if height > 0]
        self.bar(
            [place for place, _ in bars], [height for _, height in bars], width=width,
            bar_style=self.colour(colour), hires_mode=None if whole else HiResMode.HALFBLOCK,
        )  # fmt: skip
