"""What can be recognised of a claim anywhere in a story: its words, and which of them are names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from app.detective.endings import Ending, endings, switched_to
from app.detective.told_words import TITLES, pieces, stems, token
from app.guard.gates import RELEASE
from app.guard.judged import how_held
from app.normalize.subjects import DATE_TITLE, proper, readable
from app.normalize.tokens import STOP
from app.words import Claim, Standing

_WE_USE = re.compile(
    r"^(?:we|i)(?:\s(?:now|currently|all))?(?:['’]re|\s(?:use|run|are|work))\s?(?:on\s|with\s)?(?P<what>[\w./+#-]+)\W*$",
    re.I,
)


@dataclass(frozen=True)
class Heard:
    """A claim with its words."""

    claim: Claim

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
        """Tokens that stand here as a name or code; a capital at the beginning proves nothing."""
        return (
            frozenset(
                token(w) for w, first in pieces(self.text) if proper(w, first) and w.lower() not in STOP
            )
            - TITLES
        )

    @cached_property
    def endings(self) -> tuple[Ending, ...]:
        """What it says is over."""
        return tuple(endings(self.text))

    @cached_property
    def switched_to(self) -> frozenset[str]:
        return switched_to(self.text)

    @cached_property
    def used(self) -> frozenset[str]:
        """ "We use REST": the tokens of what the writer says is in use, of nothing in particular."""
        m = _WE_USE.match(self.text)
        return stems(m["what"]) if m else frozenset()

    @cached_property
    def held(self) -> Standing:
        return how_held(self.claim)


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

    def follow(self, claims: Mapping[str, Claim], ids: Iterable[str]) -> Moved:
        """Take in what became of these claims."""
        gone: list[Heard] = []
        came: list[Heard] = []
        for id in ids:
            claim, held = claims.get(id), self._heard.get(id)
            if held is not None and held.claim is claim:
                continue
            if held is not None:
                gone.append(held)
                del self._heard[id]
                self._using.pop(id, None)
                for one in held.stems:
                    self._by_stem[one].pop(id, None)
            if claim is not None and told(claim):
                heard = self._heard[id] = Heard(claim)
                came.append(heard)
                if heard.used:
                    self._using[id] = heard
                for one in heard.stems:
                    self._by_stem[one][id] = heard
        return Moved(gone, came)

    def using(self) -> list[Heard]:
        """The claims that only say what is in use, oldest first."""
        return sorted(self._using.values(), key=order)

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
    if claim.status != "active" or claim.silent or s.quoted or s.struck:
        return False
    return not RELEASE.search(claim.note)


def order(heard: Heard) -> tuple[str, str, int, str]:
    s = heard.claim.statement
    return (heard.date, s.path, s.line, heard.id)
