"""What the story can be narrowed to: the tags, projects, trust, kinds and subjects that are there."""

from __future__ import annotations

from textual import on

from app.store.rows import Facets
from app.tui.messages import FacetsRead
from app.tui.screens.picker import Pick, Picker
from app.tui.story_view import LAYERS

Field = tuple[str, str]
_NAMES: dict[str, str] = {layer: name for name, layer in LAYERS.items()}


class Filter(Picker[Field]):
    """Answers with a field and its value."""

    def __init__(self) -> None:
        super().__init__("Filter the story", "a tag, project, trust, kind or subject")

    @on(FacetsRead)
    def _facets_read(self, message: FacetsRead) -> None:
        self.offer(picks(message.facets))


def picks(facets: Facets) -> list[Pick[Field]]:
    """The short lists first; subjects, of which there are many, last."""
    groups = (
        ("kind", facets.kinds),
        ("trust", tuple((_NAMES.get(layer, layer), count) for layer, count in facets.layers)),
        ("project", facets.projects),
        ("tag", facets.tags),
        ("subject", facets.subjects),
    )
    return [
        Pick((field, value), value, field, f"{count:,}") for field, tally in groups for value, count in tally
    ]
