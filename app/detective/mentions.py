"""What can be recognised of a claim anywhere in a story: its words, and which of them are names."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from app.detection.gates import RELEASE
from app.detection.pair_gates import how_held
from app.detective.endings import Ending, Switch, endings, switch
from app.detective.story_words import TITLES, pieces, stems, token
from app.reading.subjects import DATE_TITLE, proper, readable
from app.reading.tokens import STOP, words
from app.words import Claim, Standing

_WE_USE = re.compile(
    r"^(?:we|i)(?:\s(?:now|currently|all))?(?:['’]re|\s(?:use|run|are|work))\s?(?:on\s|with\s)?"
    r"(?P<what>[\w./+#-]+)(?:\sfor\s(?:the\s|our\s|my\s|all\s)?(?P<of>\w+(?:\s\w+){0,2}))?\W*$",
    re.I,
)
_IT_USES = re.compile(
    r"^(?:the|our|my)\s(?P<of>\w+(?:\s\w+){0,2})\s(?:now\s|currently\s)?(?:uses|runs on|is built on)\s"
    r"(?P<what>[\w./+#-]+)\W*$",
    re.I,
)
# "The dentist says no sugar, so I moved us off cola": the second part is the writer's own act.
_PART = re.compile(r"[;.]\s|,\s(?:so|and so|and|then|hence)\s")
_LONGEST = 600
"""Characters of a line of the story; the patterns that read one meet nothing longer."""
_OWN_ACT = re.compile(r"\s*(?:i|we)(?:['’]ve)?\s", re.I)


@dataclass(frozen=True)
class Heard:
    """A claim with its words."""

    claim: Claim
    opens_with_name: bool = False
    """Its first word is written as a name in other lines."""

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def text(self) -> str:
        return self.claim.statement.text

    @property
    def date(self) -> str:
        return self.claim.statement.date or ""

    @property
    def place(self) -> str:
        return self.claim.statement.path

    @cached_property
    def stems(self) -> frozenset[str]:
        return stems(self.text)

    @cached_property
    def around(self) -> frozenset[str]:
        """Words of its note's title, its headings and the bullet above."""
        s = self.claim.statement
        title = "" if DATE_TITLE.match(self.claim.note) else readable(self.claim.note)
        return stems(" ".join((title, *s.heading, s.parent or "")))

    @cached_property
    def names(self) -> frozenset[str]:
        """Tokens that stand here as a name or code; a capital at the beginning proves nothing by itself."""
        if self.opens_with_name and self.opening:
            return self.surely_names | {self.opening}
        return self.surely_names

    @cached_property
    def surely_names(self) -> frozenset[str]:
        """The same, as far as this line alone tells."""
        return (
            frozenset(
                token(w) for w, first in pieces(self.text) if proper(w, first) and w.lower() not in STOP
            )
            - TITLES
        )

    @cached_property
    def opening(self) -> str | None:
        """The token of a first word with a capital, which may be a name or not."""
        first = next(iter(words(self.text)), "")
        if not first[:1].isupper() or first.lower() in STOP or not first.isalpha():
            return None
        return token(first) if token(first) not in TITLES else None

    @cached_property
    def common(self) -> frozenset[str]:
        """Tokens that stand here in small letters: whatever they are, no names."""
        return frozenset(token(w) for w in words(self.text) if w.isalpha() and w.islower())

    @cached_property
    def endings(self) -> tuple[Ending, ...]:
        """What it says is over."""
        return tuple(endings(self.text))

    @cached_property
    def switch(self) -> Switch | None:
        return switch(self.text)

    @cached_property
    def used(self) -> frozenset[str]:
        """ "We use REST", "our API uses REST": the tokens of what is said to be in use, and of no more."""
        m = _WE_USE.match(self.text) or _IT_USES.match(self.text)
        return stems(m["what"]) if m else frozenset()

    @cached_property
    def used_for(self) -> frozenset[str]:
        """What it is used for; nothing in particular where that is not said."""
        m = _WE_USE.match(self.text) or _IT_USES.match(self.text)
        return stems(m["of"] or "") if m else frozenset()

    @cached_property
    def used_by_us(self) -> bool:
        return bool(_WE_USE.match(self.text))

    @cached_property
    def held(self) -> Standing:
        return how_held(self.claim)

    @cached_property
    def held_ended(self) -> Standing:
        """How it holds that something is over: of what others say, the writer may draw a conclusion."""
        if self.held == "reported" and self.endings:
            for part in _PART.split(self.text):
                if any(endings(part)):
                    return "asserted" if _OWN_ACT.match(part) else self.held
        return self.held


