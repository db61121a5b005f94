"""Completes the field that is being typed in a search from what the vault has."""

from __future__ import annotations

from textual.suggester import Suggester

from app.store.rows import Facets
from app.tui.story_view import FIELDS, LAYERS

_NAMES = {layer: name for name, layer in LAYERS.items()}


class Completion(Suggester):
    """`tag:bo` becomes `tag:boat`; the words around it stay."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.known: dict[str, tuple[str, ...]] = dict.fromkeys(FIELDS, ())

    def learn(self, facets: Facets) -> None:
        self.known = {
            "project": _values(facets.projects),
            "tag": _values(facets.tags),
            "trust": tuple(_NAMES.get(layer, layer) for layer in _values(facets.layers)),  # type: ignore[call-overload]
            "kind": _values(facets.kinds),
            "subject": _values(facets.subjects),
        }

    async def get_suggestion(self, value: str) -> str | None:
        head, space, last = value.rpartition(" ")
        field, colon, begun = last.partition(":")
        if not colon:
            whole = next((name for name in FIELDS if len(last) > 1 and name.startswith(last)), None)
            return f"{head}{space}{whole}:" if whole else None
        for known in self.known.get(field.casefold(), ()):
            # One word only: a value with blanks needs quotes around what is typed already.
            if begun and " " not in known and known != begun and known.startswith(begun):
                return f"{head}{space}{field}:{known}"
        return None


def _values(tally: tuple[tuple[str, int], ...]) -> tuple[str, ...]:
    return tuple(value for value, _ in tally)
