"""The order of the story: every claim's id, in one string, so that a hundred thousand cost a moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload


class Order(Sequence[str]):
    """Ids in their order, each of the same width in one string; and which of them are disputed.

    SQLite makes the string while other threads run, two orders are compared by one look at the memory, and
    no id is an object before it is asked for. A list and a dictionary of a long story would hold up the
    keys for as long as they are made.
    """

    __slots__ = ("_marks", "_text", "_width")

    def __init__(self, text: str = "", width: int = 1, marks: str = "") -> None:
        """`marks` has a character for each id: 1 where it is disputed."""
        self._text = text
        self._width = width
        self._marks = marks

    @classmethod
    def of(cls, ids: Iterable[str], marks: str = "") -> Order:
        """Of any ids; shorter ones are padded."""
        found = list(ids)
        width = max(map(len, found), default=1)
        return cls("".join(id.ljust(width) for id in found), width, marks)

    def next_disputed(self, place: int, way: int) -> int | None:
        """The place of the next disputed claim, or with `way` below 0 of the one before; None at the end."""
        at = self._marks.find("1", place + 1) if way > 0 else self._marks.rfind("1", 0, place)
        return None if at < 0 else at

    def place(self, id: str) -> int | None:
        """Where a claim stands; None when it is not in the story."""
        wanted, width = id.ljust(self._width), self._width
        at = self._text.find(wanted) if len(wanted) == width else -1
        while at >= 0 and at % width:  # the end of one id and the beginning of the next
            at = self._text.find(wanted, at + 1)
        return None if at < 0 else at // width

    def __len__(self) -> int:
        return len(self._text) // self._width

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = index if index >= 0 else index + len(self)
        if not 0 <= place < len(self):
            raise IndexError(index)
        return self._text[place * self._width : (place + 1) * self._width].rstrip()

    def __iter__(self) -> Iterator[str]:
        return (self[place] for place in range(len(self)))

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self.place(id) is not None

    def __eq__(self, other: object) -> bool:
        """The same claims in the same order, whoever disputes them."""
        if not isinstance(other, Order):
            return NotImplemented
        return self._text == other._text and self._width == other._width

    __hash__ = None  # type: ignore[assignment]