@dataclass(frozen=True, slots=True)
class Moved:
    """What a hearing no longer has, and what it has instead."""

    gone: Sequence[Heard]
    came: Sequence[Heard]

    @property
    def all(self) -> Iterator[Heard]:
        yield from self.gone
        yield from self.came


@dataclass(slots=True)
class Hearing:
    """All told claims of an index by their words; follows the index from one reading to the next."""

    _heard: dict[str, Heard] = field(default_factory=dict)
    _by_stem: defaultdict[str, dict[str, Heard]] = field(default_factory=lambda: defaultdict(dict))
    _using: dict[str, Heard] = field(default_factory=dict)
    _opening: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _as_name: Counter[str] = field(default_factory=Counter)
    _in_small: Counter[str] = field(default_factory=Counter)

    def follow(self, claims: Mapping[str, Claim], ids: Iterable[str]) -> Moved:
        """Take in what became of these claims.

        Whether a first word is a name, all lines tell together: where that turns out otherwise, the lines
        that begin with it come anew, so that the order in which notes arrive makes no difference.
        """
        gone, came = self._take(claims, ids)
        touched = {one for heard in (*gone, *came) for one in (*heard.surely_names, *heard.common)}
        touched |= {heard.opening for heard in came if heard.opening}
        fresh = {heard.id: heard for heard in came}
        for one in sorted(touched & self._opening.keys()):
            is_name = self._as_name[one] > 0 and not self._in_small[one]
            for id in sorted(self._opening[one]):
                held = self._heard[id]
                if held.opens_with_name != is_name:
                    if id not in fresh:
                        gone.append(held)
                    self._drop(held)
                    fresh[id] = self._enter(Heard(held.claim, is_name))
        return Moved(gone, list(fresh.values()))

    def _take(self, claims: Mapping[str, Claim], ids: Iterable[str]) -> tuple[list[Heard], list[Heard]]:
        gone: list[Heard] = []
        came: list[Heard] = []
        for id in ids:
            claim, held = claims.get(id), self._heard.get(id)
            if held is not None and held.claim is claim:
                continue
            if held is not None:
                gone.append(held)
                self._drop(held)
            if claim is not None and told(claim):
                came.append(self._enter(Heard(claim)))
        return gone, came

    def _enter(self, heard: Heard) -> Heard:
        self._heard[heard.id] = heard
        if heard.used:
            self._using[heard.id] = heard
        if heard.opening:
            self._opening[heard.opening].add(heard.id)
        self._as_name.update(heard.surely_names)
        self._in_small.update(heard.common)
        for one in heard.stems:
            self._by_stem[one][heard.id] = heard
        return heard

    def _drop(self, heard: Heard) -> None:
        del self._heard[heard.id]
        self._using.pop(heard.id, None)
        if heard.opening:
            self._opening[heard.opening].discard(heard.id)
        self._as_name.subtract(heard.surely_names)
        self._in_small.subtract(heard.common)
        for one in heard.stems:
            self._by_stem[one].pop(heard.id, None)

    def using(self) -> list[Heard]:
        """The claims that only say what is in use, oldest first."""
        return sorted(self._using.values(), key=order)

    def uses(self, one: str) -> int:
        """How many claims have this token."""
        return len(self._by_stem.get(one, ()))

    def having(self, wanted: frozenset[str]) -> Iterator[Heard]:
        """The dated claims with all of these tokens, in no order."""
        if wanted:
            rarest = min((self._by_stem.get(one, {}) for one in wanted), key=len)
            yield from (h for h in rarest.values() if h.date and wanted <= h.stems)

    def naming(self, wanted: frozenset[str]) -> list[Heard]:
        """The same, oldest first."""
        return sorted(self.having(wanted), key=order)


def told(claim: Claim) -> bool:
    """Is it part of the story: in force, and from a note that takes part in conflicts?

    A note about one version of something tells of that version only.
    """
    s = claim.statement
    if claim.status != "active" or claim.silent or s.quoted or s.struck or len(s.text) > _LONGEST:
        return False
    return not RELEASE.search(claim.note)


def order(heard: Heard) -> tuple[str, str, int, str]:
    s = heard.claim.statement
    return (heard.date, s.path, s.line, heard.id)
