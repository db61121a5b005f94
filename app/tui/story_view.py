"""Which part of the story is told, and as of when: what the person typed, read as a filter."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeVar

if TYPE_CHECKING:
    from app.store.rows import StoryFilter
    from app.words import Kind, Layer

T = TypeVar("T")
Clockwork = Literal["notes", "belie"]
"""Whose time counts: the dates in the notes, or when Belie came to know."""

_TOKEN = re.compile(r'(?P<key>[a-z]+):(?P<value>"[^"]*"?|\S*)|(?P<word>"[^"]*"?|\S+)', re.IGNORECASE)
LAYERS: dict[str, Layer] = {"trusted": "state", "record": "entity", "note": "memory"}
"""The names people see; the store's own are understood too."""
_LAYERS = {**LAYERS, "canon": "state", "state": "state", "entity": "entity", "memory": "memory"}
_KINDS: dict[str, Kind] = {"disagreement": "disagreement", "reversal": "reversal", "stale": "stale"}
FIELDS = ("subject", "project", "tag", "trust", "kind")
_OTHER_NAMES = {"layer": "trust"}


@dataclass(frozen=True, slots=True)
class StoryView:
    """A part of the story: the search as typed, and the day it is told as of."""

    query: str = ""
    day: str | None = None
    by: Clockwork = "notes"

    @property
    def filter(self) -> StoryFilter:
        found = parse(self.query)
        return replace(found, as_of=self.day) if self.by == "notes" else found

    @property
    def words(self) -> str:
        """What is looked for in the text."""
        return parse(self.query).text or "" if self.query.strip() else ""

    @property
    def known_at(self) -> str | None:
        """The moment whose knowledge is wanted, where Belie's own record is asked; it counts days in UTC."""
        return f"{self.day}T23:59:59.999999+00:00" if self.day and self.by == "belie" else None

    @property
    def whole(self) -> bool:
        return not self.query.strip() and self.day is None


WHOLE = StoryView()


def parse(query: str) -> StoryFilter:
    """`tag:boat trust:record north jetty` as a filter; what is no field is looked for in the text."""
    from app.store.rows import StoryFilter

    words: list[str] = []
    fields: dict[str, str] = {}
    layer: Layer | None = None
    kind: Kind | None = None
    for token in _TOKEN.finditer(query):
        typed, value = (token["key"] or "").casefold(), (token["value"] or "").strip('"')
        key = _OTHER_NAMES.get(typed, typed)
        if key not in FIELDS:
            words.append(token[0].strip('"'))
        elif key == "trust":
            layer = _begun(value, _LAYERS) or layer
        elif key == "kind":
            kind = _begun(value, _KINDS) or kind
        elif value:
            fields[key] = value
    return StoryFilter(
        text=" ".join(words).strip() or None,
        subject=fields.get("subject"),
        project=fields.get("project"),
        tag=fields.get("tag"),
        layer=layer,
        kind=kind,
    )


def _begun(typed: str, known: dict[str, T]) -> T | None:
    """The first whose name begins as typed, so that a filter holds before its name is written out."""
    return next((value for name, value in known.items() if typed and name.startswith(typed.casefold())), None)


def with_field(query: str, field: str, value: str) -> str:
    """The query with one field set, in the place of what it had for that field."""
    kept = [
        token[0]
        for token in _TOKEN.finditer(query)
        if (token["key"] or "").casefold() != field or field not in FIELDS
    ]
    plain = value.replace('"', "")
    return " ".join([*kept, f'{field}:"{plain}"' if re.search(r"\s", plain) else f"{field}:{plain}"])
