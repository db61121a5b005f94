"""Where statements differ: how all of them begin, what each says instead of the others, how all continue."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from app.conflicts.side import ARTICLES, COPULAS, DENIES, GENITIVE, Side, WeighedWord, side_by_side, words_of

_SMALL = (
    ARTICLES
    | COPULAS
    | frozenset(
        "i we you he she it they my our his her its their this that these those there no every all each some"
        " in on at to of for from with by and or as be was were has have had do does did not".split()
    )
)
"""Words that do not say what a sentence is about."""
_GOES_ON = frozenset("and but so because since which who when while with as".split())
_NAMING = 3
"""Up to this many words that only one statement begins with belong to the name of the thing."""
_SHORT = 2
_ALIKE = 0.34
"""Below this share, words in common are a coincidence."""


@dataclass(frozen=True, slots=True)
class TitleChoice:
    """A head ("Lifejackets are serviced every"), options ("12", "24") and a tail ("months")."""

    head: str
    options: tuple[tuple[WeighedWord, ...], ...]
    tail: str


def find_choice(texts: Sequence[str]) -> TitleChoice | None:
    """None if the statements neither begin alike nor differ in a word or two before a common end.

    Their order affects only the order of the options."""
    sides = side_by_side(texts)
    cut = _cut(sides)
    if cut is None:
        return None
    options: dict[str, tuple[WeighedWord, ...]] = {}
    for side, (start, end) in zip(sides, cut, strict=True):
        options.setdefault(side.between(start, end).casefold(), words_of(side, *side.stretch(start, end)))
    if len(options) < 2 or "" in options:
        return None
    return TitleChoice(_head(sides, cut), tuple(options.values()), _tail(sides, cut))


def whole_statements(texts: Sequence[str]) -> list[tuple[WeighedWord, ...]]:
    """Each statement in full; if they are worded alike, shared words weigh little."""
    sides = side_by_side(texts)
    alike = len(sides[0].common) >= _ALIKE * max(len(side.keys) for side in sides)
    return [words_of(side, 0, len(side.text), alike=alike) for side in sides]


def _cut(sides: Sequence[Side]) -> list[tuple[int, int]] | None:
    """Where each option begins and ends, as word positions."""
    count = len(sides[0].common)
    parted = [n for n in range(count + 1) if any(side.has_content(n) for side in sides)]
    if not parted or not count:
        return None
    if parted == [0]:
        return _short_beginnings(sides)
    first = parted[1] if parted[0] == 0 and _only_leads_in(sides, parted[1]) else parted[0]
    last = parted[-2] if parted[-1] == count and _only_goes_on(sides, parted[:-1]) else parted[-1]
    first = _without_names(sides, first)
    if not _telling(sides[0], sides[0].common[:first]):
        return None
    if not _telling(sides[0], sides[0].common[last:]):
        last = count
    starts = _starts(sides, first)
    ends = [side.common[last] if last < count else len(side.keys) for side in sides]
    if not all(set(side.keys[s:e]) - ARTICLES for side, s, e in zip(sides, starts, ends, strict=True)):
        # One of them has no word there. With what follows it is "garlic" against "no garlic"; if that is
        # long, with the word before, "must" against "must not".
        if last < count and (count - last <= _SHORT or first == 1):
            ends = [side.common[-1] + 1 for side in sides]
        elif first == 1:
            return None
        else:
            starts = [side.common[first - 1] for side in sides]
    return list(zip(starts, ends, strict=True))


def _short_beginnings(sides: Sequence[Side]) -> list[tuple[int, int]] | None:
    """All say the same after the first words: "no" or "one" socket near the sink."""
    ends = [side.common[0] for side in sides]
    if min(ends) == 0:  # "smoking" against "no smoking"
        ends = [end + 1 for end in ends]
    rest = [len(side.keys) - end for side, end in zip(sides, ends, strict=True)]
    return [(0, end) for end in ends] if max(ends) <= _SHORT and min(rest) > 1 else None


def _only_leads_in(sides: Sequence[Side], until: int) -> bool:
    """Only some begin with extra words, which name the thing more closely ("the tractor's") or lead in
    ("Counted twice: …"); a number or a denial there is part of what they say."""
    leading = [side for side in sides if side.has_content(0)]
    named = sum(sides[0].keys[place] not in ARTICLES for place in sides[0].common[:until])
    return len(leading) < len(sides) and all(
        not _says(side, side.gap(0))
        and (named > 1 and _tells(side, until) if _clause(side) else _names(side, until))
        for side in leading
    )


def _says(side: Side, gap: range) -> bool:
    return any(side.keys[place][0].isdigit() or DENIES.match(side.keys[place]) for place in gap)


def _clause(side: Side) -> bool:
    """Is there a punctuation mark in or after its lead-in?"""
    return any(side.separated(place + 1) for place in side.gap(0))


def _tells(side: Side, until: int) -> bool:
    """Does the mark end the lead-in, and does the text continue without a break after the common words?"""
    following = side.common[until - 1] + 1
    return (
        side.separated(_after_articles(side, side.gap(0)))
        and following < len(side.keys)
        and not side.separated(following)
    )


def _names(side: Side, until: int) -> bool:
    """Does it only name the thing: "the tractor's", "the owner of", "the shore", the first words of a
    label?"""
    gap, end = side.gap(0), side.spans[side.common[until - 1]][1]
    words = [place for place in gap if side.keys[place] not in ARTICLES]
    if len(words) > _NAMING:
        return False
    last = side.written(words[-1])
    return (
        bool(GENITIVE.search(last))
        or last in ("of", "for")
        or (side.keys[gap.start] in ARTICLES and len(words) < _NAMING)
        or side.text.startswith(":", end)
    )


def _after_articles(side: Side, gap: range) -> int:
    """The end of this gap, without trailing articles."""
    end = gap.stop
    while end > gap.start and side.keys[end - 1] in ARTICLES:
        end -= 1
    return end


def _only_goes_on(sides: Sequence[Side], others: Sequence[int]) -> bool:
    """Do only some continue, in a clause of its own that denies nothing, while the rest differs anyway?"""
    number = len(sides[0].common)
    if not any(all(side.has_content(n) for side in sides) for n in others):
        return False
    going = [(side, side.gap(number)) for side in sides if side.has_content(number)]
    return len(going) < len(sides) and all(
        (side.separated(gap.start) or side.keys[gap.start] in _GOES_ON)
        and not any(DENIES.match(side.keys[place]) for place in gap)
        for side, gap in going
    )


def _without_names(sides: Sequence[Side], first: int) -> int:
    """How many common words form the head: a number, a name or an article stays with the word it belongs
    to."""
    while first and (_parts_names(sides, first) or _parts_genitive(sides, first)):
        first -= 1
    return first


def _parts_names(sides: Sequence[Side], first: int) -> bool:
    places = [side.common[first - 1] for side in sides]
    return all(
        place < len(side.keys) - 1 and not side.separated(place + 1) and _belongs(side, place)
        for side, place in zip(sides, places, strict=True)
    )


def _belongs(side: Side, place: int) -> bool:
    """As "the" does to "quay", "30" to "September", "Halden" to "40", "Dr" to "Lennox"."""
    word, following = side.written(place), side.written(place + 1)
    if word.isdigit():
        return following[0].islower() or len(word) <= len("30")
    if following[0].isdigit():
        return place > 0 and word[0].isupper()
    return side.keys[place] in ARTICLES or (word[0].isupper() and following[0].isupper())


def _parts_genitive(sides: Sequence[Side], first: int) -> bool:
    """After "Leo's teacher is" and "Leo has" the sentences are about different things."""
    ends = {bool(GENITIVE.search(side.written(side.common[first - 1]))) for side in sides}
    return len(ends) > 1


def _telling(side: Side, places: Sequence[int]) -> bool:
    return any(side.keys[place] not in _SMALL for place in places)


def _starts(sides: Sequence[Side], first: int) -> list[int]:
    """The first word of each option; "is", and words another head contains, belong to the head."""
    starts = [side.common[first - 1] + 1 for side in sides]
    said = set().union(*(side.keys[:start] for side, start in zip(sides, starts, strict=True))) - _SMALL
    starts = [_after(side, start, said) for side, start in zip(sides, starts, strict=True)]
    begun = [(side, start) for side, start in zip(sides, starts, strict=True) if start < len(side.keys)]
    if all(side.keys[start] in COPULAS or side.separated(start) for side, start in begun):
        # Otherwise one of them continues with a verb of its own and needs no "is" before it.
        starts = [_after(side, start, COPULAS) for side, start in zip(sides, starts, strict=True)]
    return starts


def _after(side: Side, start: int, said: Collection[str]) -> int:
    while start < len(side.keys) - 1 and side.keys[start] in said:
        start += 1
    return start


def _head(sides: Sequence[Side], cut: Sequence[tuple[int, int]]) -> str:
    """In the words of the longest head, without lead-ins."""
    heads = []
    for side, (start, _) in zip(sides, cut, strict=True):
        gap = side.gap(0)
        heads.append(side.between(_after_articles(side, gap) if _clause(side) else 0, start))
    return min(heads, key=lambda text: (-len(text), text))


def _tail(sides: Sequence[Side], cut: Sequence[tuple[int, int]]) -> str:
    """In the words of the shortest tail."""
    stops = [max(end, side.common[-1] + 1) for side, (_, end) in zip(sides, cut, strict=True)]
    tails = [side.between(end, stop) for side, (_, end), stop in zip(sides, cut, stops, strict=True)]
    return min(tails, key=lambda text: (len(text), text))
