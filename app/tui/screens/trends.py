"""The trends: conflicts found and settled, open by kind, how old they are, where claims come from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual import on
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from app.tui.screens.place import Place, place_bindings
from app.tui.trend_reading import KINDS, read_trends
from app.tui.trend_reading import Trends as Read
from app.tui.widgets.page import Block, Line, Page
from app.tui.widgets.pane import Pane
from app.tui.widgets.plot import Plot
from app.tui.wording import LAYER_GLYPH, LAYER_WORD, plural
from app.words import Layer

_KIND_COLOUR = {"disagreement": "error", "reversal": "secondary", "stale": "warning"}
_LAYER_COLOUR = {"state": "primary", "entity": "accent", "memory": "muted"}
_ALIKE: dict[Layer, str] = {"state": "trusted notes", "entity": "records", "memory": "ordinary notes"}
_PLOTS = {
    "flow": "Found and settled, by week",
    "kinds": "Open, by kind",
    "age": "Median age of what is open, in days",
    "layers": "Statements, by trust",
    "contested": "Most contested notes",
}


@dataclass
class TrendsRead(Message, bubble=False):
    trends: Read


class Trends(Place):
    HOLDER = "trends"
    NAME = "Trends"
    ABOUT = "Whether the story is getting clearer: what was found and settled each week, and what is left."
    BINDINGS = place_bindings("trends")
    AUTO_FOCUS = "#plot-flow"

    def __init__(self) -> None:
        super().__init__()
        self._front = 0

    def content(self) -> Iterable[Widget]:
        with Container(id="plots", classes="-show-flow"):
            for name, title in _PLOTS.items():
                content = Page(id="contested") if name == "contested" else Plot(id=f"plot-{name}")
                yield Pane(title, content=content, id=f"trend-{name}")

    def begin(self) -> None:
        for pane in self.query(Pane):
            pane.say("Counting …")
        today = self.workspace.clock.today()
        self.workspace.session.conflicts.ask(
            self, lambda store: TrendsRead(read_trends(store, today)), name="trends"
        )

    def able(self) -> frozenset[str]:
        return frozenset({"next", "previous"})

    def on_resize(self) -> None:
        self.call_after_refresh(self._entitle)

    def _entitle(self) -> None:
        """Where one is shown at a time, its title says which."""
        alone = self.has_class("-narrow") or self.has_class("-short")
        for place, (name, title) in enumerate(_PLOTS.items(), start=1):
            which = f"  ·  {place} of {len(_PLOTS)}" if alone else ""
            self._pane(name).border_title = Content(title + which)

    @on(TrendsRead)
    def _read(self, message: TrendsRead) -> None:
        found = message.trends
        for pane in self.query(Pane):
            pane.say("")
        if not found.conflicts:
            for name in ("flow", "kinds", "age"):
                self._pane(name).say("No conflict has been found yet.")
            self._pane("contested").say("No note has been in a conflict yet.")
        self._pane("layers").say(*_alike(found.layers))
        self._flow(found)
        self._kinds(found)
        self._age(found)
        self._layers(found)
        self.query_one("#contested", Page).show([_contested(path, n) for path, n in found.contested])

    def _pane(self, name: str) -> Pane:
        return self.query_one(f"#trend-{name}", Pane)

    def _plot(self, name: str) -> Plot:
        return self.query_one(f"#plot-{name}", Plot)

    def _flow(self, found: Read) -> None:
        def draw(plot: Plot) -> None:
            plot.along_weeks(found.weeks, max(*found.found, *found.settled))
            plot.bars(found.found, "warning", shift=-0.2, width=0.4)
            plot.bars(found.settled, "success", shift=0.2, width=0.4)

        self._plot("flow").draw(draw)
        self._pane("flow").border_subtitle = Content.assemble(
            ("■ ", "$warning"), f"found {sum(found.found):,}  ", ("■ ", "$success"),
            f"settled {sum(found.settled):,}",
        )  # fmt: skip

    def _kinds(self, found: Read) -> None:
        kinds = [found.open_by_kind[kind] for kind in KINDS]
        sums = [[sum(week) for week in zip(*kinds[: n + 1], strict=True)] for n in range(len(KINDS))]

        def draw(plot: Plot) -> None:
            # One upon the other: drawn from the sum down, each kind leaves its own part in sight.
            plot.along_weeks(found.weeks, max(sums[-1]))
            for kind, heights in reversed(list(zip(KINDS, sums, strict=True))):
                plot.bars(heights, _KIND_COLOUR[kind], whole=True)

        self._plot("kinds").draw(draw)
        self._pane("kinds").border_subtitle = Content(" ").join(
            [
                Content.assemble(("■ ", f"${_KIND_COLOUR[kind]}"), f"{kind} {found.open_by_kind[kind][-1]:,}")
                for kind in KINDS
            ]
        )

    def _age(self, found: Read) -> None:
        def draw(plot: Plot) -> None:
            plot.along_weeks(found.weeks, max(found.median_age))
            plot.bars(found.median_age, "primary")

        self._plot("age").draw(draw)
        if found.conflicts and not any(found.median_age):
            self._pane("age").say("What is open was found today.")
        now = found.median_age[-1]
        told = f"now {now:,.0f} day{'' if now == 1 else 's'}" if any(found.median_age) else ""
        self._pane("age").border_subtitle = Content(told)

    def _layers(self, found: Read) -> None:
        counts = list(found.layers.items())
        names = [LAYER_WORD[layer] for layer, _ in counts]

        def draw(plot: Plot) -> None:
            plot.along_names(names, max(count for _, count in counts))
            for place, (layer, count) in enumerate(counts):
                plot.bars([0.0] * place + [count], _LAYER_COLOUR[layer], width=0.6)

        self._plot("layers").draw(draw)
        self._pane("layers").border_subtitle = Content("  ").join(
            [
                Content.assemble(
                    (f"{LAYER_GLYPH[layer]} ", f"${_LAYER_COLOUR[layer]}"), f"{LAYER_WORD[layer]} {count:,}"
                )
                for layer, count in counts
            ]
        )

    # going round
    def action_trends_next(self) -> None:
        self._turn(1)

    def action_trends_previous(self) -> None:
        self._turn(-1)

    def _turn(self, way: int) -> None:
        self._front = (self._front + way) % len(_PLOTS)
        plots = self.query_one("#plots")
        for place, name in enumerate(_PLOTS):
            plots.set_class(place == self._front, f"-show-{name}")
        self.set_focus(self._pane(list(_PLOTS)[self._front]).content)


def _alike(layers: dict[Layer, int]) -> tuple[str, str]:
    """What there is to say instead of a plot with a single bar, and how that could change."""
    there = [layer for layer, count in layers.items() if count]
    if not there:
        return "There is no statement yet.", ""
    if len(there) > 1:
        return "", ""
    said = f"All {plural(layers[there[0]], 'statement')} stand in {_ALIKE[there[0]]}."
    return said, "`trust: canon` in a note's frontmatter makes it a trusted note, `type: decision` a record."


def _contested(path: str, count: int) -> Block:
    return Block((Line(path, "text", aside=plural(count, "conflict")),), key=path)
