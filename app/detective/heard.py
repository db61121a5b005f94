"""What can be recognised of a claim anywhere in a story: its words, and which of them are names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from app.guard.judged import how_held
from app.normalize.subjects import DATE_TITLE, proper, readable
from app.normalize.tokens import LIGHT, STOP, stem, words
from app.words import Claim, Standing

_THOUSANDS = re.compile(r"(?<=\d)[,  ](?=\d{3}\b)")
_JOINTS = re.compile(r"[-/+&]")
_TIMES = re.compile(r"(\d+)x")
_DAYS = {
    form: f"weekday:{n}"
    for n, forms in enumerate(
        (
            "mon monday mondays",
            "tue tues tuesday tuesdays",
            "wed weds wednesday wednesdays",
            "thu thur thurs thursday thursdays",
            "fri friday fridays",
            "sat saturday saturdays",
            "sun sunday sundays",
        )
    )
    for form in forms.split()
}
_NUMBERS = {w: str(n) for n, w in enumerate("two three four five six seven eight nine ten".split(), 2)}
_TITLES = frozenset("mr mrs ms miss dr prof st".split())


@lru_cache(maxsize=65536)
def token(word: str) -> str:
    """A word as it counts in a story: weekdays and small numbers in one form, the rest by their stem."""
    low = word.lower().rstrip(".")
    counted = _TIMES.fullmatch(low)
    if counted:
        return counted[1]
    return _DAYS.get(low) or _NUMBERS.get(low) or stem(low)


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The words of a text and of what is joined in it ("REST/JSON"), with whether they begin it."""
    for n, word in enumerate(words(_THOUSANDS.sub("", text))):
        yield word, n == 0
        if _JOINTS.search(word):
            for part in _JOINTS.split(word):
                if part:
                    yield part, n == 0


def stems(text: str) -> frozenset[str]:
    """The tokens of the words that tell something."""
    return frozenset(token(w) for w, _ in pieces(text) if w.lower() not in STOP) - _TITLES - LIGHT


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
            - _TITLES
        )

    @cached_property
    def held(self) -> Standing:
        return how_held(self.claim)


@dataclass(slots=True)
class Hearing:
    """All told claims of an index by their words; follows the index from one reading to the next."""

    _heard: dict[str, Heard] = field(default_factory=dict)
    _by_stem: defaultdict[str, dict[str, Heard]] = field(default_factory=lambda: defaultdict(dict))

    def follow(self, claims: Mapping[str, Claim]) -> None:
        for id in [id for id, heard in self._heard.items() if claims.get(id) is not heard.claim]:
            gone = self._heard.pop(id)
            for one in gone.stems:
                self._by_stem[one].pop(id, None)
        for id, claim in claims.items():
            if id not in self._heard and told(claim):
                heard = self._heard[id] = Heard(claim)
                for one in heard.stems:
                    self._by_stem[one][id] = heard

    def all(self) -> Collection[Heard]:
        return self._heard.values()

    def naming(self, wanted: frozenset[str]) -> list[Heard]:
        """The claims with all of these tokens, oldest first; undated ones are left out."""
        if not wanted:
            return []
        rarest = min((self._by_stem.get(one, {}) for one in wanted), key=len)
        return sorted((h for h in rarest.values() if h.date and wanted <= h.stems), key=order)


def told(claim: Claim) -> bool:
    """Is it part of the story: in force, and from a note that takes part in conflicts?"""
    s = claim.statement
    return claim.status == "active" and not claim.silent and not s.quoted and not s.struck


def order(heard: Heard) -> tuple[str, str, int, str]:
    s = heard.claim.statement
    return (heard.date, s.path, s.line, heard.id)
